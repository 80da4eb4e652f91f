"""Base parameters as a table: values, intervals, and whether the data determine them."""

from __future__ import annotations

import numpy as np

from leverarm.arrays import Array
from leverarm.identification.fitting.covariance import reach_of_interval
from leverarm.identification.fitting.rows import left_open
from leverarm.identification.fitting.weighted_fit import WeightedFit
from leverarm.identification.modelling.columns import Columns
from leverarm.identification.modelling.modelled_arm import Base
from leverarm.identification.result import Estimate, Estimates
from leverarm.model import Arm
from leverarm.model.units import Units

QUANTILE = 1.96
"""Standard errors of a 95 % interval, where the noise is known well."""
TOLD = 0.5
"""A parameter is told if its interval reaches no farther than this part of its size, or of the size of its kind."""

_UNITS = {"m": "kg", "rotor": "kg m^2", "motor_viscous": "N m s/rad", "motor_coulomb": "N m"}


def estimates(
    arm: Arm,
    fit: WeightedFit,
    covariance: Array,
    base: Base,
    columns: Columns,
    drawn: Array,
    fitted: Array,
    freedom: Array | None = None,
) -> Estimates:
    """The table of base parameters: least-squares values next to the given arm's and the identified arm's.

    `freedom` (b,) are the degrees of freedom of their variances, where the noise is known from few samples.
    """
    quantiles = np.full(len(base), QUANTILE) if freedom is None else reach_of_interval(freedom)
    is_open = left_open(columns.W[:, :, base.columns], fit.roots, fit.singular)
    errors = np.where(is_open, np.inf, np.sqrt(np.maximum(np.diag(covariance), 0.0)))
    cad, consistent = base.regrouping @ drawn, base.regrouping @ fitted
    sizes = _sizes(base, np.maximum(np.abs(cad), np.abs(fit.values)))
    entries = []
    for i, name in enumerate(base.names):
        value, error = float(fit.values[i]), float(errors[i])
        reach = float(quantiles[i]) * error
        entries.append(
            Estimate(
                name=name,
                unit=unit_of(arm, name, columns.kinds[int(base.columns[i])]),
                value=value,
                standard_error=error,
                interval=(value - reach, value + reach),
                percent=100 * error / abs(value) if value else float("inf"),
                told=bool(reach <= TOLD * max(abs(value), sizes[i])),
                combination=base.combination(i, columns.names),
                cad=float(cad[i]),
                consistent=float(consistent[i]),
            )
        )
    return Estimates(entries)


def _sizes(base: Base, magnitudes: Array) -> Array:
    """The median size of the parameters of the same kind: a small one of them need not be told in percent of itself."""
    kinds = [_kind(name) for name in base.names]
    of_kind = {kind: [m for m, k in zip(magnitudes, kinds, strict=True) if k == kind] for kind in set(kinds)}
    return np.array([float(np.median(of_kind[kind])) for kind in kinds])


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
    if last.startswith("viscous"):
        return "N m s/rad" if is_angle else "N s/m"
    return {"coulomb": effort, "offset": effort, "spring": f"{effort}/{'rad' if is_angle else 'm'}"}.get(last, "")
