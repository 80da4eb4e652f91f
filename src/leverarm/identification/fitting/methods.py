"""The estimators of base parameters, by name, and the test of least squares against instruments.

`exogeneity` is the test of Durbin (1954), Wu (1973) and Hausman (1978) for noise in the motion. Least squares makes its
residuals e orthogonal to the columns W. If those are free of noise, e is orthogonal up to chance to instruments Z too,
and both estimates differ by chance only: phi_Z - phi = (Z^T W)^-1 Z^T e. With G an orthonormal basis of the part of Z
that is not in the span of W, g = G^T e then has mean 0. S is its covariance, robust to coloured residuals: g^T S^-1 g
is chi-squared with as many degrees of freedom as G has columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf

import numpy as np

from leverarm.arrays import Array, BoolArray, IntArray
from leverarm.errors import InputError, require_known
from leverarm.findings import Finding
from leverarm.identification.fitting.covariance import covariance, noise_spectrum
from leverarm.identification.fitting.instruments import Instruments, instrumental_fit
from leverarm.identification.fitting.weighted_fit import WeightedFit, ordinary_fit, unit_columns, weighted_fit
from leverarm.identification.modelling.modelled_arm import Base
from leverarm.identification.modelling.regressor_columns import Columns
from leverarm.identification.motions import Motion
from leverarm.scalars.ball import precision

BITS = 128
"""Precision of p-values: the gamma function loses up to half of it far out."""


def exceeded_by_chance(statistic: float, freedom: int) -> float:
    """The p-value of chi-squared: the probability of exceeding `statistic`; 1 without degrees of freedom.

    Gamma(freedom/2, statistic/2) / Gamma(freedom/2), the regularised incomplete gamma function.
    """
    from flint import arb

    if freedom <= 0 or statistic <= 0:
        return 1.0
    with precision(BITS):
        return float((arb(statistic) / 2).gamma_upper(arb(freedom) / 2, 1))


DIFFERS = 1e-3
"""Smallest part of an instrument direction outside the span of the columns: less noise biases by its square."""
BY_CHANCE = 0.05
"""Significance level of the test."""
LARGE = 1.0
"""Percent of the torque above which a difference matters."""
NEGLIGIBLE = 0.1
"""Percent of the torque below which none does; in between it does if it moves a parameter"""
ERRORS = 1.0
"""by more than this many standard errors, so that its interval is in the wrong place."""


@dataclass(frozen=True, slots=True)
class Exogeneity:
    """The difference between least squares and instruments: chi-squared, degrees of freedom, p-value.

    `difference` (b,) is phi by instruments less phi by least squares, `in_errors` (b,) the same in standard errors of
    the latter, `percent` the size of its torques in percent of the measured ones.
    """

    statistic: float
    freedom: int
    p_value: float
    difference: Array
    in_errors: Array
    percent: float

    @property
    def is_biased(self) -> bool:
        """Whether the difference is significant."""
        return self.p_value < BY_CHANCE

    @property
    def matters(self) -> bool:
        """Whether the difference is significant, and large enough to show in torques or intervals."""
        moves = float(np.abs(self.in_errors).max()) > ERRORS
        return self.is_biased and (self.percent > LARGE or (self.percent > NEGLIGIBLE and moves))


def exogeneity(W: Array, Z: Array, fit: WeightedFit, errors: Array, piece: IntArray) -> Exogeneity:
    """Compares a fit of columns W (k, n, b) by least squares with instruments Z (k, n, b), zero where there is none.

    `errors` (b,) are the standard errors of the fit.
    """
    k, n, b = W.shape
    roots = fit.roots * np.any(Z != 0, axis=(1, 2))[:, None]
    X, lengths = unit_columns((W * roots[:, :, None]).reshape(-1, b))
    Y, _ = unit_columns((Z * roots[:, :, None]).reshape(-1, b))
    Q = np.linalg.qr(X)[0]
    e = (fit.residuals * roots).reshape(-1)
    # fitted anew to the samples that have instruments: both estimates are to see the same ones
    e = e - Q @ (Q.T @ e)
    scaled = np.linalg.lstsq(Y.T @ X, Y.T @ e, rcond=1e-13)[0]
    measured = float(np.linalg.norm((fit.residuals + W @ fit.values) * roots))
    percent = 100 * float(np.linalg.norm(X @ scaled)) / max(measured, 1e-300)
    difference = scaled / lengths
    G = _outside(Q, Y)
    freedom = G.shape[1]
    statistic = 0.0
    if freedom:
        g = G.T @ e
        spectrum = noise_spectrum(G.reshape(k, n, freedom), e.reshape(k, n), roots > 0, piece)
        S = spectrum.covariance_of_sums()
        statistic = float(g @ np.linalg.lstsq(S, g, rcond=None)[0])
    in_errors = difference / np.maximum(errors, 1e-300)
    return Exogeneity(statistic, freedom, exceeded_by_chance(statistic, freedom), difference, in_errors, percent)


def exogeneity_finding(test: Exogeneity, names: Sequence[str], origin: str) -> Finding:
    """The result of the test: a warning where noise biases the fit, a note otherwise."""
    p = f"p = {test.p_value:.2g}" if test.p_value > 1e-6 else "p < 1e-6"
    figures = f"(chi-squared {test.statistic:.3g}, {test.freedom} degrees of freedom, {p}; instruments: {origin})"
    worst = int(np.argmax(np.abs(test.in_errors)))
    errors = abs(float(test.in_errors[worst]))
    apart = f"by {test.percent:.2g} % of torque and up to {errors:.2g} standard errors ({names[worst]!r})"
    if test.matters:
        why = "noise in the positions, or something the model lacks, biases least squares"
        message = f"least squares and instrumental variables differ significantly, {apart} {figures}: {why}."
        remedy = 'Compare with the method "instrumental" (`--method instrumental`), or log positions with less noise.'
        return Finding("warning", "noise in the motion", message, remedy)
    if test.is_biased:
        message = f"least squares and instrumental variables differ a little, {apart} {figures}."
        remedy = "Nothing needs to be done: the difference is negligible."
    else:
        message = f"no evidence against least squares: instrumental variables do not differ significantly {figures}."
        remedy = "Nothing needs to be done."
    return Finding("note", "noise in the motion", message, remedy)


def _outside(Q: Array, Y: Array) -> Array:
    """An orthonormal basis of the part of Y that is not in the span of Q, without directions that hardly differ."""
    apart = Y - Q @ (Q.T @ Y)
    squares, V = np.linalg.eigh(apart.T @ apart)
    kept = squares > DIFFERS**2
    return np.asarray(apart @ (V[:, kept] / np.sqrt(squares[kept])))


METHODS = {
    "robust": "least squares weighted by each joint's noise, Huber",
    "weighted": "least squares weighted by each joint's noise",
    "ordinary": "least squares, all joints alike",
    "instrumental": "instrumental variables weighted by each joint's noise, Huber",
}
"""What each method does, the default first."""


def fitted(method: str, W: Array, y: Array, used: BoolArray, Z: Array | None) -> WeightedFit:
    """Base parameters of columns W (k, n, b) from torques y (k, n), by the method of this name.

    `Z` (k, n, b) are instruments, zero where there are none; only "instrumental" looks at them.
    """
    require_known("method", method, METHODS)
    if method == "instrumental":
        return instrumental_fit(W, y, used, _instruments(Z, used))
    if method == "ordinary":
        return ordinary_fit(W, y, used)
    return weighted_fit(W, y, used) if method == "robust" else weighted_fit(W, y, used, wild=inf)


@dataclass(frozen=True, slots=True)
class BaseFit:
    """Base parameters and their covariance (b, b), findings on noise in the motion, and the data for further fits.

    `motion`, `columns` and `used` (k, n) are those of the log, or those of the instruments where these were used.
    """

    fit: WeightedFit
    covariance: Array
    findings: tuple[Finding, ...]
    motion: Motion
    columns: Columns
    used: BoolArray


def base_fit(
    method: str,
    motion: Motion,
    columns: Columns,
    used: BoolArray,
    base: Base,
    second: Instruments | None,
    Z: Columns | None,
) -> BaseFit:
    """Base parameters by the method of this name; `second` is a second record of the motion, `Z` its columns.

    Least squares is tested against instruments where there are some.
    """
    W = columns.W[:, :, base.columns]
    Z_base = None if Z is None else Z.W[:, :, base.columns]
    fit = fitted(method, W, motion.tau, used, Z_base)
    if method == "instrumental" and second is not None and Z is not None and Z_base is not None:
        sure = covariance(W, fit.residuals, fit.roots, motion.piece, Z_base)
        moved = without_noise(motion, W, Z_base, fit.values)
        return BaseFit(fit, sure, (), moved, Z, used & second.there[:, None])
    sure = covariance(W, fit.residuals, fit.roots, motion.piece)
    findings: tuple[Finding, ...] = ()
    if second is not None and Z_base is not None:
        test = exogeneity(W, Z_base, fit, np.sqrt(np.diag(sure)), motion.piece)
        findings = (exogeneity_finding(test, base.names, second.origin),)
    return BaseFit(fit, sure, findings, motion, columns, used)


def without_noise(motion: Motion, W: Array, Z: Array, values: Array) -> Motion:
    """The motion with its torques as they would be of the instruments' own motion, whose columns are Z (k, n, b).

    Least squares of Z to these torques gives the instruments' values, since Z^T (y - W values) = 0: further fits, of
    physically consistent parameters, then use columns free of noise.
    """
    moved = (Z - W) @ values
    return replace(motion, tau=motion.tau + moved, raw=motion.raw + moved)


def _instruments(Z: Array | None, used: BoolArray) -> Array:
    if Z is None or not np.any(Z[used.any(axis=1)]):
        raise InputError(
            "method 'instrumental' needs a second record of the motion: repeats of the trajectory, or a cut-off well "
            "above the motion's own frequencies; this log has neither. Take method 'robust', or log repeats."
        )
    return Z
