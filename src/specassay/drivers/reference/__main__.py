"""Serves the reference over standard input and output: `python -m specassay.drivers.reference`."""

from specassay.drivers.reference import driver

if __name__ == "__main__":
    driver().serve()
