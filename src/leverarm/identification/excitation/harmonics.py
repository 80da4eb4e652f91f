"""Fourier series that begin and end at rest, and the limits they have to keep.

A joint's motion is q = c + sum over k of a_k sin(k w t) + b_k cos(k w t). Speed and acceleration are zero where a
period begins and ends if sum k a_k = 0 and sum k^2 b_k = 0: two coefficients of each joint are not free.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import compress

import numpy as np
from numpy.typing import ArrayLike

from leverarm.arrays import Array, BoolArray
from leverarm.control.signals import Signal, fourier
from leverarm.control.signals.checked import number_array
from leverarm.errors import InputError
from leverarm.findings import Finding, listed
from leverarm.model import Arm
from leverarm.simulation.trajectories.limits import JointLimits

PER_WAVE = 24
"""Samples of the coarse grid in one period of the highest harmonic."""


@dataclass(frozen=True, slots=True, eq=False)
class Harmonics:
    """The series of one frequency [Hz] with K harmonics: free coefficients (2K - 1, n) become a motion.

    The first row of the free coefficients is the centre of each joint; the others are combinations of harmonics,
    harmonic k scaled by 1/k, so that equal coefficients are equal speeds.
    """

    count: int
    frequency: float
    sines: Array
    """(K, 2K - 1): sines = sines @ free."""
    cosines: Array

    @staticmethod
    def of(count: int, frequency: float) -> Harmonics:
        k = np.arange(1, count + 1)
        none = np.zeros((count, 1))
        # orthonormal directions that the laws of a start at rest are perpendicular to, (K, K - 1)
        sines, cosines = ((np.linalg.svd((law / k)[None])[2][1:] / k).T for law in (k, k**2))
        only_sines = np.hstack([none, sines, np.zeros_like(cosines)])
        return Harmonics(count, frequency, only_sines, np.hstack([none, np.zeros_like(sines), cosines]))

    @property
    def free(self) -> int:
        """The number of free coefficients of each joint."""
        return 2 * self.count - 1

    def times(self, per_wave: int = PER_WAVE) -> Array:
        """Times of one period [s], evenly spaced, without its end."""
        rows = per_wave * self.count
        return np.arange(rows) / (rows * self.frequency)

    def shapes(self, t: Array) -> tuple[Array, Array, Array]:
        """Matrices (N, 2K - 1) from the free coefficients to position, velocity and acceleration at N times."""
        w = 2 * math.pi * self.frequency * np.arange(1, self.count + 1)
        sin, cos = np.sin(np.outer(t, w)), np.cos(np.outer(t, w))
        value = sin @ self.sines + cos @ self.cosines
        value[:, 0] = 1.0
        rate = (cos * w) @ self.sines - (sin * w) @ self.cosines
        return value, rate, -(sin * w**2) @ self.sines - (cos * w**2) @ self.cosines

    def signal(self, free: Array) -> Signal:
        """The motion itself."""
        return fourier(self.frequency, free[0], self.sines @ free, self.cosines @ free)

    def excess(self, per_wave: int) -> float:
        """Bound on the ratio of the maximum of a series to its maximum on an evenly spaced grid.

        A trigonometric polynomial of degree K on M evenly spaced points: max |p| <= max over points / cos(pi K / M)
        (Ehlich and Zeller, Schwankung von Polynomen zwischen Gitterpunkten, Math. Z. 86, 1964).
        """
        return 1 / math.cos(math.pi / per_wave)


TURN, SLIDE = math.pi, 0.25
"""Half the range assumed for a joint without limits [rad], [m]."""
TURN_SPEED, SLIDE_SPEED = 1.5, 0.5
"""The speed assumed for a joint without a limit [rad/s], [m/s]."""


@dataclass(frozen=True, slots=True, eq=False)
class Bounds:
    """Limits of m joints: |x - centre| <= half, and maximum speeds, accelerations and efforts, each (m,).

    Infinite where there is no limit; a motion keeps to the fraction `share` of each.
    """

    joints: JointLimits
    centre: Array
    half: Array
    velocity: Array
    acceleration: Array
    effort: Array
    share: float

    def within(self, one: Array, other: Array) -> Array:
        """Per coordinate (n,), the lesser of two bounds (m,) that every joint which it moves keeps."""
        ratios = np.abs(self.joints.ratios)
        most = np.minimum(one, other)[:, None] / np.where(ratios > 0, ratios, 1.0)
        return np.asarray(np.where(ratios > 0, most, np.inf).min(axis=0))


def bounds_of(arm: Arm, margin: float, acceleration: ArrayLike | None) -> tuple[Bounds, tuple[Finding, ...]]:
    """The limits of an arm's joints, and findings on what had to be assumed."""
    joints = JointLimits.of(arm)
    turns = np.array(joints.turns)
    lower, upper = joints.lower, joints.upper
    reach = np.where(turns, TURN, SLIDE)
    has_lower, has_upper = np.isfinite(lower), np.isfinite(upper)
    lower = np.where(has_lower, lower, np.where(has_upper, upper - 2 * reach, -reach))
    upper = np.where(has_upper, upper, lower + 2 * reach)
    if stuck := list(compress(joints.names, ~(lower < upper))):
        what = f"{listed('joint', stuck)} has no room between its limits"
        raise InputError(f"arm {arm.name!r}: {what}. Widen them, or lock the joint.")
    has_speed = np.isfinite(joints.velocity)
    speed = np.where(has_speed, joints.velocity, np.where(turns, TURN_SPEED, SLIDE_SPEED))
    centre, half = (lower + upper) / 2, (upper - lower) / 2
    bounds = Bounds(joints, centre, half, speed, _accelerations(joints, acceleration), joints.effort, 1 - margin)
    return bounds, tuple(_assumed(bounds, has_lower & has_upper, has_speed))


