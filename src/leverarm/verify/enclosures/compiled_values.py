"""What is searched for an extreme, as machine code: its numbers and slopes for many states at once.

Slopes need no derivative of M to be written down. With the Coriolis matrix C(q, w), whose entries are Gamma_ijk w_k,

    d(u^T M w)/dq = C(q, w)^T u + C(q, u)^T w,

because dM_ij/dq_k = Gamma_ijk + Gamma_jik; and eigenvectors do not count in the slope of their own eigenvalue.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from leverarm.arrays import Array
from leverarm.mechanics import ROWS
from leverarm.model import Arm, without_friction, without_springs
from leverarm.runtime.compiled import CompiledArm, compile
from leverarm.spatial import Vec3
from leverarm.verify.enclosures.rigid_chain import effective_mass_axes


@dataclass(frozen=True, slots=True)
class Searched:
    """A number of the state whose extreme is wanted. States are rows: positions, then speeds where they count.

    Of an effective mass it is the reciprocal, which is finite at every pose.
    """

    is_greatest: bool
    has_speeds: bool
    number: Callable[[Array], Array]
    slope: Callable[[Array], tuple[Array, Array]]
    """Numbers of many states, and how they change with each coordinate and speed."""
    has_ridges: bool = False
    """Whether slopes jump just where the extreme likes to be: the least of something greatest."""


@lru_cache(maxsize=16)
def compiled(arm: Arm) -> CompiledArm:
    """The arm's functions, made once."""
    return compile(arm)


@lru_cache(maxsize=16)
def weightless(arm: Arm) -> CompiledArm:
    """The arm without weight, springs and friction: what is left of its forces without acceleration is c = C qd."""
    return compile(replace(without_springs(without_friction(arm)), gravity=Vec3(0, 0, 0)))


def _size(entries: Array) -> Array:
    """The root of the sum of squares of each state's matrix or vector."""
    flat = entries.reshape(len(entries), -1)
    squares: Array = np.einsum("ki,ki->k", flat, flat)
    return np.sqrt(squares)


def _times(matrices: Array, vectors: Array) -> Array:
    """Transposed matrices times vectors, state by state."""
    products: Array = np.einsum("kij,ki->kj", matrices, vectors)
    return products


def norm_of_mass(arm: Arm, norm: str, *, is_greatest: bool) -> Searched:
    """A norm of M: "2", "1", "inf" or "fro"."""
    if norm == "2":
        greatest = eigenvalue_of_mass(arm, -1)
        return greatest if is_greatest else replace(greatest, is_greatest=False, has_ridges=True)
    return (_frobenius if norm == "fro" else _row_sum)(arm, is_greatest)


def eigenvalue_of_mass(arm: Arm, which: int) -> Searched:
    """The least (0) or greatest (-1) eigenvalue of M."""
    f = compiled(arm)

    def number(q: Array) -> Array:
        return np.linalg.eigvalsh(f.mass_matrix(q))[:, which]

    def slope(q: Array) -> tuple[Array, Array]:
        values, vectors = np.linalg.eigh(f.mass_matrix(q))
        v = np.ascontiguousarray(vectors[:, :, which])
        return values[:, which], 2 * _times(f.coriolis_matrix(q, v), v)

    is_greatest = which == -1
    return Searched(is_greatest, False, number, slope)


def _frobenius(arm: Arm, is_greatest: bool) -> Searched:
    f = compiled(arm)

    def number(q: Array) -> Array:
        return _size(f.mass_matrix(q))

    def slope(q: Array) -> tuple[Array, Array]:
        values, vectors = np.linalg.eigh(f.mass_matrix(q))
        size = np.sqrt((values**2).sum(axis=1))
        directions = np.ascontiguousarray(vectors.transpose(2, 0, 1))
        parts = (values[:, [m]] * 2 * _times(f.coriolis_matrix(q, v), v) for m, v in enumerate(directions))
        return size, sum(parts, start=np.zeros_like(q)) / size[:, None]

    return Searched(is_greatest, False, number, slope)


