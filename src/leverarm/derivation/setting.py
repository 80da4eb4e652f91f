"""What every route starts from: an arm's closed forms, and the symbols in which its equations are written.

`Setting` prints exact values as formulas and knows the symbols of coordinates, forces and links.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Literal

from leverarm import mechanics as me
from leverarm.closed_form import Equations
from leverarm.derivation.formulas import M, c, full, g, plus, times
from leverarm.documents.document import Shown
from leverarm.model import Mechanism
from leverarm.model.mechanism import Row
from leverarm.notation.text import to_text
from leverarm.notation.textbook import textbook
from leverarm.notation.tree import Equation, Indexed, Matrix, Node, Number, Of, Sum, Symbol, Transposed, column, mapped
from leverarm.scalars import Scalar, is_one
from leverarm.scalars.exact import free_symbol, is_exactly_zero, quotient, symbol
from leverarm.spatial import Force, Inertia, Pose, Symmetric3, Vec3
from leverarm.spatial.inertia import point_inertia

AXES = ("x", "y", "z")
COUPLED = "The joints are coupled: the force along a coordinate is the weighted sum of those at the joints it moves."
LARGE = 5
"""From this many coordinates on, a document shows structure instead of pages of terms."""
LINE = 80
"""A matrix wider than this, in characters of plain text, does not share its line."""
TIP_JACOBIAN = Symbol("J_b")
"""The Jacobian of the tip, in the tip's own frame."""
DIGITS = 6
"""Significant digits of a rounded number."""


Tip = Literal["free", "wrench"]


@dataclass(frozen=True)
class Setting:
    """An arm with its closed forms, and the symbols of its coordinates, velocities, accelerations and forces.

    `tip` is "wrench" where the tool pushes on its surroundings, with F_{n+1}; else "free".
    """

    eq: Equations
    tip: Tip = "free"

    @property
    def mechanism(self) -> Mechanism:
        return self.eq.exact.mechanism

    @property
    def dof(self) -> int:
        return len(self.eq.exact.coordinates)

    @property
    def names(self) -> list[str]:
        """The coordinates as they are printed."""
        printed = self.eq.notation.vocabulary.printed
        return [printed[name] for name in self.eq.exact.coordinates]

    def coordinates(self, dots: int = 0) -> list[Symbol]:
        """theta1, theta2; with dots, their velocities or accelerations."""
        return [Symbol(name, dots) for name in self.names]

    @property
    def vector(self) -> str:
        """The letter of the vector of coordinates: theta where all of them are thetas, q otherwise."""
        return "theta" if all(name.startswith("theta") and name != "theta" for name in self.names) else "q"

    def all(self, dots: int = 0) -> Symbol:
        """The vector of coordinates, velocities or accelerations."""
        return Symbol(self.vector, dots)

    @property
    def friction(self) -> Node:
        """F(qd); F(q, qd) where it depends on the load."""
        orders = (0, 1) if self.mechanism.loaded_joints else (1,)
        return Of(Symbol("F"), tuple(self.all(order) for order in orders))

    @property
    def forces(self) -> list[Symbol]:
        """The generalised forces by the arm's own symbols for them, else tau1, tau2."""
        return [Symbol(force.text()) for force in self.eq.forces]

    @property
    def tip_wrench(self) -> tuple[str, Force] | None:
        """The tool and the wrench with which it pushes on something, in letters, in the tool's own coordinates."""
        n = self.eq.wrench.values
        return (self.mechanism.tool, Force(Vec3(*n[:3]), Vec3(*n[3:]))) if self.tip == "wrench" else None

    @property
    def pushed(self) -> list[Node]:
        """J_b^T F_{n+1}, where the arm applies a wrench at its tip: its term of the equations of motion."""
        return [] if self.tip == "free" else [times(Transposed(TIP_JACOBIAN), Symbol(f"F{len(self.links) + 1}"))]

    @property
    def springs(self) -> list[Symbol]:
        """tau_s1, tau_s2: what the springs take of each generalised force; none where there are no springs."""
        return [Symbol(f"tau_s{j}") for j in range(1, self.dof + 1)] if self.mechanism.has_springs else []

    @property
    def friction_forces(self) -> list[Symbol]:
        """tau_f1, tau_f2: what friction takes of each generalised force; none where there is no friction."""
        return [Symbol(f"tau_f{j}") for j in range(1, self.dof + 1)] if self.mechanism.has_friction else []

    def joint(self, i: int) -> str | Node:
        """Joint i: the symbol of its coordinate, or its name where it is coupled to others."""
        row = self.mechanism.couplings[i]
        is_own = len(row) == 1 and is_one(row[0][1])
        return self.coordinates()[row[0][0]] if is_own else self.mechanism.links[i].joint

    def tree(self, value: Scalar) -> Node:
        """An exact value as a textbook formula."""
        return textbook(value, self.eq.notation.vocabulary)

    def matrix(self, values: Sequence[Sequence[Scalar]]) -> Matrix:
        """Exact values as a matrix of formulas."""
        return Matrix(tuple(tuple(self.tree(x) for x in row) for row in values))

    def column(self, values: Sequence[Scalar]) -> Matrix:
        """Exact values as a column of formulas."""
        return column([self.tree(x) for x in values])

    @cached_property
    def links(self) -> list[LinkSetting]:
        """The moving links, from the base outwards."""
        poses = me.world_from_links(self.mechanism, self.eq.exact.q)
        return [LinkSetting(self, i, poses[i]) for i in range(len(self.mechanism.links))]

    @cached_property
    def live_axes(self) -> list[int]:
        """The world axes along which some centre of mass is away from zero."""
        found = [a for a in range(3) if any(not is_exactly_zero(tuple(link.com)[a]) for link in self.heavy_links)]
        return found or [0, 1]

    @property
    def heavy_links(self) -> list[LinkSetting]:
        """The links that have mass."""
        return [link for link in self.links if not is_exactly_zero(link.inertia.m)]

    @property
    def is_planar(self) -> bool:
        """Whether all revolute joints turn about the world's z axis and all masses stay in the plane z = 0."""
        turning = [link for link in self.links if self.mechanism.links[link.i].turns]
        across = [part for link in turning for part in (link.axis.x, link.axis.y)]
        return 2 not in self.live_axes and all(is_exactly_zero(part) for part in across)


