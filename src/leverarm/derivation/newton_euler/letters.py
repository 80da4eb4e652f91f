"""The letters of the screw form: V_i, A_i, T_{i,i-1}; i is a number of a link (0 the base) or a letter.

Several exact quantities as closed forms, which a notebook shows as formulas: the last line of a cell.
"""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from leverarm.closed_form import Equations, Formula, Formulas
from leverarm.derivation.setting import LARGE, Setting
from leverarm.model.mechanism import WORLD
from leverarm.notation.tree import (
    Bracketed,
    Call,
    Exponential,
    Indexed,
    Matrix,
    Node,
    Product,
    Symbol,
    Transposed,
    negated,
)
from leverarm.scalars.exact import is_exactly_zero
from leverarm.spatial import Force, Inertia, Matrix3, Motion, Pose, Vec3, skew


class Together(list[Formula | Formulas]):
    """Closed forms that belong together; a notebook typesets one beside the other."""

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
    """A quantity as a column or as rows of a matrix: a pose as 4 x 4, an inertia as 6 x 6; a scalar is itself."""
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


Index = int | str
"""A link's number, counted from 1 with the base as 0; or the letter of any of them."""


def of_link(letter: str, i: Index, dots: int = 0) -> Node:
    """V_1, A_i, F_2; with dots, its rate."""
    return Symbol(f"{letter}{i}", dots) if isinstance(i, int) else Indexed(Symbol(letter, dots), i)


def between(letter: str, i: Index, j: Index) -> Node:
    """M_{2,1}, T_{i,i-1}, R_{1,0}."""
    return Indexed(Symbol(letter), f"{i},{j}")


def Ad(T: Node) -> Node:
    """The 6 x 6 matrix that takes twists along with a change of frame."""
    return Call("Ad", T)


def ad(V: Node) -> Node:
    """The 6 x 6 matrix of the bracket of twists."""
    return Call("ad", V)


def backwards(A: Node, theta: Node) -> Node:
    """e^{-[A] theta}."""
    return Exponential(negated(Product((Bracketed(A), theta))))


def pulled_back(T: Node, F: Node) -> Node:
    """Ad(T)^T F."""
    return Product((Transposed(Ad(T)), F))


def is_serial(setting: Setting) -> bool:
    """Whether each link hangs on the one before it."""
    return all(link.parent == i - 1 for i, link in enumerate(setting.mechanism.links))


def parent_number(setting: Setting, i: int) -> int:
    """The number of the link that carries link i (an index from 0); 0 for the base."""
    return setting.mechanism.links[i].parent - WORLD


def pose_matrix(setting: Setting, pose: Pose) -> Matrix:
    """A pose as a printed 4 x 4 matrix."""
    return setting.matrix(entries(pose))


def six(setting: Setting, vector: Motion | Force) -> Matrix:
    """A twist or wrench as a printed column, angular part or moment first."""
    return setting.column(entries(vector))


def is_null(vector: Motion | Force) -> bool:
    """Whether a twist or wrench is exactly zero."""
    return all(is_exactly_zero(x) for x in entries(vector))


def inertia_matrix(setting: Setting, G: Inertia) -> Matrix:
    """[[I_o, [h]], [-[h], m E]] as a printed 6 x 6 matrix."""
    return setting.matrix(entries(G))


def tensor_about_origin(i: Index) -> Node:
    """I_{o,i}: a link's inertia about the origin of its frame; the arm's own I_i is about the centre of mass."""
    return Indexed(Symbol("I"), f"o,{i}")


def each_link(setting: Setting, name: str) -> str:
    """Python for a quantity of every link, *run.V; of the first link alone where the arm is large."""
    return f"{name}[0]" if setting.dof >= LARGE else f"*{name}"
