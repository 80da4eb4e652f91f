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
from leverarm.mechanics.matrices import dot
from leverarm.model import Mechanism, regrouped
from leverarm.runtime.parameters import inertias_are_numbers
from leverarm.runtime.quantities import argument
from leverarm.runtime.tracing import flattened
from leverarm.scalars import Dual, Scalar, slope
from leverarm.simulation.acting.system import System
from leverarm.simulation.compiled.trace import Trace
from leverarm.simulation.contacts.held_dynamics import with_held

Equations = Callable[[Trace, Mechanism], list[Any]]
"""What a program gives, array by array, at the state of a trace."""


def canonical_programs(system: System, rates: Program, jump: Program | None) -> CanonicalPrograms:
    """The programs of a system besides these two, ready to be emitted; its mass matrix must have an inverse."""
    from leverarm.compiler.lowering import lower

    n = system.arm.dof
    powers = Array("power", (len(system.accounts),), "power of each account [W]")
    momenta, forces = Array("p", (n,), "momenta"), Array("p_dot", (n,), "their rates")
    inverse = Array("inverse", (n, n), "inverse of the matrix of the iteration")
    made = (
        _program("flow", system, _flow, (momenta, forces, powers)),
        _program("velocity", system, _velocity, (argument(system.arm, "qd"),)),
        _program("inverse", system, _inverse, (inverse,), Array("length", (), "a part of the step [s]")),
    )
    return CanonicalPrograms(rates, jump, *(lower(program).program for program in made))


def _program(name: str, system: System, equations: Equations, outputs: Sequence[Array], *others: Array) -> Program:
    trace = Trace(system, *others)
    arm = trace.mechanism
    entries = equations(trace, regrouped(arm) if inertias_are_numbers(arm) else arm)
    return program_of(name, trace.inputs, outputs, flattened(entries))


def _flow(trace: Trace, arm: Mechanism) -> list[Any]:
    """p, dK/dq - g + forces, and the powers of the accounts."""
    p, slopes = mechanics.momenta_and_slopes(arm, trace.q, trace.qd)
    weight = mechanics.gravity_forces(arm, trace.q)
    forces = _forces(trace, arm, trace.q, trace.qd)
    sums = [sum(parts) for parts in zip(slopes, [-w for w in weight], *forces.values(), strict=True)]
    held = trace.held
    rates = [(1 - held[i]) * total if i in held else total for i, total in enumerate(sums)]
    powers = [dot(forces[a], trace.qd) if a in forces else 0 for a in trace.system.accounts]
    return [p, rates, powers]


def _velocity(trace: Trace, arm: Mechanism) -> list[Any]:
    """qd = M^-1 p, where p stands in the place of qd."""
    M, free = with_held(mechanics.classical_mass_matrix(arm, trace.q), trace.held)
    solution = mechanics.factorise(M).solve([f * p for f, p in zip(free, trace.qd, strict=True)])
    return [[f * v for f, v in zip(free, solution, strict=True)]]


def _inverse(trace: Trace, arm: Mechanism) -> list[Any]:
    """(M + length D + length^2 K)^-1, D and K the diagonals of -d(forces)/d(qd) and -d(forces)/dq.

    With them dampers and springs that are stiff for the step do no harm to the iteration.
    """
    M = mechanics.classical_mass_matrix(arm, trace.q)
    ((length,),) = trace.others
    for j in range(arm.dof):
        by_velocity = _forces(trace, arm, trace.q, _varied(trace.qd, j))
        by_position = _forces(trace, arm, _varied(trace.q, j), trace.qd)
        damping, stiffness = (-sum(slope(f[j]) for f in by.values()) for by in (by_velocity, by_position))
        M[j][j] = M[j][j] + length * (damping + length * stiffness)
    masked, free = with_held(M, trace.held)
    inverse = mechanics.factorise(masked).inverse()
    return [[[a * (b * x) for b, x in zip(free, row, strict=True)] for a, row in zip(free, inverse, strict=True)]]


def _forces(trace: Trace, arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar]) -> dict[str, list[Scalar]]:
    """The forces along the coordinates, account by account."""
    found: dict[str, list[Scalar]] = {}
    for account, push in trace.pushes(arm, q, qd):
        before = found.get(account, [0] * len(push))
        found[account] = [a + b for a, b in zip(before, push, strict=True)]
    return found


def _varied(x: Sequence[Scalar], j: int) -> list[Scalar]:
    """x, differentiated by its entry j."""
    return [Dual(entry, 1) if k == j else entry for k, entry in enumerate(x)]
