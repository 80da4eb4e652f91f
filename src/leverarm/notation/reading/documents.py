r"""The pieces of mathematics in a text: $..$, $$..$$, \[..\], \(..\), environments, fences, lines that are formulas.

Everything else is prose and skipped. A line "map: a1 = L1", also behind a comment sign, and the lines of a block under
"map:" say what a name means.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from typing import Literal, NamedTuple

from leverarm.notation.reading.program_lines import is_program
from leverarm.notation.reading.prose import EQUAL, formulas_in, goes_on, is_prose, opened
from leverarm.notation.reading.tokens import Script


class Piece(NamedTuple):
    """A piece of mathematics: how it is set, its script, and where it begins and ends, delimiters left out."""

    kind: Literal["display", "inline", "line", "map", "program"]
    script: Script
    start: int
    end: int


_ENVIRONMENTS = "equation|align|alignat|gather|eqnarray|multline|flalign|displaymath|math|subequations|IEEEeqnarray"
_INNER = "aligned|alignedat|gathered|split|cases|dcases"
_OPENING = re.compile(
    r"(?P<map>^[ \t]{0,40}(?:(?:%+|\#+|<!--|//|[-*]|>)[ \t]{0,40})?map[ \t]{0,40}:)"
    r"|(?P<fence>^[ \t]*(?:```+|~~~+)[ \t]*(?P<language>[^\n`]*)$)"
    r"|(?P<comment>(?<![\\0-9])%[^\n]*)"
    r"|(?P<escaped>\\\\[(\[]|\\\$)"
    r"|(?P<double>\$\$)|(?P<single>\$)|(?P<square>\\\[)|(?P<round>\\\()"
    rf"|(?P<environment>(?:\\b|(?<![A-Za-z\\]))egin\s*\{{(?P<name>{_ENVIRONMENTS})(?P<star>\*?)\}})"
    rf"|(?P<inner>^[ \t]*(?:\\left\s*\\\{{\s*)?\\?b?egin\s*\{{(?P<inner_name>{_INNER})(?P<inner_star>\*?)\}})"
    r"|(?P<code>`(?P<inside>[^`\n]+)`)",
    re.MULTILINE,
)
_KINDS = ("map", "fence", "comment", "escaped", "double", "single", "square", "round", "environment", "inner", "code")
_EMPHASIS = re.compile(r"(?<![^\s(|])(\*{1,3})(?=[^\s*])([^*\n$\\^+/]{1,60}?)(?<=\S)\1(?![^\s:,.;=)|])", re.MULTILINE)
_BLANK = re.compile(r"\n[ \t]*\n")
_MATHEMATICAL = frozenset(["", "math", "latex", "tex", "text", "txt", "plain", "plaintext", "katex", "mathjax"])
_TYPESET = frozenset(["math", "latex", "tex", "katex", "mathjax"])
_LINE = re.compile(r"[^\n]*\n?")
_SETTING = re.compile(
    r"(?<![\w\\$])[A-Za-z]\w{0,3} ?= ?-?\d+(?:\.\d+)?(?: (?:kg|m|cm|mm|g|N|s)\b(?: ?[a-z/^0-9]+\b)*)?(?=[,;)])"
)
_COMMAND = re.compile(r"\\[A-Za-z]+")
_MAP_LINE = re.compile(r"[ \t]*(?:(?:%+|\#+|//|[-*])[ \t]*)?[^\s=:]{1,60}[ \t]*(?:=|->|\u2192|:)[ \t]*[^\s=]")


def without_emphasis(text: str) -> str:
    """The text, of the same length, without Markdown's signs around words that it emphasises: **M12** = ..."""
    return (
        _EMPHASIS.sub(lambda found: found[2].join([" " * len(found[1])] * 2), text)
        if "*" in text or "__" in text
        else text
    )


def pieces(text: str) -> list[Piece]:
    """The pieces of mathematics in a text, in their order."""
    start, end = _body(text)
    found = list(_delimited(text, start, end))
    typeset = start > 0 or text.find("\\documentclass") >= 0
    if not typeset:
        found.extend(_lines(text, found))
        found.sort(key=lambda piece: piece.start)
    if not found and text.strip() and not is_prose(text) and len(text.strip().splitlines()) < 40:
        script: Script = "latex" if _COMMAND.search(text) else "plain"
        found = [Piece("display", script, len(text) - len(text.lstrip()), len(text.rstrip()))]
    return found


def _body(text: str) -> tuple[int, int]:
    begun = text.find("\\begin{document}")
    start = begun + len("\\begin{document}") if begun >= 0 else 0
    end = text.find("\\end{document}", start)
    return start, end if end >= 0 else len(text)


class _Closers:
    """Where closing delimiters stand; none is looked for twice, so that reading stays linear."""

    def __init__(self, text: str, end: int) -> None:
        self.text = text
        self.end = end
        self.next: dict[str, int] = {}
        self.blank = (-1, 0)

    def find(self, closer: str, start: int) -> int:
        """The first place of a closing delimiter from `start` on; -1 where there is none."""
        known = self.next.get(closer, 0)
        if 0 <= known < start or closer not in self.next:
            self.next[closer] = self.text.find(closer, start, self.end)
        return self.next[closer]

    def paragraph(self, start: int) -> int:
        """Where the paragraph that begins before a place ends."""
        if not self.blank[0] <= start <= self.blank[1]:
            found = _BLANK.search(self.text, start, self.end)
            self.blank = (start, found.start() if found else self.end)
        return self.blank[1]


