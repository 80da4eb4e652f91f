r"""Formulas as lines of amsmath's align*: one side of an equation per line, long sides broken to fit the page.

Each line holds one & and no \\; join them with " \\\\\n".
"""

from __future__ import annotations

from dataclasses import dataclass

from leverarm.notation import tree
from leverarm.notation.latex import (
    PRODUCT,
    factor_latex,
    juxtaposed,
    parenthesised,
    relation_latex,
    signed_terms,
    text_label,
    to_latex,
    write,
)
from leverarm.notation.latex_width import width_in_ems
from leverarm.notation.tree import Node, is_negative, negated
from leverarm.notation.vocabulary import Writing

TEXT_WIDTH = 33.5
"""Of a plain article at 10 pt [em]."""
LONGEST_LEFT_SIDE = 0.4
"""Of the width: a longer left-hand side stands on a line of its own."""
INDENT = r"\quad "
INDENT_WIDTH = 1.0
SIGN_WIDTH = 1.3


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a formula before which a line may be broken, and in how many opened brackets it stands.

    `joint` is written before it only where it begins a line: the dot of a product that goes on.
    """

    latex: str
    depth: int = 0
    joint: str = ""


def aligned_lines(equation: tree.Equation, writing: Writing = Writing()) -> list[str]:
    """a = b = c as the lines `a &= b` and `&= c`."""
    left, *sides = [to_latex(side, writing) for side in equation.sides]
    if not sides:
        return [f"& {left}"]
    relation = relation_latex(equation.relation)
    return [f"{left if not i else ''} &{relation} {side}".strip() for i, side in enumerate(sides)]


def broken_lines(node: Node, width: float = TEXT_WIDTH, writing: Writing = Writing()) -> list[str]:
    """The formula as lines no wider than the width [em], as far as it has sums, brackets or products to break.

    A matrix that is too wide is written entry by entry.
    """
    if not isinstance(node, tree.Equation) or len(node.sides) == 1:
        only = node.sides[0] if isinstance(node, tree.Equation) else node
        lines = _laid(only, width, writing)
        return [f"& {line}" if not i else f"&{INDENT}{line}" for i, line in enumerate(lines)]
    left, *sides = node.sides
    if wide := [side for side in sides if isinstance(side, tree.Matrix) and _width(side, writing) > 0.8 * width]:
        return [line for entry in _entries(left, wide[-1]) for line in broken_lines(entry, width, writing)]
    return _broken_chain(to_latex(left, writing), sides, relation_latex(node.relation), width, writing)


def _broken_chain(left: str, sides: list[Node], relation: str, width: float, writing: Writing) -> list[str]:
    room = width - width_in_ems(left) - width_in_ems(relation)
    lines = []
    lead, start = left, f"&{relation} "
    if room < (1 - LONGEST_LEFT_SIDE) * width and any(_width(side, writing) > room for side in sides):
        lines.append(f"& {left}")
        room, lead, start = width - INDENT_WIDTH - width_in_ems(relation), "", f"&{INDENT}{relation} "
    for side in sides:
        parts = _laid(side, room, writing)
        lines += [f"{lead} {start}{parts[0]}".strip(), *(f"&{INDENT}{INDENT}{part}" for part in parts[1:])]
        lead = ""
    return lines


def _entries(left: Node, matrix: tree.Matrix) -> list[Node]:
    """The equations of a matrix's entries: M_{12} = ..., or c_2 = ... of a column."""
    head = left.head if isinstance(left, tree.Of) else left
    is_column = all(len(row) == 1 for row in matrix.rows)
    separator = "," if max(len(matrix.rows), len(matrix.rows[0])) > 9 else ""
    return [
        tree.Equation((tree.Indexed(head, str(i) if is_column else f"{i}{separator}{j}"), entry))
        for i, row in enumerate(matrix.rows, 1)
        for j, entry in enumerate(row, 1)
    ]


def _laid(node: Node, room: float, writing: Writing) -> list[str]:
    """One side as lines; those after the first are indented."""
    whole = to_latex(node, writing)
    if width_in_ems(whole) <= room:
        return [whole]
    return _filled(_pieces(node, room, writing), room, room - INDENT_WIDTH)


def _filled(pieces: list[Piece], first: float, later: float) -> list[str]:
    """The pieces put together to lines that are as full as fits."""
    lines: list[str] = []
    line, used, room = "", 0.0, first
    for piece in pieces:
        size = width_in_ems(piece.latex)
        if line and used + size > room:
            lines.append(line)
            indent, room = INDENT * piece.depth, later
            line, used = f"{indent}{{}} {piece.joint}{piece.latex}", INDENT_WIDTH * piece.depth + size
        else:
            line, used = f"{line} {piece.latex}".strip(), used + size
    return [*lines, line]


