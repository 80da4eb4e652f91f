"""How noisy positions and torques are as logged, and the step of the number grid they lie on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from leverarm.arrays import Array
from leverarm.lint.finding import Finding, listed
from leverarm.logs.log import Log

LONGEST_LOOK = 20_000
"""Samples of each piece that are looked at."""
LOUD = 0.1
"""Noise above this share of a torque's spread is worth a word."""
COARSE = 0.05
"""... and a grid coarser than this share of it."""


@dataclass(frozen=True, slots=True)
class Noise:
    """Standard deviations of white noise on positions [rad or m] and torques [N m or N], and steps of their grids (n,).

    A step is 0 where no grid was seen.
    """

    q: Array
    tau: Array
    q_step: Array
    tau_step: Array


def noise(log: Log) -> Noise:
    """Noise from third differences, which a smooth motion hardly has: white noise has 20 times its variance there."""
    q, tau = ([getattr(piece, what)[:LONGEST_LOOK] for piece in log.pieces] for what in ("q", "tau"))
    return Noise(_noise(q), _noise(tau), _steps(q), _steps(tau))


def _noise(pieces: list[Array]) -> Array:
    third = np.concatenate([np.diff(x, 3, axis=0) for x in pieces])
    # the median of |x| of a normal x is 0.6745 standard deviations; the mean where most differences are zero (a grid)
    median = np.median(np.abs(third), axis=0) / 0.6745
    mean = np.mean(np.abs(third), axis=0) * np.sqrt(np.pi / 2)
    answer: Array = np.where(median > 0, median, mean) / np.sqrt(20)
    return answer


def _steps(pieces: list[Array]) -> Array:
    return np.array([_step(np.concatenate([x[:5000, j] for x in pieces])) for j in range(pieces[0].shape[1])])


def _step(x: Array) -> float:
    """The step of the grid that all values lie on, 0 where there is none or it has more than 2000 steps."""
    values = np.unique(x)
    if len(values) < 2 or len(values) > 0.5 * len(x):
        return 0.0
    gaps = np.diff(values)
    step = float(np.quantile(gaps[gaps > 1e-9 * float(np.ptp(values))], 0.05))
    whole = gaps / step
    is_grid = np.mean(np.abs(whole - np.round(whole)) < 0.1) > 0.9
    return step if is_grid else 0.0


def found(noise: Noise, log: Log) -> tuple[Finding, ...]:
    """Notes on torques that are mostly noise and on torques on a coarse grid."""
    spread = np.std(np.concatenate([piece.tau for piece in log.pieces]), axis=0)
    findings = []
    loud = noise.tau > LOUD * spread
    if loud.any():
        names = [joint for joint, is_loud in zip(log.joints, loud, strict=True) if is_loud]
        shares = ", ".join(f"{100 * n / s:.0f} %" for n, s in zip(noise.tau[loud], spread[loud], strict=True) if s > 0)
        findings.append(
            Finding(
                "note",
                f"torque of {listed('joint', names)}",
                f"its noise is {shares or 'all'} of what the torque varies by.",
                "Errors on raw torque cannot be smaller. Move faster, or average several runs.",
            )
        )
    coarse = (noise.tau_step > COARSE * spread) & ~loud
    if coarse.any():
        names = [joint for joint, is_coarse in zip(log.joints, coarse, strict=True) if is_coarse]
        steps = ", ".join(f"{step:.2g}" for step in noise.tau_step[coarse])
        findings.append(
            Finding(
                "note",
                f"torque of {listed('joint', names)}",
                f"it is logged in steps of {steps} (N m or N).",
                "Log it with more digits.",
            )
        )
    return tuple(findings)
