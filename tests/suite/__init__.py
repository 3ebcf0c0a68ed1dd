"""Whole runs of the suite, in a process of their own, against drivers written by hand."""
