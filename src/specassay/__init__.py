"""A spec-driven conformance kit for agent session shells."""

__version__ = "0.1.0"
