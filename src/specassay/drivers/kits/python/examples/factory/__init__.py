"""A shell that a factory makes, as often as one asks."""
