"""How the mass that a link carries moves within the link's own frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leverarm.mechanics.link_turns import LinkTurn
from leverarm.model import Mechanism
from leverarm.scalars import Scalar
from leverarm.spatial import ORIGIN, MassMoments, Matrix3, Pose, Vec3, outer, skew


@dataclass(frozen=True, slots=True)
class InnerMotion:
    """T = integral of r v^T dm and p = integral of v dm, where v is the velocity of the mass at r as the link sees it.

    Seen from outside the mass moves by w x r + v; what is rigid about it needs no integrals of its own.
    """

    T: Matrix3
    p: Vec3

    def __add__(self, other: InnerMotion) -> InnerMotion:
        return InnerMotion(self.T + other.T, self.p + other.p)


NO_INNER_MOTION = InnerMotion(Matrix3(ORIGIN, ORIGIN, ORIGIN), ORIGIN)


def inner_motion(
    arm: Mechanism,
    qd: Sequence[Scalar],
    X: Sequence[Pose],
    turns: Sequence[LinkTurn],
    composite: Sequence[MassMoments],
) -> list[InnerMotion]:
    """The inner motion of each composite body, tips to base. Ring, O(n).

    In the parent's eyes the mass at r of link i moves by the joint's speed times u x r + l besides what it does in i:
    T' = T + (E S(u)^T + h l^T) rate and p' = p + (u x h + m l) rate, turned, and shifted by the position of i.
    """
    moving = [NO_INNER_MOTION] * (len(arm.links) + 1)
    for i, rate in reversed(list(enumerate(arm.joint_values(qd)))):
        link, body = arm.links[i], composite[i]
        u, l = link.S.angular * rate, link.S.linear * rate  # noqa: E741 - the letter of the formula
        T = moving[i].T + body.E.full() * skew(u).transposed() + outer(body.h, l)
        p = turns[i].R @ (moving[i].p + u.cross(body.h) + l * body.m)
        seen = InnerMotion(turns[i].matrix(T) + outer(X[i].position, p), p)
        moving[link.parent] = moving[link.parent] + seen
    return moving[:-1]
