"""Options that were renamed: the old name works for one more version, with a note on standard error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click


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
