"""What people see of Forbidden Desert."""
