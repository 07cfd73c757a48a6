"""The rules that differ from those of Cartagena."""
