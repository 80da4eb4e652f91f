"""One equation that does not hold as it stands: what is written, what should be, and the names they are written in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from leverarm.reading.tree import Node, Statement
from leverarm.scalars import Scalar
from leverarm.scalars.exact import substitute
from leverarm.verify.equations.evaluation import value_of
from leverarm.verify.equations.scope import Scope
from leverarm.verify.equations.values import Value, mapped


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
