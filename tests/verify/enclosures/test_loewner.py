"""The order of forms: bounds that hold in long arithmetic, over ranges of a joint, and with products of speeds."""

from __future__ import annotations

import math
from itertools import pairwise

import flint
import numpy as np
import pytest

from leverarm.scalars import precision
from leverarm.verify.enclosures.bounding import as_matrices, null_part, products, sharpened
from leverarm.verify.enclosures.loewner import (  # fmt: skip  # fmt: skip
    UNIT,
    Form,
    Metric,
    _cosine_polynomials,
    _sine_polynomials,
    absolute,
    around,
    congruent,
    largest_eigenvalue,
    metric_of,
    shifted_within,
    smallest_eigenvalue,
    spectral,
    turn_nodes,
    turned_within,
)
from leverarm.verify.enclosures.recursion import rotations
from leverarm.verify.enclosures.rigid_chain import Array
from leverarm.verify.enclosures.spaces import InertiaSpace, VelocityForceSpace

SIZES = (2, 3, 7, 20, 50)
BITS = 400
"""Of balls: sums of products of floats of these sizes are exact, and pivots lose few of them."""


def is_positive(A: list[list[flint.arb]]) -> bool:
    """Whether a symmetric matrix is proven to be positive definite: by its pivots, in balls."""
    A = [list(row) for row in A]
    for k in range(len(A)):
        if not A[k][k] > 0:
            return False
        for i in range(k + 1, len(A)):
            ratio = A[i][k] / A[k][k]
            for j in range(k + 1, i + 1):
                A[i][j] = A[i][j] - ratio * A[j][k]
    return True


def difference(*terms: tuple[float, Array]) -> list[list[flint.arb]]:
    """The sum of numbers times matrices of floats, without rounding."""
    size = len(terms[0][1])
    return [
        [sum((flint.arb(float(a)) * flint.arb(float(A[i, j])) for a, A in terms), flint.arb(0)) for j in range(size)]
        for i in range(size)
    ]


def symmetric(rng: np.random.Generator, size: int, spread: float = 1.0) -> Array:
    """With eigenvalues of both signs, over so many orders of magnitude; the lower half is the upper one."""
    Q = np.linalg.qr(rng.normal(size=(size, size))).Q
    w = rng.choice((-1.0, 1.0), size) * np.logspace(0, -spread, size)
    return symmetrised(Q @ np.diag(w) @ Q.T)


def symmetrised(A: Array) -> Array:
    return (A + A.T) / 2


def a_metric(rng: np.random.Generator, size: int, condition: float) -> Metric:
    Q = np.linalg.qr(rng.normal(size=(size, size))).Q
    return metric_of(symmetrised(Q @ np.diag(np.geomspace(1, condition, size)) @ Q.T)[None])


def forms(rng: np.random.Generator, size: int) -> list[Array]:
    ray = rng.normal(size=size)
    return [
        symmetric(rng, size), symmetric(rng, size, 12), np.eye(size), -1e-9 * np.outer(ray, ray), 1e9 * symmetric(rng, size),
    ]  # fmt: skip


@pytest.mark.parametrize("condition", [1.0, 1e4, 1e8])
@pytest.mark.parametrize("size", SIZES)
def test_absolute_is_at_least_the_form_and_its_opposite(size: int, condition: float) -> None:
    rng = np.random.default_rng(size)
    metric = a_metric(rng, size, condition)
    for B in forms(rng, size)[: 2 if size > 10 else None]:
        A = absolute(B[None], metric)[0]
        with precision(BITS):
            assert is_positive(difference((0.5, A), (0.5, A.T), (-1, B)))
            assert is_positive(difference((0.5, A), (0.5, A.T), (1, B)))


@pytest.mark.parametrize("condition", [1.0, 1e8])
@pytest.mark.parametrize("size", SIZES)
def test_around_is_at_least_each_form_of_the_circle(size: int, condition: float) -> None:
    """Points of the circle are rational ones, so that they are on it: 0.6 and 0.8 times numbers that are exact."""
    rng = np.random.default_rng(size)
    metric = a_metric(rng, size, condition)
    for B, C in zip(forms(rng, size), forms(rng, size)[::-1], strict=True):
        A = around(B[None], C[None], metric)[0]
        for b, c in ((5, 0), (0, -5), (3, 4), (-4, 3)) if size < 10 else ((3, -4),):
            with precision(BITS):
                assert is_positive(difference((2.5, A), (2.5, A.T), (b, B), (c, C)))
        if size > 10:
            break


