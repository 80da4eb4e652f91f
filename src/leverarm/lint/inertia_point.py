"""Inertia tensors that seem to be given about another point than they say."""

from __future__ import annotations

import math
from collections.abc import Iterator

from leverarm.lint.finding import Finding
from leverarm.lint.inertias import given_tensor
from leverarm.model.arm import Arm
from leverarm.model.inertias.algebra import centre_of_mass
from leverarm.model.inertias.physical import is_physical
from leverarm.model.mechanism import Mechanism
from leverarm.model.valuation import Valuation
from leverarm.scalars import FLOAT
from leverarm.spatial import Inertia, Symmetric3


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
                    "given about the body's origin, where no body can have it; about the centre of mass one could.",
                    'Probably it is about the centre of mass: write about = "com".',
                )
        elif _holds_parallel_axis(inertia, tensor):
            yield Finding(
                "warning",
                f"body {body.name!r} inertia",
                "given about the centre of mass, yet the parallel-axis term m c^2 seems to be in it already.",
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