@dataclass(frozen=True)
class LinkSetting:
    """One moving link; `number` counts from 1, as its symbols do."""

    setting: Setting
    i: int
    pose: Pose

    @property
    def number(self) -> int:
        return self.i + 1

    @property
    def name(self) -> str:
        return self.setting.mechanism.links[self.i].name

    @property
    def inertia(self) -> Inertia:
        return self.setting.mechanism.links[self.i].inertia

    @property
    def axis(self) -> Vec3:
        """The joint's axis in the world."""
        return self.pose.rotation @ self.setting.mechanism.links[self.i].axis

    @cached_property
    def com_in_link(self) -> Vec3:
        """The centre of mass in the link's frame, h/m; the origin where there is no mass."""
        body = self.inertia
        if is_exactly_zero(body.m):
            return Vec3(0, 0, 0)
        return Vec3(*(quotient(part, body.m) for part in body.h))

    @cached_property
    def com(self) -> Vec3:
        """The centre of mass in the world."""
        return self.pose @ self.com_in_link

    @cached_property
    def about_com(self) -> Symmetric3:
        """The inertia tensor about the centre of mass, in the link's axes."""
        of_mass: Symmetric3 = point_inertia(self.com_in_link) * self.inertia.m
        return self.inertia.I - of_mass

    @property
    def has_rotation_inertia(self) -> bool:
        t = self.about_com
        return any(not is_exactly_zero(x) for x in (t.xx, t.xy, t.yy, t.xz, t.yz, t.zz))

    def symbol(self, letter: str, dots: int = 0) -> Symbol:
        """A letter with the link's number: x2, K1."""
        return Symbol(f"{letter}{self.number}", dots)


