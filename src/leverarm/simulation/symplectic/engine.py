"""Runs by symplectic methods: the compiled loop in canonical variables over a grid of steps.

Each step is done in equal parts, which is a smaller step at the price of fewer iterations: small parts start from a
guess so good that one evaluation is enough.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping
from typing import Any

from leverarm.compiler.llvm.implicit_layout import FAILED, IS_BEGUN, Collocation, carried
from leverarm.errors import SimulationError
from leverarm.simulation.acting.feeds import Floats, aligned
from leverarm.simulation.compiled.machinery import Machinery, Native
from leverarm.simulation.contacts.sweeping import Sweeper
from leverarm.simulation.fixed_step.engine import FixedEngine
from leverarm.simulation.fixed_step.marching import Exploded, Grid, March
from leverarm.simulation.parts import Part
from leverarm.simulation.symplectic.canonical import canonical_programs

PARTS = {"midpoint": 48, "gauss4": 1, "gauss6": 1}
"""Into how many parts a step is divided: so many that a Panda that falls freely, its wrist at 200 rad/s, keeps its
energy to 1e-6 at steps of 1 ms."""

_MARCH = (*[ctypes.c_void_p] * 3, *[ctypes.c_int64] * 3, ctypes.c_double, ctypes.c_double, ctypes.c_int64)


def native_march(machinery: Machinery, method: Collocation, lanes: int) -> Native:
    """`march(state, feeds, records, first, steps, every, t0, h, parts)`: see `compiler/llvm/implicit_marching.py`."""

    def write() -> str:
        from leverarm.compiler.llvm.implicit_marching import implicit_march_ir

        rates, jump, layout = machinery.programs
        programs = canonical_programs(machinery.system, rates, jump)
        return implicit_march_ir(programs, len(layout.marks), method, lanes, machinery.real, machinery.machine)

    return machinery.native(f"march {method}, {lanes} lanes", "march", _MARCH, write)


class SymplecticEngine(FixedEngine):
    """Steps of one length over a grid; momenta are carried along, and made from velocities where a span begins."""

    def __init__(
        self, march: March, grid: Grid, first_state: Floats, sweeper: Sweeper | None, method: Collocation
    ) -> None:
        super().__init__(march, grid, first_state, sweeper)
        self.method = method

    def run(self, t0: float, t1: float, state: Floats, kept: Mapping[str, Any] | None) -> Iterator[Part]:
        if kept is None:
            state[IS_BEGUN] = 0.0  # the payload may have changed, and with it the momenta
        try:
            yield from super().run(t0, t1, state, kept)
        except Exploded as problem:
            if not problem.state[FAILED]:
                raise
            raise SimulationError(
                f"at t = {problem.t:.9g} s the equations of a step of {self.grid.h:g} s by method {self.method.name!r} "
                "could not be solved: the iteration does not converge. Take a smaller step.",
                t=problem.t,
            ) from None


def extended_state(machinery: Machinery, method: Collocation, state: Floats) -> Floats:
    """The first state of an explicit march, and behind it what the implicit one carries along."""
    longer: Floats = aligned((len(state) + carried(machinery.layout, method),))
    longer[: len(state)] = state
    return longer
