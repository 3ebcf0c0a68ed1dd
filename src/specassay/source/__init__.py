"""Reads the sources of an implementation with real parsers: what they import, declare and name.

`Tree` is a folder of sources; it reads a file into a `Module` and finds the files that an `Import` leads to. What comes
out is data, and no judgement.
"""

from specassay.source.model import Form, Import, Mention, Module, SourceError
from specassay.source.reading import cannot_read, imports, read
from specassay.source.tree import Tree

__all__ = ["Form", "Import", "Mention", "Module", "SourceError", "Tree", "cannot_read", "imports", "read"]