def mass_matrix_in_letters(setting: Setting) -> list[list[Scalar]]:
    """M with a letter M_ij for each entry on and above the diagonal; entries that are zero stay so."""
    entries, n = setting.eq.M, range(setting.dof)
    return [
        [0 if entries[i, j].is_zero else free_symbol(symbol(f"M{min(i, j) + 1}{max(i, j) + 1}")) for j in n] for i in n
    ]


def defined(setting: Setting, name: Node, definition: Node, value: Matrix) -> list[Shown]:
    """name = definition = value; as two equations where the value is wide, since it may be written by its entries."""
    if width(setting, value) <= LINE:
        return [full(name, definition, value)]
    return [full(name, definition), full(name, value)]


def width(setting: Setting, matrix: Matrix) -> int:
    """The width of a printed matrix, in characters: the widest entry of each column."""
    columns = zip(*matrix.rows, strict=True)
    return sum(max(len(to_text(entry, setting.eq.notation.writing)) for entry in column) + 2 for column in columns)


def matrix_form(setting: Setting) -> Sum:
    """M(q) qdd + c(q, qd) + F(qd) + g(q) + J_b^T F_{n+1}, without friction and wrench where there is none."""
    q, qd, qdd = (setting.all(dots) for dots in range(3))
    losses = [setting.friction] if setting.mechanism.has_friction else []
    return Sum((times(Of(M, (q,)), qdd), Of(c, (q, qd)), *losses, Of(g, (q,)), *setting.pushed))


def joint_value(setting: Setting, i: int, dots: int = 0) -> Node:
    """Joint i in terms of the coordinates, 2 theta1 - theta2 where coupled; with dots, its velocity or acceleration."""
    return _combination(setting, setting.mechanism.couplings[i], setting.coordinates(dots))


def joint_forces(setting: Setting) -> list[Symbol]:
    """The forces at the joints: the generalised forces, or symbols of their own where joints are coupled."""
    if not setting.mechanism.is_coupled:
        return setting.forces
    return [Symbol(f"tau_J{link.number}") for link in setting.links]


def force_at_joint(setting: Setting, index: str) -> Node:
    """tau_i; tau_{J,i} where couplings, rotors, springs or friction make the generalised force another one."""
    arm = setting.mechanism
    is_all = not (arm.is_coupled or arm.rotors or arm.has_springs or arm.has_friction)
    return Indexed(Symbol("tau"), index if is_all else f"J,{index}")


def forces_along_coordinates(setting: Setting) -> list[Node]:
    """The generalised forces as sums of the joints' forces, weighted by the coupling ratios."""
    symbols = joint_forces(setting)
    couplings = setting.mechanism.couplings
    rows = [tuple((i, r) for i, row in enumerate(couplings) for k, r in row if k == j) for j in range(setting.dof)]
    return [_combination(setting, row, symbols) for row in rows]


def _combination(setting: Setting, row: Row, symbols: list[Symbol]) -> Node:
    return plus(*(symbols[j] if is_one(ratio) else times(setting.tree(ratio), symbols[j]) for j, ratio in row))


def readable(equation: Equation) -> Equation:
    """The equation with its decimals rounded to DIGITS digits; "about equal" where that changed one."""
    short = mapped(equation, lambda node: Number(_round(node.value)) if isinstance(node, Number) else node)
    return equation if short == equation or not isinstance(short, Equation) else replace(short, relation="~")


def _round(x: Fraction) -> Fraction:
    """The nearest number of DIGITS significant digits. Whole numbers and fractions such as 1/3 stay as they are."""
    is_decimal = 10**18 % x.denominator == 0
    return Fraction(f"{float(x):.{DIGITS}g}") if is_decimal and x.denominator > 1 else x


def term_count(values: Iterable[Scalar]) -> int:
    """The number of terms of exact values when multiplied out."""
    return sum(0 if is_exactly_zero(x) else len(x) if hasattr(x, "__len__") else 1 for x in values)
