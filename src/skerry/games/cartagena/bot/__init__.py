"""The bots of Cartagena."""