def _delimited(text: str, start: int, end: int) -> Iterator[Piece]:
    closers = _Closers(text, end)
    at = start
    while (found := _OPENING.search(text, at, end)) is not None:
        kind = next(name for name in _KINDS if found[name] is not None)
        at = found.end()
        if kind == "map":
            at = yield from _mappings(text, found.end(), end)
        elif kind == "fence":
            at = yield from _fence(text, found, closers, end)
        elif kind == "code":
            if EQUAL.search(found["inside"]):
                yield Piece("line", _script(found["inside"]), found.start("inside"), found.end("inside"))
        elif kind not in ("comment", "escaped"):
            piece, at = _piece(text, found, kind, closers)
            if piece is not None:
                yield piece


def _piece(text: str, found: re.Match[str], kind: str, closers: _Closers) -> tuple[Piece | None, int]:
    start = found.end()
    if kind in ("environment", "inner"):
        name = found["name"] or found["inner_name"]
        closer = f"\\end{{{name}{found['star'] or found['inner_star'] or ''}}}"
        place = closers.find(closer, start)
        stop = place + len(closer) if place >= 0 else closers.paragraph(start)
        return Piece("display", "latex", found.start(), stop), stop
    closer = {"double": "$$", "single": "$", "square": "\\]", "round": "\\)"}[kind]
    place = closers.find(closer, start)
    if kind in ("single", "round"):
        if place < 0 or place > closers.paragraph(start):
            return None, start
        return Piece("inline", "latex", start, place), place + len(closer)
    if place < 0:
        place = closers.paragraph(start)
        return Piece("display", "latex", start, place), place
    return Piece("display", "latex", start, place), place + len(closer)


def _script(line: str) -> Script:
    return "latex" if _COMMAND.search(line) else "plain"


def _fence(text: str, found: re.Match[str], closers: _Closers, end: int) -> Generator[Piece, None, int]:
    mark = found["fence"].strip()[:3]
    start = min(found.end() + 1, end)
    place = closers.find("\n" + mark, found.end())
    stop = place if place >= 0 else end
    language = found["language"].strip().lower()
    if language in _TYPESET:
        yield Piece("display", "latex", start, stop)
    elif language in _MATHEMATICAL and not is_program(text[start:stop]):
        yield from plain_lines(text, start, stop)
    else:
        yield Piece("program", "plain", start, max(start, stop))
    after = text.find("\n", stop + 1, end) if place >= 0 else end
    return after if after >= 0 else end


def _mappings(text: str, start: int, end: int) -> Generator[Piece, None, int]:
    """The mappings behind "map:": on its line, or else in the lines under it."""
    line_end = text.find("\n", start, end)
    line_end = line_end if line_end >= 0 else end
    if text[start:line_end].strip(" \t->"):
        yield Piece("map", "plain", start, line_end)
        return line_end
    at = line_end + 1
    while at < end:
        line = _LINE.match(text, at, end)
        if line is None or _MAP_LINE.match(line.group()) is None:
            break
        yield Piece("map", "plain", at, at + len(line.group().rstrip("\n")))
        at = line.end()
    return min(at, end)


def _lines(text: str, found: list[Piece]) -> Iterator[Piece]:
    """The lines between the pieces that are formulas; a line that has a piece in it is prose."""
    at = 0
    areas: list[tuple[int, int]] = []
    for piece in found:
        begun = text.rfind("\n", at, piece.start) + 1
        if begun > at:
            areas.append((at, begun))
        behind = text.find("\n", piece.end)
        at = max(at, behind if behind >= 0 else len(text))
    areas.append((at, len(text)))
    yield from _settings_beside(text, found)
    if any(is_program(text[slice(*area)]) for area in areas):
        yield from (Piece("program", "plain", *area) for area in areas if area[0] < area[1])
    else:
        yield from (piece for area in areas for piece in plain_lines(text, *area))


def _settings_beside(text: str, found: list[Piece]) -> Iterator[Piece]:
    """Numbers that a line of prose gives to names beside its formulas: the rod ($m = 2$ kg, l = 0.4 m)."""
    inline = sorted((piece.start, piece.end) for piece in found if piece.kind == "inline")
    for (_, before), (start, end), (after, _) in zip(
        [(0, 0), *inline], inline, [*inline[1:], (len(text),) * 2], strict=False
    ):
        line_end = text.find("\n", end)
        beside = [(max(before, text.rfind("\n", 0, start) + 1), start)]
        if 0 <= line_end <= after or after == len(text):
            beside.append((end, line_end if line_end >= 0 else after))
        for stretch in beside:
            if "\\" not in text[slice(*stretch)]:
                yield from (Piece("line", "plain", *setting.span()) for setting in _SETTING.finditer(text, *stretch))


def plain_lines(text: str, start: int, end: int) -> Iterator[Piece]:
    """Formulas in the lines between two places; lines that go on with one are part of it."""
    pending: Piece | None = None
    last, depth = "", 0
    at = start
    while at < end:
        line = _LINE.match(text, at, end)
        if line is None or not line.group():
            break
        content = line.group().rstrip("\n")
        if pending is not None and goes_on(content, last, depth):
            pending = pending._replace(end=at + len(content))
            last, depth = content, max(0, depth + opened(content))
        else:
            if pending is not None:
                yield pending
                pending = None
            for begun, stop in formulas_in(content, at):
                if pending is not None:
                    yield pending
                pending = Piece("line", _script(text[begun:stop]), begun, stop)
                last, depth = text[begun:stop], max(0, opened(text[begun:stop]))
        at = line.end()
    if pending is not None:
        yield pending
