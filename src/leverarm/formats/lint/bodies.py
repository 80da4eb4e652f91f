"""Suspicious masses and inertias.

Inertias that no rigid body can have; tensors that seem to be about another point than they say; centres of mass and
inertias too large for the link, often because of wrong units; and joints that move no mass, with which the mass matrix
is singular and there is no forward dynamics.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from leverarm.findings import Finding, Level, listed
from leverarm.mechanics.composite_body import mass_matrix
from leverarm.mechanics.matrices import Matrix
from leverarm.model.arm import Arm
from leverarm.model.expression import to_float
from leverarm.model.inertias.algebra import about_com, centre_of_mass
from leverarm.model.inertias.physical import is_physical, physical_defects, principal_axes
from leverarm.model.mechanism import WORLD, Mechanism
from leverarm.model.parts import Body, Joint
from leverarm.model.valuation import Valuation
from leverarm.scalars import FLOAT
from leverarm.spatial import NO_INERTIA, ORIGIN, Inertia, Symmetric3, Vec3

ROUNDING = 0.01
"""A triangle inequality broken by less than this part is what rounding printed digits does."""


def impossible_inertias(arm: Arm, mechanism: Mechanism) -> Iterator[Finding]:
    """Bodies that break positivity or the triangle inequality; moments of planar arms about one axis are only noted."""
    valuation = Valuation.of(arm, FLOAT, {})
    planar = []
    for body in arm.bodies:
        inertia = valuation.inertia(body.mass_properties)
        if not any(inertia.numbers()) or not (defects := physical_defects(inertia)):
            continue
        axis = _only_axis(given_tensor(body, valuation))
        if axis is not None and _turns_only_about(mechanism, body, axis) and axis @ (about_com(inertia) @ axis) >= 0:
            planar.append(body.name)
            continue
        yield Finding(
            _level(inertia),
            f"body {body.name!r} inertia",
            f"no rigid body can have it: {' and '.join(defects)}.",
            "Check the units, the signs of the products of inertia, and the point and axes the tensor is given in.",
        )
    if planar:
        yield Finding(
            "note",
            f"{listed('body', planar)} inertia",
            "it has a moment about one axis only, which no body has; enough while the body turns about that axis only.",
            "Give all moments before mounting the arm on another joint.",
        )


def given_tensor(body: Body, valuation: Valuation) -> Symmetric3:
    """The tensor as it was given, in body axes: about whatever point it was given."""
    return valuation.inertia(replace(body.mass_properties, com=ORIGIN)).I


def _level(inertia: Inertia) -> Level:
    a, b, c = principal_axes(inertia).moments
    is_rounding = inertia.m > 0 and a >= 0 and c - a - b <= ROUNDING * c
    return "warning" if is_rounding else "error"


def _only_axis(tensor: Symmetric3) -> Vec3 | None:
    """The coordinate axis whose moment is the only entry of the tensor, if there is one."""
    if any((tensor.xy, tensor.xz, tensor.yz)):
        return None
    given = [moment != 0 for moment in (tensor.xx, tensor.yy, tensor.zz)]
    return Vec3(*map(int, given)) if sum(given) == 1 else None


def _turns_only_about(mechanism: Mechanism, body: Body, axis: Vec3) -> bool:
    """Whether every joint between the world and the body slides, or turns about this axis of the body.

    Seen at rest: joints that turn about parallel axes keep them parallel.
    """
    at = mechanism.attachments[body.name]
    body_from_link, i = at.pose.rotation.transposed(), at.link
    while i != WORLD:
        link = mechanism.links[i]
        if link.turns and abs(axis @ (body_from_link @ link.axis)) < 1 - 1e-9:
            return False
        body_from_link = body_from_link * link.placement.rotation.transposed()
        i = link.parent
    return True


def wrong_points(arm: Arm, mechanism: Mechanism) -> Iterator[Finding]:
    """Tensors that only make sense, or make far better sense, about the other of origin and centre of mass."""
    valuation = Valuation.of(arm, FLOAT, {})
    for body in arm.bodies:
        inertia, tensor = valuation.inertia(body.mass_properties), given_tensor(body, valuation)
        if inertia.m <= 0 or not any((tensor.xx, tensor.yy, tensor.zz)):
            continue
        com = centre_of_mass(inertia)
        if not any(com):
            continue
        about_other = Inertia.from_com(inertia.m, com, tensor)
        if body.mass_properties.about == "origin":
            if not is_physical(inertia) and is_physical(about_other):
                yield Finding(
                    "warning",
                    f"body {body.name!r} inertia",
                    "no body can have this tensor about its origin, as given; about its centre of mass one could.",
                    'Probably it is about the centre of mass: write about = "com".',
                )
        elif _holds_parallel_axis(inertia, tensor):
            yield Finding(
                "warning",
                f"body {body.name!r} inertia",
                "it is given about the centre of mass, but seems to include the parallel-axis term m c^2 already.",
                'If it is about the body\'s origin, write about = "origin"; if it is not, leave it.',
            )


def _holds_parallel_axis(inertia: Inertia, tensor: Symmetric3) -> bool:
    """Whether a tensor looks like that of a link about its own end.

    About its end, a link whose centre of mass is at distance d has moments m d^2 + (m d^2/3 for a rod, somewhat more
    for a thick link) across the line to it, and a small one along it. About its centre of mass it has that much only
    if it reaches as far back behind the joint as forward. So: what is left after taking off m d^2 is physical, and at
    most 0.6 m d^2 across.
    """
    m, com = inertia.m, centre_of_mass(inertia)
    if not is_physical(Inertia(m, inertia.h, tensor)):
        return False
    d = math.hypot(*com)
    along = com @ (tensor @ com) / (d * d)
    across = (tensor.xx + tensor.yy + tensor.zz - along) / 2
    return bool(across <= 1.6 * m * d * d)


FAR = 3.0
"""Times the size of the link."""


def outsized_bodies(arm: Arm, mechanism: Mechanism) -> Iterator[Finding]:
    """Centres of mass, and radii of gyration, beyond three times the link's size.

    The size of a link is the distance from its origin to what hangs on it, and at least half the largest such distance
    in the arm: a short link may carry a long motor. An arm without any lengths, or a link at a slide of unknown
    travel, is not judged.
    """
    valuation = Valuation.of(arm, FLOAT, {})
    sizes = link_sizes(arm)
    floor = max((size for size in sizes.values() if math.isfinite(size)), default=0.0) / 2
    for body in arm.bodies:
        inertia = valuation.inertia(body.mass_properties)
        size = max(sizes[body.name], floor)
        if inertia.m <= 0 or size == 0:
            continue
        distance = math.hypot(*centre_of_mass(inertia))
        if distance > FAR * size:
            yield Finding(
                "warning",
                f"body {body.name!r} com",
                f"the centre of mass is {distance:.3g} m from the body's origin, on a link of about {size:.3g} m.",
                "Check the unit (metres) and the frame it is given in.",
            )
        spread = math.sqrt(max(principal_axes(inertia).moments[2], 0) / inertia.m)
        if spread > FAR * size:
            yield Finding(
                "warning",
                f"body {body.name!r} inertia",
                f"its radius of gyration is {spread:.3g} m, on a link of about {size:.3g} m.",
                "Check the units (kg m^2) and the mass.",
            )


def link_sizes(arm: Arm) -> dict[str, float]:
    """For the base and each body: how far from its origin joints and frames sit on it, or it sits on its parent [m].

    Infinite where a slide without limits is involved.
    """
    values = arm.defaults

    def length(v: Vec3) -> float:
        return math.hypot(*(to_float(part, values) for part in v))

    def travel(joint: Joint) -> float:
        lower, upper = joint.limits.lower, joint.limits.upper
        if not joint.kind.only_slides:
            return 0.0
        if lower is None or upper is None:
            return math.inf
        return max(abs(to_float(lower, values)), abs(to_float(upper, values)))

    sizes = {arm.base: 0.0}
    for body in arm.bodies:
        reach = length(body.joint.placement.xyz) + travel(body.joint)
        sizes[body.name] = reach
        sizes[body.parent] = max(sizes[body.parent], reach)
    for frame in arm.named_frames:
        sizes[frame.body] = max(sizes[frame.body], length(frame.placement.xyz))
    return sizes


NOTHING = 1e-12
"""Of the largest that an inertia could be; rounding stays below it."""
YIELDING = 1e-9
"""Of the inertia along a coordinate; a pivot of a sound arm stays far above it."""
MAX_LINKS = 300
"""The elimination grows with the third power; half a second here."""
REMEDY = "Give a body beyond it mass off its axis or inertia about it, or the joint a motor with a rotor inertia."

GOLDEN = 0.6180339887498949


def singular_mass_matrix(arm: Arm, mechanism: Mechanism) -> Iterator[Finding]:
    """Coordinates along which nothing resists, at a position without symmetry (so at nearly every position).

    The mass matrix is eliminated from the tips inwards; the pivot of a coordinate is the inertia it feels when all
    coordinates after it are free to yield (Featherstone 2008, sec. 6.5, M = L^T D L).
    """
    if len(mechanism.links) > MAX_LINKS:
        yield Finding("note", "mass matrix", f"not checked: more than {MAX_LINKS} moving bodies.", "Nothing to do.")
        return
    q = [0.7 + 0.9 * ((i * GOLDEN) % 1) for i in range(mechanism.dof)]
    M, largest = mass_matrix(mechanism, q), _largest(mechanism, q)
    pivots = _pivots([row[:] for row in M])
    for i, name in enumerate(mechanism.coordinates):
        if abs(M[i][i]) <= NOTHING * largest[i]:
            message = "what it moves has no mass or inertia along it: the mass matrix is singular at every position."
        elif abs(pivots[i]) <= YIELDING * abs(M[i][i]):
            message = (
                "it can move together with the coordinates after it so that no mass moves: the mass matrix is singular "
                "at every position."
            )
        elif pivots[i] < 0:
            message = "the mass matrix is not positive definite: an inertia that it moves is one that no body can have."
        else:
            continue
        yield Finding("error", f"joint {name!r}", message, REMEDY)


def _largest(mechanism: Mechanism, q: Sequence[float]) -> list[float]:
    """The largest each diagonal entry of M could be, had every joint the worst axis for what it carries."""
    X = [link.pose(x) for link, x in zip(mechanism.links, mechanism.joint_values(q), strict=True)]
    composite = [link.inertia for link in mechanism.links] + [NO_INERTIA]
    largest = [0.0] * mechanism.dof
    for i in reversed(range(len(mechanism.links))):
        link, t = mechanism.links[i], composite[i].I
        size = (abs(t.xx) + abs(t.yy) + abs(t.zz)) * link.turns + composite[i].m * link.slide**2
        for j, ratio in mechanism.couplings[i]:
            largest[j] += ratio**2 * size
        composite[link.parent] = composite[link.parent] + composite[i].into_parent(X[i])
    return largest


def _pivots(M: Matrix) -> list[float]:
    """The diagonal of D in M = L^T D L; a row that is nothing but rounding is passed over."""
    diagonal = [M[i][i] for i in range(len(M))]
    for k in reversed(range(len(M))):
        if abs(M[k][k]) <= YIELDING * abs(diagonal[k]):
            continue
        for i in range(k):
            factor = M[i][k] / M[k][k]
            for j in range(i + 1):
                M[i][j] -= factor * M[k][j]
            for j in range(i):
                M[j][i] = M[i][j]
    return [M[i][i] for i in range(len(M))]
