"""The bots of Hashi."""
