"""What people see of Cartagena."""
