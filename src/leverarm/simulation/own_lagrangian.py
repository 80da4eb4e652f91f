"""Motions of a system of one's own: Lagrange's equations through the adaptive method, with an energy balance.

The equations are compiled, as those of arms are. Where L has functions that the compiler does not know (exp, sqrt), the
accelerations are computed in Python and called back.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from leverarm.arrays import Array as Floats
from leverarm.atomic_write import atomic_write
from leverarm.closed_form.formula import symbols_in
from leverarm.closed_form.lagrangian.programs import Trace
from leverarm.closed_form.lagrangian.reading import TIME
from leverarm.closed_form.lagrangian.system import LagrangianSystem
from leverarm.compiler import Array, Program
from leverarm.compiler.llvm import host_machine
from leverarm.compiler.llvm.march_layout import CALLBACK, Layout
from leverarm.compiler.lowering import lower
from leverarm.control.signals.checked import number, number_array
from leverarm.errors import InputError, require_known
from leverarm.mechanics.matrices import dot
from leverarm.notation.names import dotted
from leverarm.runtime.building import Builder
from leverarm.scalars import Scalar
from leverarm.scalars.exact import is_exactly_zero
from leverarm.simulation.acting.callback import PythonCallback
from leverarm.simulation.acting.feeds import Rows, aligned_copy
from leverarm.simulation.adaptive.attempts import CompiledStages
from leverarm.simulation.adaptive.engine import AdaptiveEngine
from leverarm.simulation.adaptive.step_control import Tolerance
from leverarm.simulation.adaptive.stepping import ATOL, RTOL, Adaptive
from leverarm.simulation.compiled_system import CompiledSystem
from leverarm.simulation.fixed_step.marching import Part
from leverarm.simulation.timing import timing_of
from leverarm.simulation.trajectories.records import EnergyLedger


@dataclass(frozen=True, slots=True)
class Motion:
    """A motion: time [s] (N,), coordinates, speeds and accelerations (N, n), and where the energy came from and went.

    The energy is K + P = H; its accounts are "forces", "dissipation" and, where L depends on time, "time".
    """

    system: LagrangianSystem
    t: Floats
    q: Floats
    qd: Floats
    qdd: Floats
    energy: EnergyLedger

    def __len__(self) -> int:
        return len(self.t)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes it as comma-separated values: t, the coordinates, their speeds and accelerations, K and P."""
        names = [dotted(name, dots) for dots in range(3) for name in self.system.coordinates]
        columns = np.column_stack([self.t, self.q, self.qd, self.qdd, self.energy.kinetic, self.energy.potential])
        lines = [",".join(("t", *names, "K", "P")), *(",".join(map(repr, row)) for row in columns.tolist())]
        atomic_write("\n".join(lines) + "\n", path)

    def __repr__(self) -> str:
        return f"<Motion of {self.system.name!r} until {self.t[-1]:g} s, {len(self)} rows; {self.energy!r}>"


def simulate(
    system: LagrangianSystem,
    q0: ArrayLike,
    qd0: ArrayLike | None = None,
    *,
    until: float,
    inputs: Mapping[str, float] | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    record: float | None = None,
) -> Motion:
    """The motion from (q0, qd0), numbers in the order of the coordinates, by default at rest, until a time [s].

    `inputs` are numbers for the inputs of the forces, by default zero. Raises InputError where a constant has no
    number, SingularError where the mass matrix has no inverse, SimulationError where the motion cannot go on.
    """
    system.require_values("simulate")
    system.require_invertible()
    state = [_state(system, "q0", q0), _state(system, "qd0", np.zeros(len(system.coordinates)) if qd0 is None else qd0)]
    timing = timing_of(0.0, until, step=None, rtol=rtol, atol=atol, record=record)
    for name in inputs or {}:
        require_known("input", name, system.inputs, "inputs")
    numbers = {**dict.fromkeys(system.inputs, 0.0), **system.values}
    numbers |= {name: number(f"inputs: {name}", x) for name, x in (inputs or {}).items()}
    sources: list[Any] = [Rows.constant([numbers[name] for name in system.constants])]
    if system.functions:
        sources.append(Rates(system, numbers))
    stages = CompiledStages(CompiledEquations(system), sources)
    first = aligned_copy(np.concatenate([*state, np.zeros(stages.layout.sums)]))
    tolerance = Tolerance(timing.rtol or RTOL, timing.atol or (timing.rtol or RTOL) / RTOL * ATOL)
    engine = AdaptiveEngine(Adaptive(stages, None, tolerance, system.coordinates, 0.0, first), timing.time_between_rows)
    parts = [*engine.run(0.0, timing.until, first.copy(), None), engine.last(first)]
    return _motion(system, stages.layout, parts, numbers)


