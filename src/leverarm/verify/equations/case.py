"""One equation that does not hold as it stands: what is written, what should be, and the names they are written in.

Which side of an equation says what it is about, and which is the writer's formula.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from leverarm.notation.reading.as_written import (
    Applied,
    Inverse,
    Matrix,
    Name,
    Node,
    Number,
    PartialDerivative,
    Power,
    Statement,
    TimeDerivative,
    Transposed,
    walk,
)
from leverarm.scalars import Scalar
from leverarm.scalars.exact import substitute
from leverarm.verify.equations.evaluation import value_of
from leverarm.verify.equations.scope import Scope
from leverarm.verify.equations.values import Value, mapped
from leverarm.verify.equations.verdict import WrittenError


@dataclass(frozen=True, slots=True)
class Case:
    """A side of an equation that differs from what it should be.

    `written` is the user's formula with the exact `value`, `wanted` what it should be; `about` says of what it speaks.
    Where the text sets coordinates, all values are those under these `conditions`, by the letters of the ring; an angle
    is given as its turn.
    """

    statement: Statement
    scope: Scope
    written: Node
    wanted: Value
    value: Value
    about: str
    conditions: Mapping[str, Scalar] = field(default_factory=dict)

    def worth(self, node: Node) -> Value:
        """The exact value of a formula under the conditions. Raises WrittenError where it has none."""
        return under(value_of(node, self.scope), self.conditions)


def under(value: Value, conditions: Mapping[str, Scalar]) -> Value:
    """A value where the conditions hold."""
    return mapped(value, lambda x: substitute(x, conditions)) if conditions else value


def subject_of(statement: Statement) -> int:
    """The side that says what the equation is about: a quantity alone, else the shortest."""
    for i, side in enumerate(statement.sides):
        if is_quantity(side):
            return i
    sizes = [sum(1 for _ in walk(side)) for side in statement.sides]
    return sizes.index(min(sizes))


def is_quantity(node: Node) -> bool:
    """Whether a side is nothing but a named quantity, its derivative, or a vector of such."""
    match node:
        case Name():
            return True
        case Applied(head=of) | Power(base=of) | Transposed(of=of) | Inverse(of=of) | TimeDerivative(of=of):
            return is_quantity(of)
        case PartialDerivative(of=of):
            return is_quantity(of)
        case Matrix(rows=rows):
            return all(is_quantity(entry) for row in rows for entry in row)
        case _:
            return False


def about(node: Node, scope: Scope) -> str:
    """What a side speaks of, in words: "tau_1, the torque of joint theta1"; its text where it has no name."""
    match node:
        case Name():
            try:
                return scope.meaning(node).about
            except WrittenError:
                return written(node, scope)
        case Applied(head=head) if is_quantity(head):
            return about(head, scope)
        case Number():
            return "an equation for zero" if node.value == 0 else "a number"
        case _:
            return written(node, scope)


def written(node: Node, scope: Scope) -> str:
    """The text of a part, on one line."""
    return " ".join(scope.text[slice(*node.span)].split())
