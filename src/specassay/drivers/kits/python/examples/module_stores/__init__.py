"""A shell whose state is held by its modules, as many programs begin."""
