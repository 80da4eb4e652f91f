"""The programs that are compiled for a system: its rates, and the reset where a contact mode must change.

    M(q) qdd = sum of forces - C(q, qd) qd - F(qd) - g(q)

Where joints can stick or run into stops (`contacts/`), the contact modes are carried with the state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from leverarm import mechanics
from leverarm.compiler import Array, Program, program_of
from leverarm.mechanics import Matrix
from leverarm.mechanics.matrices import dot
from leverarm.model import Mechanism, regrouped
from leverarm.runtime.parameters import bound, inertias_are_numbers
from leverarm.runtime.quantities import argument
from leverarm.scalars import Scalar, Tape
from leverarm.simulation import contacts
from leverarm.simulation.acting.forces import ArmState, Data, TipWrench
from leverarm.simulation.acting.system import FRICTION, STOPS, TORQUE, System
from leverarm.simulation.contacts import DIRECTION, HELD

TIME = Array("t", (), "time [s]")


class Trace:
    """The inputs of a program in their order (t, q, qd, contact modes, feeds, `others`) as scalars of one tape.

    `mechanism` is the arm with the parameters among them.
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
        return self._tape.inputs_of(array.name, array.size)

    def pushes(self, mechanism: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar]) -> list[tuple[str, list[Scalar]]]:
        """All forces on the arm at this state: the account and the force along each coordinate.

        Friction comes last.
        """
        at = ArmState(self.system.arm, mechanism, self.t, q, qd)
        given = [(force.account, force.along(at, self._data_of(k))) for k, force in enumerate(self.system.forces)]
        friction = mechanics.friction(mechanism, qd, self._directions(mechanism), self.load(mechanism, q, qd))
        return [*given, (FRICTION, [-f for f in friction])]

    def load(self, mechanism: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar]) -> list[Scalar] | None:
        """What each joint transmits without acceleration, wrenches included, where friction depends on it."""
        if not mechanism.loaded_joints:
            return None
        pulls = [(k, f) for k, f in enumerate(self.system.forces) if isinstance(f, TipWrench)]
        return mechanics.joint_loads(mechanism, q, qd, {f.frame: f.wrench(self._data_of(k), self.t) for k, f in pulls})

    @property
    def held(self) -> dict[int, Scalar]:
        """1 or 0 for the coordinates that can be held."""
        return {i: self.data[HELD][i] for i in sorted({*self.system.dry, *self.system.stops})}

    def contacts(self, mechanism: Mechanism, qdd: Sequence[Scalar], hold: Sequence[Scalar]) -> list[contacts.Contact]:
        """The coordinates that can be held, at this state."""
        stops, load = contacts.stops_of(self.system.stops, self.data), self.load(mechanism, self.q, self.qd)
        return contacts.contacts_at(mechanism, stops, self.data, self.q, self.qd, qdd, hold, load)

    def _directions(self, mechanism: Mechanism) -> dict[int, Scalar]:
        """The way each joint with dry friction slides, by number of the joint."""
        return {joint: self.data[DIRECTION][i] for i, joint in contacts.dry_joints(mechanism).items()}

    def _data_of(self, k: int) -> Data:
        """The data of one force, by the names that it gave them."""
        ending = f"#{k}"
        return {name.removesuffix(ending): x for name, x in self.data.items() if name.endswith(ending)}


GUARD = Array("guard", (), "negative where something must change")


def rates_program(system: System) -> Program:
    """qdd, powers by account, torque and guard, from t, q, qd, the contact modes and the feeds.

    The route with the fewest operations. Raises ZeroDivisionError where the mass matrix is singular by its structure.
    """
    return min(_candidates(system), key=lambda program: program.flops)


def jump_program(system: System) -> Program | None:
    """The state after a contact reset, from the inputs and outputs of `rates`; None for a system without contacts.

    It gives q, qd, what is added to the energy sums, and the contact modes. See `contacts/impacts.py`.
    """
    if not system.marks:
        return None
    trace = Trace(system)
    given = (argument(system.arm, "qdd"), *_shown(system))
    qdd, _, hold = (trace.scalars(array) for array in given)
    jump = contacts.swept(trace.mechanism, trace.contacts(trace.mechanism, qdd, hold), trace.q, trace.qd)
    energies = {STOPS: jump.by_stops, FRICTION: jump.by_friction}
    added = [energies.get(account, 0) for account in system.accounts]
    outputs = (argument(system.arm, "q"), argument(system.arm, "qd"), _sums("energy", system), *system.marks)
    entries = [*jump.q, *jump.qd, *added, *jump.held, *jump.direction, *jump.resting]
    return program_of("jump", (*trace.inputs, *given), outputs, entries)


_ROUTES = (
    mechanics.forward_dynamics,
    mechanics.classical_forward_dynamics,
    mechanics.forward_dynamics_from_rest,
)

_BY_MASS_MATRIX: tuple[tuple[Callable[..., Matrix], Callable[..., list[Scalar]]], ...] = (
    (mechanics.mass_matrix, mechanics.bias),
    (mechanics.classical_mass_matrix, mechanics.classical_bias),
)
"""M(q) and N(q, qd): what is needed where coordinates can be held."""


def _candidates(system: System) -> Iterator[Program]:
    """The program by every route, with regrouped inertial parameters where they are numbers: never more operations."""
    for route in range(len(_BY_MASS_MATRIX if system.marks else _ROUTES)):
        trace = Trace(system)
        mechanism = trace.mechanism
        yield _rates(trace, route, regrouped(mechanism) if inertias_are_numbers(mechanism) else mechanism)


def _rates(trace: Trace, route: int, mechanism: Mechanism) -> Program:
    system, q, qd = trace.system, trace.q, trace.qd
    pushes = trace.pushes(mechanism, q, qd)
    total = _added(system, [push for _, push in pushes])
    powers = [sum((dot(push, qd) for name, push in pushes if name == a), start=0) for a in system.accounts]
    torque = _added(system, [push for name, push in pushes if name == TORQUE])
    outputs = [argument(system.arm, "qdd"), _sums("power", system), *_shown(system)]
    free = mechanics.without_friction(mechanism)
    if not system.marks:
        qdd = _ROUTES[route](free, q, qd, total)
        return program_of("rates", trace.inputs, outputs, [*qdd, *powers, *torque])
    matrix, bias = _BY_MASS_MATRIX[route]
    rhs = [x - b for x, b in zip(total, bias(free, q, qd), strict=True)]
    qdd, hold = contacts.held_accelerations(matrix(free, q), rhs, trace.held)
    guard = contacts.guard(trace.contacts(mechanism, qdd, hold))
    return program_of("rates", trace.inputs, [*outputs, GUARD], [*qdd, *powers, *torque, *hold, guard])


def _added(system: System, pushes: Sequence[Sequence[Scalar]]) -> list[Scalar]:
    """The sum of some forces, coordinate by coordinate."""
    return [sum(along, start=0) for along in zip([0] * system.arm.dof, *pushes, strict=True)]


def _shown(system: System) -> tuple[Array, ...]:
    tau = argument(system.arm, "tau")
    hold = replace(tau, name="hold", meaning="loads on what holds the joints that are stuck or rest on a stop")
    return (tau, hold) if system.marks else (tau,)


def _sums(name: str, system: System) -> Array:
    return Array(name, (len(system.accounts),), f"{name} of each account")