def test_absolute_and_around_are_no_more_than_they_have_to_be() -> None:
    """In the plain metric |B| has the eigenvalues of B without their signs; for B = C the circle needs sqrt(2) |B|."""
    rng = np.random.default_rng(0)
    plain, B = metric_of(np.eye(6)[None]), symmetric(rng, 6)
    sizes = np.sort(abs(np.linalg.eigvalsh(B)))
    assert np.allclose(np.linalg.eigvalsh(absolute(B[None], plain))[0], sizes, rtol=1e-12)
    assert np.allclose(np.linalg.eigvalsh(around(B[None], B[None], plain))[0], math.sqrt(2) * sizes, atol=1e-6)


def test_eigenvalues_are_certified_from_outside() -> None:
    rng = np.random.default_rng(4)
    for size in SIZES:
        for A in forms(rng, size):
            form = Form(A[None], np.zeros(1))
            high, low = largest_eigenvalue(form)[0][0], smallest_eigenvalue(form)[0][0]
            with precision(BITS):
                assert is_positive(difference((high, np.eye(size)), (-1, A)))
                assert is_positive(difference((-low, np.eye(size)), (1, A)))
            assert high - np.linalg.eigvalsh(A)[-1] <= 1e-11 * abs(A).max() * size
            off = Form(A[None], np.array([0.5]))
            assert largest_eigenvalue(off)[0][0] >= high + 0.5 - 1e-12 * abs(A).max()
            assert smallest_eigenvalue(off)[0][0] <= low - 0.5 + 1e-12 * abs(A).max()


def test_other_variables_and_sums_state_their_rounding() -> None:
    """X^T A X in long arithmetic is no further from the floats than said; an error of A comes out as X sees it."""
    rng = np.random.default_rng(5)
    for size, other in ((3, 5), (8, 6), (30, 30)):
        A, X = symmetric(rng, size), rng.normal(size=(size, other)) * np.geomspace(1, 1e3, other)
        found = congruent(Form(A[None], np.zeros(1)), X)
        exact = _product(_product(X.T, A), X)
        apart = [
            [float(exact[i][j] - flint.arb(float(found.matrix[0, i, j]))) for j in range(other)] for i in range(other)
        ]
        assert 0 < np.linalg.norm(apart) <= found.error[0] <= 1e-11 * np.linalg.norm(X) ** 2
        off = np.outer(*2 * [rng.normal(size=size)])
        moved = X.T @ off @ X
        stated = congruent(Form(A[None], np.linalg.norm(off, 2)[None]), X).error[0]
        assert np.linalg.norm(moved, 2) <= stated * (1 + 1e-12)


def _product(A, B):
    with precision(BITS):
        return [
            [sum((_ball(A[i][k]) * _ball(B[k][j]) for k in range(len(B))), flint.arb(0)) for j in range(len(B[0]))]
            for i in range(len(A))
        ]  # fmt: skip


def _ball(x):
    return x if isinstance(x, flint.arb) else flint.arb(float(x))


def test_spectral_norms_are_bounded() -> None:
    rng = np.random.default_rng(6)
    A = rng.normal(size=(50, 7, 9))
    assert (np.linalg.norm(A, 2, axis=(1, 2)) <= spectral(A)).all()
    assert spectral(np.diag([3.0, -4.0])) == pytest.approx(4)


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_cosines_and_sines_of_multiples_stay_around_their_polynomials(k: int) -> None:
    """cos(k d) = a + b e + p times something within [-1, 1], sin(k d) = sin d (c + q times such): both nearly reached."""
    tightest = [0.0, 0.0]
    for h in (1e-4, 0.01, 0.3, 0.9, 1.6, 2.19, math.pi):
        m, r = (1 + math.cos(h)) / 2, (1 - math.cos(h)) / 2
        a, b, p = (float(x) for x in _cosine_polynomials(np.array(m), np.array(r))[k - 1])
        c, q = (float(x) for x in _sine_polynomials(np.array(m), np.array(r))[k - 1])
        d = np.linspace(-h, h, 2001)
        u = np.cos(d)
        e = (u - m) / r
        off = abs(np.cos(k * d) - a - b * e).max()
        ratio = {1: 1 + 0 * u, 2: 2 * u, 3: 4 * u**2 - 1, 4: 8 * u**3 - 4 * u}[k]
        assert np.allclose(np.sin(k * d), np.sin(d) * ratio, atol=1e-14)
        off_too = abs(ratio - c).max()
        # u is off by a rounding, and e by that over r
        assert off <= p + 64 * UNIT * (1 + abs(b) / r)
        assert off_too <= q + 64 * UNIT
        if h > 0.1:
            tightest = [max(tightest[0], off / p if p else 1), max(tightest[1], off_too / q if q else 1)]
    assert tightest[0] > (1, 1, 0.9, 0.5)[k - 1] - 1e-9
    assert tightest[1] > (1, 1, 0.9, 0.6)[k - 1] - 1e-9