def _accelerations(joints: JointLimits, given: ArrayLike | None) -> Array:
    count = len(joints.names)
    if given is None:
        return np.full(count, np.inf)
    takes = f"one number greater than zero, or {count}, for {', '.join(joints.names)}"
    limits = number_array("acceleration", given, takes)
    if limits.shape not in ((), (1,), (count,)) or not (limits > 0).all():
        raise InputError(f"acceleration: {given!r} was given. It takes {takes} [rad/s^2 or m/s^2].")
    return np.array(np.broadcast_to(limits, (count,)))


def _assumed(bounds: Bounds, has_range: BoolArray, has_speed: BoolArray) -> Iterator[Finding]:
    joints = bounds.joints

    def names(which: BoolArray) -> list[str]:
        return list(compress(joints.names, which))

    if not has_range.all():
        first = int(np.argmin(has_range))
        low, high = bounds.centre[first] - bounds.half[first], bounds.centre[first] + bounds.half[first]
        assumed = f"{joints.names[first]!r}: {low:.3g} to {high:.3g} {joints.unit(first, 'rad', 'm')}"
        message = f"{listed('joint', names(~has_range))}: the arm has no position limits. Assumed for {assumed}."
        remedy = "Add the range that is free on the robot to the arm's limits."
        yield Finding("warning", "position limits", message, remedy)
    if not has_speed.all():
        first = int(np.argmin(has_speed))
        assumed = f"{joints.names[first]!r}: {bounds.velocity[first]:g} {joints.unit(first, 'rad/s', 'm/s')}"
        message = f"{listed('joint', names(~has_speed))}: the arm has no speed limit. Assumed for {assumed}."
        remedy = "Add the joints' maximum speeds to the arm's limits; faster motions are more informative."
        yield Finding("warning", "velocity limits", message, remedy)
    is_free = np.isinf(bounds.effort) & np.array(joints.is_loaded)
    if is_free.any():
        message = f"{listed('joint', names(is_free))}: the arm has no effort limit, so none is kept."
        yield Finding("warning", "effort limits", message, "Add the joints' maximum torques to the arm's limits.")
