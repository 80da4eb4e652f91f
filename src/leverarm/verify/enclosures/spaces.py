"""What forms of an arm's links are forms of, link by link.

Each quantity is a quadratic form of motions. Seen from a link, its variables are how the link itself moves and how fast
the joints beyond it turn. A space says how these variables change on the way along the arm: into a joint's frame, with
the joint's own speed added, turned and shifted as the joint moves. All maps are constant matrices but for the turn and
the shift, which have one parameter each.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import sqrt
from typing import Protocol

import numpy as np

from leverarm.verify.enclosures.rigid_chain import Array, LinkNumbers, RigidChain, cross


class Space(Protocol):
    """The variables of a quantity's form. `outer` are links: those beyond the one at hand."""

    @property
    def degree(self) -> int:
        """The highest harmonic of a turn in a form: twice that of its variables."""

    @property
    def has_outside(self) -> bool:
        """Whether something outside the arm counts, so that turning all of it makes a difference."""

    def size(self, outer: tuple[int, ...]) -> int:
        """How many variables there are."""

    def parts(self, outer: tuple[int, ...]) -> list[int]:
        """The sizes of the groups of variables, one after the other, whose lengths no turn changes."""

    def turned(self, rotation: Array, outer: tuple[int, ...]) -> Array:
        """New variables of old, in axes turned by `rotation` (..., 3, 3), old_from_new."""

    def shifted(self, position: Array, outer: tuple[int, ...]) -> Array:
        """New variables of old, about an origin at `position` (..., 3)."""

    def joined(self, link: LinkNumbers, i: int) -> Array:
        """Variables with joint i's motion in them, of those that have its speed among the outer ones."""

    def chosen(self, inner: tuple[int, ...], outer: tuple[int, ...]) -> Array:
        """Where the variables with outer links `outer` stand among those with more of them, `inner`."""

    def form(self, link: LinkNumbers) -> Array:
        """The form of one link on its own motion: the first variables."""

    def base(self, chain: RigidChain) -> Array:
        """The variables at the base, of the form's arguments."""


