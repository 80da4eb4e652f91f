"""The arm without its load: base parameters that are known, and how far they may be off while the load is carried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array
from leverarm.identification.loads.attached_body import AttachedBody
from leverarm.identification.modelling.columns import Columns
from leverarm.identification.motion import Motion
from leverarm.identification.result import Estimates, Identified
from leverarm.mechanics import parameters
from leverarm.model import Arm, bind

FRICTION = ("viscous", "coulomb", "offset")


@dataclass(frozen=True, slots=True)
class ArmAlone:
    """Base parameters of the unloaded arm: which columns they are (b,), their values (b,) and covariance (b, b).

    `friction` (b,) is the size of what may change between two logs, from warmth and load: that of the joint's friction,
    zero for parameters of bodies.
    """

    names: tuple[str, ...]
    columns: NDArray[np.int64]
    values: Array
    covariance: Array
    friction: Array

    def change(self, parameters: Estimates, links: Sequence[str], body: AttachedBody) -> Array:
        """K (b, 10): how base parameters change with the ten numbers of a body at a frame."""
        return body.columns(_regrouping(parameters, links))


def identified_alone(result: Identified, columns: Columns) -> ArmAlone:
    """As identified from a log without load: friction may change by a part of itself."""
    values = np.array([entry.value for entry in result.parameters])
    dry = [(name, entry.value) for name, entry in result.parameters.items() if _is_coulomb(name)]
    coulomb = {name.rpartition(".")[0]: abs(value) for name, value in dry}
    at = _places(result.parameters, columns)
    size = np.zeros(len(values))
    for i, (name, column) in enumerate(zip(result.parameters.names, at, strict=True)):
        kind = columns.kinds[column]
        if kind in ("viscous", "coulomb"):
            size[i] = abs(values[i])
        elif kind == "offset":
            size[i] = coulomb.get(name.rpartition(".")[0], 0.0)
    return ArmAlone(result.parameters.names, at, values, result.covariance, size)


def described_alone(arm: Arm, result: Identified, columns: Columns, motion: Motion) -> ArmAlone:
    """As an arm is described, its bodies taken as exact and its friction as a beginning only.

    Rotors that it does not describe are open too. `result` was identified from the log with the load, and lends its
    base parameters.
    """
    own = {entry.name: float(entry.value) for entry in parameters(bind(arm))}
    regrouping = _regrouping(result.parameters, columns.names)
    values = regrouping @ np.array([own.get(name, 0.0) for name in columns.names])
    is_open = [
        kind in FRICTION or (kind == "rotor" and name not in own)
        for name, kind in zip(columns.names, columns.kinds, strict=True)
    ]
    torque = np.sqrt(np.mean(motion.tau**2, axis=0))
    acts = np.sqrt(np.mean(columns.W[:, :, is_open] ** 2, axis=0))
    # what alone would make up the whole torque: more than any friction or rotor does
    largest = np.max(np.where(acts > 0, torque[:, None] / np.where(acts > 0, acts, 1.0), 0.0), axis=0)
    spread = regrouping[:, is_open] * largest
    return ArmAlone(
        result.parameters.names, _places(result.parameters, columns), values, spread @ spread.T, np.zeros(len(values))
    )


def _regrouping(parameters: Estimates, names: Sequence[str]) -> Array:
    """(b, p): base parameters from the parameters of some names."""
    place = {name: i for i, name in enumerate(names)}
    found = np.zeros((len(parameters), len(names)))
    for row, entry in zip(found, parameters, strict=True):
        for factor, name in entry.combination:
            if name in place:
                row[place[name]] = factor
    return found


def _is_coulomb(name: str) -> bool:
    return name.endswith((".coulomb", ".motor_coulomb"))


def _places(parameters: Estimates, columns: Columns) -> NDArray[np.int64]:
    place = {name: i for i, name in enumerate(columns.names)}
    return np.array([place[name] for name in parameters.names], dtype=np.int64)
