"""The structure of an arm, proven: base parameters from exact closed forms, their coefficients as floats.

Only the geometry of an arm decides it (`geometry_of`); masses and the sizes of friction do not matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from leverarm import mechanics as me
from leverarm import model
from leverarm.arrays import Array
from leverarm.closed_form.arm_letters import exact_arm
from leverarm.closed_form.base_parameters import base_parameters
from leverarm.closed_form.size import estimated_terms
from leverarm.errors import LeverarmError
from leverarm.identification.structure.squaring import Change, changed, multiple, placed, rounded_multiple, squared_up
from leverarm.model import Arm, Joint, Quantity, Valuation, to_float
from leverarm.scalars import RATIONAL
from leverarm.scalars.exact import Cosine, Polynomial, Sine
from leverarm.spatial import Vec3

Route = Literal["exact", "numeric"]


@dataclass(frozen=True, slots=True, eq=False)
class Structure:
    """Base (minimal) parameters of an arm: the fewest combinations phi_b = R phi with W phi = W_b phi_b.

    W_b are the columns `base` of the regressor W of these kinds, and R = `regrouping` has a 1 where a base parameter
    meets the parameter it is named after.
    """

    names: tuple[str, ...]
    """All parameters phi, in the order of the regressor's columns."""
    base: tuple[int, ...]
    regrouping: Array
    """R, of shape (base parameters, parameters); not writeable."""
    how: Route
    """Proven in exact numbers, or found by the rank of W at random states."""
    kinds: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.base)

    @property
    def base_names(self) -> tuple[str, ...]:
        """The parameter that each base parameter is named after."""
        return tuple(self.names[j] for j in self.base)


MAX_TERMS = 30_000
"""Arms with larger mass matrices take the numeric route: this is about a second of exact work."""
MAX_DENOMINATOR = 10**6
"""Directions with larger ones are only approximations: relations between them are lost."""


def exact_structure(geometry: Arm, kinds: Sequence[str]) -> Structure | None:
    """The structure of an arm in plain numbers; None where exact numbers cannot hold it.

    That is so for joints geared by fractions, for arms that are too large, and for angles that are no multiples of 15
    degrees: they would be symbols, and a relation that holds only at their values would be missed.
    """
    if estimated_terms(geometry) > MAX_TERMS:
        return None
    try:
        exact = exact_arm(geometry)
        if any(map(_is_approximate, exact.mechanism.links)):
            return None
        found = base_parameters(exact, kinds)
    except LeverarmError:
        return None
    names = tuple(entry.name for entry in me.parameters(exact.mechanism, kinds))
    place = {name: j for j, name in enumerate(names)}
    regrouping = np.zeros((len(found), len(names)))
    for i, entry in enumerate(found.entries):
        for coefficient, name in entry.regrouping:
            regrouping[i, place[name]] = float(coefficient)
    regrouping.setflags(write=False)
    return Structure(names, found.columns, regrouping, "exact", tuple(kinds))


def _is_approximate(link: model.Link) -> bool:
    """Whether some number of a link's placement is only approximate: a symbol, or a rational near the true value."""
    rows = link.placement.rotation.rows()
    numbers = [*link.axis, *link.placement.position, *(x for row in rows for x in row)]
    letters = [g for x in numbers if isinstance(x, Polynomial) for g in x.generators()]
    is_rough = any(isinstance(x, Fraction) and x.denominator > MAX_DENOMINATOR for x in link.axis)
    return is_rough or any(isinstance(letter, Cosine | Sine) for letter in letters)


UNIT_MASS = model.MassProperties(mass=1)
NO_GRAVITY = 1e-6
"""Relative component of gravity off a world axis that counts as rounding."""

Ratios = tuple[tuple[str, Quantity], ...]


def geometry_of(arm: Arm) -> Arm:
    """The arm squared up, without symbols, frames and limits, every mass 1 kg; lengths are exact rationals."""
    arm, _ = squared_up(arm)
    values = Valuation.of(arm, RATIONAL, {})
    return Arm(
        name=arm.name,
        bodies=tuple(model.Body(b.name, b.parent, _joint(values, b.joint), UNIT_MASS) for b in arm.bodies),
        gravity=_gravity(values, arm.gravity),
        base=arm.base,
        base_placement=placed(arm.base_placement, *_rules(values)),
        coordinates=arm.coordinates,
    )


def _gravity(values: Valuation, gravity: Vec3) -> Vec3:
    parts = [_float(values, part) for part in gravity]
    size = max(abs(to_float(part, {})) for part in parts)
    return Vec3(*(0 if abs(to_float(part, {})) <= NO_GRAVITY * size else part for part in parts))


def _joint(values: Valuation, joint: Joint) -> Joint:
    return replace(
        changed(joint, *_rules(values)),
        axis=Vec3(*(_float(values, part) for part in joint.axis)),
        pitch=_rational(values, joint.pitch),
        limits=model.Limits(),
        friction=joint.friction and _friction(values, joint.friction),
        motor=joint.motor and _motor(values, joint.motor),
        coupling=joint.coupling and _ratios(values, joint.coupling),
    )


def _rules(values: Valuation) -> tuple[Change, Change]:
    """What becomes of lengths and of angles, wherever they stand."""
    return lambda where, length: _rational(values, length), lambda where, angle: _angle(values, angle)


def _friction(values: Valuation, friction: model.Friction) -> model.Friction:
    """Only its form: two-sided or not, smooth or not."""
    backwards = [name for law in model.LAWS for name in law.fields[1:]]
    sided: dict[str, Any] = {name: None if getattr(friction, name) is None else 0 for name in backwards}
    smoothing = None if friction.smoothing is None else _rational(values, friction.smoothing)
    return model.Friction(**sided, smoothing=smoothing)


def _motor(values: Valuation, motor: model.Motor) -> model.Motor:
    """Gears and couplings; and whether its shaft has friction, which decides which columns there are."""
    return model.Motor(0, _rational(values, motor.gear), _ratios(values, motor.also), viscous=int(motor.has_friction))


def _ratios(values: Valuation, ratios: Ratios) -> Ratios:
    return tuple((name, _rational(values, ratio)) for name, ratio in ratios)


def _rational(values: Valuation, quantity: Quantity) -> Quantity:
    """The decimal that a number is written as; symbols at their default values."""
    number: Quantity = values.number(quantity)
    return number


def _angle(values: Valuation, quantity: Quantity) -> Quantity:
    """A multiple of 15 degrees in one form, so that arms with equal angles are equal; others as floats."""
    k = rounded_multiple(to_float(quantity, values.defaults))
    return _float(values, quantity) if k is None else multiple(k)


def _float(values: Valuation, quantity: Quantity) -> Quantity:
    """A literal as it is, an expression as a float: directions are no rationals."""
    return to_float(quantity, values.defaults) if isinstance(quantity, model.Expression) else quantity
