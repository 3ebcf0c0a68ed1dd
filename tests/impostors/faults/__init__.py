"""The impostors: one module for each requirement, one function for each fault."""
