"""The rules of Hashi."""
