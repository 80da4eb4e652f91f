"""Formulas as lines of amsmath's align*: one side of an equation per line, long sides broken to fit the page.

Each line has one & outside matrices and no \\ at its end; join them with " \\\\\n". Widths are estimated, in
ems of Computer Modern.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from leverarm.notation import tree
from leverarm.notation.latex import relation_latex, run_latex, to_latex
from leverarm.notation.line_breaking import (
    Line,
    Mark,
    MatrixSizes,
    Part,
    broken,
    has_columns,
    rows_of_equation,
    wide_matrix,
)
from leverarm.notation.names import LETTER_WIDTHS
from leverarm.notation.tree import Node
from leverarm.notation.vocabulary import Writing

_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|[{}_^&]|[^\s\\{}_^&]")
_ROW_GAP = re.compile(r"\\\\\[\d+pt\]")
_WIDE = LETTER_WIDTHS | {"I": 0.44}
_SPACES = {r"\!": -0.17, r"\,": 0.17, r"\;": 0.28, r"\quad": 1.0, r"\qquad": 2.0}
_BRACKETS = {r"\left", r"\right", r"\bigl", r"\bigr", r"\Bigl", r"\Bigr"}
_WRAPPERS = {
    r"\dot", r"\ddot", r"\dddot", r"\ddddot", r"\mathrm", r"\text", r"\operatorname", r"\mathrel", r"\hphantom",
}  # fmt: skip
_RELATIONS = {"=", r"\ne", r"\le", r"\ge", r"\approx", r"\to", r"\Rightarrow"}
_SCRIPT = 0.8
_BINARY, _RELATION = 1.22, 1.34
COLUMN_GAP = 1.0
_ENVIRONMENTS = {"bmatrix": (COLUMN_GAP, 1.1), "aligned": (0.0, 0.17)}
"""The gap between columns, and the width of the brackets [em]."""
BROKEN_MATRIX_BRACKETS = 1.5
"""The width of growing square brackets around an aligned environment [em]."""


def width_in_ems(latex: str) -> float:
    """The estimated width of a formula in display style [em]."""
    return _width(_TOKEN.findall(_ROW_GAP.sub(r"\\\\", latex)))


def _width(tokens: list[str]) -> float:
    here, total = 0, 0.0
    pending = 0.0  # the wider of subscript and superscript, which are stacked
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


INDENT, INDENT_WIDTH = r"\quad ", 1.0
TALLEST = 24
"""The most lines of a column with broken cells; a longer one is listed by entries, so that it can break over pages."""
MATRIX = MatrixSizes(BROKEN_MATRIX_BRACKETS, COLUMN_GAP, narrowest=8.0)
NEXT, APART = r" \\ ", r" \\[8pt] "
"""Between lines, and between entries of a matrix where some have several lines."""


def broken_lines(node: Node, width: float, writing: Writing = Writing()) -> list[str]:
    """The formula as lines no wider than `width` [em], as far as it has sums, brackets or products to break.

    A matrix with several columns that is too wide is written entry by entry.
    """
    if isinstance(node, tree.Equation) and len(node.sides) > 1:
        return _equation_lines(node, width, writing)
    only = node.sides[0] if isinstance(node, tree.Equation) else node
    return _bare(_fitted(only, width, writing))


def lines_together(nodes: Sequence[Node], width: float, writing: Writing) -> list[list[str]]:
    """The lines of formulas in one align*, broken earlier where another one has a longer left-hand side."""
    whole = [broken_lines(node, width, writing) for node in nodes]
    lefts = [_left_width(node, lines[0], writing) for node, lines in zip(nodes, whole, strict=True)]
    return [
        lines if left == max(lefts) else broken_lines(node, width - (max(lefts) - left), writing)
        for node, lines, left in zip(nodes, whole, lefts, strict=True)
    ]


def _left_width(node: Node, line: str, writing: Writing) -> float:
    """The width left of the & [em]: that of the left-hand side, unless it has a line of its own."""
    left = to_latex(node.sides[0], writing) if isinstance(node, tree.Equation) else ""
    return width_in_ems(left) if left and line.startswith(f"{left} &") else 0.0


def _equation_lines(equation: tree.Equation, width: float, writing: Writing) -> list[str]:
    def is_listed(matrix: tree.Matrix, room: float) -> bool:
        if has_columns(matrix, room):
            return True
        return sum(len(_fitted(entry, room - MATRIX.brackets, writing)) for (entry,) in matrix.rows) > TALLEST

    relation = relation_latex(equation.relation)
    laid = rows_of_equation(
        equation,
        width,
        lambda node: width_in_ems(to_latex(node, writing)),
        width_in_ems(relation),
        INDENT_WIDTH,
        is_listed,
    )
    left, indent = equation.sides[0], INDENT if laid.is_apart else ""
    lines = _bare(_fitted(left, width, writing)) if laid.is_apart else []
    for i, (name, side) in enumerate(laid.rows):
        lead = "" if name is None or (laid.is_apart and not i) else to_latex(name, writing)
        first, *rest = _fitted(side, laid.room, writing)
        lines.append(f"{lead} &{indent}{relation} {first}".strip())
        lines += [f"&{indent}{INDENT}{line}" for line in rest]
    return lines


def _fitted(node: Node, width: float, writing: Writing) -> list[str]:
    """The formula in lines that fit."""
    lines = broken(node, width, lambda parts: width_in_ems(run_latex(parts, writing)))
    return [_line(line, width, writing) for line in lines]


def _line(line: Line, width: float, writing: Writing) -> str:
    under = tuple(part for parts in line.under for part in parts)
    margin = rf"\hphantom{{{_begun(under, run_latex(under, writing))}}} " if under else ""
    inside = run_latex(line.parts, writing)
    room = width - width_in_ems(margin)
    if width_in_ems(inside) > room:
        inside = _narrowed(line.parts, inside, room, writing)
    return margin + _begun(line.parts, inside)


def _begun(parts: tuple[Part, ...], latex: str) -> str:
    """A sign at the start of a line gets {} before it, so that TeX spaces it as a binary one."""
    is_sign = isinstance(parts[0], Mark) and parts[0].kind in ("plus", "minus", "times")
    return f"{{}} {latex}" if is_sign else latex


def _narrowed(parts: tuple[Part, ...], latex: str, width: float, writing: Writing) -> str:
    """The line with the cells of its widest matrix broken, where there is one and enough room."""
    found = wide_matrix(parts, width, lambda run: width_in_ems(run_latex(run, writing)), MATRIX)
    if found is None:
        return latex
    matrix, rooms = found
    cells = [[_fitted(x, room, writing) for x, room in zip(row, rooms, strict=True)] for row in matrix.rows]
    if len(cells[0]) == 1:
        drawn = rf"\left[ {_aligned([NEXT.join(_bare(lines)) for (lines,) in cells])} \right]"
    else:
        rows = [" & ".join(rf"\!{_aligned([NEXT.join(_bare(lines))])}" for lines in row) for row in cells]
        drawn = rf"\begin{{bmatrix}} {APART.join(rows)} \end{{bmatrix}}"
    return run_latex(parts, writing, {id(matrix): drawn})


def _bare(lines: list[str]) -> list[str]:
    """Lines without a relation; a minus in front is set as a unary one."""
    return [f"& {{-}}{line[1:]}" if line.startswith("-") else f"& {line}" for line in lines]


def _aligned(cells: list[str]) -> str:
    return rf"\begin{{aligned}} {APART.join(cells)} \end{{aligned}}"
