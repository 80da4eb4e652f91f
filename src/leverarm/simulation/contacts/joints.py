"""Coordinates that friction or a stop can hold, and their contact modes.

Three mode variables per coordinate are carried with the state, because the laws of dry friction and of stops are not
functions of (q, qd) alone: `held` (1: it does not accelerate), `direction` (the way it slides: 1, -1; 0 where it does
not, or has no dry friction) and `resting` (1 on its upper stop, -1 on its lower one, else 0). Between two changes of
the contact mode the rates are smooth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leverarm.compiler import Array
from leverarm.model import Arm, FrictionTerm, Mechanism
from leverarm.scalars import Scalar

HELD, DIRECTION, RESTING = "held", "direction", "resting"
NO_STOP = 1e30
"""Stand-in for a missing stop [rad or m]: compiled choices need finite numbers."""

Data = Mapping[str, Sequence[Scalar]]


def mark_arrays(arm: Arm) -> tuple[Array, ...]:
    """The contact mode variables, in their order in the state."""
    meanings = {
        HELD: "1 where the coordinate is stuck or rests on a stop",
        DIRECTION: "the way it slides: 1 or -1",
        RESTING: "the stop it rests on: 1 upper, -1 lower",
    }
    return tuple(Array(name, (arm.dof,), meaning) for name, meaning in meanings.items())


def stop_arrays(stops: Sequence[int]) -> tuple[Array, ...]:
    """The data of stops: positions and restitution per coordinate that has them, and the speed that ends bouncing."""
    count = (len(stops),)
    return (
        Array("lower", count, "lower stops [rad or m]"),
        Array("upper", count, "upper stops [rad or m]"),
        Array("restitution", count, "speed after a bounce as a part of that before"),
        Array("rest_speed", (), "a bounce slower than this ends in rest [rad/s or m/s]"),
    )


def dry_joints(mechanism: Mechanism) -> dict[int, int]:
    """Coordinate -> joint, for joints with discontinuous dry friction.

    Joints coupled to coordinates are not among them: their friction follows the sign of their speed.
    """
    found = {}
    for j, k in mechanism.own_joints.items():
        term = mechanism.frictions[k]
        if term is not None and term.is_dry:
            found[j] = k
    return found


@dataclass(frozen=True, slots=True)
class Stop:
    """The stops of one coordinate, as scalars."""

    lower: Scalar
    upper: Scalar
    restitution: Scalar
    rest_speed: Scalar


@dataclass(frozen=True, slots=True)
class Contact:
    """One coordinate that can be held, at a state: its motion, its contact mode, and what holds it.

    `hold` is the force that would accelerate it if nothing held it [N m or N]; 0 where it is free. `load` is the
    magnitude of what its joint transmits, as far as its friction depends on it.
    """

    index: int
    q: Scalar
    qd: Scalar
    qdd: Scalar
    hold: Scalar
    held: Scalar
    direction: Scalar
    resting: Scalar
    friction: FrictionTerm | None
    stop: Stop | None
    load: Scalar = 0


def stops_of(stops: Sequence[int], data: Data) -> dict[int, Stop]:
    """The stops by coordinate, from their data."""
    if not stops:
        return {}
    (rest_speed,) = data["rest_speed"]
    numbers = zip(stops, data["lower"], data["upper"], data["restitution"], strict=True)
    return {i: Stop(lower, upper, restitution, rest_speed) for i, lower, upper, restitution in numbers}


def contacts_at(
    mechanism: Mechanism,
    stops: Mapping[int, Stop],
    marks: Data,
    q: Sequence[Scalar],
    qd: Sequence[Scalar],
    qdd: Sequence[Scalar],
    hold: Sequence[Scalar],
    load: Sequence[Scalar] | None = None,
) -> list[Contact]:
    """Every coordinate that can be held, in order."""
    dry, sizes = dry_joints(mechanism), mechanism.load_sizes(load)
    return [
        Contact(
            i, q[i], qd[i], qdd[i], hold[i],
            marks[HELD][i], marks[DIRECTION][i], marks[RESTING][i],
            mechanism.frictions[dry[i]] if i in dry else None,
            stops.get(i),
            sizes[dry[i]] if i in dry else 0,
        )
        for i in sorted({*dry, *stops})
    ]  # fmt: skip
