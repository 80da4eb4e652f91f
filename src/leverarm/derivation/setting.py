"""What every route starts from: the closed forms of an arm and the letters its equations are written in.

Joints and coordinates in symbols: the same thing, unless the arm couples its joints.

Long decimals cut short for reading: a formula with rounded numbers, shown with a sign that says so.

How large closed forms are: terms when expanded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from leverarm import mechanics as me
from leverarm.closed_form import Equations
from leverarm.model import Mechanism
from leverarm.model.mechanism import Row
from leverarm.notation.textbook import textbook
from leverarm.notation.tree import (
    ZERO,
    Equation,
    Matrix,
    Node,
    Number,
    Product,
    Sum,
    Symbol,
    Transposed,
    column,
    mapped,
)
from leverarm.scalars import Scalar, is_one
from leverarm.scalars.exact import is_exactly_zero, quotient
from leverarm.spatial import Inertia, Pose, Symmetric3, Vec3
from leverarm.spatial.inertia import point_inertia

AXES = ("x", "y", "z")
HALF = Number(Fraction(1, 2))
LARGE = 5
"""From this many coordinates on, a document shows structure instead of pages of terms."""


@dataclass(frozen=True)
class Setting:
    """An arm, its closed forms, and the symbols of its coordinates, speeds, accelerations and forces."""

    eq: Equations

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
        """theta1, theta2; with dots, their speeds or accelerations."""
        return [Symbol(name, dots) for name in self.names]

    @property
    def vector(self) -> str:
        """The letter of the coordinates together: theta where all are thetas, q otherwise."""
        return "theta" if all(name.startswith("theta") and name != "theta" for name in self.names) else "q"

    def all(self, dots: int = 0) -> Symbol:
        """The vector of coordinates, speeds or accelerations."""
        return Symbol(self.vector, dots)

    @property
    def power(self) -> Node:
        """tau^T qd."""
        return Product((Transposed(Symbol("tau")), self.all(1)))

    @property
    def forces(self) -> list[Symbol]:
        """The generalised forces by the letters the arm gives them, else tau1, tau2."""
        own = {body.joint.name: body.joint.force for body in self.eq.arm.bodies}
        return [Symbol(own.get(name) or f"tau{i}") for i, name in enumerate(self.eq.exact.coordinates, 1)]

    def joint(self, i: int) -> str | Node:
        """Joint i: the symbol of its coordinate, or its name where it follows others."""
        row = self.mechanism.couplings[i]
        is_own = len(row) == 1 and is_one(row[0][1])
        return self.coordinates()[row[0][0]] if is_own else self.mechanism.links[i].joint

    def tree(self, value: Scalar) -> Node:
        """An exact value, printed."""
        return textbook(value, self.eq.notation.vocabulary)

    def matrix(self, values: Sequence[Sequence[Scalar]]) -> Matrix:
        """Exact values as a printed matrix."""
        return Matrix(tuple(tuple(self.tree(x) for x in row) for row in values))

    def column(self, values: Sequence[Scalar]) -> Matrix:
        """Exact values as a printed column."""
        return column([self.tree(x) for x in values])

    @cached_property
    def links(self) -> list[LinkSetting]:
        """The moving links, from the base outwards."""
        poses = me.world_from_links(self.mechanism, self.eq.exact.q)
        return [LinkSetting(self, i, poses[i]) for i in range(len(self.mechanism.links))]

    @cached_property
    def live_axes(self) -> list[int]:
        """The world axes along which some centre of mass is not fixed at zero."""
        found = [a for a in range(3) if any(not is_exactly_zero(tuple(link.com)[a]) for link in self.heavy_links)]
        return found or [0, 1]

    @property
    def heavy_links(self) -> list[LinkSetting]:
        """The links that have mass."""
        return [link for link in self.links if not is_exactly_zero(link.inertia.m)]

    @property
    def is_planar(self) -> bool:
        """Whether every joint that turns does so about one axis that stays put, and nothing leaves its plane."""
        turning = [link for link in self.links if self.mechanism.links[link.i].turns]
        across = [part for link in turning for part in (link.axis.x, link.axis.y)]
        return 2 not in self.live_axes and all(is_exactly_zero(part) for part in across)


@dataclass(frozen=True)
class LinkSetting:
    """One moving link in its setting; `number` counts from 1, as its symbols do."""

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


def equation(*sides: Node) -> Equation:
    """a = b = c."""
    return Equation(sides)


def times(*factors: Node) -> Node:
    """The factors side by side."""
    flat: list[Node] = []
    for factor in factors:
        flat.extend(factor.factors if isinstance(factor, Product) else [factor])
    return flat[0] if len(flat) == 1 else Product(tuple(flat))


def joint_value(setting: Setting, i: int, dots: int = 0) -> Node:
    """Joint i by the coordinates, 2 theta1 - theta2 where coupled; with dots, its speed or acceleration."""
    return _combination(setting, setting.mechanism.couplings[i], setting.coordinates(dots))


def joint_forces(setting: Setting) -> list[Symbol]:
    """The forces at the joints: those along the coordinates, or letters of their own where joints are coupled."""
    if not setting.mechanism.is_coupled:
        return setting.forces
    return [Symbol(f"tau_J{link.number}") for link in setting.links]


def forces_along_coordinates(setting: Setting) -> list[Node]:
    """The same forces along the coordinates, as sums of the joints' forces with the ratios of the couplings."""
    symbols = joint_forces(setting)
    couplings = setting.mechanism.couplings
    rows = [tuple((i, r) for i, row in enumerate(couplings) for k, r in row if k == j) for j in range(setting.dof)]
    return [_combination(setting, row, symbols) for row in rows]


def _combination(setting: Setting, row: Row, symbols: list[Symbol]) -> Node:
    terms: list[Node] = [symbols[j] if is_one(ratio) else times(setting.tree(ratio), symbols[j]) for j, ratio in row]
    return ZERO if not terms else terms[0] if len(terms) == 1 else Sum(tuple(terms))


DIGITS = 6
"""Significant digits of a rounded number."""


def readable(equation: Equation) -> Equation:
    """The equation with numbers of at most DIGITS digits; its sign is "about equal" where that changed one."""
    short = mapped(equation, lambda node: Number(_round(node.value)) if isinstance(node, Number) else node)
    return equation if short == equation or not isinstance(short, Equation) else replace(short, relation="~")


def _round(x: Fraction) -> Fraction:
    """The nearest number of DIGITS significant digits. Whole numbers and fractions such as 1/3 stay as they are."""
    is_decimal = 10**18 % x.denominator == 0
    return Fraction(f"{float(x):.{DIGITS}g}") if is_decimal and x.denominator > 1 else x


def term_count(values: Iterable[Scalar]) -> int:
    """The number of terms of some exact values, expanded."""
    return sum(0 if is_exactly_zero(x) else len(x) if hasattr(x, "__len__") else 1 for x in values)
