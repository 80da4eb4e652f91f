"""One extreme of an arm, bounded over boxes of its coordinates from the outside.

The velocity torques are a form of products of speeds. As products, (x1 x2)^2 and (x1^2)(x2^2) are the same; as squares
of independent numbers they are not. A bound over products holds with any such difference added, and with the right one
it is nearly as sharp as over x itself: the first step of the sums-of-squares hierarchy (P. A. Parrilo, 2000).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations_with_replacement
from math import sqrt
from typing import NamedTuple, Protocol

import numpy as np

from leverarm.model import Arm
from leverarm.verify.enclosures import loewner
from leverarm.verify.enclosures.loewner import DATA, UNIT, Form, norm
from leverarm.verify.enclosures.recursion import Bounded, FormRecursion, in_the_middle, over_boxes
from leverarm.verify.enclosures.rigid_chain import Array, RigidChain, rigid_chain
from leverarm.verify.enclosures.spaces import InertiaSpace, VelocityForceSpace, WeightSpace

TURNS = 12
"""Of u and x."""
SMOOTH = 1.0
"""Of what is above the nearest square: eigenvalues so close to the largest count with it."""


def products(x: Array) -> Array:
    """The products x_i x_j with i <= j of vectors (..., n), mixed ones times sqrt(2): of length |x|^2."""
    n = x.shape[-1]
    return np.stack(
        [x[..., i] * x[..., j] * (1 if i == j else sqrt(2)) for i, j in combinations_with_replacement(range(n), 2)], -1
    )


def as_matrices(y: Array, n: int) -> Array:
    """Numbers for products as symmetric matrices (..., n, n): those of the products of x are x x^T."""
    Y = np.zeros((*y.shape[:-1], n, n))
    for k, (i, j) in enumerate(combinations_with_replacement(range(n), 2)):
        Y[..., i, j] = Y[..., j, i] = y[..., k] / (1 if i == j else sqrt(2))
    return Y


def null_part(form: Array, n: int) -> Array:
    """The part of forms of products (..., products, products) that is zero on the products of every x."""
    crossings, weight = _crossings(n)
    plain = form / weight
    rows, columns = crossings
    crossed = plain[..., rows[0], columns[0]] + plain[..., rows[1], columns[1]]
    return np.asarray(weight * (2 * plain - crossed) / 3)


@lru_cache(maxsize=32)
def _crossings(n: int) -> tuple[Array, Array]:
    """For products (i j) and (k m): where (i k), (j m) and (i m), (j k) stand; and the weight of mixed products."""
    pairs = list(combinations_with_replacement(range(n), 2))
    place = {pair: k for k, pair in enumerate(pairs)} | {(j, i): k for k, (i, j) in enumerate(pairs)}
    crossings = np.array(
        [
            [[[place[i, k], place[i, m]] for k, m in pairs] for i, j in pairs],
            [[[place[j, m], place[j, k]] for k, m in pairs] for i, j in pairs],
        ]
    )
    weight = np.array([1.0 if i == j else sqrt(2) for i, j in pairs])
    return np.moveaxis(crossings, -1, 1), weight[:, None] * weight


def sharpened(form: Array, null: Array, n: int, steps: int) -> Array:
    """A null form, as good as or better than the given one for the largest eigenvalue of a form of (u, products).

    Steps along the slope of a smooth maximum of the eigenvalues, of the length that would reach the value at the
    nearest square at once (B. T. Polyak, 1969). The best form on the way is kept.
    """
    best, best_value = null, np.full(len(form), np.inf)
    current = null
    reached = np.zeros(len(form))
    for step in range(steps + 1):
        w, V = np.linalg.eigh(with_null(form, current))
        value = w[:, -1]
        better = value < best_value
        best = np.where(better[:, None, None], current, best)
        best_value = np.where(better, value, best_value)
        if step == steps:
            break
        for k in (-1, -2):
            reached = np.maximum(reached, _at_nearest_square(form, V[:, n:, k], n))
        above = np.maximum(value - reached, 1e-13 * np.abs(w).max(1) + 1e-300)
        weights = np.exp((w - value[:, None]) / (SMOOTH * above[:, None]))
        weights /= weights.sum(1, keepdims=True)
        y = V[:, n:]
        slope = null_part((y * weights[:, None]) @ np.swapaxes(y, -1, -2), n)
        length = np.einsum("bij,bij->b", slope, slope)
        # where the smooth slope nearly vanishes the step would be endless: no form of use is larger than the value
        step_length = np.minimum(above / np.maximum(length, 1e-12), value / np.sqrt(np.maximum(length, 1e-24)))
        current = current - step_length[:, None, None] * slope
    # once more, so that what was rounded on the way counts no longer
    return null_part(best, n)


def with_null(form: Array, null: Array) -> Array:
    """A form of (u, products) with a null form added to that of the products."""
    total = form.copy()
    n = form.shape[-1] - null.shape[-1]
    total[:, n:, n:] += null
    return total


def _at_nearest_square(form: Array, y: Array, n: int) -> Array:
    """The value of the form at products near y: of the x whose products are nearest, bettered by turns of u and x."""
    tensor = form[:, :n, n:]
    seen = as_matrices(y, n)
    for _ in range(TURNS):
        w, V = np.linalg.eigh(seen)
        outermost = np.where(-w[:, 0] > w[:, -1], 0, n - 1)
        force = np.einsum("bij,bj->bi", tensor, products(np.take_along_axis(V, outermost[:, None, None], 2)[:, :, 0]))
        value = np.linalg.norm(force, axis=1)
        seen = as_matrices(np.einsum("bi,bij->bj", force, tensor), n)
    return np.asarray(value)


class Boxes(NamedTuple):
    """Boxes of coordinates, with what is known of the extreme over each: it lies on the inner side of `bound`.

    `memory` goes from a box to its halves: what helped to bound it.
    """

    middles: Array
    halves: Array
    bound: Array
    memory: Array

    def part(self, chosen: Array) -> Boxes:
        """Some of the boxes."""
        return Boxes(*(numbers[chosen] for numbers in self))


def joined(parts: list[Boxes]) -> Boxes:
    """All boxes of several parts."""
    return Boxes(*(np.concatenate(numbers) for numbers in zip(*parts, strict=True)))


class Extent(NamedTuple):
    """Bounds over boxes, what each coordinate's range adds to them, and what helps with their halves.

    `rounding` is the part of a bound that no smaller box makes less.
    """

    bound: Array
    shares: Array
    memory: Array
    rounding: Array


class Bounding(Protocol):
    """A way to bound an extreme. It goes to other processes, so it is plain data."""

    @property
    def sign(self) -> int:
        """1 for a maximum, bounded from above; -1 for a minimum, bounded from below."""

    @property
    def batch(self) -> int:
        """Boxes that are best done together."""

    def whole(self, lower: Array, upper: Array) -> Boxes:
        """The box to begin with; ranges that make no difference are cut to a point."""

    def extent(self, boxes: Boxes, aim: float) -> Extent:
        """Bounds over boxes; they need not be better than `aim`."""


@dataclass(frozen=True, slots=True, eq=False)
class SpringForces:
    """The springs' part of g, J^T k (J q - x0) = stiffness q - pull: linear in the coordinates q."""

    stiffness: Array
    pull: Array
    size: Array
    """|J^T| k |J|, and |J^T| k |x0|: what roundings are measured by."""
    size_of_pull: Array

    @staticmethod
    def of(chain: RigidChain) -> SpringForces | None:
        """Of the joints of an arm; None where there are no springs."""
        (k, rest), J = chain.springs.T, chain.joints
        if not k.any():
            return None
        size = np.abs(J.T) * np.abs(k)
        return SpringForces((J.T * k) @ J, (J.T * k) @ rest, size @ np.abs(J), size @ np.abs(rest))

    @property
    def matters(self) -> Array:
        """The coordinates that stretch a spring."""
        return np.asarray(self.stiffness.any(0))

    def over(self, boxes: Boxes) -> tuple[Array, Array, Array]:
        """In the middle of boxes, as a form of (w, speeds); what each coordinate's range adds; how far off both are.

        The force changes by stiffness x (q - middle), whose length is at most the sum over the columns.
        """
        force = boxes.middles @ self.stiffness.T - self.pull
        n = force.shape[1]
        form = np.zeros((len(force), 1 + n, 1 + n))
        form[:, 0, 1:] = form[:, 1:, 0] = force
        shares = boxes.halves * norm_of_columns(self.stiffness) * (1 + 64 * n * UNIT)
        reached = (np.abs(boxes.middles) + boxes.halves) @ self.size.T + self.size_of_pull
        return form, shares, DATA * n * np.linalg.norm(reached, axis=1)


