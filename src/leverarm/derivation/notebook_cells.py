"""What the Python cells of a derivation end with: exact quantities as closed forms, which a notebook typesets."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from leverarm.closed_form import Equations, Formula, Formulas
from leverarm.spatial import Force, Inertia, Matrix3, Motion, Pose, Vec3, skew


class Together(list[Formula | Formulas]):
    """Closed forms that belong together; a notebook typesets them side by side."""

    def _repr_latex_(self) -> str:
        return " ".join(f"$\\displaystyle {one.latex()} \\qquad$" for one in self)


def together(eq: Equations, *quantities: Any) -> Together:
    """Scalars, vectors, rotations, poses, twists, wrenches and inertias as closed forms of an arm."""
    return Together(_closed_form(eq, entries(quantity)) for quantity in quantities)


def _closed_form(eq: Equations, values: Any) -> Formula | Formulas:
    if isinstance(values, Formula | Formulas):
        return values
    return eq.formulas(values) if isinstance(values, list | tuple) else eq.formula(values)


@singledispatch
def entries(quantity: Any) -> Any:
    """A quantity as a column or as the rows of a matrix: a pose as 4 x 4, an inertia as 6 x 6; a scalar is itself."""
    return quantity


@entries.register
def _(quantity: Vec3) -> list[Any]:
    return list(quantity)


@entries.register
def _(quantity: Matrix3) -> list[Any]:
    return [list(row) for row in quantity.rows()]


@entries.register
def _(quantity: Pose) -> list[Any]:
    rows = zip(quantity.rotation.rows(), quantity.position, strict=True)
    return [*([*row, p] for row, p in rows), [0, 0, 0, 1]]


@entries.register
def _(quantity: Motion) -> list[Any]:
    return [*quantity.angular, *quantity.linear]


@entries.register
def _(quantity: Force) -> list[Any]:
    return [*quantity.moment, *quantity.force]


@entries.register
def _(quantity: Inertia) -> list[Any]:
    """[[I, [h]], [-[h], m E]]."""
    tensor, h = quantity.I.full().rows(), skew(quantity.h).rows()
    upper = [[*left, *right] for left, right in zip(tensor, h, strict=True)]
    lower = [[*(-x for x in left), *(quantity.m if k == r else 0 for k in range(3))] for r, left in enumerate(h)]
    return [*upper, *lower]
