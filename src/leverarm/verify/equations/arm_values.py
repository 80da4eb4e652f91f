"""The exact quantities of an arm's links that closed forms do not name: centres of mass, ends, Jacobians, forces."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from leverarm import mechanics as me
from leverarm.closed_form import Equations
from leverarm.model import Attachment
from leverarm.notation.names import split_name
from leverarm.notation.vocabulary import Role
from leverarm.scalars import Scalar
from leverarm.scalars.exact import is_exactly_zero, quotient, substitute
from leverarm.spatial import IDENTITY, Pose, Vec3
from leverarm.verify.equations.algebra import Value, column, entries, multiplied, plain, rows_of, table, transposed
from leverarm.verify.equations.indices import depth_of, letters_of


@dataclass(frozen=True, slots=True)
class Body:
    """What has a mass of its own: a link or, where the link carries more, its part with the symbols in `without`."""

    name: str
    link: int
    without: tuple[str, ...] = ()

    def share(self, x: Scalar) -> Scalar:
        """Its share of a value of the link that the masses are added up in."""
        return x - substitute(x, dict.fromkeys(self.without, 0)) if self.without else x


class ArmValues:
    """The exact values of one arm, each computed once. Links and coordinates count from 0 here."""

    def __init__(self, eq: Equations) -> None:
        self.eq = eq
        self.exact = eq.exact
        self.n = len(eq.exact.coordinates)
        self.links = len(eq.exact.mechanism.links)

    def printed(self, i: int) -> str:
        """The name that a coordinate is written by."""
        return self.eq.notation.vocabulary.printed[self.exact.coordinates[i]]

    def turns(self, i: int) -> bool:
        """Whether a coordinate is an angle."""
        return f"cos({self.exact.coordinates[i]})" in self.exact.ring.index

    @cached_property
    def symbols(self) -> dict[str, str]:
        """The arm's symbols by their plain spelling."""
        return {plain(name): name for name in self.eq.arm.defaults}

    @cached_property
    def forces(self) -> tuple[str, ...]:
        """The name of the generalised force of each coordinate: tau1, or what the arm calls it."""
        own = {body.joint.name: body.joint.force for body in self.eq.arm.bodies}
        return tuple(own.get(name) or f"tau{i}" for i, name in enumerate(self.exact.coordinates, 1))

    @cached_property
    def poses(self) -> list[Pose]:
        return me.world_from_links(self.exact.mechanism, self.exact.q)

    @cached_property
    def bias(self) -> list[Scalar]:
        """c + g, with friction where there is some."""
        parts = (self.eq.c.values, self.eq.g.values, self.eq.friction.values)
        return [c + g + f for c, g, f in zip(*parts, strict=True)]

    def centre(self, i: int) -> Vec3 | None:
        """The centre of mass of a link in its own axes; None without mass."""
        inertia = self.exact.mechanism.links[i].inertia
        if is_exactly_zero(inertia.m):
            return None
        return Vec3(*(quotient(part, inertia.m) for part in inertia.h))

    def end(self, i: int) -> Vec3 | None:
        """Where a link ends in its own axes: at the next joint, or at the tool; None where neither is."""
        mechanism = self.exact.mechanism
        for link in mechanism.links:
            if link.parent == i:
                return link.placement.position
        tool = mechanism.attachments[mechanism.tool]
        return tool.pose.position if tool.link == i else None

    def point(self, kind: str, i: int) -> Vec3 | None:
        """The centre of mass or the end of a link, or its origin, in its own axes."""
        return self.centre(i) if kind == "com" else self.end(i)

    def position(self, kind: str, i: int) -> list[Scalar]:
        """Where a point of a link is in the world."""
        point = self.point(kind, i)
        assert point is not None
        return list(self.poses[i] @ point)

    def tool_position(self) -> list[Scalar]:
        """Where the tool is in the world."""
        at = self.exact.mechanism.attachments[self.exact.mechanism.tool]
        return list((self.poses[at.link] * at.pose).position)

    @cached_property
    def has_no_tool(self) -> bool:
        """Whether the arm names no point as its tool: then it is the origin of the last link."""
        at = self.exact.mechanism.attachments[self.exact.mechanism.tool]
        return all(is_exactly_zero(x) for x in at.pose.position)

    def in_own_axes(self, vector: list[Scalar], i: int) -> Value:
        """A vector of the world in the axes of a link."""
        return multiplied(transposed(self.rotation(i)), column(vector))

    def body(self, index: str) -> Body | None:
        """What has the mass of this index, m_p, or else the name that begins with it; None of a link by its number."""
        roles, links = self.eq.notation.vocabulary.roles, self.exact.mechanism.links
        for i, link in enumerate(links):
            letters = letters_of(link.inertia.m)
            masses = [name for name in roles if roles[name] is Role.MASS and name in letters]
            if index in map(_index, masses):
                with_it = [name for name in roles if _index(name) == index and roles[name] in (Role.MASS, Role.INERTIA)]
                own = [name for name in masses if name in with_it]
                name = f"the part of {link.name} with the mass {own[0]}" if len(masses) > 1 else link.name
                is_by_number = self.is_numbered and index == str(i + 1)
                return None if is_by_number else Body(name, i, tuple(with_it) if len(masses) > 1 else ())
        named = [i for i, link in enumerate(links) if index.isalpha() and link.name.casefold().startswith(index)]
        has_mass = len(named) == 1 and self.centre(named[0]) is not None
        return Body(links[named[0]].name, named[0]) if has_mass else None

    @cached_property
    def is_numbered(self) -> bool:
        """Whether each number of a mass is that of its link."""
        roles, links = self.eq.notation.vocabulary.roles, self.exact.mechanism.links
        masses = [(name, i) for i, link in enumerate(links, 1) for name in letters_of(link.inertia.m) if name in roles]
        return all(_index(name) == str(i) for name, i in masses if roles[name] is Role.MASS)

    def position_of(self, body: Body) -> list[Scalar]:
        """Where a body's centre of mass is in the world."""
        inertia, pose = self.exact.mechanism.links[body.link].inertia, self.poses[body.link]
        moment = pose.rotation @ inertia.h + pose.position * inertia.m
        return [quotient(body.share(x), body.share(inertia.m)) for x in moment]

    def turning_energy(self, i: int) -> Scalar:
        """The kinetic energy of a link by its rotation about its centre of mass."""
        omega = self.in_own_axes(self.omegas[i], i)
        twice = multiplied(transposed(omega), multiplied(self.inertia(i), omega))
        return quotient(next(iter(entries(twice))), 2)

    def rates(self, values: list[Scalar]) -> list[Scalar]:
        """d/dt of each value."""
        return [self.eq.time_derivative(x) for x in values]

    def jacobian(self, kind: str, i: int) -> list[list[Scalar]]:
        """The 6 x n Jacobian of a point of a link, angular rows first."""
        point = self.point(kind, i)
        assert point is not None
        at = Attachment(i, Pose(IDENTITY, point))
        return me.point_jacobian(self.exact.mechanism, self.exact.q, at)

    @cached_property
    def omegas(self) -> list[list[Scalar]]:
        """The angular velocity of each link in world axes."""
        found = me.angular_velocities(self.exact.mechanism, self.exact.q, self.exact.qd)
        return [list(omega) for omega in found[: self.links]]

    @cached_property
    def turning_axes(self) -> list[int]:
        """The world's axes about which some link turns."""
        return [r for r in range(3) if any(not is_exactly_zero(omega[r]) for omega in self.omegas)]

    @cached_property
    def moving_axes(self) -> list[int]:
        """The world's axes along which some centre of mass, or the tool, moves."""
        points = [self.position("com", i) for i in range(self.links) if self.centre(i) is not None]
        return [r for r in range(3) if any(self._moves(point[r]) for point in (self.tool_position(), *points))]

    @cached_property
    def tool_axes(self) -> list[int]:
        """The world's axes along which the tool moves."""
        return [r for r in range(3) if self._moves(self.tool_position()[r])]

    def _moves(self, x: Scalar) -> bool:
        """Whether a value depends on the coordinates."""
        return depth_of(x, self.exact.coordinates) > 0

    def height(self, i: int) -> Scalar:
        """How high a link's centre of mass is: along the axis of the world that gravity is opposite to."""
        gravity = list(self.exact.mechanism.gravity)
        along = [r for r in range(3) if not is_exactly_zero(gravity[r])]
        axis = along[0] if len(along) == 1 else 2
        return self.position("com", i)[axis]

    def inertia(self, i: int) -> Value:
        """The inertia matrix of a link about its centre of mass, in its own axes."""
        return self.inertia_of(Body("", i))

    def inertia_of(self, body: Body) -> Value:
        """The inertia matrix of a body about its centre of mass, in the axes of its link."""
        inertia = self.exact.mechanism.links[body.link].inertia
        rows, m = [[body.share(x) for x in row] for row in inertia.I.full().rows()], body.share(inertia.m)
        if is_exactly_zero(m):
            return table(rows)
        c = [quotient(body.share(x), m) for x in inertia.h]
        square = sum(x * x for x in c)
        shift = [[m * ((square if a == b else 0) - c[a] * c[b]) for b in range(3)] for a in range(3)]
        return table([[rows[a][b] - shift[a][b] for b in range(3)] for a in range(3)])

    def inertia_about(self, axis: int, body: Body) -> Scalar:
        """The moment of inertia of a body about an axis of the world through its centre of mass."""
        R = self.rotation(body.link)
        return rows_of(multiplied(multiplied(R, self.inertia_of(body)), transposed(R)))[axis][axis]

    def rotation(self, i: int) -> Value:
        """The rotation of a link, from its own axes to the world's."""
        return table([list(row) for row in self.poses[i].rotation.rows()])

    def screw(self, i: int) -> list[Scalar]:
        """The screw axis of a joint in the world at the home position: angular part, then linear part."""
        screw = me.screw_chain(self.exact.mechanism).screws[i]
        return [*screw.angular, *screw.linear]

    def home(self, i: int) -> Value:
        """The pose of a link's centre of mass in the world at the home position, as a 4 x 4 matrix."""
        centre = self.centre(i)
        assert centre is not None
        pose = me.screw_chain(self.exact.mechanism).home[i] * Pose(IDENTITY, centre)
        rows = [[*row, p] for row, p in zip(pose.rotation.rows(), pose.position, strict=True)]
        return table([*rows, [0, 0, 0, 1]])

    def inertial_force(self, i: int) -> list[Scalar]:
        """m a of a link's centre of mass."""
        m = self.exact.mechanism.links[i].inertia.m
        return [m * x for x in self.rates(self.rates(self.position("com", i)))]

    def upward(self) -> Value:
        """Minus the free-fall acceleration, so that P_i = m_i up . r_i."""
        return column([-x for x in self.exact.mechanism.gravity])


def _index(symbol: str) -> str:
    """The body that a symbol is of: p of m_p, I_p, I_{zz,p} and I_{cp}."""
    return re.sub(r"^(?:cm?(?=.)|[xyz]{1,2}(?=.))|(?<=.)[xyz]{2}$", "", plain(split_name(symbol).index))
