"""The driver side of the harness, against drivers written by hand."""