def norm_of_columns(matrix: Array) -> Array:
    """The length of each column."""
    return np.asarray(np.linalg.norm(matrix, axis=0))


@dataclass(frozen=True, slots=True, eq=False)
class FormBounding:
    """An extreme eigenvalue of a form."""

    recursion: FormRecursion
    sign: int
    floor: float
    """See `over_boxes`: small where small eigenvalues matter."""
    inner: bool = False
    """Whether it is the eigenvalue at the other end that is wanted: the least of the largest ones."""
    squares: bool = False
    """Whether the form is one of products of speeds."""
    batch: int = 512
    springs: SpringForces | None = None
    """What springs add to the form of g, whose largest eigenvalue grows at most by the length of a change of g."""

    def whole(self, lower: Array, upper: Array, matters: Array | None = None) -> Boxes:
        middle, half = (lower + upper) / 2, (upper - lower) / 2
        # the middle is rounded: the half range reaches both ends all the same
        half = np.maximum(half, np.maximum(upper - middle, middle - lower)) * (1 + 4 * UNIT)
        half = np.where(self._matters() if matters is None else matters, half, 0.0)
        size = self.recursion.base.shape[1] - len(lower)
        memory = np.zeros((1, size, size) if self.squares else (1, 0))
        return Boxes(middle[None], half[None], np.array([self.sign * np.inf]), memory)

    def _matters(self) -> Array:
        """Which coordinates the form can depend on: turning or moving a whole arm changes no mutual position."""
        chain = self.recursion.chain
        matters = np.ones(len(chain.links), bool)
        for i in chain.roots:
            link = chain.links[i]
            is_upright = not np.cross(link.rotation @ link.axis, chain.gravity).any()
            matters[i] = self.recursion.space.has_outside and link.turns and not is_upright
        found = (np.abs(chain.joints[matters]) > 0).any(0)
        return np.asarray(found if self.springs is None else found | self.springs.matters)

    def extent(self, boxes: Boxes, aim: float) -> Extent:
        middles, halves = self.in_joints(boxes)
        here = in_the_middle(self.recursion, middles)
        memory = boxes.memory
        if self.squares:
            memory = sharpened(here, memory, boxes.middles.shape[1], steps=4)
            here = with_null(here, memory)
        of_springs = None if self.springs is None else self.springs.over(boxes)
        if of_springs is not None:
            here = here + of_springs[0]
        budget = self._budget(here, boxes.bound, aim)
        bounded = over_boxes(self.recursion, middles, halves, budget, self.sign, self.floor)
        if self.squares:
            n = boxes.middles.shape[1]
            total = with_null(bounded.form.matrix, memory)
            rounding = 64 * n * UNIT * (norm(memory) + norm(total))
            bounded = bounded._replace(form=Form(total, bounded.form.error + rounding))
        if of_springs is not None:
            total = bounded.form.matrix + of_springs[0]
            error = bounded.form.error + of_springs[2] + 4 * UNIT * norm(total)
            bounded = bounded._replace(form=Form(total, error))
        bound, direction = self._eigenvalue(bounded.form)
        if self.inner:
            # the bound rests on what is largest in the middle, even where little is left of it
            direction = np.linalg.eigh(here)[1][..., :, -1]
        shares = self.shares(bounded, direction)
        if of_springs is not None:
            bound, shares = bound + of_springs[1].sum(1) * (1 + 1e-12), shares + of_springs[1]
        return Extent(bound, shares, memory, bounded.form.error)

    def _eigenvalue(self, form: Form) -> tuple[Array, Array]:
        if self.inner:
            return loewner.least_largest_eigenvalue(form)
        return loewner.largest_eigenvalue(form) if self.sign > 0 else loewner.smallest_eigenvalue(form)

    def _budget(self, here: Array, known: Array, aim: float) -> Array:
        """How far the form may be from its value in the middle, in each direction, and still reach the aim."""
        one = np.eye(here.shape[-1])
        w, V = np.linalg.eigh(here)
        if self.inner:
            v = V[..., :, -1:]
            return np.asarray(w[:, -1, None, None] * (one - 0.95 * v @ np.swapaxes(v, -1, -2)))
        at_end = w[:, -1] if self.sign > 0 else w[:, 0]
        scale = np.abs(w).max(-1)
        # a form that is zero has room too
        room = np.minimum(0.25 * np.abs(known - at_end), 0.1 * np.abs(at_end)) + 1e-12 * np.where(scale > 0, scale, 1.0)
        reached = np.maximum(self.sign * aim, self.sign * at_end + room)
        return np.asarray(reached[:, None, None] * one - self.sign * here)

    def in_joints(self, boxes: Boxes) -> tuple[Array, Array]:
        """Boxes of coordinates as boxes of joint positions that hold them."""
        to_joints = self.recursion.chain.joints
        middles, halves = boxes.middles @ to_joints.T, boxes.halves @ np.abs(to_joints.T)
        rounding = 4 * len(to_joints.T) * UNIT * (np.abs(boxes.middles) @ np.abs(to_joints.T))
        # what is a coordinate itself, or its opposite, is not rounded
        is_one = (np.abs(to_joints) == 1).any(1) & ((to_joints != 0).sum(1) == 1)
        return middles, halves * (1 + 64 * UNIT) + np.where(is_one, 0.0, rounding)

    def shares(self, bounded: Bounded, direction: Array) -> Array:
        """What each coordinate's range adds to the bound in a direction."""
        to_joints = np.abs(self.recursion.chain.joints)
        shares = np.zeros((len(direction), to_joints.shape[1]))
        for i, width in bounded.widths:
            share = np.einsum("bi,bij,bj->b", direction, width, direction)
            shares += share[:, None] * (to_joints[i] / to_joints[i].sum())
        return shares


