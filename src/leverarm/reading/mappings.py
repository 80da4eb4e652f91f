"""Lines that give a name its meaning: "map: a1 = L1, a2 = L2"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from leverarm.reading.grammar import formula_of
from leverarm.reading.lexer import tokens_of
from leverarm.reading.refusal import Refusal
from leverarm.reading.tokens import Script
from leverarm.reading.tree import Mapping, Name, Unreadable

_COMMENT = re.compile(r"[ \t]*(?:%+|#+|//|[-*])?[ \t]*")
_PARTING = re.compile(r"[,;]")
_ARROW = re.compile(r"=|->|\u2192|\\to(?![A-Za-z])|:")


def mappings(text: str, start: int, end: int) -> Iterator[Mapping | Unreadable]:
    """The mappings of one line, parted by commas or semicolons."""
    comment = _COMMENT.match(text, start, end)
    start = comment.end() if comment else start
    end = start + len(text[start:end].rstrip(" \t.;,").removesuffix("-->").rstrip(" \t.;,"))
    at = start
    for part in _PARTING.split(text[start:end]):
        if part.strip():
            yield _mapping(text, at, at + len(part))
        at += len(part) + 1


def _mapping(text: str, start: int, end: int) -> Mapping | Unreadable:
    start += len(text[start:end]) - len(text[start:end].lstrip())
    end -= len(text[start:end]) - len(text[start:end].rstrip())
    arrow = _ARROW.search(text, start, end)
    if arrow is None:
        return Unreadable((start, end), start, "a mapping is written as 'map: a1 = L1', the written name first")
    meant = text[arrow.end() : end].strip().strip("$`").strip()
    if not meant:
        return Unreadable(
            (start, end), arrow.end(), "the mapping ends where the arm's name was expected: 'map: a1 = L1'"
        )
    try:
        written = _name(text, start, arrow.start())
    except Refusal as refusal:
        return Unreadable((start, end), refusal.at, refusal.why)
    return Mapping((start, end), written, meant)


def _name(text: str, start: int, end: int) -> Name:
    while start < end and text[start] in " $`":
        start += 1
    while end > start and text[end - 1] in " $`\t":
        end -= 1
    script: Script = "latex" if "\\" in text[start:end] else "plain"
    node, _ = formula_of(tokens_of(text, start, end, script, damaged=False), script, end)
    if not isinstance(node, Name):
        raise Refusal(start, f"'{text[start:end][:40]}' is not one name; a mapping is written as 'map: a1 = L1'")
    return node
