"""Every paragraph, display, table row and exercise of the sources, and the command that does it."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from unicodedata import normalize

from click.testing import CliRunner

from leverarm.cli import cli

HERE = Path(__file__).parent / "lines"
NAMES = ("energy", "rigid-bodies", "lagrangian-dynamics", "lewis", "tutorial")
STATUS = {
    "equal": "`check` proves the display, pasted as it stands: both sides are the same function of all symbols",
    "shown": "the command prints it",
    "computed": "the command prints its numbers",
    "misprint": "the page is wrong there; the command corrects it, or shows what holds",
    "not covered": "no command does it; the remark says why",
}


@dataclass(frozen=True)
class Line:
    """A paragraph, display, row or exercise: where it stands, what it says, what does it, and how that is known."""

    at: str
    status: str
    says: str = ""
    paste: str = ""
    """A display as it stands on the page, which `check` is given."""
    command: str = ""
    shows: tuple[str, ...] = ()
    """What the command prints, line breaks and columns apart."""
    note: str = ""

    @property
    def arguments(self) -> list[str]:
        return [*shlex.split(self.command), *(["--text", f"$${self.paste}$$"] if self.paste else [])]


@dataclass(frozen=True)
class Source:
    """A lecture or a chapter, line by line."""

    name: str
    title: str
    lines: tuple[Line, ...]


@cache
def load(name: str) -> Source:
    """One of the sources."""
    data = tomllib.loads((HERE / f"{name}.toml").read_text())
    lines = tuple(Line(**{**line, "shows": tuple(line.get("shows", ()))}) for line in data["line"])
    return Source(name, data["title"], lines)


@cache
def answer(arguments: tuple[str, ...]) -> tuple[int, str]:
    """The exit code of a command, and what it prints in one line."""
    done = CliRunner().invoke(cli, list(arguments), prog_name="leverarm")
    return done.exit_code, flat(done.output)


def flat(text: str) -> str:
    """Text in one line, its columns one space apart, dots on letters as one sign."""
    return normalize("NFC", " ".join(text.split()))


def section() -> list[str]:
    """The part of docs/sources.md that lists every line of the sources."""
    sources = [load(name) for name in NAMES]
    lines = ["## Line by line", ""]
    lines += ["| source | lines | " + " | ".join(STATUS) + " |", "|---|---|" + "---|" * len(STATUS)]
    for source in sources:
        count = Counter(line.status for line in source.lines)
        cells = [source.title, str(len(source.lines)), *(str(count[status]) for status in STATUS)]
        lines.append(f"| {' | '.join(cells)} |")
    lines += ["", *(f"- `{status}`: {meaning}." for status, meaning in STATUS.items()), ""]
    lines += ["Each command has `leverarm` before it; `check` is given the display as a file or by `--text`.", ""]
    for source in sources:
        lines += [f"### {source.title}", "", "| place | the page | leverarm | |", "|---|---|---|---|"]
        lines += [f"| {' | '.join([line.at, _said(line), _command(line), _outcome(line)])} |" for line in source.lines]
        lines.append("")
    return lines


def _said(line: Line) -> str:
    return _code(line.paste) if line.paste else line.says.replace("|", "\\|")


def _command(line: Line) -> str:
    return _code(line.command) if line.command else "-"


def _outcome(line: Line) -> str:
    """The status, what the command prints of it (at first), and a remark."""
    first = line.shows[0] if line.shows else ""
    printed = f": {first if line.paste else _code(first)}".replace("|", "\\|") if first else ""
    return f"{line.status}{printed}{'. ' if line.note else ''}{line.note}"


def _code(text: str) -> str:
    """Text as code in a cell of a table: on one line, its bars escaped."""
    return f"`{' '.join(re.sub(r'[$]{2}', ' ', text).split())}`".replace("|", "\\|")