@dataclass(frozen=True, slots=True, eq=False)
class NormBounding:
    """The greatest (sign 1) or least (-1) norm of M, "1", "inf" (the same) or "fro", entry by entry.

    Where L <= M <= U, each entry is no further from that of (L + U)/2 than the root of the product of the two diagonal
    entries of (U - L)/2.
    """

    inertia: FormBounding
    norm: str
    sign: int
    batch: int = 512

    def whole(self, lower: Array, upper: Array) -> Boxes:
        boxes = self.inertia.whole(lower, upper)
        return boxes._replace(bound=np.array([self.sign * np.inf]))

    def extent(self, boxes: Boxes, aim: float) -> Extent:
        recursion = self.inertia.recursion
        middles, halves = self.inertia.in_joints(boxes)
        here = in_the_middle(recursion, middles)
        budget = np.einsum("bii,ij->bij", here, np.eye(here.shape[-1])) + norm(here)[:, None, None] * np.eye(
            here.shape[-1]
        )
        upper, lower = (over_boxes(recursion, middles, halves, budget, sign) for sign in (1, -1))
        entries, radii = _entries(lower.form, upper.form)
        size = np.abs(entries)
        outermost = size + radii if self.sign > 0 else np.maximum(size - radii, 0.0)
        direction = np.sqrt(np.einsum("bij->bi", outermost**2))
        direction /= np.maximum(np.linalg.norm(direction, axis=1, keepdims=True), 1e-300)
        rounding = upper.form.error + lower.form.error
        return Extent(self._norm(outermost), self.inertia.shares(upper, direction), boxes.memory, rounding)

    def _norm(self, entries: Array) -> Array:
        margin = 1 + self.sign * 64 * UNIT * entries.shape[-1] ** 2
        if self.norm == "fro":
            return np.asarray(np.sqrt((entries**2).sum((1, 2))) * margin)
        return np.asarray(entries.sum(1).max(1) * margin)


