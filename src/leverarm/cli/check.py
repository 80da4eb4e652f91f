"""`leverarm check`: whether given equations are right and, if not, which term is wrong.

A verdict shows the user's own line with the wrong part underlined, the correction, and a numerical counterexample.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

import leverarm as la
from leverarm.cli.output import is_terminal, terminal_columns
from leverarm.errors import FormatError, InputError

DEFINED = "defined, not checked"
MARKS = {"equal": "✓", "equal by convention": "≈", DEFINED: "·", "different": "✗", "unreadable": "?"}
COLOURS = {"equal": "green", "equal by convention": "cyan", DEFINED: "blue", "different": "red", "unreadable": "yellow"}
ENDINGS = (".html", ".md", ".tex", ".ipynb", ".txt", ".json")
INDENT = "    "
SHOWN, LEAST = 90, 30
"""How many characters of a user's line are shown, at most and at least; longer lines are cut around the error."""
MOST_LINES = 8
"""Lines shown of an equation that has many."""
MOST_ARMS = 5


def print_verdicts(file: str, text: str, verdicts: la.types.Verdicts, explain: bool = False) -> None:
    """Prints every verdict, and which of the text's letters were taken for the arm's."""
    for verdict in verdicts:
        place = f"{file}: {verdict.where}" if file and file != "-" else str(verdict.where)
        mark = _styled(f"{MARKS[verdict.status]} {verdict.status}", verdict.status)
        about = f": {verdict.about}" if verdict.about else ""
        _echo(f"{mark}: {place}{about}")
        for line in (*lines(text, verdict), *(f"- {each}" for each in (verdict.explain() if explain else ()))):
            _echo(INDENT + line)
    if verdicts.readings and not explain:
        _echo(f"read {', '.join(verdicts.readings)}")


def lines(text: str, verdict: la.types.Verdict) -> list[str]:
    """The lines below the heading of a verdict: the equation underlined, the message, and what the message omits."""
    details = [line for line in (verdict.message or verdict.convention or "").splitlines() if line.strip()]
    more = [str(each) for each in (verdict.suggestion, verdict.witness) if each is not None]
    details += [each for each in more if each.rstrip(".").casefold() not in verdict.message.casefold()]
    return [*_underlined(text, verdict), *details] if verdict.status == "different" else details


def summary(verdicts: la.types.Verdicts) -> str:
    """How many equations have each verdict."""
    count = len(verdicts)
    return f"{verdicts.arm}: {count} equation{'s' * (count != 1)}: {verdicts.counted}"


def plain(verdict: la.types.Verdict, file: str, explain: bool = False) -> dict[str, Any]:
    """A verdict as plain values."""
    return {"file": file or None, **verdict.facts(), **({"explained": list(verdict.explain())} if explain else {})}


def plain_candidate(candidate: la.types.Candidate) -> dict[str, Any]:
    """An arm to which the equations may belong, as plain values."""
    return {
        "arm": candidate.name,
        "equal": candidate.equal,
        "by_convention": candidate.by_convention,
        "of": candidate.of,
        "readings": list(candidate.readings),
    }


def print_candidates(file: str, candidates: Sequence[la.types.Candidate]) -> None:
    """Prints the arms to which the equations may belong, the likeliest first."""
    head = f"{file}: " if file and file != "-" else ""
    if not candidates:
        _echo(f"{head}none of these equations belongs to an arm of the catalog")
    for candidate in candidates[:MOST_ARMS]:
        _echo(f"{head}{candidate}")


