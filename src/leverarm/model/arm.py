"""What an arm is: an immutable tree of bodies, complete and checked, or not built at all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from leverarm.errors import ArmError, unknown_name
from leverarm.model.check import check_arm
from leverarm.model.expression import Expression
from leverarm.model.literals import as_quantity
from leverarm.model.parts import Body, Frame, Placement
from leverarm.model.tree import free_joints, in_tree_order
from leverarm.scalars import Number
from leverarm.spatial import Vec3

STANDARD_GRAVITY = 9.81


@dataclass(frozen=True, slots=True, eq=True)
class Arm:
    """A tree of bodies on a base, with gravity and named frames. Data only: functions of it live elsewhere.

    `gravity` is the free-fall acceleration in the world [m/s^2]. `symbols` gives each symbol its default value.
    Bodies are put in an order in which parents come first; that is also the order of the coordinates q.
    """

    name: str
    bodies: tuple[Body, ...]
    gravity: Vec3 = Vec3(0, 0, -STANDARD_GRAVITY)
    base: str = "base"
    base_placement: Placement = Placement()
    named_frames: tuple[Frame, ...] = ()
    symbols: tuple[tuple[str, Number], ...] = ()
    coordinates: tuple[str, ...] = ()
    title: str = ""
    source: str = ""
    licence: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "bodies", in_tree_order(self.base, self.bodies))
        object.__setattr__(self, "coordinates", self.coordinates or free_joints(self.bodies))
        check_arm(self)

    def __hash__(self) -> int:
        """Cheap on purpose: equal arms hash alike, and a table of arms finds the same object by identity first."""
        return hash((self.name, len(self.bodies), self.coordinates))

    @property
    def dof(self) -> int:
        """Number of coordinates."""
        return len(self.coordinates)

    @property
    def joint_names(self) -> tuple[str, ...]:
        """The names of the coordinates, in the order of q."""
        return self.coordinates

    @property
    def frames(self) -> tuple[str, ...]:
        """Every name that can be asked for as a frame: the base, the bodies and the named frames."""
        return (self.base, *(b.name for b in self.bodies), *(f.name for f in self.named_frames))

    @property
    def tool(self) -> str:
        """The frame meant when none is named: "tool" where there is one, else the last body."""
        return "tool" if any(f.name == "tool" for f in self.named_frames) else self.bodies[-1].name

    @property
    def defaults(self) -> dict[str, Number]:
        """The default value of each symbol."""
        return dict(self.symbols)


def with_values(arm: Arm, **values: Any) -> Arm:
    """The same arm with other default values, plain numbers, for some of its symbols."""
    known = arm.defaults
    for name in values:
        if name not in known:
            raise ArmError(f"arm {arm.name!r}: " + unknown_name("symbol", name, known))
    given: dict[str, Number] = {}
    for name, value in values.items():
        literal = as_quantity(value)
        if isinstance(literal, Expression):
            raise ArmError(f"arm {arm.name!r}: symbol {name!r} was given {value!r}; a value is a number.")
        given[name] = literal
    return replace(arm, symbols=tuple((known | given).items()))
