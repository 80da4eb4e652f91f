"""A verdict for people: the user's own line, the wrong part underlined, what it should be, and numbers that show it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import click

import leverarm as la
from leverarm.cli.output import is_terminal, terminal_columns

MARKS = {"equal": "✓", "equal by convention": "≈", "different": "✗", "unreadable": "?"}
COLOURS = {"equal": "green", "equal by convention": "cyan", "different": "red", "unreadable": "yellow"}
INDENT = "    "
SHOWN, LEAST = 90, 30
"""Characters of a line of the user that are shown, at most and at least; a longer one is cut around what matters."""
MOST_LINES = 8
"""Of an equation that goes over many lines."""
MOST_ARMS = 5


def say_verdicts(file: str, text: str, verdicts: la.Verdicts) -> None:
    """Prints every verdict, and which of the text's letters were taken for the arm's."""
    for verdict in verdicts:
        place = f"{file}: {verdict.where}" if file and file != "-" else str(verdict.where)
        mark = _styled(f"{MARKS[verdict.status]} {verdict.status}", verdict.status)
        about = f": {verdict.about}" if verdict.about else ""
        _echo(f"{mark}: {place}{about}")
        for line in lines(text, verdict):
            _echo(INDENT + line)
    if verdicts.readings:
        _echo(f"read {', '.join(verdicts.readings)}")


def lines(text: str, verdict: la.Verdict) -> list[str]:
    """What is told about an equation below its heading: where it is wrong, the message, and what that leaves out."""
    told = [line for line in verdict.message.splitlines() if line.strip()]
    more = [verdict.convention, verdict.suggestion, verdict.witness]
    told += [str(each) for each in more if each is not None and not _is_told(str(each), verdict.message)]
    return [*_underlined(text, verdict), *told] if verdict.status == "different" else told


def _is_told(sentence: str, message: str) -> bool:
    return sentence.rstrip(".").casefold() in message.casefold()


def summary(arm: str, verdicts: Sequence[la.Verdict]) -> str:
    """How many equations hold."""
    count = len(verdicts)
    numbers = {status: sum(verdict.status == status for verdict in verdicts) for status in MARKS}
    parts = [f"{number} {status}" for status, number in numbers.items() if number]
    return f"{arm}: {count} equation{'s' * (count != 1)}: {', '.join(parts) or 'none'}"


def plain(verdict: la.Verdict, file: str) -> dict[str, Any]:
    """A verdict as plain values."""
    suggestion, witness = verdict.suggestion, verdict.witness
    return {
        "file": file or None,
        "status": verdict.status,
        "line": verdict.where.line,
        "column": verdict.where.column,
        "span": list(verdict.span),
        "text": verdict.text,
        "about": verdict.about,
        "message": verdict.message,
        "convention": verdict.convention,
        "difference": None if verdict.difference is None else str(verdict.difference),
        "suggestion": None
        if suggestion is None
        else {
            "written": suggestion.written,
            "meant": suggestion.meant,
            "what": suggestion.what,
            "line": suggestion.where.line,
            "column": suggestion.where.column,
            "sentence": suggestion.sentence,
        },
        "witness": None
        if witness is None
        else {"state": dict(witness.state), "written": witness.written, "true": witness.true},
    }


def plain_candidate(candidate: la.Candidate) -> dict[str, Any]:
    """An arm that equations could belong to, as plain values."""
    return {
        "arm": candidate.name,
        "equal": candidate.equal,
        "by_convention": candidate.by_convention,
        "of": candidate.of,
        "readings": list(candidate.readings),
    }


def say_candidates(file: str, candidates: Sequence[la.Candidate]) -> None:
    """Prints the arms that equations could belong to, the likeliest first."""
    head = f"{file}: " if file and file != "-" else ""
    if not candidates:
        _echo(f"{head}no arm of the catalog has one of these equations")
    for candidate in candidates[:MOST_ARMS]:
        _echo(f"{head}{candidate}")


def _underlined(text: str, verdict: la.Verdict) -> list[str]:
    """The lines of the equation, with marks under what should change."""
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
    """A line cut around a part of it, and marks under that part."""
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
    """How much of a line fits, with dots before and behind it: marks must stand below what they mark."""
    return max(LEAST, min(SHOWN, terminal_columns() - len(INDENT) - 8)) if is_terminal() else SHOWN


def _styled(text: str, status: str) -> str:
    return click.style(text, fg=COLOURS[status], bold=True)


def _echo(line: str) -> None:
    click.echo(line.rstrip(), color=False if os.environ.get("NO_COLOR") else None)
