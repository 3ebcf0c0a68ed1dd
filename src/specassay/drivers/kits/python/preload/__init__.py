"""A folder for PYTHONPATH: what lies in it is loaded when Python starts."""
