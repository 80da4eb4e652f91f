"""The methods by name, and the engine that each is run by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from leverarm.compiler.llvm.implicit_layout import Collocation
from leverarm.compiler.llvm.march_layout import Tableau
from leverarm.errors import InputError
from leverarm.simulation.acting.feeds import Floats, aligned
from leverarm.simulation.acting.scenario import Scenario
from leverarm.simulation.adaptive.engine import AdaptiveEngine
from leverarm.simulation.adaptive.step_control import Tolerance
from leverarm.simulation.adaptive.stepping import ATOL, RTOL, Adaptive
from leverarm.simulation.compiled.evaluation import CompiledStages, Evaluation
from leverarm.simulation.compiled.machinery import Machinery
from leverarm.simulation.compiled.system import rates_program
from leverarm.simulation.contacts.sweeping import Sweeper, first_marks
from leverarm.simulation.fixed_step.called_torque import CalledMarch, CalledStages
from leverarm.simulation.fixed_step.engine import FixedEngine
from leverarm.simulation.fixed_step.marching import CompiledMarch, Grid, March
from leverarm.simulation.fixed_step.tableaux import DORMAND_PRINCE, EULER, FIXED_STEP
from leverarm.simulation.reference import TOLERANCE
from leverarm.simulation.reference.engine import TaylorEngine
from leverarm.simulation.running import Engine
from leverarm.simulation.symplectic.called_midpoint import CalledMidpointMarch
from leverarm.simulation.symplectic.engine import PARTS, SymplecticEngine, SymplecticMarch, extended_state, native_march
from leverarm.simulation.symplectic.gauss import SYMPLECTIC

MOST_ROWS = 5000
"""At most about so many rows does a run with a fixed step record unless told otherwise."""

ROWS = 1000
"""So many rows does a run with steps of its own choice record unless told otherwise."""


@dataclass(frozen=True, slots=True)
class Timing:
    """When a run begins and ends, how it steps, and how often it records [s]; None where nothing is given."""

    begin: float
    until: float
    step: float | None
    rtol: float | None
    atol: float | None
    record: float | None


Start = tuple[Sequence[float], Sequence[float]]
"""q and qd at the begin."""

Made = tuple[Engine, dict[str, Any]]
"""An engine, and what there is to say about it."""


@dataclass(frozen=True, slots=True)
class Method:
    """A method: what it is, how it is made, and other names for it."""

    meaning: str
    make: Callable[[Scenario, Machinery, Timing, Start], Made]
    aliases: tuple[str, ...] = ()


def engine_of(name: str, scenario: Scenario, machinery: Machinery, timing: Timing, start: Start) -> Made:
    """The engine of a method, and what there is to say about it."""
    return METHODS[name].make(scenario, machinery, timing, start)


def fixed_grid(timing: Timing) -> tuple[Grid, dict[str, Any]]:
    """The grid of a run with a fixed step."""
    if timing.step is None:
        raise InputError("this method takes steps of one length, and none was given. Give step=, such as step=1e-3.")
    for what, given in (("rtol", timing.rtol), ("atol", timing.atol)):
        if given is not None:
            raise InputError(f"{what} was given to a method with a fixed step. Leave it out, or leave step out.")
    grid = Grid.over(timing.begin, timing.until, timing.step, 1)
    every = max(1, -(-grid.count // MOST_ROWS))
    if timing.record is not None:
        every = max(1, round(timing.record / timing.step))
        if abs(every * timing.step - timing.record) > 1e-6 * timing.step:
            raise InputError(
                f"record: every {timing.record:g} s is no multiple of the step, {timing.step:g} s. Give "
                f"{every * timing.step:g} s, or another multiple."
            )
    grid = Grid.over(timing.begin, timing.until, timing.step, every)
    return grid, {"step": timing.step, "record": every * timing.step}


def _explicit(tableau: Tableau) -> Method:
    def make(scenario: Scenario, machinery: Machinery, timing: Timing, start: Start) -> Made:
        grid, about = fixed_grid(timing)
        march: March
        if scenario.function is None:
            native = machinery.march(tableau, 1)
            march = CompiledMarch(native, machinery.layout.record, scenario.sources)
        else:
            march = CalledMarch(_called_stages(scenario, machinery), tableau, _sweeper(scenario, machinery))
        first = first_state(machinery, scenario, start)
        return FixedEngine(march, grid, first, _sweeper(scenario, machinery)), about

    return Method(f"explicit, order {tableau.order}", make)


def _symplectic(method: Collocation, *aliases: str) -> Method:
    def make(scenario: Scenario, machinery: Machinery, timing: Timing, start: Start) -> Made:
        grid, about = fixed_grid(timing)
        first = extended_state(machinery, method, first_state(machinery, scenario, start))
        native, parts = native_march(machinery, method, 1), PARTS[method.name]
        march: March = SymplecticMarch(native, machinery.layout.record, scenario.sources, parts)
        if scenario.function is not None:
            if len(method.nodes) > 1:
                raise InputError(
                    f"torque: method {method.name!r} takes torques that compile, and a Python function was given. Give "
                    'a function of time or a control, or take method="midpoint" or "rk4".'
                )
            parts = 1
            march = CalledMidpointMarch(
                native, method, scenario.system.arm, scenario.function, machinery.layout, scenario.sources,
                scenario.torque_place, parts,
            )  # fmt: skip
        sweeper = _sweeper(scenario, machinery)
        return SymplecticEngine(march, grid, first, sweeper, method), {**about, "parts": parts}

    return Method(f"symplectic, order {method.order}", make, aliases)


def _dormand_prince(scenario: Scenario, machinery: Machinery, timing: Timing, start: Start) -> Made:
    _refuse_step(timing, "dormand-prince")
    rtol = RTOL if timing.rtol is None else timing.rtol
    atol = (ATOL if timing.rtol is None else ATOL / RTOL * rtol) if timing.atol is None else timing.atol
    record = timing.record or (timing.until - timing.begin) / ROWS
    rates: Evaluation = (
        CompiledStages(machinery, scenario.sources)
        if scenario.function is None
        else _called_stages(scenario, machinery)
    )
    first = first_state(machinery, scenario, start)
    names = scenario.system.arm.joint_names
    run = Adaptive(rates, _sweeper(scenario, machinery), Tolerance(rtol, atol), names, timing.begin, first)
    return AdaptiveEngine(run, record), {"rtol": rtol, "atol": atol, "record": record}


def _taylor(scenario: Scenario, machinery: Machinery, timing: Timing, start: Start) -> Made:
    _refuse_step(timing, "taylor")
    if scenario.function is not None:
        raise InputError("torque: the Taylor method takes forces with derivatives, and a Python function was given.")
    if scenario.system.marks:
        raise InputError(
            "the Taylor method takes smooth forces: no dry friction without smoothing, no stops. Smooth the friction, "
            "or take the adaptive method."
        )
    record = timing.record or (timing.until - timing.begin) / ROWS
    tolerance = TOLERANCE if timing.rtol is None else timing.rtol
    first = first_state(machinery, scenario, start)
    engine = TaylorEngine(
        rates_program(scenario.system), machinery.layout, scenario.sources,
        [array.name for array in scenario.system.feeds], timing.begin, first, record, tolerance,
    )  # fmt: skip
    return engine, {"rtol": tolerance, "record": record}


def _refuse_step(timing: Timing, name: str) -> None:
    if timing.step is not None:
        raise InputError(
            f"step: {timing.step:g} s was given to {name!r}, which chooses its steps. Give rtol= instead, or take a "
            f"method with a fixed step: {', '.join((*FIXED_STEP, *SYMPLECTIC))}."
        )


def _called_stages(scenario: Scenario, machinery: Machinery) -> CalledStages:
    assert scenario.function is not None
    rates = machinery.stages(EULER)
    return CalledStages(
        scenario.system.arm, scenario.function, machinery.layout, rates, scenario.sources, scenario.torque_place
    )


def _sweeper(scenario: Scenario, machinery: Machinery) -> Sweeper | None:
    """What makes things happen in no time; None where nothing can."""
    return Sweeper(machinery.jump(), machinery.layout, scenario.system) if scenario.system.marks else None


def first_state(machinery: Machinery, scenario: Scenario, start: Start) -> Floats:
    """The state in which a run begins: where the arm is, and nothing on its accounts."""
    q, qd = (np.asarray(x, float) for x in start)
    numbers = np.concatenate([q, qd, np.zeros(machinery.layout.sums), first_marks(scenario.system, qd)])
    state: Floats = aligned(numbers.shape)
    state[...] = numbers
    return state


METHODS = {
    **{name: _explicit(tableau) for name, tableau in FIXED_STEP.items()},
    "dormand-prince": Method(
        f"adaptive, order {DORMAND_PRINCE.order}(4), dense output", _dormand_prince, ("adaptive", "dopri5", "rk45")
    ),
    "midpoint": _symplectic(SYMPLECTIC["midpoint"], "implicit-midpoint"),
    **{name: _symplectic(method) for name, method in SYMPLECTIC.items() if name != "midpoint"},
    "taylor": Method("the reference: Taylor series in long numbers, right to the last digit", _taylor, ("reference",)),
}
