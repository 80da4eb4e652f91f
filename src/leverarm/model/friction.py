"""Friction of a joint: its laws, one object each, the numbers that describe it, and what they are over scalars.

A law is a coefficient times a function of how the joint slides: its speed, its direction s, and the load it bears. All
that holds for every law (files, symbols, regressor, slopes, sticking) walks `LAWS`: a new law is a field of `Friction`
and an entry of `LAWS`, with its force and the derivatives of that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace

from leverarm.model.expression import Quantity
from leverarm.scalars import Scalar, half, is_zero


@dataclass(frozen=True, slots=True)
class Friction:
    """F = viscous qd + (coulomb + load |tau_l|) s + offset, with s = sgn(qd).

    tau_l is what the joint transmits without acceleration: weight, its spring, Coriolis and centrifugal torques, and
    outside wrenches.

    The `_negative` values, where given, hold for qd < 0 (magnitudes, like the others). With `smoothing` w
    [rad/s or m/s] sgn(qd) becomes tanh(qd / w), and the passage from one value to the other is smooth too.
    """

    viscous: Quantity = 0
    coulomb: Quantity = 0
    viscous_negative: Quantity | None = None
    coulomb_negative: Quantity | None = None
    smoothing: Quantity | None = None
    offset: Quantity = 0
    load: Quantity = 0


FRICTION_NUMBERS = tuple(field.name for field in fields(Friction))
"""The names of all numbers of a joint's friction, in files too."""
NO_FRICTION = Friction()


@dataclass(frozen=True, slots=True)
class Sliding:
    """How a joint slides: speed, direction s (1, -1 or between), and the magnitude of the load that it bears.

    As a gradient: the derivatives of a force by these three.
    """

    speed: Scalar
    direction: Scalar
    load: Scalar


@dataclass(frozen=True, slots=True)
class FrictionLaw:
    """A coefficient times a force that is a function of how the joint slides."""

    name: str
    """The coefficient's field of `Friction`; its key in files, its kind and name among the regressor's parameters."""
    meaning: str
    letter: str
    force: Callable[[Sliding], Scalar]
    """The force for a coefficient of one. Ring."""
    gradient: Callable[[Sliding], Sliding]
    speeds: int = 0
    """The coefficient is a force per this power of speed,"""
    loads: int = 0
    """and per this power of load: not 0 where the load plays a part."""
    is_magnitude: bool = True
    """Whether the coefficient cannot be negative, so that friction takes energy."""
    is_two_sided: bool = False
    """Whether the field NAME_negative may give another coefficient for backwards."""
    is_dry: bool = False
    """Whether it holds a joint at rest against a force that is not greater."""
    is_common: bool = False
    """Whether every joint with friction has its column in the regressor; else only where a coefficient is not zero."""
    is_of_shafts: bool = False
    """Whether a motor's shaft may have it, at its own speed: then it is a field of `Motor` too."""
    usual: float | None = None
    """Lint asks about a coefficient above this."""
    words: str = ""
    """A sentence for derivations of arms that have it, beyond viscous and Coulomb friction."""
    column: str = ""
    """Its column of a DH table, where the name alone would mean something else there."""

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of `Friction`: forwards, and backwards where that may differ."""
        return (self.name, f"{self.name}_negative") if self.is_two_sided else (self.name,)


LAWS = (
    FrictionLaw(
        "viscous", "viscous friction of the joints and motors' shafts", "Fv",
        force=lambda at: at.speed, gradient=lambda at: Sliding(1, 0, 0),
        speeds=1, is_two_sided=True, is_common=True, is_of_shafts=True,
    ),
    FrictionLaw(
        "coulomb", "dry friction of the joints and motors' shafts", "Fc",
        force=lambda at: at.direction, gradient=lambda at: Sliding(0, 1, 0),
        is_two_sided=True, is_dry=True, is_common=True, is_of_shafts=True,
    ),
    FrictionLaw(
        "offset", "constant force of the joints", "Fo",
        force=lambda at: 1, gradient=lambda at: Sliding(0, 0, 0),
        is_magnitude=False, column="friction_offset",
    ),
    FrictionLaw(
        "load", "friction that grows with the load of the joints", "k",
        force=lambda at: at.direction * at.load, gradient=lambda at: Sliding(0, at.load, at.direction),
        loads=1, is_dry=True, usual=0.5, column="friction_load",
        words=(
            "A part of it grows with the load of the joint: the magnitude, written as the sign times the value, of the "
            "torque that it transmits without acceleration."
        ),
    ),
)  # fmt: skip
"""Every law, in the order of the regressor's kinds."""

