"""Which friction each joint has: the model that predicts best the blocks of time it was not fitted to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array
from leverarm.identification.fitting.normal_equations import normal_equations, solved
from leverarm.identification.fitting.rows import Mask
from leverarm.identification.modelling.columns import Columns, direction_of
from leverarm.identification.modelling.drives import JointModel
from leverarm.identification.motion import Motion
from leverarm.identification.motions.every_sample import EverySample

NARROW = (0.25, 0.5)
"""Widths w of tanh(speed / w), in dead zones of the joint, that only smooth the turning of the direction."""
WIDE = (1.0, 2.0, 4.0, 8.0, 16.0)
"""Widths that bend the friction curve of a moving joint, and so change what its Coulomb friction means."""
FINER = (2**0.5, 2**0.25, 2**0.125)
"""Steps between widths, once a wide one is taken."""
WORTH = {"narrow": 0.98, "wide": 0.8, "asymmetric": 0.85}
"""The part of the simpler model's error that a richer one has to reach."""


def friction_choice(
    motion: Motion,
    columns: Columns,
    base: NDArray[np.int64],
    zone: Array,
    rests: Mask,
    block: NDArray[np.int64],
    allowed: Sequence[str],
    every: EverySample | None = None,
) -> tuple[JointModel, ...]:
    """A model for every joint. Only a joint's own torque knows of its friction, so each is chosen by itself.

    `allowed` are the models that may be taken: "sign", "tanh", "asymmetric". `every` sample of the motion, where it is
    given, shows what the filter of the torques does to friction that jumps.
    """
    return tuple(
        _OneJoint.of(j, motion, columns, base, float(zone[j]), rests[:, j], block, every).choice(allowed)
        for j in range(motion.q.shape[1])
    )


@dataclass(frozen=True, slots=True)
class _OneJoint:
    """The torque of one joint, its columns but those of its own friction, and when the joint moves or turns round."""

    shared: Array
    speed: Array
    tau: Array
    moving: Mask
    turning: Mask
    zone: float
    block: NDArray[np.int64]
    spread: Callable[[JointModel], Array | float]

    @staticmethod
    def of(
        j: int,
        motion: Motion,
        columns: Columns,
        base: NDArray[np.int64],
        zone: float,
        rests: Mask,
        block: NDArray[np.int64],
        every: EverySample | None,
    ) -> _OneJoint:
        speed = motion.qd[:, j]
        own = _own_names(columns, j, motion.q.shape[1])
        others = [i for i in base if columns.names[i] not in own and np.any(columns.W[:, j, i])]
        slow = np.abs(speed) <= zone

        def spread(model: JointModel) -> Array | float:
            return 0.0 if every is None else every.spread(lambda m: _friction(model, m.qd[:, j]))

        shared = columns.W[:, j, others]
        return _OneJoint(shared, speed, motion.tau[:, j], ~rests & ~slow, ~rests & slow, zone, block, spread)

    def choice(self, allowed: Sequence[str]) -> JointModel:
        sharp = JointModel()
        if self.zone <= 0 or not self.moving.any():
            return sharp
        best, least = sharp, self.error(sharp)
        if "tanh" in allowed:
            narrow, narrow_error = self._best([JointModel(_rounded(w * self.zone)) for w in NARROW])
            if "sign" not in allowed or narrow_error < WORTH["narrow"] * least:
                best, least = narrow, narrow_error
            wide, wide_error = self._best([JointModel(_rounded(w * self.zone)) for w in WIDE])
            if wide_error < WORTH["wide"] * least:
                best, least = self._narrowed_down(wide, wide_error)
        if "asymmetric" in allowed:
            model = JointModel(best.smoothing, is_asymmetric=True)
            if self.error(model) < WORTH["asymmetric"] * least:
                best = model
        return best

    def _narrowed_down(self, model: JointModel, error: float) -> tuple[JointModel, float]:
        """The best width near one that is good: beside a width that is off, asymmetry would seem to help."""
        for step in FINER:
            width = model.smoothing or 0.0
            nearby, nearby_error = self._best([JointModel(_rounded(width * s)) for s in (step, 1 / step)])
            if nearby_error < error:
                model, error = nearby, nearby_error
        return model, error

    def _best(self, models: list[JointModel]) -> tuple[JointModel, float]:
        errors = [self.error(model) for model in models]
        at = int(np.argmin(errors))
        return models[at], errors[at]

    def error(self, model: JointModel) -> float:
        """Root mean square error [N m or N] in blocks left out, turns included; fitted only while the joint moves."""
        W = np.column_stack([self.shared, _friction(model, self.speed) + self.spread(model)])[:, None, :]
        torque = self.tau[:, None]
        moving = normal_equations(W, torque, torque, self.moving[:, None], self.block)
        turning = normal_equations(W, torque, torque, self.turning[:, None], self.block)
        squares = 0.0
        for b in range(moving.blocks):
            values = solved(moving, b, np.ones(1))
            squares += float(moving.squares(values, b)[0][0] + turning.squares(values, b)[0][0])
        return float(np.sqrt(squares / max(1.0, moving.count.sum() + turning.count.sum())))


def _own_names(columns: Columns, j: int, n: int) -> set[str]:
    """Names of the viscous and Coulomb columns that act on joint j alone."""
    alone = [i for i, kind in enumerate(columns.kinds) if kind in ("viscous", "coulomb")]
    return {
        columns.names[i]
        for i in alone
        if np.any(columns.W[:, j, i]) and not any(np.any(columns.W[:, k, i]) for k in range(n) if k != j)
    }


def _friction(model: JointModel, speed: Array) -> Array:
    """Columns (k, 2 or 3) of a joint's own friction."""
    direction = direction_of(model, speed)
    if not model.is_asymmetric:
        return np.column_stack([speed, direction])
    return np.column_stack([(1 + direction) / 2 * speed, (1 - direction) / 2 * speed, direction])


def _rounded(width: float) -> float:
    return float(f"{width:.2g}")