def _motion(system: LagrangianSystem, layout: Layout, parts: Sequence[Part], numbers: Mapping[str, float]) -> Motion:
    t, rows, at = np.concatenate([p.t for p in parts]), np.vstack([p.rows for p in parts]), layout.places
    q, qd, qdd = (rows[:, at[part]] for part in ("x", "v", "acceleration"))
    kinetic, potential = (_function(system, x.numpy(), [x.value], numbers)(t, q, qd) for x in (system.K, system.P))
    works = {name: rows[:, at["sums"]][:, k] for k, name in enumerate(_powers(system))}
    return Motion(system, t, q, qd, qdd, EnergyLedger(t, kinetic, potential, works))


def _powers(system: LagrangianSystem) -> dict[str, Scalar]:
    """The rates of the energy's accounts, dH/dt = sum qd Q - dL/dt, those that are not zero."""
    written = system.written
    powers = {
        "forces": dot(written.forces, system.qd),
        "dissipation": -dot(system.damping.values, system.qd),
        "time": -system.diff(written.lagrangian, TIME),
    }
    return {name: power for name, power in powers.items() if not is_exactly_zero(power)}


def rates_program(system: LagrangianSystem) -> Program:
    """qdd and the powers of the accounts from t, q, qd and the constants; inputs themselves where called back."""
    n, powers = len(system.coordinates), _powers(system)
    given = (Array(f"{CALLBACK}#0", (n + len(powers),), "accelerations and powers"),) if system.functions else ()
    trace = Trace(system, *given)
    rates = trace.others[0] if given else [*trace.accelerations(), *trace.values([*powers.values()])]
    accounts = Array("powers", (len(powers),), "powers of the energy's accounts", tuple(powers))
    return trace.program("rates", (Array("qdd", (n,), "accelerations"), rates[:n]), (accounts, rates[n:]))


@dataclass(frozen=True, slots=True)
class Named:
    """The name of a system and of its coordinates."""

    name: str
    joint_names: tuple[str, ...]

    @property
    def dof(self) -> int:
        return len(self.joint_names)


class CompiledEquations(CompiledSystem):
    """The equations of a system of one's own as machine code."""

    def __init__(self, system: LagrangianSystem) -> None:
        self.rates, self._writers = rates_program(system), {}
        identity = sha256(repr(self.rates).encode()).hexdigest()
        Builder.__init__(self, Named(system.name, system.coordinates), f"rates {identity}", "double", host_machine())

    @cached_property
    def programs(self) -> tuple[Program, Program | None, Layout]:
        """The program of rates after all passes; nothing is in contact."""
        return lower(self.rates).program, None, Layout.of(self.rates, 0, False)


class Rates(PythonCallback):
    """Accelerations and powers computed in Python, where there are functions that the compiler does not know."""

    def __init__(self, system: LagrangianSystem, numbers: Mapping[str, float]) -> None:
        super().__init__(self.given, Named(system.name, system.coordinates))
        powers = system.formulas(list(_powers(system).values()))
        parts = (system.M, system.forces, system.bias, powers)
        self.parts = [_function(system, x.numpy(), [entry.value for entry in x], numbers) for x in parts]
        self.rows = np.zeros((1, len(system.coordinates) + len(powers)))

    def given(self, t: float, q: Floats, qd: Floats) -> Floats:
        """M qdd = Q - bias, then the powers; not numbers where the equations have no value."""
        with np.errstate(all="ignore"):
            M, force, bias, powers = (part(t, q, qd) for part in self.parts)
        try:
            return np.append(np.linalg.solve(M, force - bias), powers)
        except np.linalg.LinAlgError:
            return np.full(self.rows.shape[1], np.nan)


def _function(system: LagrangianSystem, compute: Any, values: Sequence[Scalar], numbers: Mapping[str, float]) -> Any:
    """A closed form as a function of (t, q, qd), with these numbers of the constants."""
    used = symbols_in(values, system.notation)
    constants = {name: x for name, x in numbers.items() if name in used}
    return lambda t, q, qd: compute(q, qd, **constants, **({TIME: t} if TIME in used else {}))


def _state(system: LagrangianSystem, what: str, given: ArrayLike) -> Floats:
    names = ", ".join(system.coordinates)
    numbers = number_array(what, given, f"{len(system.coordinates)} finite numbers ({names})")
    if numbers.shape != (len(system.coordinates),) or not np.isfinite(numbers).all():
        raise InputError(f"{what}: {given!r} was given; it takes {len(system.coordinates)} finite numbers ({names}).")
    return numbers
