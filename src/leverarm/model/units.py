"""Names and units of an arm's coordinates, for messages and for comments of generated code."""

from __future__ import annotations

from dataclasses import dataclass

from leverarm.model import Arm


@dataclass(frozen=True, slots=True)
class Units:
    """Which coordinates are angles; the others are lengths."""

    names: tuple[str, ...]
    is_angle: tuple[bool, ...]

    @staticmethod
    def of(arm: Arm) -> Units:
        """A coordinate is an angle where the first joint that moves with it turns."""
        turning: dict[str, bool] = {}
        for body in arm.bodies:
            joint = body.joint
            for name in (joint.name, *(other for other, _ in joint.coupling or ())):
                turning.setdefault(name, joint.kind.turns)
        return Units(arm.coordinates, tuple(turning.get(name, True) for name in arm.coordinates))

    def per_coordinate(self, angular: str, linear: str) -> tuple[str, ...]:
        """A label with its unit for each coordinate."""
        pairs = zip(self.names, self.is_angle, strict=True)
        return tuple(f"{name} [{angular if turns else linear}]" for name, turns in pairs)

    @property
    def forces(self) -> tuple[str, ...]:
        return self.per_coordinate("N m", "N")
