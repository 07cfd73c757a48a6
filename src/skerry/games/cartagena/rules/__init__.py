"""The rules of Cartagena."""
