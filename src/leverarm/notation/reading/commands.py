r"""LaTeX commands as tokens: letters, accents, signs, brackets with \left and \right, environments, words."""

from __future__ import annotations

import re

from leverarm.notation.reading import keywords
from leverarm.notation.reading.measures import quantity
from leverarm.notation.reading.tokens import Tape, Token

_GROUP = re.compile(r"\s*\{([^{}\\$]*)\}")
_ARGUMENT = re.compile(r"\s*(?:\[[^\]]*\]\s*)?\{((?:[^{}]|\{[^{}]*\})*)\}")
_QUANTITIES = frozenset(["SI", "qty", "ang"])
_SKIPPED_GROUP = re.compile(r"\s*(?:\{[^{}]*\}|\([^()]*\))")
_LAYOUT = re.compile(r"(?:\s*\[[a-z]\])?(?:\s*\{(?:[lcr|!@\s*0-9.>]|\{[^{}]*\}|\\[,;:! ])*\})?")
_WITH_LAYOUT = frozenset(["array", "tabular", "aligned", "alignedat", "alignat", "split", "gathered", "IEEEeqnarray"])
_HEIGHT = re.compile(r"\*?\s*\[\s*-?[0-9.]+\s*(?:pt|em|ex|mm|cm|in|bp|mu|\\[a-z]+)\s*\]|\*")
_OPENING = re.compile(r"\\(?:left|bigl|Bigl|biggl|Biggl)")
_CLOSING = re.compile(r"\\(?:right|bigr|Bigr|biggr|Biggr)")
_KINDS: tuple[tuple[str, dict[str, str]], ...] = (
    ("function", keywords.FUNCTIONS),
    ("accent", keywords.ACCENTS),
    ("style", {name: name for name in keywords.STYLES}),
    ("frac", {name: name for name in keywords.FRACTIONS}),
    ("relation", {name: name for name in keywords.RELATIONS}),
    ("omission", {name: name for name in keywords.OMISSIONS}),
    ("gap", {name: name for name in keywords.GAPS}),
    ("box", {name: name for name in keywords.BOXES}),
    ("under", {"underbrace": "underbrace", "overbrace": "overbrace"}),
)
_KIND_OF = {name: (kind, text) for kind, table in _KINDS for name, text in table.items()}


def command(tape: Tape, name: str, start: int, end: int, note: str = "") -> int:
    """One command; gives the place behind it."""
    if name in keywords.NAMES:
        return tape.digits(tape.add("name", keywords.NAMES[name], start, end, note))
    if name in _KIND_OF:
        return tape.add(*_KIND_OF[name], start, end, note)
    if name in keywords.SIGNS:
        return tape.add(keywords.SIGNS[name], "\\" + name, start, end, note)
    if name in keywords.UNMARKED or name.startswith(("big", "Big")):
        tape.styled = start
        return end
    if name in keywords.BRACKETS:
        return bracket(tape, keywords.BRACKETS[name], start, end)
    if name in keywords.WORDS:
        return _words(tape, name, start, end, note)
    return _with_group(tape, name, start, end, note)


def _with_group(tape: Tape, name: str, start: int, end: int, note: str) -> int:
    skipped = _SKIPPED_GROUP.match(tape.text, end, tape.end)
    behind = skipped.end() if skipped else end
    if name in keywords.UNSEEN:
        return behind
    if name in keywords.LABELLED:
        return tape.add("box", name, start, behind, note)
    group = _GROUP.match(tape.text, end, tape.end)
    if name in _QUANTITIES and (measured := _measured(tape, name, start, end)) is not None:
        return tape.put(measured)
    if name in ("begin", "end") and group is not None:
        return environment(tape, name, group.group(1).strip().rstrip("*"), start, group.end(), note)
    return tape.add("unknown", "\\" + name, start, end, note)


def _measured(tape: Tape, name: str, start: int, end: int) -> Token | None:
    r"""The number and the unit of \SI{25}{cm} or \ang{30} as one token; None where they are not known."""
    number = _ARGUMENT.match(tape.text, end, tape.end)
    unit = _ARGUMENT.match(tape.text, number.end(), tape.end) if number and name != "ang" else None
    if number is None or (unit is None and name != "ang"):
        return None
    return quantity(number[1], unit[1] if unit else "degree", start, unit.end() if unit else number.end())


def _words(tape: Tape, name: str, start: int, end: int, note: str) -> int:
    """A function, a name of several letters, or words of prose."""
    group = _GROUP.match(tape.text, end, tape.end)
    if group is None:
        tape.styled = start
        return end
    word = group.group(1).strip()
    if word in keywords.FUNCTIONS:
        return tape.add("function", keywords.FUNCTIONS[word], start, group.end(), note)
    if name in ("mathrm", "operatorname", "mathop") or len(word) == 1:
        if word.isascii() and word.isalpha():
            return tape.digits(tape.add("name", word, start, group.end(), note))
        tape.styled = start
        return end
    return tape.add("word", word, start, group.end(), note)


def environment(tape: Tape, side: str, name: str, start: int, end: int, note: str = "") -> int:
    r"""\begin or \end, with the layout of columns behind it."""
    layout = _LAYOUT.match(tape.text, end, tape.end) if side == "begin" and name in _WITH_LAYOUT else None
    return tape.add(side, name, start, layout.end() if layout else end, note)


def sized_bracket(tape: Tape, whole: str, shape: str, start: int) -> int:
    r"""A bracket behind \left, \right, \bigl and so on; \left. and \right. are nothing."""
    end = start + len(whole)
    shape = keywords.BRACKETS.get(shape.lstrip("\\"), shape)
    if shape == ".":
        return end
    if shape == "|" and _OPENING.match(whole):
        return tape.add("open", "|", start, end)
    if shape == "|" and _CLOSING.match(whole):
        return tape.add("close", "|", start, end)
    return bracket(tape, shape if shape == "\\|" else shape.lstrip("\\"), start, end)


def bracket(tape: Tape, shape: str, start: int, end: int) -> int:
    """A bracket of any shape; braces here are written ones, not groups."""
    if shape in ("(", "[", "{"):
        return tape.add("open", shape, start, end)
    if shape in (")", "]", "}"):
        return tape.add("close", shape, start, end)
    return tape.add({"\\|": "norm", "/": "/", "<": "relation", ">": "relation"}.get(shape, "bar"), shape, start, end)


def escaped(tape: Tape, sign: str, at: int) -> int:
    r"""A backslash before a sign: the end of a row, a gap, a written brace, or Markdown's \_ and \*."""
    end = at + 2
    if sign == "\\":
        height = _HEIGHT.match(tape.text, end, tape.end)
        return tape.add("row", "\\\\", at, height.end() if height else end)
    if sign in ",;:!> \n\t~":
        return tape.add("gap", "\\" + sign, at, end)
    if sign in "{}":
        return bracket(tape, sign, at, end)
    if sign == "|":
        return bracket(tape, "\\|", at, end)
    if sign in "_*^":
        return tape.add(sign, sign, at, end)
    return end if sign in "()[]$" else tape.add("unknown", "\\" + sign, at, end)
