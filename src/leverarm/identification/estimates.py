"""Base parameters and friction as tables: values, intervals, whether the data determine them, friction curves."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from leverarm.arrays import Array, BoolArray
from leverarm.identification.fitting.rows import left_open
from leverarm.identification.fitting.weighted_fit import WeightedFit
from leverarm.identification.modelling.modelled_arm import Base, DriveModel
from leverarm.identification.modelling.regressor_columns import Columns
from leverarm.identification.motions import Motion
from leverarm.identification.result import Estimate, Estimates, JointFriction
from leverarm.model import UNLOADED_LAWS, Arm
from leverarm.model.units import Units

QUANTILE = 1.96
"""Standard errors of a 95 % interval, where the noise is known well."""
IDENTIFIABLE = 0.5
"""A parameter is identifiable if its interval is within this fraction of its size, or of the size of its kind."""

_UNITS = {"m": "kg", "rotor": "kg m^2", "motor_viscous": "N m s/rad", "motor_coulomb": "N m"}


Terms = tuple[tuple[float, str], ...]


def estimates(
    arm: Arm, fit: WeightedFit, covariance: Array, base: Base, columns: Columns, nominal: Array, fitted: Array
) -> Estimates:
    """The table of base parameters: least-squares values next to those of the nominal and the identified arm."""
    is_open = left_open(columns.W[:, :, base.columns], fit.roots, fit.singular)
    errors = np.where(is_open, np.inf, np.sqrt(np.maximum(np.diag(covariance), 0.0)))
    cad, consistent = base.regrouping @ nominal, base.regrouping @ fitted
    sizes = np.maximum(np.abs(fit.values), _sizes(base, np.maximum(np.abs(cad), np.abs(fit.values))))
    units = [unit_of(arm, name, columns.kinds[at]) for name, at in zip(base.names, base.columns, strict=True)]
    combinations = [base.combination(i, columns.names) for i in range(len(base))]
    rows = zip(base.names, units, fit.values, errors, sizes, cad, consistent, combinations, strict=True)
    return Estimates(estimate(*row) for row in rows)


def estimate(
    name: str, unit: str, value: float, error: float, size: float, cad: float, consistent: float, combination: Terms
) -> Estimate:
    """One row of the table; it is identifiable if its interval is narrow next to its value or its `size`."""
    value, error, reach = float(value), float(error), float(QUANTILE * error)
    return Estimate(
        name=name,
        unit=unit,
        value=value,
        standard_error=error,
        interval=(value - reach, value + reach),
        percent=100 * error / abs(value) if value else float("inf"),
        identifiable=bool(reach <= IDENTIFIABLE * size),
        combination=combination,
        cad=float(cad),
        consistent=float(consistent),
    )


def _sizes(base: Base, magnitudes: Array) -> Array:
    """The median size of the parameters of the same kind: a small one need not be precise relative to itself."""
    kinds = np.array([_kind(name) for name in base.names])
    return np.array([np.median(magnitudes[kinds == kind]) for kind in kinds])


def _kind(name: str) -> str:
    last = name.rpartition(".")[2]
    return last[0] if last[0] in "hI" and len(last) in (2, 3) else last


def unit_of(arm: Arm, name: str, kind: str) -> str:
    """The unit of a parameter by its name: that of its joint for friction, of a body else."""
    owner, _, last = name.rpartition(".")
    if last in _UNITS:
        return _UNITS[last]
    if kind == "inertial":
        return "kg m" if last.startswith("h") else "kg m^2"
    if owner not in arm.joint_names:
        return ""
    is_angle = Units.of(arm).is_angle[arm.joint_names.index(owner)]
    effort = "N m" if is_angle else "N"
    position = "rad" if is_angle else "m"
    of_laws = {name: f"{effort} s/{position}" if law.speeds else effort for law in UNLOADED_LAWS for name in law.fields}
    return {**of_laws, "spring": f"{effort}/{position}"}.get(last, "")


BINS = 24
FEWEST = 5
"""Samples in a bin, at least."""


def joint_frictions(
    motion: Motion, columns: Columns, values: Array, drives: DriveModel, rests: BoolArray, joints: tuple[str, ...]
) -> tuple[JointFriction, ...]:
    """The friction of every joint: its coefficients from the model's values, its curve from the torques."""
    number = dict(zip(columns.names, values.tolist(), strict=True))
    rubbing = [shaft for shaft in columns.shafts if shaft.rubs]
    found = []
    for j, (joint, model) in enumerate(zip(joints, drives.joints, strict=True)):
        share = sum(number[f"{shaft.joint}.motor_viscous"] * shaft.gear_of(j) ** 2 for shaft in rubbing)
        viscous, coulomb = number[f"{joint}.viscous"] + share, number[f"{joint}.coulomb"]
        two = (number[f"{joint}.viscous_negative"] + share, coulomb) if model.is_asymmetric else (None, None)
        curve = _curve(j, motion, columns, values, rests[:, j])
        offset = number[f"{joint}.offset"]
        found.append(JointFriction(joint, str(model), viscous, coulomb, two[0], two[1], model.smoothing, offset, curve))
    return tuple(found)


def _curve(j: int, motion: Motion, columns: Columns, values: Array, rests: BoolArray) -> tuple[Array, Array, Array]:
    """Speeds, mean torques that the model without the joint's own friction leaves, their standard errors, in bins."""
    own = np.array([kind in ("viscous", "coulomb", "offset") for kind in columns.kinds])
    own &= np.array([np.any(columns.W[:, j, i]) for i in range(len(columns))])
    left = motion.tau[:, j] - columns.W[:, j, ~own] @ values[~own]
    speed = motion.qd[:, j]
    edges = np.unique(np.quantile(speed[~rests], np.linspace(0, 1, BINS + 1))) if (~rests).any() else np.zeros(1)
    rows = []
    for low, high in pairwise(edges):
        inside = ~rests & (speed >= low) & (speed <= high)
        if inside.sum() >= FEWEST:
            spread = left[inside].std() / np.sqrt(inside.sum() / FEWEST)
            rows.append((speed[inside].mean(), left[inside].mean(), spread))
    table = np.array(rows).reshape(-1, 3)
    return table[:, 0], table[:, 1], table[:, 2]
