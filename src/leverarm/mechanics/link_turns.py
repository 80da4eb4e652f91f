"""A link's axes seen from its parent: turned about the joint's axis in closed form where the placement allows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leverarm.model import Mechanism, coordinate_of
from leverarm.scalars import Scalar, cos_sin
from leverarm.spatial import Matrix3, Pose, Symmetric3


@dataclass(frozen=True, slots=True)
class LinkTurn:
    """The rotation R of a link in its parent; its parts where they are a turn about a coordinate and a permutation."""

    R: Matrix3
    about: tuple[int, Scalar, Scalar] | None
    """Coordinate, cosine and sine."""
    permutation: Matrix3

    def symmetric(self, E: Symmetric3) -> Symmetric3:
        """R E R^T."""
        if self.about is None:
            return E.rotated(self.R)
        return E.turned_about(*self.about).rotated(self.permutation)

    def matrix(self, T: Matrix3) -> Matrix3:
        """R T R^T."""
        if self.about is None:
            return self.R * T * self.R.transposed()
        return self.permutation * T.turned_about(*self.about) * self.permutation.transposed()


def link_turns(arm: Mechanism, q: Sequence[Scalar], X: Sequence[Pose]) -> list[LinkTurn]:
    """How each link is turned in its parent; X are the links' poses there. Ring."""
    turns = []
    for link, x, pose in zip(arm.links, arm.joint_values(q), X, strict=True):
        k, about, placed = coordinate_of(link.axis), None, link.placement.rotation
        permutes = all(type(entry) is int for row in placed.rows() for entry in row)
        if link.turns and k is not None and permutes:
            c, s = cos_sin(x)
            about = (k, c, s * tuple(link.axis)[k])
        turns.append(LinkTurn(pose.rotation, about, placed))
    return turns
