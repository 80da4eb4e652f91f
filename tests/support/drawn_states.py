"""Extremes among states drawn at random: estimates from inside, never bounds. Certified enclosures are tested with them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from leverarm.arrays import Array
from leverarm.errors import InputError
from leverarm.mechanics import ROWS
from leverarm.model import Arm
from leverarm.verify.enclosures.compiled_values import Searched, compiled, state_of
from leverarm.verify.enclosures.extremes import EXTREMES
from leverarm.verify.enclosures.local_search import box_of, random_states
from leverarm.verify.enclosures.rigid_chain import effective_mass_axes

CHUNK = 16384
"""States evaluated at once: their matrices stay in the cache."""
ROUNDING = 1e-9
"""What rounding may take from a quick bound before a state with it is passed over, relative."""


@dataclass(frozen=True, slots=True)
class Sampled:
    """The most extreme value among random states, and a state that has it; qd is None where speeds do not count."""

    value: float
    q: tuple[float, ...]
    qd: tuple[float, ...] | None


def sampled(
    arm: Arm, quantity: str, lower: ArrayLike, upper: ArrayLike, count: int, seed: int = 0, norm: str = "2"
) -> Sampled:
    """The extreme of a quantity (see `extremes.py`) among `count` states, uniform in the box, in the quantity's unit.

    Speeds are uniform on the unit sphere. States whose quick bound cannot beat the best so far are passed over.
    """
    what, quick, box = (
        EXTREMES[quantity].searched(arm, norm),
        quick_bound(arm, quantity, norm),
        box_of(arm, lower, upper),
    )
    if count < 1:
        raise InputError(f"count is {count}; it is how many states are drawn, one or more.")
    rng = np.random.default_rng(seed)
    sense = 1.0 if what.is_greatest else -1.0
    best, at = -np.inf, np.zeros(0)
    for start in range(0, count, CHUNK):
        states = random_states(rng, what, *box, min(CHUNK, count - start))
        if quick is not None and np.isfinite(best):
            states = np.ascontiguousarray(states[~(sense * quick(states) + ROUNDING * abs(best) <= best)])
        heights = _finite_heights(what, states, sense)
        if len(heights) and heights[k := int(heights.argmax())] > best:
            best, at = float(heights[k]), states[k]
    state = state_of(arm, at)
    return Sampled(float(meant(quantity, sense * best)), state["q"], state.get("qd"))


def meant(quantity: str, number: ArrayLike) -> Array:
    """The quantity from the number that is searched: an effective mass is its reciprocal, infinite where that is zero."""
    with np.errstate(divide="ignore"):
        return 1 / np.maximum(number, 0.0) if quantity.startswith("lambda") else np.asarray(number)


def _finite_heights(what: Searched, states: Array, sense: float) -> Array:
    """Numbers signed so that greater is better; none where there are no states."""
    return np.nan_to_num(sense * what.number(states), nan=-np.inf, posinf=-np.inf) if len(states) else np.zeros(0)


def quick_bound(arm: Arm, quantity: str, norm: str = "2") -> Callable[[Array], Array] | None:
    """What is quicker to compute than the searched number and never worse; None where nothing is."""
    f = compiled(arm)
    match quantity, norm:
        case ("mu1", _):
            return lambda q: _reciprocal_size(f.mass_matrix_inverse(q))
        case ("mu2", _) | ("norm_upper", "2"):
            return lambda q: _greatest_at_most(f.mass_matrix(q))
        case ("norm_lower", "2"):
            return lambda q: _longest_row(f.mass_matrix(q))
        case ("lambda1", _):
            return lambda q: _greatest_at_most(_mobility(arm, q))
        case ("lambda2", _):
            return lambda q: _reciprocal_size(f.operational_inertia(q, axes=effective_mass_axes(arm)))
    return None


def _mobility(arm: Arm, q: Array) -> Array:
    J = compiled(arm).jacobian(q)[:, [ROWS.index(axis) for axis in effective_mass_axes(arm)]]
    return J @ compiled(arm).mass_matrix_inverse(q) @ J.transpose(0, 2, 1)


def _reciprocal_size(A: Array) -> Array:
    """Of the Frobenius norm of an inverse: no eigenvalue is less. Zero or no number where the matrix is singular."""
    with np.errstate(all="ignore"):
        return 1 / np.sqrt(np.einsum("kij,kij->k", A, A))


def _longest_row(M: Array) -> Array:
    """The length of the longest row: the greatest eigenvalue is not less."""
    return np.sqrt(np.einsum("kij,kij->ki", M, M).max(axis=1))


def _greatest_at_most(A: Array) -> Array:
    """No eigenvalue of a symmetric matrix is greater: from trace and squares (Wolkowicz and Styan 1980, 2.1)."""
    n = A.shape[-1]
    mean = np.einsum("kii->k", A) / n
    variance = np.einsum("kij,kij->k", A, A) / n - mean**2
    return mean + np.sqrt((n - 1) * np.maximum(variance, 0.0))
