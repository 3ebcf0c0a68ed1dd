"""How the harness starts a driver, speaks with it and ends it."""