@dataclass(frozen=True, slots=True)
class InertiaSpace:
    """qd^T M qd: variables are a link's angular velocity, its origin's velocity, and the outer joints' speeds."""

    degree: int = 2
    has_outside: bool = False
    first: int = 0
    """Where the link's angular velocity stands among the variables: behind those that only turn with the axes."""

    def size(self, outer: tuple[int, ...]) -> int:
        return self.first + 6 + len(outer)

    def parts(self, outer: tuple[int, ...]) -> list[int]:
        return [3] * (self.first // 3 + 2) + [1] * len(outer)

    def turned(self, rotation: Array, outer: tuple[int, ...]) -> Array:
        R = _identity(rotation[..., 0], self.size(outer))
        for at in range(0, self.first + 6, 3):
            R[..., at : at + 3, at : at + 3] = np.swapaxes(rotation, -1, -2)
        return R

    def shifted(self, position: Array, outer: tuple[int, ...]) -> Array:
        X, at = _identity(position, self.size(outer)), self.first
        X[..., at + 3 : at + 6, at : at + 3] = -cross(position)
        return X

    def joined(self, link: LinkNumbers, i: int) -> Array:
        own = self.first + 6
        T = np.insert(np.eye(self.size(link.outer)), own, 0.0, axis=1)
        T[own - 6 : own - 3, own] = link.axis * link.turns
        T[own - 3 : own, own] = link.axis * link.slide
        return T

    def chosen(self, inner: tuple[int, ...], outer: tuple[int, ...]) -> Array:
        own = self.first + 6
        return np.array([*range(own), *(own + inner.index(i) for i in outer)])

    def form(self, link: LinkNumbers) -> Array:
        h = cross(link.first)
        form = np.zeros((6, 6))
        form[:3, :3] = np.trace(link.second) * np.eye(3) - link.second
        form[:3, 3:], form[3:, :3] = h, h.T
        form[3:, 3:] = link.mass * np.eye(3)
        return form

    def base(self, chain: RigidChain) -> Array:
        return np.concatenate([np.zeros((6, chain.joints.shape[1])), chain.joints])


@dataclass(frozen=True, slots=True)
class WeightSpace(InertiaSpace):
    """2 w g^T qd: the power of the weights, as that of a base that accelerates upwards.

    Variables are the base's acceleration in the link's axes, then those of `InertiaSpace`. The form's arguments are w,
    which multiplies that acceleration, and the speeds; its largest eigenvalue is the length of g.
    """

    has_outside: bool = True
    first: int = 3

    def form(self, link: LinkNumbers) -> Array:
        W = np.zeros((9, 9))
        W[0:3, 3:6] = -cross(link.first)
        W[0:3, 6:9] = link.mass * np.eye(3)
        return W + W.T

    def base(self, chain: RigidChain) -> Array:
        links, coordinates = chain.joints.shape
        B = np.zeros((9 + links, 1 + coordinates))
        B[0:3, 0] = -chain.gravity
        B[9:, 1:] = chain.joints
        return B


@dataclass(frozen=True, slots=True)
class VelocityForceSpace:
    """2 u^T c(q, qd): the power of the Coriolis and centrifugal torques, on a virtual motion u.

    Variables are the link's virtual motion (6) and that of the outer joints; then how its points accelerate, r'' =
    a + W r (a: 3, W: 9 numbers, with the joints' accelerations zero), its angular velocity times each outer speed, and
    the products of the outer speeds, mixed ones times sqrt(2), so that the squares of those of a unit vector add to 1.
    """

    degree: int = 4
    has_outside: bool = False

    def size(self, outer: tuple[int, ...]) -> int:
        e = len(outer)
        return 18 + 4 * e + e * (e + 1) // 2

    def parts(self, outer: tuple[int, ...]) -> list[int]:
        e = len(outer)
        return [3, 3, *[1] * e, 3, 9, *[3] * e, *[1] * (e * (e + 1) // 2)]

    def turned(self, rotation: Array, outer: tuple[int, ...]) -> Array:
        e = len(outer)
        back = np.swapaxes(rotation, -1, -2)
        R = _identity(rotation[..., 0], self.size(outer))
        for at in (0, 3, 6 + e, *(18 + e + 3 * k for k in range(e))):
            R[..., at : at + 3, at : at + 3] = back
        # W' = R^T W R, row by row
        conjugated = np.einsum("...ij,...kl->...ikjl", back, back).reshape(*rotation.shape[:-2], 9, 9)
        R[..., 9 + e : 18 + e, 9 + e : 18 + e] = conjugated
        return R

    def shifted(self, position: Array, outer: tuple[int, ...]) -> Array:
        e = len(outer)
        X = _identity(position, self.size(outer))
        X[..., 3:6, 0:3] = -cross(position)
        for row in range(3):
            X[..., 6 + e + row, 9 + e + 3 * row : 12 + e + 3 * row] = position
        return X

    def joined(self, link: LinkNumbers, i: int) -> Array:
        outer, more = link.outer, (i, *link.outer)
        e, f = len(outer), len(more)
        T = np.zeros((self.size(outer), self.size(more)))
        T[:6, :6] = np.eye(6)
        T[0:3, 6], T[3:6, 6] = link.axis * link.turns, link.axis * link.slide
        T[6 : 6 + e, 7 : 7 + e] = np.eye(e)
        a, new_a, new_W = 6 + f, 6 + e, 9 + e
        T[new_a : new_a + 12, a : a + 12] = np.eye(12)
        own_product = 18 + f  # where the angular velocity times the joint's own speed stands
        products = {pair: 18 + 4 * f + k for k, pair in enumerate(combinations_with_replacement(more, 2))}
        if link.turns:
            z = cross(link.axis)
            for k in range(3):
                T[new_W : new_W + 9, own_product + k] = 2 * (cross(np.eye(3)[k]) @ z).ravel()
            T[new_W : new_W + 9, products[i, i]] = (z @ z).ravel()
        for k in range(3):
            T[new_a : new_a + 3, own_product + k] = 2 * link.slide * np.cross(np.eye(3)[k], link.axis)
        for k, j in enumerate(outer):
            at, old = 18 + e + 3 * k, 18 + f + 3 * (k + 1)
            T[at : at + 3, old : old + 3] = np.eye(3)
            T[at : at + 3, products[i, j]] = link.axis * link.turns / sqrt(2)
        for k, pair in enumerate(combinations_with_replacement(outer, 2)):
            T[18 + 4 * e + k, products[pair]] = 1
        return T

    def chosen(self, inner: tuple[int, ...], outer: tuple[int, ...]) -> Array:
        f = len(inner)
        places = [inner.index(i) for i in outer]
        pairs = {pair: k for k, pair in enumerate(combinations_with_replacement(range(f), 2))}
        return np.array(
            [
                *range(6), *(6 + p for p in places), *range(6 + f, 18 + f),
                *(18 + f + 3 * p + k for p in places for k in range(3)),
                *(18 + 4 * f + pairs[pair] for pair in combinations_with_replacement(places, 2)),
            ]
        )  # fmt: skip

    def form(self, link: LinkNumbers) -> Array:
        """Of the link's own variables, without outer speeds: virtual motion, a and W."""
        form = np.zeros((18, 18))
        h = link.first
        form[3:6, 6:9] = link.mass * np.eye(3)
        form[0:3, 6:9] = cross(h)
        for row in range(3):
            form[3 + row, 9 + 3 * row : 12 + 3 * row] = h
            for column in range(3):
                W = np.zeros((3, 3))
                W[row, column] = 1
                # the integral of r x (W r) dm
                moved = W @ link.second
                form[0:3, 9 + 3 * row + column] = [
                    moved[2, 1] - moved[1, 2], moved[0, 2] - moved[2, 0], moved[1, 0] - moved[0, 1],
                ]  # fmt: skip
        return form + form.T

    def base(self, chain: RigidChain) -> Array:
        links, n = chain.joints.shape
        everywhere = tuple(range(links))
        pairs = list(combinations_with_replacement(range(n), 2))
        B = np.zeros((self.size(everywhere), n + len(pairs)))
        B[6 : 6 + links, :n] = chain.joints
        for row, (i, j) in enumerate(combinations_with_replacement(everywhere, 2)):
            A, norm = chain.joints, 1 if i == j else sqrt(2)
            for column, (k, m) in enumerate(pairs):
                together = A[i, k] * A[j, m] if k == m else (A[i, k] * A[j, m] + A[i, m] * A[j, k]) / sqrt(2)
                B[18 + 4 * links + row, n + column] = norm * together
        return B


def _identity(like: Array, size: int) -> Array:
    """Unit matrices, one for each vector of `like`."""
    X = np.zeros((*like.shape[:-1], size, size))
    X[..., range(size), range(size)] = 1.0
    return X