SHAFT_LAWS = tuple(law for law in LAWS if law.is_of_shafts)
LOADED_LAWS = tuple(law for law in LAWS if law.loads)
"""The laws whose force depends on what the joint carries."""
UNLOADED_LAWS = tuple(law for law in LAWS if not law.loads)
VISCOUS_LAWS = tuple(law for law in LAWS if law.speeds)
"""The laws of F_v qd, which grow with the speed,"""
DRY_LAWS = tuple(law for law in LAWS if not law.speeds)
"""and those of F_d(qd), which only know its sign."""
MAGNITUDES = tuple(field for law in LAWS if law.is_magnitude for field in law.fields)
LETTERS = {
    name: law.letter + "n" * (name != law.name) for name in FRICTION_NUMBERS for law in LAWS if name in law.fields
}
"""What symbols of each number are called; all but that of the smoothing speed, which is no force."""
COLUMNS = {name: name for name in FRICTION_NUMBERS} | {law.name: law.column for law in LAWS if law.column}
"""The column of a DH table that holds each number."""


@dataclass(frozen=True, slots=True)
class Coefficient:
    """The coefficient of a law, forwards and backwards."""

    forward: Scalar
    backward: Scalar


NONE = Coefficient(0, 0)


@dataclass(frozen=True, slots=True)
class FrictionTerm:
    """Friction of one joint over a number system: coefficients by law; `steepness` is 1/w of the smooth tanh(qd/w)."""

    coefficients: Mapping[str, Coefficient]
    is_asymmetric: bool = False
    steepness: Scalar | None = None

    def __getitem__(self, law: str) -> Coefficient:
        return self.coefficients.get(law, NONE)

    def along(self, s: Scalar) -> list[Scalar]:
        """The coefficients that hold in a direction, by law: parts of both where it is between the two."""
        return [self._toward(law, s) for law in LAWS]

    def _toward(self, law: FrictionLaw, s: Scalar) -> Scalar:
        given = self[law.name]
        if not (self.is_asymmetric and law.is_two_sided):
            return given.forward
        forward, backward = shares(s)
        return given.forward * forward + given.backward * backward

    def with_coefficient(self, law: str, forward: Scalar, backward: Scalar) -> FrictionTerm:
        """The same, with another coefficient of one law."""
        return replace(self, coefficients={**self.coefficients, law: Coefficient(forward, backward)})

    @property
    def is_dry(self) -> bool:
        """Whether it may hold the joint at rest: a direction that jumps, and a dry law that is not zero."""
        return self.steepness is None and any(self.has(law) for law in LAWS if law.is_dry)

    @property
    def is_loaded(self) -> bool:
        """Whether it depends on the joint's load."""
        return any(self.has(law) for law in LOADED_LAWS)

    def has(self, law: FrictionLaw) -> bool:
        """Whether a law has a coefficient that is not zero."""
        here = self[law.name]
        return not (is_zero(here.forward) and is_zero(here.backward))


FRICTIONLESS = FrictionTerm({})
"""No friction at all."""


def shares(s: Scalar) -> tuple[Scalar, Scalar]:
    """How much of a direction is forward and how much backward: (1, 0) and (0, 1) at s = 1 and -1."""
    return half(1 + s), half(1 - s)
