"""Formulas that are numbers: 9.81, -pi/2, 3/4."""

from __future__ import annotations

from collections.abc import Iterator

from leverarm.reading.tree import Matrix, Name, Negative, Node, Number, Product, Quotient


def is_numeric(node: Node) -> bool:
    """Whether a side is a number, or a list of numbers."""
    return all(_is_number(cell) for cell in cells(node))


def cells(node: Node) -> Iterator[Node]:
    """The entries of a list, or the formula itself."""
    if isinstance(node, Matrix):
        yield from (entry for row in node.rows for entry in row)
    else:
        yield node


def _is_number(node: Node) -> bool:
    match node:
        case Number() | Name(letter="pi", lower=""):
            return True
        case Negative(of=of):
            return _is_number(of)
        case Quotient(above=above, below=below):
            return _is_number(above) and _is_number(below)
        case Product(factors=factors):
            return all(_is_number(factor) for factor in factors)
        case _:
            return False
