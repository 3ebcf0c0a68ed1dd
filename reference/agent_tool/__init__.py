"""The managed agent tool: one typed tool that a managed agent calls back with, and the service behind it."""