def _entries(lower: Form, upper: Form) -> tuple[Array, Array]:
    """The middle of each entry, and how far off it may be."""
    error = (lower.error + upper.error)[:, None]
    half = np.einsum("bii->bi", upper.matrix - lower.matrix) / 2 + error
    half = np.maximum(half, 0.0) * (1 + 8 * UNIT) + 4 * UNIT * norm(upper.matrix)[:, None]
    radii = np.sqrt(half[:, :, None] * half[:, None, :]) * (1 + 8 * UNIT)
    return (lower.matrix + upper.matrix) / 2, radii


def bounded_inertia(arm: Arm, sign: int, floor: float = 1e-2, *, inner: bool = False) -> FormBounding:
    """The greatest (sign 1) or least (-1) eigenvalue of M; `inner` is the least of the greatest ones."""
    chain = rigid_chain(arm)
    recursion = replace(FormRecursion.of(chain, InertiaSpace()), constant=chain.rotors)
    return FormBounding(recursion, sign, floor, inner=inner)


def bounded_norm(arm: Arm, norm: str, sign: int) -> FormBounding | NormBounding:
    """The greatest (sign 1) or least (-1) norm of M: "2", "1", "inf" or "fro"."""
    if norm == "2":
        return bounded_inertia(arm, sign, inner=sign < 0)
    return NormBounding(bounded_inertia(arm, 1), norm, sign)


def bounded_gravity(arm: Arm) -> FormBounding:
    """The greatest length of g."""
    chain = rigid_chain(arm)
    return FormBounding(FormRecursion.of(chain, WeightSpace()), 1, 1e-2, springs=SpringForces.of(chain))


def bounded_velocity_torques(arm: Arm) -> FormBounding:
    """The greatest length of c at speeds of length one."""
    return FormBounding(FormRecursion.of(rigid_chain(arm), VelocityForceSpace()), 1, 1e-2, squares=True, batch=64)
