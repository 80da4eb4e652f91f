"""A system on a tape: the inputs that all its programs begin with, and what acts on the arm there."""

from __future__ import annotations

from collections.abc import Sequence

from leverarm import mechanics
from leverarm.compiler import Array
from leverarm.model import Mechanism
from leverarm.runtime.parameters import bound
from leverarm.runtime.quantities import argument
from leverarm.scalars import Scalar, Tape
from leverarm.simulation import contacts
from leverarm.simulation.acting.forces import ArmState, Data
from leverarm.simulation.acting.system import FRICTION, System
from leverarm.simulation.contacts import DIRECTION, HELD

TIME = Array("t", (), "time [s]")


class Trace:
    """The inputs of a program in their order (t, q, qd, marks, feeds, `others`) as scalars of one tape.

    `mechanism` is the arm with the parameters among them; what else can be asked takes it, or one that moves alike.
    """

    def __init__(self, system: System, *others: Array) -> None:
        arm = system.arm
        self.system = system
        self._tape = Tape()
        self.inputs = (TIME, argument(arm, "q"), argument(arm, "qd"), *system.marks, *system.feeds, *others)
        own = self.inputs[: len(self.inputs) - len(others)]
        (self.t,), self.q, self.qd, *data = (self.scalars(array) for array in own)
        self.data = {array.name: x for array, x in zip(own[3:], data, strict=True)}
        self.others = [self.scalars(array) for array in others]
        given = bound(arm, {name: self.data[name] for name in system.parameters})
        self.mechanism = mechanics.with_shafts_at_joints(given)

    def scalars(self, array: Array) -> list[Scalar]:
        """An array as new inputs of the tape."""
        return [self._tape.input(f"{array.name}[{k}]") for k in range(array.size)]

    def pushes(self, mechanism: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar]) -> list[tuple[str, list[Scalar]]]:
        """Everything that pushes the arm as it moves so: its account and the force along each coordinate.

        Friction comes last.
        """
        at = ArmState(self.system.arm, mechanism, self.t, q, qd)
        given = [(force.account, force.along(at, self._data_of(k))) for k, force in enumerate(self.system.forces)]
        friction = mechanics.friction(mechanism, qd, self._directions(mechanism))
        return [*given, (FRICTION, [-f for f in friction])]

    @property
    def held(self) -> dict[int, Scalar]:
        """1 or 0 for the coordinates that can be held."""
        return {i: self.data[HELD][i] for i in sorted({*self.system.dry, *self.system.stops})}

    def contacts(self, mechanism: Mechanism, qdd: Sequence[Scalar], hold: Sequence[Scalar]) -> list[contacts.Contact]:
        """The coordinates that can be held, at this state."""
        stops = contacts.stops_of(self.system.stops, self.data)
        return contacts.contacts_at(mechanism, stops, self.data, self.q, self.qd, qdd, hold)

    def _directions(self, mechanism: Mechanism) -> dict[int, Scalar]:
        """The way each joint with dry friction slides, by number of the joint."""
        return {joint: self.data[DIRECTION][i] for i, joint in contacts.dry_joints(mechanism).items()}

    def _data_of(self, k: int) -> Data:
        """The data of one force, by the names that it gave them."""
        ending = f"#{k}"
        return {name.removesuffix(ending): x for name, x in self.data.items() if name.endswith(ending)}
