"""Two games for Skerry, in a package of their own."""
