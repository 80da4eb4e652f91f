"""Masses and inertias that no rigid body can have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from leverarm.lint.finding import Finding, Level, listed
from leverarm.model.arm import Arm
from leverarm.model.inertias.algebra import about_com
from leverarm.model.inertias.physical import physical_defects, principal_axes
from leverarm.model.mechanism import WORLD, Mechanism
from leverarm.model.parts import Body
from leverarm.model.valuation import Valuation
from leverarm.scalars import FLOAT
from leverarm.spatial import ORIGIN, Inertia, Symmetric3, Vec3

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
            "a moment about one axis only, as no body has; enough while the body turns about that axis only.",
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
