r"""Macros that a text defines for itself (\newcommand, \def, \DeclareMathOperator), put in where they are used.

The text with its macros put in is again a string, which knows for each of its characters where it stands in the
writer's text: what a macro wrote stands where the macro is used, what it was given stands where that was given.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import NamedTuple

from leverarm.notation.reading.tokens import MAX_CHARACTERS
from leverarm.notation.tree import Span

MAX_USES = 20_000
"""The most macros that are put into one text, those that macros use among them."""
MAX_MACROS = 500
"""The most macros that a text defines."""
_LONGEST = 20_000
"""The longest definition or argument of a macro [characters]."""

_DEFINING = re.compile(
    r"\\(?:(?P<new>(?:re|provide)?newcommand|providecommand|DeclareRobustCommand|NewDocumentCommand"
    r"|RenewDocumentCommand)\*?\s*(?:\{\s*\\(?P<braced>[A-Za-z]+)\s*\}|\\(?P<bare>[A-Za-z]+))"
    r"|(?P<def>[gx]?def)\s*\\(?P<defined>[A-Za-z]+)(?P<parameters>[^{}\\\n]*)(?=\{)"
    r"|(?P<operator>DeclareMathOperator)\*?\s*\{?\s*\\(?P<operates>[A-Za-z]+)\s*\}?"
    r"|let\s*\\(?P<let>[A-Za-z]+)\s*=?\s*\\(?P<as>[A-Za-z]+))"
)
_COUNT = re.compile(r"\s*\[\s*(\d)\s*\]")
_SPECIFICATION = re.compile(r"\s*\{([mo\s]*)\}")
_OPTIONAL = re.compile(r"\s*\[([^\[\]]*)\]")
_SPACE = re.compile(r"\s*")
_COMMAND = re.compile(r"\\(?:([A-Za-z]+)|.)|%[^\n]*", re.DOTALL)
_IS_DEFINED = re.compile(r"\\(?:(?:re|provide)?newcommand|providecommand|[gx]?def|let|DeclareMathOperator|Declare"
                         r"RobustCommand|(?:New|Renew)DocumentCommand)(?![A-Za-z])")  # fmt: skip
_COMMENT = re.compile(r"(?<!\\)%[^\n]*\n?\s*")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_PARAMETER = re.compile(r"#([1-9])")
_OPEN_COMMAND = re.compile(r"\\[A-Za-z]+$")


class _Run(NamedTuple):
    """Characters, and the stretch of the writer's text they stand for: as they are, or what a macro wrote there."""

    text: str
    start: int
    end: int
    is_verbatim: bool

    def part(self, start: int, end: int) -> _Run:
        if self.is_verbatim:
            return _Run(self.text[start:end], self.start + start, self.start + end, True)
        return self._replace(text=self.text[start:end])


class Refused(NamedTuple):
    """A macro that is not used, with the place of its definition or use in the expanded text, and why."""

    span: Span
    why: str


class Expanded(str):
    """A text with its macros put in; `source` is what was written."""

    __slots__ = ("_runs", "_starts", "refused", "source")

    source: str
    refused: tuple[Refused, ...]
    _runs: tuple[_Run, ...]
    _starts: tuple[int, ...]

    def place(self, offset: int) -> int:
        """Where a character stands in the source; what a macro wrote begins where the macro is used."""
        return self._origin(offset, 0)[0]

    def origin(self, span: Span) -> Span:
        """The stretch of the source that a stretch of this text stands for."""
        start, end = self.place(span[0]), self._origin(span[1], 1)[1]
        return start, max(start, end)

    def _origin(self, offset: int, back: int) -> Span:
        if not self._runs:
            return offset, offset
        index = max(0, bisect_right(self._starts, offset - back) - 1)
        run = self._runs[index]
        if run.is_verbatim:
            place = run.start + min(max(offset - self._starts[index], 0), len(run.text))
            return place, place
        return run.start, run.end


@dataclass(frozen=True, slots=True)
class _Macro:
    """What a macro writes, how many arguments it takes, and what the first is where it is left out."""

    body: str
    arguments: int = 0
    default: str | None = None