@pytest.mark.parametrize("space", [InertiaSpace(), VelocityForceSpace()], ids=["degree2", "degree4"])
@pytest.mark.parametrize("sign", [1, -1])
def test_turns_and_shifts_of_one_joint(space, sign: int) -> None:
    """All forms on the way stay on their side; and the bound is reached to a part of its width that shows a lost term."""
    rng = np.random.default_rng(9)
    axis = np.array([2.0, 1.0, 2.0]) / 3
    size = space.size((1,))
    turns = space.turned(rotations(axis, turn_nodes(space.degree)), (1,))
    widths = np.array([0.0, 1e-7, 1e-3, 0.3, 0.99, 1.5, 2.19, 2.21, 3.0, math.pi])
    A = np.stack([symmetric(rng, size) for _ in widths])
    metric = metric_of(np.tile(np.eye(size), (len(widths), 1, 1)))
    moved = turned_within(A, turns, widths, metric, sign)
    slid = space.shifted(axis * 0.7, (1,)) - np.eye(size)
    shifted = shifted_within(A, slid, widths, metric, sign)
    for k, h in enumerate(widths):
        d = np.linspace(-h, h, 101)
        for found, X in (
            (moved, space.turned(rotations(axis, d), (1,))),
            (shifted, np.eye(size) + d[:, None, None] * slid),
        ):
            samples = np.swapaxes(X, 1, 2) @ A[k] @ X
            apart = np.linalg.eigvalsh(sign * (found.bound[k] - samples))
            assert apart[:, 0].min() >= -found.rounding[k], h
            assert found.rounding[k] <= 1e-10
            way = np.linalg.norm(samples - A[k], 2, axis=(1, 2)).max()
            assert np.linalg.norm(found.width[k], 2) <= 8 * way + 1e-12, h


def test_null_forms_are_zero_on_products_and_products_have_unit_length() -> None:
    rng = np.random.default_rng(1)
    for n in (1, 2, 3, 6):
        x = rng.normal(size=(50, n))
        x /= np.linalg.norm(x, axis=1, keepdims=True)
        y = products(x)
        assert np.allclose(np.linalg.norm(y, axis=1), 1, rtol=1e-14)
        assert np.allclose(as_matrices(y, n), x[:, :, None] * x[:, None, :], atol=1e-15)
        form = np.stack([symmetric(rng, y.shape[1]) for _ in range(4)])
        null = null_part(form, n)
        assert abs(np.einsum("pi,bij,pj->bp", y, null, y)).max() <= 1e-14
        assert np.allclose(null_part(null, n), null, atol=1e-15)
        assert np.allclose(null, np.swapaxes(null, 1, 2), atol=1e-15)
        # as many as there are products of products that are the same
        forms_of_two, quartics = math.comb(y.shape[1] + 1, 2), math.comb(n + 3, 4)
        basis = np.array([null_part(b[None], n)[0].ravel() for b in _basis(y.shape[1])])
        assert np.linalg.matrix_rank(basis) == forms_of_two - quartics


def _basis(size: int):
    for i in range(size):
        for j in range(i + 1):
            b = np.zeros((size, size))
            b[i, j] = b[j, i] = 1.0
            yield b


def test_sharpened_bounds_are_never_worse_and_come_close() -> None:
    """For forces of three speeds, 60 steps come within a percent of the greatest length among 1e5 unit speeds."""
    rng = np.random.default_rng(2)
    n, count = 3, 6
    form = np.zeros((4, n + count, n + count))
    form[:, :n, n:] = rng.normal(size=(4, n, count))
    form += np.swapaxes(form, 1, 2)
    none = np.zeros((4, count, count))
    values = [largest_with(form, none)]
    null = none
    for _ in range(15):
        null = sharpened(form, null, n, 4)
        values.append(largest_with(form, null))
        x = rng.normal(size=(20, n))
        assert abs(np.einsum("pi,bij,pj->bp", products(x), null, products(x))).max() <= 1e-11 * abs(null).max() + 1e-300
    assert all((after <= before * (1 + 1e-14)).all() for before, after in pairwise(values))
    x = rng.normal(size=(100_000, n))
    y = products(x / np.linalg.norm(x, axis=1, keepdims=True))
    greatest = np.linalg.norm(np.einsum("bij,pj->bpi", form[:, :n, n:], y), axis=2).max(1)
    assert (greatest <= values[-1] * (1 + 1e-13)).all()
    assert (values[-1] <= 1.01 * greatest).all()
    assert (values[0] > 1.05 * greatest).any()


def largest_with(form: Array, null: Array) -> Array:
    total = form.copy()
    n = form.shape[-1] - null.shape[-1]
    total[:, n:, n:] += null
    return np.linalg.eigvalsh(total)[:, -1]
