"""The command line. It loads little by itself, so that an interruption at once is caught, too."""

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command, and give its exit code; see `specassay.cli.commands.call`."""
    try:
        from specassay.cli.commands import call

        return call(arguments)
    except KeyboardInterrupt:
        print("specassay: interrupted", file=sys.stderr)
        return 130  # Exit.INTERRUPTED, which may not be loaded yet