@dataclass(slots=True)
class _Expansion:
    """The macros of a text, and the text so far."""

    macros: dict[str, _Macro] = field(default_factory=dict)
    made: list[_Run] = field(default_factory=list)
    length: int = 0
    uses: int = 0
    refused: list[Refused] = field(default_factory=list)

    def write(self, run: _Run) -> None:
        if run.text and run.text[0].isalpha() and self.made and _OPEN_COMMAND.search(self.made[-1].text):
            self.made.append(_Run(" ", run.start, run.start, False))
            self.length += 1
        if run.text:
            self.made.append(run)
            self.length += len(run.text)

    def refuse(self, why: str) -> None:
        """A macro is not put in: the one whose definition or use is written next."""
        self.refused.append(Refused((self.length, self.length + 1), why))


def expanded(text: str) -> Expanded:
    r"""The text with its macros put in and their definitions left out; the same characters where it defines none.

    A macro that is defined in terms of itself is not put in, and neither is what makes a text too long: `refused` says
    so.
    """
    if isinstance(text, Expanded):
        return text
    state = _Expansion()
    if len(text) <= MAX_CHARACTERS and _IS_DEFINED.search(text):
        _expand(text, state)
        result = Expanded("".join(run.text for run in state.made))
    else:
        result = Expanded(text)
    starts, at = [], 0
    for run in state.made:
        starts.append(at)
        at += len(run.text)
    result.source, result.refused = text, tuple(state.refused)
    result._runs, result._starts = tuple(state.made), tuple(starts)
    return result


def as_written(text: str, offset: int) -> tuple[str, int]:
    """The text as its writer has it, and where a character of it stands there."""
    match text:
        case Expanded():
            return text.source, text.place(offset)
        case _:
            return text, offset


def _expand(text: str, state: _Expansion) -> None:
    """Reads the text and what macros write, innermost first; what is left to read stands on a stack."""
    waiting: list[tuple[_Run, int]] = [(_Run(text, 0, len(text), True), 0)]
    while waiting:
        run, at = waiting.pop()
        found = _next_command(run.text, at)
        if found is None:
            state.write(run.part(at, len(run.text)))
            continue
        state.write(run.part(at, found.start()))
        definition = _definition(run.text, found.start(), state)
        if definition is not None:
            state.write(run.part(found.start(), definition)._replace(text=" ", is_verbatim=False))
            waiting.append((run, definition))
            continue
        macro = state.macros.get(found[1] or "")
        if macro is None:
            state.write(run.part(found.start(), found.end()))
            waiting.append((run, found.end()))
            continue
        arguments, end = _arguments(run, found.end(), macro, waiting)
        use = run.part(found.start(), end)
        waiting.append((run, end))
        if (why := _too_much(state, len(macro.body))) is not None:
            if not state.refused or state.refused[-1].why != why:
                state.refuse(why)
            state.write(use)
            continue
        state.uses += 1
        pieces = _filled(macro.body, arguments, use)
        waiting.extend((piece, 0) for piece in reversed(pieces))


def _next_command(text: str, at: int) -> re.Match[str] | None:
    """The next command with a name; what is behind a comment sign is no command."""
    while (found := _COMMAND.search(text, at)) is not None:
        if found[1] is not None:
            return found
        at = found.end()
    return None


def _too_much(state: _Expansion, more: int) -> str | None:
    if state.uses >= MAX_USES:
        return f"more than {MAX_USES} macros are used in the text; write it with fewer"
    if state.length + more > MAX_CHARACTERS:
        return f"its macros make the text longer than {MAX_CHARACTERS} characters; give it in parts"
    return None


