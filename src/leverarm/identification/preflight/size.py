"""Whether torques are of the size that the given arm's masses need, or in another unit altogether."""

from __future__ import annotations

import numpy as np

from leverarm.identification.preflight.least_squares import left_over, span
from leverarm.identification.preflight.readings import masses_of
from leverarm.identification.preflight.thinning import Thinned
from leverarm.lint.finding import Finding

ALIKE = 0.7
"""Correlation with the torques of the given arm's masses from which on they tell a size."""
BEYOND = 30.0
"""Times too large or too small: no description of masses is as wrong as that, a unit easily is."""


def torque_size(rows: Thinned) -> float | None:
    """How many times the torques that the given arm's masses need the log has; None where the two are not alike.

    The median over joints; friction, offsets and rotors are taken out first.
    """
    masses = masses_of(rows.arm)
    model = rows.W[:, :, : len(masses)] @ masses
    qd, qdd = rows.motion.qd[rows.at], rows.motion.qdd[rows.at]
    factors = []
    for j in range(model.shape[1]):
        own_drive = np.stack([np.ones(len(qd)), qd[:, j], np.sign(qd[:, j]) * rows.moves[:, j], qdd[:, j]], axis=1)
        needed, torque = (left_over(span(own_drive), x[:, j]) for x in (model, rows.tau))
        along, whole = float(needed @ torque), float(np.linalg.norm(needed) * np.linalg.norm(torque))
        if whole > 0 and along > ALIKE * whole:
            factors.append(along / float(needed @ needed))
    return float(np.median(factors)) if 2 * len(factors) >= model.shape[1] else None


def found(size: float | None) -> tuple[Finding, ...]:
    """An error where torques are of quite another size."""
    if size is None or 1 / BEYOND < size < BEYOND:
        return ()
    times = f"{size:.0f} times as large as" if size > 1 else f"{1 / size:.0f} times smaller than"
    return (
        Finding(
            "error",
            "size of the torques",
            f"they go with those that the arm's masses need, but are {times} these: another unit, currents, or torques "
            "of motors before the gear?",
            "Say units={'tau': 'mN m'} or the like, gains=[...] for currents, ratio=[...] for motors.",
        ),
    )
