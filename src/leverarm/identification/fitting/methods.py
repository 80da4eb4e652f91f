"""The ways to fit base parameters, by name."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array
from leverarm.errors import InputError, unknown_name
from leverarm.findings import Finding
from leverarm.identification.fitting.covariance import spread
from leverarm.identification.fitting.exogeneity import exogeneity, found
from leverarm.identification.fitting.instruments import Instruments, instrumental_fit
from leverarm.identification.fitting.weighted_fit import WeightedFit, ordinary_fit, weighted_fit
from leverarm.identification.modelling.columns import Columns
from leverarm.identification.modelling.modelled_arm import Base
from leverarm.identification.motions import Motion

Mask = NDArray[np.bool_]

METHODS = {
    "robust": "least squares weighted by each joint's noise, Huber",
    "weighted": "least squares weighted by each joint's noise",
    "ordinary": "least squares, all joints alike",
    "instrumental": "instrumental variables weighted by each joint's noise, Huber",
}
"""What each method does, the one taken by default first."""


def check_method(method: str) -> None:
    """Raises InputError for a method that is none."""
    if method not in METHODS:
        raise InputError(unknown_name("method", method, tuple(METHODS)))


def fitted(method: str, W: Array, y: Array, used: Mask, Z: Array | None) -> WeightedFit:
    """Base parameters of columns W (k, n, b) from torques y (k, n), by the method of this name.

    `Z` (k, n, b) are instruments, zero where there are none; only "instrumental" looks at them.
    """
    check_method(method)
    if method == "instrumental":
        return instrumental_fit(W, y, used, _instruments(Z, used))
    if method == "ordinary":
        return ordinary_fit(W, y, used)
    return weighted_fit(W, y, used) if method == "robust" else weighted_fit(W, y, used, wild=inf)


@dataclass(frozen=True, slots=True)
class BaseFit:
    """Base parameters and their covariance (b, b), what was found about the motion's noise, and what further fits see.

    `freedom` (b,) are the degrees of freedom of their variances: how well the noise behind them is known.
    `motion`, `columns` and `used` (k, n) are those of the log, or those of the instruments where these were used.
    """

    fit: WeightedFit
    covariance: Array
    freedom: Array
    findings: tuple[Finding, ...]
    motion: Motion
    columns: Columns
    used: Mask


def base_fit(
    method: str, motion: Motion, columns: Columns, used: Mask, base: Base, second: Instruments | None, Z: Columns | None
) -> BaseFit:
    """Base parameters by the method of this name; `second` is a second record of the motion, `Z` its columns.

    Least squares is tested against instruments where there are some.
    """
    W = columns.W[:, :, base.columns]
    Z_base = None if Z is None else Z.W[:, :, base.columns]
    fit = fitted(method, W, motion.tau, used, Z_base)
    if method == "instrumental" and second is not None and Z is not None and Z_base is not None:
        sure = spread(W, fit.residuals, fit.roots, motion.piece, Z_base)
        moved = without_noise(motion, W, Z_base, fit.values)
        there = used & second.there[:, None]
        return BaseFit(fit, sure.covariance, sure.freedom, (), moved, Z, there)
    sure = spread(W, fit.residuals, fit.roots, motion.piece)
    findings: tuple[Finding, ...] = ()
    if second is not None and Z_base is not None:
        test = exogeneity(W, Z_base, fit, np.sqrt(np.diag(sure.covariance)), motion.piece)
        findings = (found(test, base.names, second.origin),)
    return BaseFit(fit, sure.covariance, sure.freedom, findings, motion, columns, used)


def without_noise(motion: Motion, W: Array, Z: Array, values: Array) -> Motion:
    """The motion with its torques as they would be of the instruments' own motion, whose columns are Z (k, n, b).

    Least squares of Z to these torques gives the instruments' values, since Z^T (y - W values) = 0: further fits, of
    possible bodies, then stand on columns free of noise.
    """
    moved = (Z - W) @ values
    return replace(motion, tau=motion.tau + moved, raw=motion.raw + moved)


def _instruments(Z: Array | None, used: Mask) -> Array:
    if Z is None or not np.any(Z[used.any(axis=1)]):
        raise InputError(
            "method 'instrumental' needs a second record of the motion: repeats of the trajectory, or a cut-off well "
            "above the motion's own frequencies; this log has neither. Take method 'robust', or log repeats."
        )
    return Z
