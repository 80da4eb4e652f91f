"""An arm on which a general formula is proven, and the algebra of its matrices."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce

from leverarm.closed_form import Equations
from leverarm.scalars.exact import quotient
from leverarm.spatial import Vec3
from leverarm.spatial.inertia import point_inertia
from tests.sources.values import Value, added, multiplied, quantities


@dataclass(frozen=True)
class Case:
    """An arm's closed forms, and its quantities by name."""

    eq: Equations

    @cached_property
    def known(self) -> dict[str, Value]:
        return quantities(self.eq)

    @property
    def coordinates(self) -> tuple[str, ...]:
        return self.eq.exact.coordinates

    @property
    def links(self) -> range:
        return range(1, len(self.eq.exact.mechanism.links) + 1)

    @property
    def motion(self) -> tuple[Value, Value, Value, Value]:
        exact = self.eq.exact
        return exact.mechanism, exact.q, exact.qd, exact.qdd

    def body(self, i: int) -> tuple[Value, Value, Value]:
        """Mass, centre of mass in the world, inertia matrix about it in the link's axes; of link i from 1."""
        inertia = self.eq.exact.mechanism.links[i - 1].inertia
        com = Vec3(*(quotient(part, inertia.m) for part in inertia.h))
        at = Vec3(*(self.known[f"{axis}{i}"] for axis in "xyz"))
        return inertia.m, at, [list(row) for row in (inertia.I - point_inertia(com) * inertia.m).full().rows()]

    def speed(self, i: int) -> Value:
        return self.eq.exact.qd[i]


def product(*factors: Value) -> Value:
    """The product of scalars and matrices."""
    return reduce(multiplied, factors)


def minus(a: Value, b: Value) -> Value:
    """a - b."""
    return added(a, multiplied(-1, b))


def is_null(value: Value) -> bool:
    """Whether every entry is zero."""
    return all(x == 0 for row in value for x in row) if isinstance(value, list) else value == 0


def rate(case: Case, value: Value) -> Value:
    """d/dt of a matrix."""
    return [[case.eq.time_derivative(x) for x in row] for row in value]
