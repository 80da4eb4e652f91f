"""The symbols of the screw form: V_i, A_i, T_{i,i-1}, where i is the number of a link (0 is the base) or an index."""

from __future__ import annotations

from leverarm.derivation.notebook_cells import entries
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
from leverarm.spatial import Force, Inertia, Motion, Pose

Index = int | str
"""A link's number, counted from 1 (the base is 0), or an index letter."""


def of_link(letter: str, i: Index, dots: int = 0) -> Node:
    """V_1, A_i, F_2; with dots, its time derivatives."""
    return Symbol(f"{letter}{i}", dots) if isinstance(i, int) else Indexed(Symbol(letter, dots), i)


def between(letter: str, i: Index, j: Index) -> Node:
    """M_{2,1}, T_{i,i-1}, R_{1,0}."""
    return Indexed(Symbol(letter), f"{i},{j}")


def Ad(T: Node) -> Node:
    """The 6 x 6 adjoint matrix, which expresses twists in another frame."""
    return Call("Ad", T)


def ad(V: Node) -> Node:
    """The 6 x 6 matrix of the Lie bracket of twists."""
    return Call("ad", V)


def backwards(A: Node, theta: Node) -> Node:
    """e^{-[A] theta}."""
    return Exponential(negated(Product((Bracketed(A), theta))))


def pulled_back(T: Node, F: Node) -> Node:
    """Ad(T)^T F."""
    return Product((Transposed(Ad(T)), F))


def is_serial(setting: Setting) -> bool:
    """Whether the parent of each link is the link before it."""
    return all(link.parent == i - 1 for i, link in enumerate(setting.mechanism.links))


def parent_number(setting: Setting, i: int) -> int:
    """The number of the parent of link i (an index from 0); 0 for the base."""
    return setting.mechanism.links[i].parent - WORLD


def pose_matrix(setting: Setting, pose: Pose) -> Matrix:
    """A pose as a 4 x 4 matrix of formulas."""
    return setting.matrix(entries(pose))


def six(setting: Setting, vector: Motion | Force) -> Matrix:
    """A twist or wrench as a column of formulas, angular part or moment first."""
    return setting.column(entries(vector))


def is_null(vector: Motion | Force) -> bool:
    """Whether a twist or wrench is exactly zero."""
    return all(is_exactly_zero(x) for x in entries(vector))


def inertia_matrix(setting: Setting, G: Inertia) -> Matrix:
    """[[I_o, [h]], [-[h], m E]] as a 6 x 6 matrix of formulas."""
    return setting.matrix(entries(G))


def tensor_about_origin(i: Index) -> Node:
    """I_{o,i}: a link's inertia about the origin of its frame; the arm's own I_i is about the centre of mass."""
    return Indexed(Symbol("I"), f"o,{i}")


def each_link(setting: Setting, name: str) -> str:
    """Python for a quantity of every link, *run.V; of the first link alone where the arm is large."""
    return f"{name}[0]" if setting.dof >= LARGE else f"*{name}"
