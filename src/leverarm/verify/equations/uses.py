"""How the names of a document are used: alone on a side, before their arguments, or as a part of a formula."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from leverarm.reading.tree import (
    Applied,
    Inverse,
    Matrix,
    Name,
    Node,
    Number,
    PartialDerivative,
    Power,
    Span,
    Statement,
    TimeDerivative,
    Transposed,
    walk,
)
from leverarm.verify.equations.arm_values import ArmValues
from leverarm.verify.equations.coordinate_names import coordinate_meanings

Use = Literal["part", "alone", "called", "called with speeds"]


def uses_of(statements: Iterable[Statement], values: ArmValues) -> dict[Span, Use]:
    """The use of every name that is not just part of a formula, by its place."""
    found: dict[Span, Use] = {}
    for statement in statements:
        for side in statement.sides:
            found |= {name.span: "alone" for name in _alone(side)}
            for node in walk(side):
                if isinstance(node, PartialDerivative):
                    found |= {name.span: "alone" for name in _alone(node.of)}
                if not isinstance(node, Applied) or not _are_arguments(node.arguments, values):
                    continue
                if isinstance(node.head, PartialDerivative | TimeDerivative):
                    found[node.head.span] = "called"
                elif (head := head_of(node)) is not None:
                    found[head.span] = "called with speeds" if len(node.arguments) > 1 else "called"
    return found


def head_of(node: Applied) -> Name | None:
    """The name before the parenthesis, also of M^-1(q) and J^T(q)."""
    inner = node.head
    while isinstance(inner, Inverse | Transposed):
        inner = inner.of
    return inner if isinstance(inner, Name) else None


def _alone(node: Node) -> Iterator[Name]:
    """The names of a side that is nothing but a quantity, or a vector of quantities."""
    match node:
        case Name():
            yield node
        case Matrix(rows=rows):
            for row in rows:
                for entry in row:
                    yield from _alone(entry)
        case Power(base=of) | Transposed(of=of) | Inverse(of=of) | TimeDerivative(of=of):
            yield from _alone(of)
        case _:
            return


def _are_arguments(arguments: tuple[Node, ...], values: ArmValues) -> bool:
    """Whether what stands in a parenthesis can be what a quantity depends on: (q), (theta_1, theta_2), (q, qd), (t)."""
    if not all(isinstance(each, Name | Number) for each in arguments):
        return False
    names = [each for each in arguments if isinstance(each, Name)]
    if not names:
        return len(arguments) > 1
    if not all(_is_state(name, values) for name in names):
        return False
    first = names[0]
    return len(arguments) > 1 or not first.dots or not first.lower


def _is_state(name: Name, values: ArmValues) -> bool:
    if name.letter == "t" and not name.lower:
        return True
    return any(True for _ in coordinate_meanings(name, values)) or name.letter in ("qd", "qdd", "thetad", "dq", "qdot")
