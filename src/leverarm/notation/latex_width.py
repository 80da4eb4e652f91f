"""How wide a formula in our LaTeX is set, estimated in ems of Computer Modern, so that lines can be broken to fit."""

from __future__ import annotations

import re

from leverarm.notation.names import LETTER_WIDTHS

_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|[{}_^&]|[^\s\\{}_^&]")
_ROW_GAP = re.compile(r"\\\\\[\d+pt\]")
_WIDE = LETTER_WIDTHS | {"I": 0.44}
_SPACES = {r"\!": -0.17, r"\,": 0.17, r"\;": 0.28, r"\quad": 1.0, r"\qquad": 2.0}
_BRACKETS = {r"\left", r"\right", r"\bigl", r"\bigr", r"\Bigl", r"\Bigr"}
_WRAPPERS = {
    r"\dot",
    r"\ddot",
    r"\dddot",
    r"\ddddot",
    r"\mathrm",
    r"\text",
    r"\operatorname",
    r"\mathrel",
    r"\hphantom",
}
_RELATIONS = {"=", r"\ne", r"\le", r"\ge", r"\approx", r"\to", r"\Rightarrow"}
_SCRIPT = 0.8
_BINARY, _RELATION = 1.22, 1.34
COLUMN_GAP = 1.0
_ENVIRONMENTS = {"bmatrix": (COLUMN_GAP, 1.1), "aligned": (0.0, 0.17)}
"""The gap between columns and what stands around them [em]."""
BROKEN_MATRIX_BRACKETS = 1.5
"""What stands around an aligned in square brackets that grow [em]."""


def width_in_ems(latex: str) -> float:
    """The estimated width of a formula in display style [em]."""
    return _width(_TOKEN.findall(_ROW_GAP.sub(r"\\\\", latex)))


def _width(tokens: list[str]) -> float:
    here, total = 0, 0.0
    pending = 0.0  # the wider of an index and an exponent, which stand one above the other
    while here < len(tokens):
        token = tokens[here]
        if token in "_^":
            inner, here = _argument(tokens, here + 1)
            pending = max(pending, _SCRIPT * _width(inner))
            continue
        total, pending = total + pending, 0.0
        if token == r"\frac":
            above, here = _argument(tokens, here + 1)
            below, here = _argument(tokens, here)
            total += max(_width(above), _width(below)) + 0.24
        elif token == r"\underbrace":
            of, here = _argument(tokens, here + 1)
            label, here = _argument(tokens, here + 1)
            total += max(_width(of), _SCRIPT * _width(label))
        elif token == r"\begin":
            name, inside, here = _environment(tokens, here)
            gap, brackets = _ENVIRONMENTS[name]
            total += _columns_width(inside, gap) + brackets
        elif token in _WRAPPERS:
            inner, here = _argument(tokens, here + 1)
            total += _width(inner)
        elif token == r"\sqrt":
            inner, here = _argument(tokens, here + 1)
            total += _width(inner) + 0.83
        elif token == "{":
            inner, here = _argument(tokens, here)
            total += _width(inner)
        else:
            total += _single(token)
            here += 1
    return total + pending


def _single(token: str) -> float:
    if token in _SPACES:
        return _SPACES[token]
    if token in _BRACKETS:
        return 0.35 if token in (r"\left", r"\right") else 0.1
    if token in _RELATIONS:
        return _RELATION
    if token in ("+", "-", r"\cdot"):
        return _BINARY
    if token.startswith("\\"):
        spelled = token in (r"\cos", r"\sin", r"\tanh", r"\det", r"\exp", r"\tan")
        return 0.5 * len(token) if spelled else 0.62
    if token.isalpha():
        return _WIDE.get(token, 0.75 if token.isupper() else 0.54)
    return {"(": 0.39, ")": 0.39, "[": 0.28, "]": 0.28, ",": 0.45, ".": 0.28}.get(token, 0.5)


def _argument(tokens: list[str], here: int) -> tuple[list[str], int]:
    """The tokens of a {group} or a single token, and where it ends."""
    if here >= len(tokens) or tokens[here] != "{":
        return tokens[here : here + 1], here + 1
    depth = 0
    for end in range(here, len(tokens)):
        depth += (tokens[end] == "{") - (tokens[end] == "}")
        if not depth:
            return tokens[here + 1 : end], end + 1
    return tokens[here + 1 :], len(tokens)


def _environment(tokens: list[str], here: int) -> tuple[str, list[str], int]:
    """The name of an environment, the tokens between its begin and end, and where it ends."""
    name, start = _argument(tokens, here + 1)
    depth = 0
    for end in range(here, len(tokens)):
        depth += (tokens[end] == r"\begin") - (tokens[end] == r"\end")
        if not depth:
            return "".join(name), tokens[start:end], _argument(tokens, end + 1)[1]
    return "".join(name), tokens[start:], len(tokens)


def _columns_width(tokens: list[str], gap: float) -> float:
    """The widest entry of each column, added up."""
    columns: list[float] = []
    entry: list[str] = []
    column, depth = 0, 0
    for token in [*tokens, r"\\"]:
        depth += (token in ("{", r"\begin")) - (token in ("}", r"\end"))
        if depth or token not in ("&", r"\\"):
            entry.append(token)
            continue
        if entry or token == "&":
            columns += [0.0] * (column + 1 - len(columns))
            columns[column] = max(columns[column], _width(entry))
        entry, column = [], (column + 1 if token == "&" else 0)
    return sum(columns) + gap * max(0, len(columns) - 1)
