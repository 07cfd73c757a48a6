"""Games of other packages: the registry that finds them, the defaults that serve them, and the examples."""
