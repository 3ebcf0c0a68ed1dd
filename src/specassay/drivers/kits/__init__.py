"""The kits: what makes a driver short, one folder a language."""
