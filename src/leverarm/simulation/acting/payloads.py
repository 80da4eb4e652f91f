"""A payload that the tool picks up at one time and may put down at another."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from leverarm.control.signals.checked import number_array
from leverarm.errors import InputError
from leverarm.quantities.arrays import numbers
from leverarm.simulation.acting.feeds import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Payload:
    """The ten inertial parameters of a body about the tool's origin, in its axes, attached from `at` to `until` [s].

    The body already moves with the tool when it is attached, so velocities are continuous; the energy it adds is the
    account "payload" of the energy balance.
    """

    numbers: tuple[float, ...]
    at: float
    until: float


def payload(
    mass: float, com: ArrayLike = (0.0, 0.0, 0.0), inertia: Any = None, at: float = 0.0, until: float = math.inf
) -> Payload:
    """A body carried by the tool from `at` to `until` [s]: mass [kg], centre [m] in the tool's axes.

    `inertia` is its 3 x 3 tensor about that centre [kg m^2]; a point without it.
    """
    (m,) = numbers("payload: mass", [mass], ("mass",))
    c = np.array(numbers("payload: com", com, ("x", "y", "z")))
    takes = "a symmetric 3 x 3 tensor"
    tensor = np.zeros((3, 3)) if inertia is None else number_array("payload: inertia", inertia, takes)
    if tensor.shape != (3, 3) or not np.allclose(tensor, tensor.T) or not np.isfinite(tensor).all():
        raise InputError(f"payload: inertia = {inertia!r}; it takes a symmetric 3 x 3 tensor about the centre of mass.")
    if m <= 0 or np.linalg.eigvalsh(tensor)[0] < -1e-12 * np.abs(tensor).max():
        raise InputError(f"payload: mass = {m:g} kg; the mass must be positive and the inertia that of a body.")
    begin, end = map(number_or_nan, (at, until))
    if not (math.isfinite(begin) and end > begin):
        raise InputError(f"payload: from {at!r} s to {until!r} s; it takes two times, the earlier one first.")
    about_origin = tensor + m * (c @ c * np.eye(3) - np.outer(c, c))
    return Payload((m, *(m * c).tolist(), *_six(about_origin)), begin, end)


def number_or_nan(given: Any) -> float:
    """A number that may be infinite; NaN for what is none."""
    try:
        return float(given)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def _six(tensor: Floats) -> list[float]:
    """Ixx, Ixy, Iyy, Ixz, Iyz, Izz: the order that the ten numbers of an inertia have."""
    return [float(tensor[i, j]) for i, j in ((0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2))]


def carried(payloads: tuple[Payload, ...], begin: float) -> tuple[Floats, Floats]:
    """The payload over time: when it changes (first, the start of the run), and its ten inertial parameters."""
    changes = {begin} | {p.at for p in payloads} | {p.until for p in payloads}
    times = np.array(sorted(t for t in changes if t >= begin and math.isfinite(t)))
    rows = np.zeros((len(times), 10))
    for k, t in enumerate(times):
        for p in payloads:
            if p.at <= t < p.until:
                rows[k] += p.numbers
    return times, rows