def _width(node: Node, writing: Writing) -> float:
    return width_in_ems(to_latex(node, writing))


def _pieces(node: Node, room: float, writing: Writing, depth: int = 0) -> list[Piece]:
    """The parts of a formula between which lines may be broken; only brackets with wide content are opened."""
    if isinstance(node, tree.Sum):
        pieces: list[Piece] = []
        for i, (sign, term) in enumerate(signed_terms(node)):
            inner = _term_pieces(term, room, writing, depth)
            shown = f"{sign} " if i else sign.strip("+")
            pieces += [Piece(shown + inner[0].latex, depth), *inner[1:]]
        return pieces
    return _term_pieces(node, room, writing, depth)


def _term_pieces(node: Node, room: float, writing: Writing, depth: int) -> list[Piece]:
    latex, binds = write(node, writing)
    whole = latex if binds >= PRODUCT or is_negative(node) else parenthesised(latex)
    if width_in_ems(whole) <= room - INDENT_WIDTH * (depth + 1) - SIGN_WIDTH:
        return [Piece(whole, depth)]
    if isinstance(node, tree.Sum):
        return _opened("", node, "", room, writing, depth)
    if isinstance(node, tree.Product):
        return _product_pieces(node, room, writing, depth)
    if isinstance(node, tree.Ratio):
        above = _opened("", node.above, "", room, writing, depth)
        below = _opened("", node.below, "", room, writing, depth)
        return [*above, Piece(f"/ {below[0].latex}", depth), *below[1:]]
    if isinstance(node, tree.Labelled):
        return _opened("", node.of, rf"_{{\text{{{text_label(node.label)}}}}}", room, writing, depth)
    if isinstance(node, tree.Call) and node.function != "sqrt":
        return _opened(rf"\operatorname{{{node.function}}}", node.argument, "", room, writing, depth)
    if isinstance(node, tree.TimeDerivative):
        return _opened(r"\frac{d}{dt}", node.of, "", room, writing, depth)
    if isinstance(node, tree.PartialDerivative):
        by = to_latex(node.by, writing)
        return _opened(rf"\frac{{\partial}}{{\partial {by}}}", node.of, "", room, writing, depth)
    if isinstance(node, tree.Power):
        return _opened("", node.base, f"^{{{node.exponent}}}", room, writing, depth)
    return [Piece(whole, depth)]


def _opened(before: str, inside: Node, after: str, room: float, writing: Writing, depth: int) -> list[Piece]:
    """A bracket whose content may be broken: the opening one on the first piece, the closing one on the last."""
    parts = _pieces(inside, room, writing, depth + 1)
    latex = [part.latex for part in parts]
    size = "Big" if any(r"\frac" in text for text in latex) else "big"
    latex[0] = rf"{before} \{size}l( {latex[0]}".strip()
    latex[-1] = rf"{latex[-1]} \{size}r){after}"
    return [
        Piece(text, depth if not i else part.depth) for i, (text, part) in enumerate(zip(latex, parts, strict=True))
    ]


def _product_pieces(node: tree.Product, room: float, writing: Writing, depth: int) -> list[Piece]:
    """A wide product opened at its widest bracket, or between its factors where it has none."""
    if isinstance(node.factors[0], tree.Number) and is_negative(node):
        pieces = _term_pieces(negated(node), room, writing, depth)
        return [Piece(f"-{pieces[0].latex}", depth), *pieces[1:]]
    factors = node.factors
    written = [factor_latex(factors, i, writing) for i in range(len(factors))]
    sums = [i for i, factor in enumerate(factors) if isinstance(factor, tree.Sum)]
    widest = max(sums, key=lambda i: width_in_ems(written[i]), default=None)
    if widest is not None:
        before = juxtaposed(factors[:widest], written[:widest]) if widest else ""
        after = juxtaposed(factors[widest + 1 :], written[widest + 1 :]) if widest + 1 < len(factors) else ""
        if max(width_in_ems(before), width_in_ems(after)) < 0.5 * room:
            return _opened(before, factors[widest], f" {after}" if after else "", room, writing, depth)
    pieces = []
    for i, factor in enumerate(factors):
        is_wide = width_in_ems(written[i]) > room
        inner = _term_pieces(factor, room, writing, depth) if is_wide else [Piece(written[i], depth)]
        pieces += [Piece(inner[0].latex, depth, r"\cdot " if i else ""), *inner[1:]]
    return pieces
