"""The commands: a module each, loaded only when it is asked for."""

import importlib
import sys
from collections.abc import Sequence

import click

from specassay import __version__
from specassay.cli.output import steady
from specassay.errors import Exit, SpecassayError

_COMMANDS = {
    "run": "specassay.cli.run",
    "list": "specassay.cli.listing",
    "explain": "specassay.cli.explain",
    "trace": "specassay.cli.trace",
    "merge": "specassay.cli.merge",
    "diff": "specassay.cli.diff",
    "transcribe": "specassay.cli.transcribe",
    "doctor": "specassay.cli.doctor",
    "kit": "specassay.cli.kit",
    "provider": "specassay.cli.provider",
    "record": "specassay.cli.record",
}


class _Commands(click.Group):
    """Finds a command in the module of `_COMMANDS`, as its `command`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        found: click.Command = importlib.import_module(_COMMANDS[cmd_name]).command
        return found


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, message="specassay %(version)s")
def group() -> None:
    """Test whether an agent session shell keeps its specification, and say on what evidence."""


def call(arguments: Sequence[str] | None) -> int:
    """Run a command, and give its exit code; what the user can set right is told in one message, never a traceback.

    Raises `KeyboardInterrupt`.
    """
    with steady():
        try:
            code = group.main(args=arguments, prog_name="specassay", standalone_mode=False)
            if sys.stdout is not None:
                sys.stdout.flush()
        except SpecassayError as error:
            click.echo(f"specassay: {error}", err=True)
            return int(error.exit)
        except click.ClickException as error:
            error.show()
            return error.exit_code
        except click.Abort:
            raise KeyboardInterrupt from None
    return code if isinstance(code, int) else int(Exit.CONFORMS)
