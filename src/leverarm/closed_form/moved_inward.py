"""What of a link's inertia may be counted to the link that carries it, at every position of the joint between them.

An inertia J that the joint's motion leaves as it is (the same body at every angle) and that has no momentum in it
(J S = 0) acts as if it were fixed to the carrying link. Gautier and Khalil 1990; Mayeda, Yoshida and Osuka 1990.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from leverarm.closed_form.elimination import Row, simplest, substituted
from leverarm.mechanics.regressor import INERTIAL_NAMES
from leverarm.model import WORLD, Link, Mechanism
from leverarm.scalars import is_zero
from leverarm.scalars.exact import is_exactly_zero
from leverarm.spatial import NO_INERTIA, NO_SYMMETRIC3, ORIGIN, Inertia, Symmetric3

COUNT = len(INERTIAL_NAMES)
SECOND_MOMENTS = INERTIAL_NAMES[4:]


def moved_inward(arm: Mechanism) -> dict[int, Row]:
    """Columns of the inertial regressor as sums of others that belong to links nearer to the base. Ring."""
    known: dict[int, Row] = {}
    for i, link in enumerate(arm.links):
        for name, shared in _shared(link):
            seen = shared.into_parent(link.placement) if link.parent != WORLD else NO_INERTIA
            row = {COUNT * link.parent + k: x for k, x in enumerate(seen.numbers()) if not is_exactly_zero(x)}
            row |= {COUNT * i + k: -x for k, x in enumerate(shared.numbers()) if not is_exactly_zero(x)}
            moved = COUNT * i + INERTIAL_NAMES.index(name)
            scale = -1 / simplest(row.pop(moved))
            known[moved] = substituted({j: x * scale for j, x in row.items()}, known)
    return known


def _shared(link: Link) -> Iterator[tuple[str, Inertia]]:
    """The inertias that link and carrier share, each with the number that is given up for it.

    On a revolute joint along z: m, hz and Ixx + Iyy, for which Iyy is given up. On a prismatic joint all second
    moments, because the links turn together. On a screw only Ixx + Iyy, because the others advance with it.
    """
    if not link.turns:
        for k, name in enumerate(SECOND_MOMENTS, COUNT - len(SECOND_MOMENTS)):
            yield name, Inertia.from_numbers(*(int(k == p) for p in range(COUNT)))
        return
    a = link.axis
    squares = [simplest(x * x) for x in a]
    along = max(range(3), key=lambda k: squares[k] if isinstance(squares[k], Fraction) else 0)
    if is_zero(link.slide):
        yield "m", Inertia(1, ORIGIN, NO_SYMMETRIC3)
        if isinstance(squares[along], Fraction) and squares[along]:
            yield f"h{'xyz'[along]}", Inertia(0, a * list(a)[along], NO_SYMMETRIC3)
    if all(isinstance(square, Fraction) for square in squares):
        across = "xyz"[along - 1]
        plane = Symmetric3(1 - squares[0], -(a.x * a.y), 1 - squares[1], -(a.x * a.z), -(a.y * a.z), 1 - squares[2])
        yield f"I{across}{across}", Inertia(0, ORIGIN, plane)
