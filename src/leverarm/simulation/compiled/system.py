"""What a simulation compiles: an arm and the kinds of things that act on it, as a program that gives the rates.

    M(q) qdd = sum of forces - C(q, qd) qd - F(qd) - g(q)

Whatever is a number in this is data, fed to the program row by row as time goes on. Where joints can stick or run into
stops (`contacts/`), marks go along with the state, and a second program says what happens when they must change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from leverarm import mechanics
from leverarm.compiler import Array, Program, program_of
from leverarm.mechanics import Matrix
from leverarm.mechanics.matrices import dot
from leverarm.model import Arm, Mechanism, regrouped
from leverarm.runtime.parameters import bound, inertias_are_numbers, parameter_array
from leverarm.runtime.quantities import argument
from leverarm.scalars import Scalar, Tape
from leverarm.simulation import contacts
from leverarm.simulation.acting.forces import AppliedForce, Data
from leverarm.simulation.contacts import DIRECTION, HELD

FRICTION = "friction"
STOPS = "stops"
TORQUE = "torque"
TIME = Array("t", (), "time [s]")
GUARD = Array("guard", (), "negative where something must change")


@dataclass(frozen=True)
class System:
    """The arm, the forces on it, and which of its parameters are data (a payload, masses that differ by environment).

    `stops` are the numbers of the coordinates that run into stops at the ends of their ranges. `repr` tells systems
    apart that need different code.
    """

    arm: Arm
    forces: tuple[AppliedForce, ...] = ()
    parameters: tuple[str, ...] = ()
    stops: tuple[int, ...] = ()
    has_ledger: bool = True

    @cached_property
    def accounts(self) -> tuple[str, ...]:
        """Where energy comes from and goes to, in the order of the sums."""
        if not self.has_ledger:
            return ()
        named = dict.fromkeys(force.account for force in self.forces)
        if self._has_friction:
            named[FRICTION] = None
        if self.stops:
            named[STOPS] = None
        return tuple(named)

    @cached_property
    def feeds(self) -> tuple[Array, ...]:
        """The arrays of data, force by force (each name with the number of its force), the parameters, the stops."""
        of_forces = [
            replace(array, name=f"{array.name}#{k}") for k, f in enumerate(self.forces) for array in f.arrays(self.arm)
        ]
        parameters = [parameter_array(self.arm, name) for name in self.parameters]
        return (*of_forces, *parameters, *(contacts.stop_arrays(self.stops) if self.stops else ()))

    @cached_property
    def dry(self) -> tuple[int, ...]:
        """The coordinates whose own joint has dry friction in which it can stick."""
        return tuple(sorted(contacts.dry_joints(self._mechanism)))

    @cached_property
    def marks(self) -> tuple[Array, ...]:
        """What is carried with the state besides q, qd and the sums: nothing where no joint can be held."""
        return contacts.mark_arrays(self.arm) if self.dry or self.stops else ()

    @cached_property
    def _has_friction(self) -> bool:
        return any(self._mechanism.frictions)

    @cached_property
    def _mechanism(self) -> Mechanism:
        """The arm with its parameters as they are given: a friction that is data is friction."""
        tape = Tape()
        arrays = [parameter_array(self.arm, name) for name in self.parameters]
        return bound(self.arm, {a.name: [tape.input(f"{a.name}[{k}]") for k in range(a.size)] for a in arrays})


def rates_program(system: System) -> Program:
    """qdd, the powers of the accounts, the torque and what holds the marks, from t, q, qd, the marks and the feeds.

    The route with the fewest operations. Raises ZeroDivisionError where the mass matrix is singular by its structure.
    """
    return min(_candidates(system), key=lambda program: program.flops)


def jump_program(system: System) -> Program | None:
    """The state after something happened in no time, from what `rates` takes and gives; None where nothing can happen.

    It gives q, qd, what is added to the sums, and the marks. See `contacts/jumping.py`.
    """
    if not system.marks:
        return None
    trace = _Trace(system)
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
    for route in range(len(_BY_MASS_MATRIX if system.marks else _ROUTES)):
        trace = _Trace(system)
        yield trace.program(route, trace.mechanism)
        if inertias_are_numbers(trace.mechanism):
            trace = _Trace(system)
            yield trace.program(route, regrouped(trace.mechanism))


def _shown(system: System) -> tuple[Array, ...]:
    tau = argument(system.arm, "tau")
    hold = replace(tau, name="hold", meaning="loads on what holds the joints that are stuck or rest on a stop")
    return (tau, hold) if system.marks else (tau,)


def _sums(name: str, system: System) -> Array:
    return Array(name, (len(system.accounts),), f"{name} of each account")


class _Trace:
    """The inputs of the program on a tape, in their order, and what acts at that state."""

    def __init__(self, system: System) -> None:
        arm = self.arm = system.arm
        self.system = system
        self.tape = Tape()
        self.inputs = (TIME, argument(arm, "q"), argument(arm, "qd"), *system.marks, *system.feeds)
        scalars = [self.scalars(array) for array in self.inputs]
        (self.t,), self.q, self.qd = scalars[:3]
        self.data = dict(zip((array.name for array in self.inputs[3:]), scalars[3:], strict=True))
        self.mechanism = bound(arm, {name: self.data[name] for name in system.parameters})

    def program(self, route: int, mechanism: Mechanism) -> Program:
        system, qd = self.system, self.qd
        pushes = [
            (force.account, force.along(self.arm, mechanism, self._data_of(k), self.t, self.q, qd))
            for k, force in enumerate(system.forces)
        ]
        friction = mechanics.friction(mechanism, qd, self._directions(mechanism))
        parts = [*(push for _, push in pushes), [-f for f in friction]]
        total = [sum(along, start=0) for along in zip(*parts, strict=True)]
        free = replace(mechanism, frictions=(None,) * len(mechanism.frictions))
        named = [*pushes, (FRICTION, [-f for f in friction])]
        powers = [sum((dot(push, qd) for name, push in named if name == a), start=0) for a in system.accounts]
        torques = [push for account, push in pushes if account == TORQUE]
        torque = [sum(along, start=0) for along in zip([0] * self.arm.dof, *torques, strict=True)]
        outputs = [argument(self.arm, "qdd"), _sums("power", system), *_shown(system)]
        if not system.marks:
            qdd = _ROUTES[route](free, self.q, qd, total)
            return program_of("rates", self.inputs, outputs, [*qdd, *powers, *torque])
        qdd, hold = self._held_motion(route, free, total)
        guard = contacts.guard(self.contacts(mechanism, qdd, hold))
        return program_of("rates", self.inputs, [*outputs, GUARD], [*qdd, *powers, *torque, *hold, guard])

    def contacts(self, mechanism: Mechanism, qdd: Sequence[Scalar], hold: Sequence[Scalar]) -> list[contacts.Contact]:
        """The coordinates that can be held, at this state."""
        stops = contacts.stops_of(self.system.stops, self.data)
        return contacts.contacts_at(mechanism, stops, self.data, self.q, self.qd, qdd, hold)

    def scalars(self, array: Array) -> list[Scalar]:
        """An array as new inputs of the tape."""
        return [self.tape.input(f"{array.name}[{k}]") for k in range(array.size)]

    def _held_motion(self, route: int, free: Mechanism, total: Sequence[Scalar]) -> tuple[list[Scalar], list[Scalar]]:
        matrix, bias = _BY_MASS_MATRIX[route]
        rhs = [x - b for x, b in zip(total, bias(free, self.q, self.qd), strict=True)]
        held = {i: self.data[HELD][i] for i in sorted({*self.system.dry, *self.system.stops})}
        return contacts.held_accelerations(matrix(free, self.q), rhs, held)

    def _directions(self, mechanism: Mechanism) -> dict[int, Scalar]:
        """The way each joint with dry friction slides, by number of the joint."""
        dry = contacts.dry_joints(mechanism)
        return {joint: self.data[DIRECTION][i] for i, joint in dry.items()}

    def _data_of(self, k: int) -> Data:
        """The data of one force, by the names that it gave them."""
        ending = f"#{k}"
        return {name.removesuffix(ending): x for name, x in self.data.items() if name.endswith(ending)}
