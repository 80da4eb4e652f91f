"""Mass, centre and inertia of a body from its ten numbers, with errors; and the nearest body that can exist."""

from __future__ import annotations

import math

import numpy as np

from leverarm.arrays import Array
from leverarm.identification.estimates import QUANTILE, TOLD
from leverarm.identification.estimation.consistent import consistent_fit
from leverarm.identification.loads.attached_body import SIX, ten_numbers
from leverarm.identification.result import Estimate, Estimates

NAMES = ("mass", "com.x", "com.y", "com.z", *(f"inertia.{'xyz'[i]}{'xyz'[j]}" for i, j in SIX))
UNITS = ("kg", "m", "m", "m", *("kg m^2",) * 6)
DENSITY = 1000.0
"""[kg/m^3] of the ball that is taken where the torques do not tell the inertia."""
UNKNOWN_MASS, LIGHTEST = 1.0, 1e-6
"""[kg] of that ball where the torques do not tell the mass: its error, but not more or less than these."""
ROUNDING = 1e-9
"""Of a number's size: none is taken to be known any better."""
PULL = 0.1
"""Towards that ball, in units of chi squared: it decides only what the torques leave open threefold."""


def mass_centre_inertia(ten: Array) -> Array:
    """(10,): mass [kg], centre of mass [m], six moments about it [kg m^2], from m, m c and six about the origin."""
    m, h = ten[0], ten[1:4]
    return np.array([m, *(h / m), *(ten[4:] - _parallel_axis(h, h) / m)])


def slopes(ten: Array) -> Array:
    """(10, 10): how mass, centre and moments about it change with the ten numbers."""
    m, h = ten[0], ten[1:4]
    found = np.zeros((10, 10))
    found[0, 0] = 1.0
    found[1:4, 0], found[1:4, 1:4] = -h / m**2, np.eye(3) / m
    found[4:, 0] = _parallel_axis(h, h) / m**2
    found[4:, 1:4] = np.stack([-2 * _parallel_axis(h, unit) / m for unit in np.eye(3)], axis=1)
    found[4:, 4:] = np.eye(6)
    return found


def tensor_of(six: Array) -> Array:
    """The 3 x 3 tensor of xx, xy, yy, xz, yz, zz."""
    tensor = np.zeros((3, 3))
    for value, (i, j) in zip(six, SIX, strict=True):
        tensor[i, j] = tensor[j, i] = value
    return tensor


def possible_body(ten: Array, covariance: Array, precision: Array) -> tuple[Array, float]:
    """The ten numbers of the likeliest body that can exist, and its chi squared: its distance in errors, squared."""
    ball = _ball(ten, _error_of_mass(covariance))
    sizes = np.maximum(np.abs(ball), np.array([ball[0], *(ball[0] * _radius(ball[0]),) * 3, *(ball[4:].max(),) * 6]))
    # logs without noise: rounding is larger than the errors, and must not be taken for a contradiction
    H = precision / max(1.0, ROUNDING**2 * float(np.max(np.diag(precision) * sizes**2)))
    values = consistent_fit(H, H @ ten, ball, [slice(0, 10)], (), PULL).values
    off = values - ten
    return values, float(off @ H @ off)


def estimates_of(ten: Array, covariance: Array, possible: Array) -> Estimates:
    """The table of mass, centre and inertia: least squares with 95 % intervals, next to those of the possible body."""
    # without a mass there is no centre: then the possible body is what errors are taken about
    about = ten if ten[0] > 2 * _error_of_mass(covariance) else possible
    values, consistent = mass_centre_inertia(about), mass_centre_inertia(possible)
    values[0] = ten[0]
    J = slopes(about)
    errors = np.sqrt(np.maximum(np.diag(J @ covariance @ J.T), 0.0))
    sizes = _sizes(possible)
    entries = []
    for i, name in enumerate(NAMES):
        value, error = float(values[i]), float(errors[i])
        entries.append(
            Estimate(
                name=name,
                unit=UNITS[i],
                value=value,
                standard_error=error,
                interval=(value - QUANTILE * error, value + QUANTILE * error),
                percent=100 * error / abs(value) if value else float("inf"),
                told=bool(QUANTILE * error <= TOLD * sizes[i]),
                combination=((1.0, name),),
                cad=0.0,
                consistent=float(consistent[i]),
            )
        )
    return Estimates(entries)


def _parallel_axis(a: Array, b: Array) -> Array:
    """Six entries of (a . b) 1 - (a b^T + b a^T) / 2."""
    tensor = a @ b * np.eye(3) - (np.outer(a, b) + np.outer(b, a)) / 2
    return np.array([tensor[i, j] for i, j in SIX])


def _error_of_mass(covariance: Array) -> float:
    return math.sqrt(max(float(covariance[0, 0]), 0.0))


def _radius(mass: float) -> float:
    return float((3 * mass / (4 * math.pi * DENSITY)) ** (1 / 3))


def _ball(ten: Array, error: float) -> Array:
    """A solid ball of the mass found, around the centre found where there is one."""
    is_there = ten[0] > 2 * error
    mass = float(ten[0]) if is_there else min(max(error, LIGHTEST), UNKNOWN_MASS)
    com = ten[1:4] / ten[0] if is_there else np.zeros(3)
    return ten_numbers(mass, com, 0.4 * mass * _radius(mass) ** 2 * np.eye(3))


def _sizes(possible: Array) -> Array:
    """What is large for each number: the mass, the distance or size of the body, its mean moment."""
    found = mass_centre_inertia(possible)
    distance = max(float(np.linalg.norm(found[1:4])), _radius(float(found[0])))
    moment = float(np.mean([found[4], found[6], found[9]]))
    return np.array([found[0], *(distance,) * 3, *(moment,) * 6])
