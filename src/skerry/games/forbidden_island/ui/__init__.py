"""What people see of Forbidden Island."""
