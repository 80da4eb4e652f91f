"""A group of commands that imports each when it is called, and reports a user's mistake in one line.

Options that were renamed keep their old name for one more version, with a note on standard error.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

import click

from leverarm.errors import LeverarmError, unknown_name
from leverarm.late_import import late

MISTAKE = 2
INTERRUPTED = 130


class Mistake(click.ClickException):
    """What the user got wrong: `error: ...` and exit code 2."""

    exit_code = MISTAKE

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(f"error: {self.message}", file=file, err=file is None)


class CommandGroup(click.Group):
    """Commands by name, as "module:command"."""

    def __init__(self, *args: Any, commands_by_name: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.commands_by_name = commands_by_name

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands_by_name)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.commands_by_name:
            return None
        command: click.Command = late(self.commands_by_name[cmd_name])
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in self.commands_by_name:
            raise Mistake(unknown_name("command", args[0], self.commands_by_name))
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except click.UsageError as problem:
            if "unexpected extra argument" not in problem.message:
                raise
            advice = "Separate numbers with commas (0.1,0.2) or quote them ('0.1 0.2')."
            raise click.UsageError(f"{problem.message}. {advice}", problem.ctx) from None
        except LeverarmError as mistake:
            raise Mistake(str(mistake)) from None
        except KeyboardInterrupt:
            raise click.exceptions.Exit(INTERRUPTED) from None
        except RuntimeError as problem:
            # Python 3.11 wraps a Ctrl-C that comes while a class is being made.
            if isinstance(problem.__cause__, KeyboardInterrupt):
                raise click.exceptions.Exit(INTERRUPTED) from None
            raise


class RenamingCommand(click.Command):
    """A command that still takes old names of its options.

    As in `@click.command(cls=RenamingCommand, renamed={"--old": "--new"})`; `--help` lists the new names only.
    """

    def __init__(self, *args: Any, renamed: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.renamed = renamed

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        end = args.index("--") if "--" in args else len(args)
        return super().parse_args(ctx, [*map(self._current, args[:end]), *args[end:]])

    def _current(self, arg: str) -> str:
        name, equals, value = arg.partition("=")
        if name not in self.renamed:
            return arg
        new = self.renamed[name]
        click.echo(f"note: {name} is now called {new}; the old name works in this version only.", err=True)
        return new + equals + value
