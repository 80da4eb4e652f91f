"""Whether a motor turns with two joints, as in geared wrists: does that predict blocks of time left out any better?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from leverarm.identification.fitting.normal_equations import left_out_errors, normal_equations, solved, weights_of
from leverarm.identification.fitting.rows import Mask
from leverarm.identification.modelling.columns import Columns, direction_of
from leverarm.identification.modelling.drives import Coupling, JointModel
from leverarm.identification.motion import Motion

WORTH = 0.6
"""A coupling has to bring the error of its two joints down to this part: it is a statement about the machine."""


def coupling_choice(
    motion: Motion,
    columns: Columns,
    base: NDArray[np.int64],
    models: tuple[JointModel, ...],
    rests: Mask,
    block: NDArray[np.int64],
) -> tuple[Coupling, ...]:
    """The couplings between neighbouring joints that the torques ask for, with a ratio of 1 or -1."""
    found = []
    for also in range(motion.q.shape[1] - 1):
        motor = also + 1
        two = [also, motor]
        W = columns.W[:, two][:, :, base]
        W = W[:, :, np.abs(W).max(axis=(0, 1)) > 0]
        plain, _ = _error(W, motion, two, rests, block)
        errors = {}
        for ratio in (1.0, -1.0):
            shaft = _columns(motion, motor, also, ratio, models[motor])
            error, values = _error(np.concatenate([W, shaft], axis=2), motion, two, rests, block)
            if error < WORTH * plain and (values[-3:] > 0).all():
                errors[ratio] = error
        if errors:
            found.append(Coupling(motor, also, min(errors, key=errors.__getitem__)))
    return tuple(found)


def _columns(motion: Motion, motor: int, also: int, ratio: float, model: JointModel) -> NDArray[np.float64]:
    """Inertia, viscous and Coulomb friction of the motor's shaft, on (also, motor)."""
    speed = motion.qd[:, motor] + ratio * motion.qd[:, also]
    direction = direction_of(model, speed)
    signals = np.stack([motion.qdd[:, motor] + ratio * motion.qdd[:, also], speed, direction], axis=1)
    return np.stack([ratio * signals, signals], axis=1)


def _error(
    W: NDArray[np.float64], motion: Motion, two: list[int], rests: Mask, block: NDArray[np.int64]
) -> tuple[float, NDArray[np.float64]]:
    """The error of the two joints' torques in blocks left out, and the parameters' values from all blocks."""
    equations = normal_equations(W, motion.tau[:, two], motion.raw[:, two], ~rests[:, two], block)
    weights = weights_of(equations)
    filtered, _ = left_out_errors(equations, weights)
    ratio = filtered.sum(axis=0) / np.maximum(equations.yy.sum(axis=0), 1e-300)
    return float(np.exp(0.5 * np.mean(np.log(np.maximum(ratio, 1e-30))))), solved(equations, None, weights)
