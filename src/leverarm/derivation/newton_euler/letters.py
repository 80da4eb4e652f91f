"""The letters of the screw form: V_i, A_i, T_{i,i-1}; i is a number of a link (0 the base) or a letter."""

from __future__ import annotations

from leverarm.derivation.setting import Setting
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
from leverarm.spatial import Force, Inertia, Motion, Pose, skew

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
    rows = [[*row, p] for row, p in zip(pose.rotation.rows(), pose.position, strict=True)]
    return setting.matrix([*rows, [0, 0, 0, 1]])


def six(setting: Setting, vector: Motion | Force) -> Matrix:
    """A twist or wrench as a printed column, angular part or moment first."""
    first, second = (vector.angular, vector.linear) if isinstance(vector, Motion) else (vector.moment, vector.force)
    return setting.column([*first, *second])


def is_null(vector: Motion | Force) -> bool:
    """Whether a twist or wrench is exactly zero."""
    first, second = (vector.angular, vector.linear) if isinstance(vector, Motion) else (vector.moment, vector.force)
    return all(is_exactly_zero(x) for x in (*first, *second))


def inertia_matrix(setting: Setting, G: Inertia) -> Matrix:
    """[[I, [h]], [-[h], m 1]] as a printed 6 x 6 matrix."""
    tensor, h = G.I.full().rows(), skew(G.h).rows()
    upper = [[*left, *right] for left, right in zip(tensor, h, strict=True)]
    lower = [[*(-x for x in left), *(G.m if k == r else 0 for k in range(3))] for r, left in enumerate(h)]
    return setting.matrix([*upper, *lower])