def _definition(text: str, at: int, state: _Expansion) -> int | None:
    """Where the definition ends that begins here, and the macro is known from here on; None where none begins."""
    found = _DEFINING.match(text, at)
    if found is None:
        return None
    if found["let"] is not None:
        _learn(found["let"], state.macros.get(found["as"]) or _Macro("\\" + found["as"]), state)
        return found.end()
    place, count, default = found.end(), 0, None
    if found["new"] is not None and found["new"].endswith("DocumentCommand"):
        specification = _SPECIFICATION.match(text, place)
        if specification is None:
            return None
        given = "".join(specification[1].split())
        place, count, default = specification.end(), len(given), "" if given.startswith("o") else None
    elif found["new"] is not None:
        if (number := _COUNT.match(text, place)) is not None:
            place, count = number.end(), int(number[1])
            if (optional := _OPTIONAL.match(text, place)) is not None:
                place, default = optional.end(), optional[1]
    elif found["def"] is not None:
        parameters = "".join(found["parameters"].split())
        count = len(parameters) // 2
        if parameters != "".join(f"#{k}" for k in range(1, count + 1)):
            signs = "takes its arguments between signs, which is not read; use \\newcommand"
            state.refuse(f"the macro '\\{found['defined']}' {signs}")
            return None
    place = _skipped(text, place)
    end = _group_end(text, place)
    if end is None:
        return None
    name = found["braced"] or found["bare"] or found["defined"] or found["operates"]
    body = text[place + 1 : end - 1].strip()
    body = f"\\operatorname{{{body}}}" if found["operator"] is not None else body
    if found["new"] == "providecommand" and name in state.macros:
        return end
    _learn(name, _Macro(_without_comments(body), count, default), state)
    return end


def _without_comments(body: str) -> str:
    return _COMMENT.sub("", body) if "%" in body else body


def _learn(name: str, macro: _Macro, state: _Expansion) -> None:
    """A macro that is known from here on, where it does not need itself."""
    waiting, needed = [macro.body], set[str]()
    while waiting and name not in needed:
        for command in _COMMAND.finditer(waiting.pop()):
            used = command[1] or ""
            if used not in needed and (used == name or used in state.macros):
                needed.add(used)
                waiting.append(state.macros[used].body if used != name else "")
    if name in needed:
        state.refuse(f"the macro '\\{name}' is defined in terms of itself; it is not used")
        state.macros.pop(name, None)
    elif len(state.macros) >= MAX_MACROS:
        state.refuse(f"more than {MAX_MACROS} macros are defined; '\\{name}' is not used")
    else:
        state.macros[name] = macro


def _skipped(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _group_end(text: str, at: int) -> int | None:
    """Behind the brace that closes the one here; None where none opens or closes."""
    if not text.startswith("{", at):
        return None
    depth = 0
    for found in _BRACE.finditer(text, at, at + _LONGEST):
        depth += {"{": 1, "}": -1}.get(found.group(), 0)
        if depth == 0:
            return found.end()
    return None


def _arguments(run: _Run, at: int, macro: _Macro, waiting: list[tuple[_Run, int]]) -> tuple[list[_Run], int]:
    """What a macro is given, and where that ends; where its run ends before, what waits behind. What is missing is
    nothing."""
    found: list[_Run] = []
    if macro.default is not None:
        optional = _OPTIONAL.match(run.text, at)
        found.append(run.part(*optional.span(1)) if optional else _Run(macro.default, run.start, run.end, False))
        at = optional.end() if optional else at
    while len(found) < macro.arguments:
        place = _skipped(run.text, at)
        if place < len(run.text) or not waiting:
            argument, at = _argument(run, place)
        else:
            behind, begun = waiting.pop()
            argument, begun = _argument(behind, _skipped(behind.text, begun))
            waiting.append((behind, begun))
        found.append(argument)
    return found, at


def _argument(run: _Run, place: int) -> tuple[_Run, int]:
    """The group, the command or the character at a place, and where it ends."""
    if (end := _group_end(run.text, place)) is not None:
        return run.part(place + 1, end - 1), end
    command = _COMMAND.match(run.text, place)
    end = command.end() if command else min(place + 1, len(run.text))
    return run.part(place, end), end


def _filled(body: str, arguments: list[_Run], use: _Run) -> list[_Run]:
    """What a macro writes, its arguments put in; it all stands where the macro is used, its arguments where they do."""
    pieces: list[_Run] = []
    at = 0
    for found in _PARAMETER.finditer(body):
        pieces.append(_Run(body[at : found.start()], use.start, use.end, False))
        if int(found[1]) <= len(arguments):
            pieces.append(arguments[int(found[1]) - 1])
        at = found.end()
    pieces.append(_Run(body[at:], use.start, use.end, False))
    return [piece for piece in pieces if piece.text]
