"""What people see of Hashi."""