def _underlined(text: str, verdict: la.types.Verdict) -> list[str]:
    """The lines of the equation, with carets under what is wrong."""
    begin, end = verdict.span
    first, last = verdict.suggestion.span if verdict.suggestion is not None else (end, end)
    has_marks = verdict.suggestion is not None
    shown: list[str] = []
    at = text.rfind("\n", 0, begin) + 1
    for line in text[at:end].split("\n") if end > begin else []:
        here, after = max(first - at, 0), min(last - at, len(line))
        is_wrong = has_marks and (here < after or (first == last and 0 <= first - at <= len(line)))
        shown += _window(line, here, max(after, here + 1)) if is_wrong else [_cut(line, 0)]
        at += len(line) + 1
    kept = [k for k, line in enumerate(shown) if set(line.strip()) == {"^"}]
    if len(shown) > MOST_LINES and kept:
        start = max(kept[0] - MOST_LINES // 2, 0)
        shown = [*(["..."] if start else []), *shown[start : start + MOST_LINES], "..."]
    return [line.rstrip() for line in shown[: MOST_LINES + 2]]


def _window(line: str, here: int, after: int) -> list[str]:
    """A line cut around a part of it, and carets under that part."""
    shown = _room()
    start = max(0, min(here - shown // 3, len(line) - shown))
    head = "... " if start else ""
    marks = " " * (len(head) + here - start) + "^" * max(1, min(after, start + shown) - here)
    return [head + _cut(line, start), marks]


def _cut(line: str, start: int) -> str:
    room = _room()
    shown = line.replace("\t", " ")[start : start + room]
    return shown + (" ..." if start + room < len(line) else "")


def _room() -> int:
    """How much of a line fits, with dots at both ends: carets must stay below what they mark."""
    return max(LEAST, min(SHOWN, terminal_columns() - len(INDENT) - 8)) if is_terminal() else SHOWN


def _styled(text: str, status: str) -> str:
    return click.style(text, fg=COLOURS[status], bold=True)


def _echo(line: str) -> None:
    click.echo(line.rstrip(), color=False if os.environ.get("NO_COLOR") else None)


EXITS = {"equal": 0, "equal by convention": 0, "different": 1, "unreadable": 2, DEFINED: 3}
WORST_FIRST = ("unreadable", "different", DEFINED)
LARGEST_FILE = 20_000_000
"""Bytes; more than any book has."""


@dataclass(frozen=True, slots=True)
class Checked:
    """One text, the file it is from, and the verdicts on its equations."""

    file: str
    text: str
    verdicts: la.types.Verdicts


@click.command(short_help="Check equations; find the wrong term.")
@click.argument("given", metavar="ARM [FILE]...", nargs=-1)
@click.option("--text", "texts", multiple=True, metavar="EQUATIONS", help="Check this text instead of a file.")
@click.option("--map", "mapped", multiple=True, metavar="YOURS=OURS",
              help="Your name for a symbol of the arm, e.g. a1=L1; may be repeated.")  # fmt: skip
@click.option("--which", is_flag=True, help="Find the arm of the catalog they belong to; ARM may be omitted.")
@click.option("--explain", is_flag=True, help="Show how each equation was read, and what was proven how.")
@click.option("-o", "--output", metavar="FILE", help=f"Also write a report: {', '.join(ENDINGS)}.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def check(
    ctx: click.Context,
    given: tuple[str, ...],
    texts: tuple[str, ...],
    mapped: tuple[str, ...],
    which: bool,
    explain: bool,
    output: str | None,
    as_json: bool,
) -> None:
    """Check whether equations in LaTeX, Markdown or plain text hold for an arm; if not, find the wrong term.

    Equations may be given for tau_i, M, C, c or V, g or G, K, P, L, H, Jacobians, Lambda, positions, Christoffel
    symbols and regressors. They are compared exactly. Another valid factorisation C, or another convention, is
    accepted and reported. `leverarm equations ARM` shows the names of the arm's symbols.

    A line that only gives a name to something is "defined, not checked".

    The exit code is 0 if all equations hold, 1 if one does not, 2 if one cannot be read, 3 if nothing is wrong but
    something is open: a definition that nothing proven uses, or an equation that holds by a convention and could also
    be a slip.

    \b
    leverarm check elbow homework.tex
    leverarm check elbow --text "tau_2 = m2 a2^2 (qdd1 + qdd2)"
    leverarm check elbow derivation.md --map L_1=a1 --map L_2=a2
    leverarm check elbow homework.tex --explain -o report.html
    leverarm check --which unknown.txt
    cat notes.md | leverarm check elbow -
    """
    from leverarm.cli.numbers import named
    from leverarm.cli.output_files import check_ending, check_place

    arm_name, files = _arm_and_files(given, which)
    if not files and not texts:
        raise InputError("no equations are given. Give a file, - for standard input, or --text 'tau_1 = ...'.")
    if output is not None:
        if len(files) + len(texts) > 1 or arm_name is None:
            raise InputError("-o: a report is about one text and one arm. Give ARM and one file or --text.")
        check_ending(output, "report", ENDINGS)
        check_place(output)
    names = dict(named(mapped, "--map", "yours=ours"))
    arm = None if arm_name is None else la.load(arm_name)
    sources = [*((name, _read(name)) for name in files), *(("", text) for text in texts)]
    checked = (
        [] if arm is None else [Checked(*source, la.check(arm, source[1], names=names or None)) for source in sources]
    )
    if output is not None:
        checked[0].verdicts.save(output, "every-line" if explain else "full")
    candidates = [la.which_arm(text) for _, text in sources] if which else []
    everything = tuple(verdict for each in checked for verdict in each.verdicts)
    found_in_all = la.types.Verdicts("" if arm is None else arm.name, everything)
    if as_json:
        from leverarm.cli.output import print_json

        entries = [plain(verdict, each.file, explain) for each in checked for verdict in each.verdicts]
        belong = [[plain_candidate(one) for one in each] for each in candidates]
        print_json({"arm": None if arm is None else arm.name, "verdicts": entries, "which": belong})
    else:
        for each in checked:
            print_verdicts(each.file, each.text, each.verdicts, explain)
        for (name, _), found in zip(sources, candidates, strict=False):
            print_candidates(name, found)
        if arm is not None:
            click.echo(summary(found_in_all))
    if found_in_all.verdicts:
        statuses = {each.verdicts.status for each in checked}
        is_open = any(each.is_open for each in everything)
        ctx.exit(next((EXITS[status] for status in WORST_FIRST if status in statuses), EXITS[DEFINED] * is_open))


def _arm_and_files(given: tuple[str, ...], which: bool) -> tuple[str | None, tuple[str, ...]]:
    """The first argument is the arm. With --which it may be omitted, and is an arm only if the catalog has it."""
    if which and (not given or given[0] not in la.catalog_names()):
        return None, given
    if not given:
        raise InputError("no arm is given. Give ARM, a name from `leverarm arms` or a file, before the equations.")
    return given[0], given[1:]


def _read(name: str) -> str:
    """The text of a file, or of standard input."""
    try:
        if name == "-":
            content = sys.stdin.buffer.read(LARGEST_FILE + 1)
        else:
            with Path(name).open("rb") as stream:
                content = stream.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise FormatError(
            f"cannot be read: {reason}. Give a file of equations, or - for standard input.", name
        ) from None
    if len(content) > LARGEST_FILE:
        raise FormatError(f"is larger than {LARGEST_FILE // 10**6} MB. Give the part with the equations.", name)
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as problem:
        raise FormatError(
            f"is not UTF-8 text (byte {problem.start}). Give LaTeX, Markdown or plain text.", name
        ) from None
