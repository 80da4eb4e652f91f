"""Printing: tables, JSON and findings; coloured in a terminal or where FORCE_COLOR is set, plain in a pipe."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Literal

import click

from leverarm.documents import Document
from leverarm.documents.saving import terminal

if TYPE_CHECKING:
    from rich.console import RenderableType


UNBOUNDED = 10_000
"""A pipe has no width: nothing is wrapped or cut."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    head: str
    is_number: bool = False


def terminal_columns() -> int:
    """Characters across; 80 in a pipe."""
    return shutil.get_terminal_size((80, 24)).columns


def is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def print_lines(*things: RenderableType) -> None:
    """Prints texts and tables one below the other."""
    from rich.console import Console

    if (is_terminal() or os.environ.get("FORCE_COLOR")) and not os.environ.get("NO_COLOR"):
        width = None if is_terminal() else UNBOUNDED
        console = Console(file=sys.stdout, width=width, highlight=False, markup=False, emoji=False)
        for thing in things:
            console.print(thing)
        return
    buffer = StringIO()
    width = terminal_columns() if is_terminal() else UNBOUNDED
    plain = Console(file=buffer, width=width, color_system=None, highlight=False, markup=False, emoji=False)
    for thing in things:
        plain.print(thing)
    for line in buffer.getvalue().splitlines():
        click.echo(line.rstrip())


def table(title: str, columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> RenderableType:
    """A table under its title, without columns that are empty in every row."""
    from rich import box
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    made = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0))
    kept = [k for k, column in enumerate(columns) if not column.head or any(row[k] for row in rows)]
    for k in kept:
        justify: Literal["left", "right"] = "right" if columns[k].is_number else "left"
        made.add_column(
            columns[k].head, justify=justify, no_wrap=k == 0, overflow="fold", style="bold" if k == 0 else None
        )
    for row in rows:
        made.add_row(*(row[k] for k in kept))
    return Group(Text(title, style="bold"), made) if title else made


def print_json(data: Mapping[str, Any] | Sequence[Any]) -> None:
    """Prints JSON, one line per entry; floats with all their digits."""

    def text(entry: Any) -> str:
        return json.dumps(entry, ensure_ascii=False, allow_nan=False)

    if isinstance(data, Mapping):
        lines, start, end = [f"{text(key)}: {text(entry)}" for key, entry in data.items()], "{", "}"
    else:
        lines, start, end = [text(entry) for entry in data], "[", "]"
    click.echo("\n".join((start, ",\n".join(f"  {line}" for line in lines), end)))


def short(x: float) -> str:
    """Six digits, without a negative zero."""
    return "0" if x == 0 else f"{x:.6g}"


NARROWEST, WIDEST = 40, 100
"""Columns of what is printed."""


def print_document(document: Document, level: str = "brief") -> None:
    """Prints a document in lines that fit the terminal."""
    text = terminal(document, level, min(max(terminal_columns(), NARROWEST), WIDEST))
    text.rstrip()
    print_lines(text, "")


def print_wrapped(text: str) -> None:
    """Prints sentences in lines that fit."""
    click.echo("\n".join(wrap(text, WIDEST)))
