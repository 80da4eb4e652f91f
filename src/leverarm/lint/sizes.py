"""Bodies whose centre of mass lies far outside them, or whose inertia asks for a far larger one: wrong units, often."""

from __future__ import annotations

import math
from collections.abc import Iterator

from leverarm.lint.finding import Finding
from leverarm.model.arm import Arm
from leverarm.model.expression import to_float
from leverarm.model.inertias.algebra import centre_of_mass
from leverarm.model.inertias.physical import principal_axes
from leverarm.model.mechanism import Mechanism
from leverarm.model.parts import Joint, JointKind
from leverarm.model.valuation import Valuation
from leverarm.scalars import FLOAT
from leverarm.spatial import Vec3

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
                f"it asks for a body that reaches {spread:.3g} m from its centre, on a link of about {size:.3g} m.",
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
        if joint.kind is not JointKind.PRISMATIC:
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