def _row_sum(arm: Arm, is_greatest: bool) -> Searched:
    """The norms "1" and "inf", which are one for a symmetric matrix."""
    f = compiled(arm)

    def number(q: Array) -> Array:
        greatest: Array = np.einsum("kij->ki", np.abs(f.mass_matrix(q))).max(axis=1)
        return greatest

    def slope(q: Array) -> tuple[Array, Array]:
        M = f.mass_matrix(q)
        sums = np.abs(M).sum(axis=2)
        row = sums.argmax(axis=1)
        each = np.arange(len(q))
        signs, unit = np.sign(M[each, row]), np.zeros_like(q)
        unit[each, row] = 1
        rates = _times(f.coriolis_matrix(q, signs), unit) + _times(f.coriolis_matrix(q, unit), signs)
        return sums[each, row], rates

    return Searched(is_greatest, False, number, slope, has_ridges=not is_greatest)


def weight(arm: Arm) -> Searched:
    """|g(q)|."""
    f = compiled(arm)

    def number(q: Array) -> Array:
        return _size(f.gravity(q))

    def slope(q: Array) -> tuple[Array, Array]:
        g, rest = f.gravity(q), np.zeros_like(q)
        return _length_and_slope(g, f.inverse_dynamics_derivatives(q, rest, rest)[0])

    return Searched(True, False, number, slope)


def velocity_torques(arm: Arm) -> Searched:
    """|c(q, qd)| / |qd|^2, so that speeds of any length may be tried."""
    f, n = weightless(arm), arm.dof

    def number(z: Array) -> Array:
        q, qd = _parts(z, n)
        return _size(f.bias(q, qd)) / _size(qd) ** 2

    def slope(z: Array) -> tuple[Array, Array]:
        q, qd = _parts(z, n)
        dq, dqd, _ = f.inverse_dynamics_derivatives(q, qd, np.zeros_like(q))
        length, rates = _length_and_slope(f.bias(q, qd), np.concatenate([dq, dqd], axis=2))
        square = (qd**2).sum(axis=1)
        rates[:, n:] -= (2 * length / square)[:, None] * qd
        return length / square, rates / square[:, None]

    return Searched(True, True, number, slope)


def _parts(z: Array, n: int) -> tuple[Array, Array]:
    return np.ascontiguousarray(z[:, :n]), np.ascontiguousarray(z[:, n:])


def _length_and_slope(vectors: Array, rates: Array) -> tuple[Array, Array]:
    """Lengths of vectors and their slopes, from the slopes of the entries; zero where the vector is."""
    length = _size(vectors)
    return length, _times(rates, vectors / np.where(length > 0, length, 1.0)[:, None])


def mobility(arm: Arm, *, is_greatest: bool) -> Searched:
    """An eigenvalue of A = J M^-1 J^T, finite at every pose: its reciprocal is the effective mass."""
    f = compiled(arm)
    axes = effective_mass_axes(arm)
    rows = [ROWS.index(axis) for axis in axes]
    which = -1 if is_greatest else 0

    def pushed_and_felt(q: Array) -> tuple[Array, Array]:
        J: Array = f.jacobian(q)[:, rows]
        pushed: Array = J @ f.mass_matrix_inverse(q)
        return pushed, pushed @ J.transpose(0, 2, 1)

    def number(q: Array) -> Array:
        values: Array = np.linalg.eigvalsh(pushed_and_felt(q)[1]).astype(np.float64)
        return values[:, which]

    def slope(q: Array) -> tuple[Array, Array]:
        pushed, A = pushed_and_felt(q)
        values, vectors = np.linalg.eigh(A)
        v = vectors[:, :, which]
        w = _times(pushed, v)  # the speeds that a unit push along v causes
        turned = _times(f.jacobian_dot(q, w)[:, rows], v)
        return values[:, which], 2 * (turned - _times(f.coriolis_matrix(q, w), w))

    return Searched(is_greatest, False, number, slope)


def state_of(arm: Arm, z: Any) -> dict[str, tuple[float, ...]]:
    """A row of positions, and speeds where there are some, scaled to unit length, as {"q": ..., "qd": ...}."""
    n = arm.dof
    state = {"q": tuple(float(x) for x in z[:n])}
    if len(z) > n:
        qd = np.asarray(z[n:]) / np.linalg.norm(z[n:])
        state["qd"] = tuple(float(x) for x in qd)
    return state
