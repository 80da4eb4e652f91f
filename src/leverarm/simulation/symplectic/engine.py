"""Symplectic methods: Gauss collocation in canonical variables, over a grid of steps.

The implicit midpoint rule and its relatives of order four and six (Hairer, Lubich and Wanner 2006, Geometric Numerical
Integration, II.1.3) are symmetric, and symplectic in canonical variables; with s stages the order is 2 s. Hamilton's
equations with forces are

    q' = qd,  p' = dK/dq(q, qd) - g(q) + forces(t, q, qd),  p = M(q) qd

In q and qd the methods would not be symplectic. A held coordinate has no momentum of its own: the others move as if it
were welded. Each step is divided into equal parts, which costs few iterations: small parts start from a guess so good
that one evaluation is enough.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import prod, sqrt
from typing import Any

from leverarm import mechanics
from leverarm.compiler import Array, Program, program_of
from leverarm.compiler.llvm.march_layout import CanonicalPrograms, Collocation, carried
from leverarm.mechanics.matrices import dot
from leverarm.model import Mechanism, regrouped
from leverarm.runtime.parameters import inertias_are_numbers
from leverarm.runtime.quantities import argument
from leverarm.runtime.requests import flattened
from leverarm.scalars import Dual, Scalar, slope
from leverarm.simulation.acting.system import System
from leverarm.simulation.compiled_system import CompiledSystem
from leverarm.simulation.contacts.contact_modes import with_held
from leverarm.simulation.fixed_step.marching import Loop
from leverarm.simulation.programs import Trace

Equations = Callable[[Trace, Mechanism], list[Any]]
"""The outputs of a program, array by array, at the state of a trace."""


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
    """(M + length D + length^2 K)^-1, D and K the diagonals of -d(forces)/d(qd) and -d(forces)/dq, springs included.

    With them the iteration converges even for dampers and springs that are stiff for the step.
    """
    M = mechanics.classical_mass_matrix(arm, trace.q)
    ((length,),) = trace.others
    for j in range(arm.dof):
        by_velocity = _forces(trace, arm, trace.q, _varied(trace.qd, j))
        by_position = _forces(trace, arm, _varied(trace.q, j), trace.qd)
        damping, stiffness = (-sum(slope(f[j]) for f in by.values()) for by in (by_velocity, by_position))
        stiffness = stiffness + slope(mechanics.spring_forces(arm, _varied(trace.q, j))[j])
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


PARTS = {"midpoint": 48, "gauss4": 1, "gauss6": 1}
"""Into how many parts a step is divided: so many that a Panda that falls freely, its wrist at 200 rad/s, keeps its
energy to 1e-6 at steps of 1 ms."""

_MARCH = (*[ctypes.c_void_p] * 3, *[ctypes.c_int64] * 3, ctypes.c_double, ctypes.c_double, ctypes.c_int64)


def implicit_loop(compiled: CompiledSystem, method: Collocation, lanes: int, parts: int) -> Loop:
    """`march(state, feeds, records, first, steps, every, t0, h, parts)`: see `compiler/llvm/implicit_marching.py`.

    Each step is done in so many parts; behind a state the loop carries momenta and the velocities of the last stages.
    """

    def write() -> str:
        from leverarm.compiler.llvm.implicit_marching import implicit_march_ir

        rates, jump, layout = compiled.programs
        programs = canonical_programs(compiled.system, rates, jump)
        return implicit_march_ir(programs, len(layout.marks), method, lanes, compiled.real, compiled.machine)

    native = compiled.native(f"march {method}, {lanes} lanes", "march", _MARCH, write)
    return Loop(native, carried(compiled.layout, method), (parts,))


Row = Sequence[float]


def collocation(name: str, nodes: Row, past_steps: int, stiffness: float) -> Collocation:
    """The method that collocates at these nodes, and the guess from the stages of so many steps before."""
    stages = range(len(nodes))
    matrix = [[_integral(nodes, j, end) for j in stages] for end in nodes]
    past = [c - k for k in range(past_steps, 0, -1) for c in nodes]
    guesses = [[_lagrange(past, j, ahead) for j in range(len(past))] for ahead in nodes]
    weights = tuple(_integral(nodes, j, 1.0) for j in stages)
    return Collocation(name, 2 * len(nodes), tuple(nodes), _table(matrix), weights, _table(guesses), stiffness)


def _integral(nodes: Row, j: int, end: float) -> float:
    """The integral from 0 to `end` of the Lagrange polynomial of node j, rounded once."""
    polynomial, own = [Fraction(1)], Fraction(nodes[j])
    for k, c in enumerate(Fraction(node) for node in nodes):
        if k != j:
            shifted, scaled = [Fraction(0), *polynomial], [*(c * a for a in polynomial), Fraction(0)]
            polynomial = [(a - b) / (own - c) for a, b in zip(shifted, scaled, strict=True)]
    return float(sum(a * Fraction(end) ** (k + 1) / (k + 1) for k, a in enumerate(polynomial)))


def _lagrange(nodes: Row, j: int, at: float) -> float:
    """The Lagrange polynomial of node j, 1 there and 0 at the other nodes, at another place."""
    own = Fraction(nodes[j])
    return float(prod((Fraction(at) - Fraction(c)) / (own - Fraction(c)) for k, c in enumerate(nodes) if k != j))


def _table(rows: Sequence[Row]) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(row) for row in rows)


MIDPOINT = collocation("midpoint", [0.5], 6, 0.5)
"""The implicit midpoint rule."""

GAUSS4 = collocation("gauss4", [0.5 - sqrt(3) / 6, 0.5 + sqrt(3) / 6], 2, 0.35)
GAUSS6 = collocation("gauss6", [0.5 - sqrt(15) / 10, 0.5, 0.5 + sqrt(15) / 10], 2, 0.27)

SYMPLECTIC = {method.name: method for method in (MIDPOINT, GAUSS4, GAUSS6)}
"""The lengths of their guesses took the fewest iterations of those tried on a Panda that falls freely at steps of 1 ms.
Their stiffness is where very stiff forces converge fastest: the errors shrink by 0, 0.50 and 0.69."""
