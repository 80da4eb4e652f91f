"""Coupled (mimic) joints: chains of followers, resolved to the free joint that each one follows in the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Follower:
    """joint = ratio leader + offset; without a leader the joint is held at the offset."""

    leader: str | None
    ratio: float
    offset: float

    def after(self, leader: Follower) -> Follower:
        """The same joint in terms of what its leader follows."""
        return Follower(leader.leader, self.ratio * leader.ratio, self.ratio * leader.offset + self.offset)


def resolve(followers: Mapping[str, Follower]) -> dict[str, Follower]:
    """Every follower in terms of a free joint. Stops at the first cycle, whose joints are left out."""
    resolved: dict[str, Follower] = {}
    for start in followers:
        chain: dict[str, Follower] = {}
        name: str | None = start
        while name is not None and name in followers and name not in resolved:
            if name in chain:
                return resolved
            chain[name] = followers[name]
            name = followers[name].leader
        end = resolved.get(name or "", Follower(name, 1.0, 0.0))
        for follower in reversed(chain):
            end = resolved[follower] = chain[follower].after(end)
    return resolved
