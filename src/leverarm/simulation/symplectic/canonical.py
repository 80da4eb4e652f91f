"""A system in canonical variables: Hamilton's equations with forces, as programs for the implicit methods.

    q' = qd,  p' = dK/dq(q, qd) - g(q) + forces(t, q, qd),  p = M(q) qd

In these variables Gauss's methods conserve the symplectic form of a conservative arm; in q and qd they would not. A
coordinate that is held has no momentum of its own: the others move as if it were welded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from leverarm import mechanics
from leverarm.compiler import Array, Program, program_of
from leverarm.compiler.llvm.implicit_layout import CanonicalPrograms
from leverarm.model import regrouped
from leverarm.runtime.parameters import bound, inertias_are_numbers
from leverarm.runtime.quantities import argument
from leverarm.runtime.tracing import flattened
from leverarm.scalars import Dual, Scalar, Tape, slope
from leverarm.simulation import contacts
from leverarm.simulation.compiled.system import FRICTION, TIME, System
from leverarm.simulation.contacts.held_dynamics import with_held


def canonical_programs(system: System, rates: Program, jump: Program | None) -> CanonicalPrograms:
    """The programs of a system besides these two, ready to be emitted; its mass matrix must have an inverse."""
    from leverarm.compiler.lowering import lower

    n = system.arm.dof
    powers = Array("power", (len(system.accounts),), "power of each account [W]")
    momenta, forces = Array("p", (n,), "momenta"), Array("p_dot", (n,), "their rates")
    inverse = Array("inverse", (n, n), "inverse of the matrix of the iteration")
    return CanonicalPrograms(
        rates,
        jump,
        *(
            lower(program).program
            for program in (
                _program("flow", system, (momenta, forces, powers), _Trace.flow),
                _program("velocity", system, (argument(system.arm, "qd"),), _Trace.velocity),
                _program("inverse", system, (inverse,), _Trace.inverse, Array("length", (), "a part of the step [s]")),
            )
        ),
    )


class _Trace:
    """The inputs of a program on a tape, and the arm's equations there."""

    def __init__(self, system: System, last: Sequence[Array]) -> None:
        arm = system.arm
        self.system = system
        self.inputs = (TIME, argument(arm, "q"), argument(arm, "qd"), *system.marks, *system.feeds, *last)
        tape = Tape()
        scalars = [[tape.input(f"{array.name}[{k}]") for k in range(array.size)] for array in self.inputs]
        named = {array.name: x for array, x in zip(self.inputs, scalars, strict=True)}
        (self.t,), self.q, self.qd = scalars[:3]
        self.last = scalars[-1]
        self.data = {array.name: named[array.name] for array in (*system.marks, *system.feeds)}
        mechanism = bound(arm, {name: self.data[name] for name in system.parameters})
        self.mechanism = regrouped(mechanism) if inertias_are_numbers(mechanism) else mechanism

    def flow(self) -> list[Any]:
        """p, dK/dq - g + forces, and the powers of the accounts."""
        p, slopes = mechanics.momenta_and_slopes(self.mechanism, self.q, self.qd)
        weight = mechanics.gravity_forces(self.mechanism, self.q)
        forces = self.forces(self.q, self.qd)
        sums = [sum(parts) for parts in zip(slopes, [-w for w in weight], *forces.values(), strict=True)]
        rates = [free * total for free, total in zip(self.freedom(), sums, strict=True)]
        powers = [
            sum((f * v for f, v in zip(forces.get(account, ()), self.qd, strict=False)), start=0)
            for account in self.system.accounts
        ]
        return [p, rates, powers]

    def velocity(self) -> list[Any]:
        """qd = M^-1 p, where p stands in the place of qd."""
        M, free = with_held(mechanics.classical_mass_matrix(self.mechanism, self.q), self.held)
        solution = mechanics.factorise(M).solve([f * p for f, p in zip(free, self.qd, strict=True)])
        return [[f * v for f, v in zip(free, solution, strict=True)]]

    def inverse(self) -> list[Any]:
        """(M + length D + length^2 K)^-1, D and K the diagonals of -d(forces)/d(qd) and -d(forces)/dq.

        With them dampers and springs that are stiff for the step do no harm to the iteration.
        """
        M = mechanics.classical_mass_matrix(self.mechanism, self.q)
        (length,) = self.last
        for j in range(self.mechanism.dof):
            by_velocity = self.forces(self.q, _varied(self.qd, j))
            by_position = self.forces(_varied(self.q, j), self.qd)
            damping, stiffness = (-sum(slope(f[j]) for f in by.values()) for by in (by_velocity, by_position))
            M[j][j] = M[j][j] + length * (damping + length * stiffness)
        masked, free = with_held(M, self.held)
        inverse = mechanics.factorise(masked).inverse()
        return [[[a * (b * x) for b, x in zip(free, row, strict=True)] for a, row in zip(free, inverse, strict=True)]]

    def forces(self, q: Sequence[Scalar], qd: Sequence[Scalar]) -> dict[str, list[Scalar]]:
        """The forces along the coordinates, account by account, and friction."""
        found: dict[str, list[Scalar]] = {}
        for k, force in enumerate(self.system.forces):
            ending = f"#{k}"
            data = {name.removesuffix(ending): x for name, x in self.data.items() if name.endswith(ending)}
            pushed = force.along(self.system.arm, self.mechanism, data, self.t, q, qd)
            before = found.get(force.account, [0] * len(pushed))
            found[force.account] = [a + b for a, b in zip(before, pushed, strict=True)]
        found[FRICTION] = [-f for f in mechanics.friction(self.mechanism, qd, self.directions)]
        return found

    @property
    def held(self) -> dict[int, Scalar]:
        """1 or 0 for the coordinates that can be held."""
        return {i: self.data[contacts.HELD][i] for i in sorted({*self.system.dry, *self.system.stops})}

    @property
    def directions(self) -> dict[int, Scalar]:
        """The way each joint with dry friction slides through the step, by number of the joint."""
        dry = contacts.dry_joints(self.mechanism)
        return {joint: self.data[contacts.DIRECTION][i] for i, joint in dry.items()}

    def freedom(self) -> list[Scalar]:
        """1 for each coordinate that is free, 0 for one that is held."""
        return [1 - self.held[i] if i in self.held else 1 for i in range(self.system.arm.dof)]


def _varied(x: Sequence[Scalar], j: int) -> list[Scalar]:
    """x, differentiated by its entry j."""
    return [Dual(entry, 1) if k == j else entry for k, entry in enumerate(x)]


def _program(
    name: str, system: System, outputs: Sequence[Array], run: Callable[[_Trace], list[Any]], *last: Array
) -> Program:
    trace = _Trace(system, last)
    return program_of(name, trace.inputs, outputs, flattened(run(trace)))
