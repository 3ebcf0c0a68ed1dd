"""What listens on loopback for an implementation: servers that answer from scripts and keep a journal."""
