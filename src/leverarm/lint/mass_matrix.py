"""Joints that move nothing: with them the mass matrix is singular and there is no forward dynamics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from leverarm.lint.finding import Finding
from leverarm.mechanics.composite_body import mass_matrix
from leverarm.mechanics.matrices import Matrix
from leverarm.model.arm import Arm
from leverarm.model.mechanism import Mechanism
from leverarm.spatial import NO_INERTIA

NOTHING = 1e-12
"""Of the largest that an inertia could be; rounding stays below it."""
YIELDING = 1e-9
"""Of the inertia along a coordinate; a pivot of a sound arm stays far above it."""
MAX_LINKS = 300
"""The elimination grows with the third power; half a second here."""
REMEDY = "Give a body beyond it mass off its axis or inertia about it, or the joint a motor with a rotor inertia."

GOLDEN = 0.6180339887498949


def singular_mass_matrix(arm: Arm, mechanism: Mechanism) -> Iterator[Finding]:
    """Coordinates along which nothing resists, at a position without symmetry (so at nearly every position).

    The mass matrix is eliminated from the tips inwards; the pivot of a coordinate is the inertia it feels when all
    coordinates after it are free to yield (Featherstone 2008, sec. 6.5, M = L^T D L).
    """
    if len(mechanism.links) > MAX_LINKS:
        yield Finding("note", "mass matrix", f"not looked at: more than {MAX_LINKS} moving bodies.", "Nothing to do.")
        return
    q = [0.7 + 0.9 * ((i * GOLDEN) % 1) for i in range(mechanism.dof)]
    M, largest = mass_matrix(mechanism, q), _largest(mechanism, q)
    pivots = _pivots([row[:] for row in M])
    for i, name in enumerate(mechanism.coordinates):
        if abs(M[i][i]) <= NOTHING * largest[i]:
            message = "nothing it moves has mass or inertia along it: the mass matrix is singular at every position."
        elif abs(pivots[i]) <= YIELDING * abs(M[i][i]):
            message = (
                "it can move with the coordinates after it and no mass does: the mass matrix is singular everywhere."
            )
        elif pivots[i] < 0:
            message = "the mass matrix is not positive definite: some inertia it moves is one that no body can have."
        else:
            continue
        yield Finding("error", f"joint {name!r}", message, REMEDY)


def _largest(mechanism: Mechanism, q: Sequence[float]) -> list[float]:
    """The largest each diagonal entry of M could be, had every joint the worst axis for what it carries."""
    X = [link.pose(x) for link, x in zip(mechanism.links, mechanism.joint_values(q), strict=True)]
    composite = [link.inertia for link in mechanism.links] + [NO_INERTIA]
    largest = [0.0] * mechanism.dof
    for i in reversed(range(len(mechanism.links))):
        link, t = mechanism.links[i], composite[i].I
        size = (abs(t.xx) + abs(t.yy) + abs(t.zz)) * link.turns + composite[i].m * link.slide**2
        for j, ratio in mechanism.couplings[i]:
            largest[j] += ratio**2 * size
        composite[link.parent] = composite[link.parent] + composite[i].into_parent(X[i])
    return largest


def _pivots(M: Matrix) -> list[float]:
    """The diagonal of D in M = L^T D L; a row that is nothing but rounding is passed over."""
    diagonal = [M[i][i] for i in range(len(M))]
    for k in reversed(range(len(M))):
        if abs(M[k][k]) <= YIELDING * abs(diagonal[k]):
            continue
        for i in range(k):
            factor = M[i][k] / M[k][k]
            for j in range(i + 1):
                M[i][j] -= factor * M[k][j]
            for j in range(i):
                M[j][i] = M[i][j]
    return [M[i][i] for i in range(len(M))]
