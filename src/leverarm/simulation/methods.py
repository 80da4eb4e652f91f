"""The methods by name, and the engine that each is run by."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from leverarm.compiler.llvm.march_layout import Collocation, Tableau, carried
from leverarm.errors import InputError, unknown_name
from leverarm.simulation.acting.feeds import Floats, aligned
from leverarm.simulation.acting.scenario import Scenario
from leverarm.simulation.adaptive.engine import AdaptiveEngine
from leverarm.simulation.adaptive.step_control import Tolerance
from leverarm.simulation.adaptive.stepping import ATOL, RTOL, Adaptive
from leverarm.simulation.compiled.evaluation import CompiledStages
from leverarm.simulation.compiled.machinery import Machinery
from leverarm.simulation.contacts.event_location import Sweeper, first_marks
from leverarm.simulation.fixed_step.batch import Loop
from leverarm.simulation.fixed_step.engine import FixedEngine
from leverarm.simulation.fixed_step.marching import CompiledMarch
from leverarm.simulation.fixed_step.tableaux import DORMAND_PRINCE, FIXED_STEP, SEMI_IMPLICIT
from leverarm.simulation.running import Engine
from leverarm.simulation.symplectic.engine import PARTS, SYMPLECTIC, SymplecticEngine, extended_state, native_march
from leverarm.simulation.timing import Timing, fixed_grid

Start = tuple[Sequence[float], Sequence[float]]
"""q and qd at the begin."""

Made = tuple[Engine, dict[str, Any]]
"""An engine, and what there is to say about it."""


@dataclass(frozen=True, slots=True)
class Method:
    """A method: what it is, how its engine is made, and other names for it."""

    meaning: str
    engine: Callable[[Scenario, Machinery, Timing, Start], Made]
    aliases: tuple[str, ...] = ()


def method_named(given: str | None, timing: Timing) -> str:
    """The name of the method that a user means; without one, the adaptive method, or rk4 where there is a step."""
    if given is None:
        return "dormand-prince" if timing.step is None else "rk4"
    names = {alias: name for name, method in TABLE.items() for alias in (name, *method.aliases)}
    name = spelled(given)
    if name not in names:
        raise InputError(unknown_name("method", str(given), METHODS))
    return names[name]


def spelled(name: str) -> str:
    """A name as methods are spelled: "RK4" and "semi implicit" are well meant."""
    return str(name).lower().replace(" ", "-").replace("_", "-")


def engine_of(name: str, scenario: Scenario, machinery: Machinery, timing: Timing, start: Start) -> Made:
    """The engine of a method, and what there is to say about it."""
    return TABLE[name].engine(scenario, machinery, timing, start)


def _explicit(tableau: Tableau, remark: str = "") -> Method:
    def engine(scenario: Scenario, machinery: Machinery, timing: Timing, start: Start) -> Made:
        grid, about = fixed_grid(timing)
        native = machinery.march(tableau, 1)
        march = CompiledMarch(native, machinery.layout.record, scenario.sources)
        first = first_state(machinery, scenario, start)
        return FixedEngine(march, grid, first, _sweeper(scenario, machinery)), about

    return Method(f"explicit, order {tableau.order}{remark}", engine)


def _symplectic(method: Collocation, *aliases: str) -> Method:
    def engine(scenario: Scenario, machinery: Machinery, timing: Timing, start: Start) -> Made:
        grid, about = fixed_grid(timing)
        native = native_march(machinery, method, 1)
        parts = 1 if scenario.callback is not None else PARTS[method.name]  # each part would call it again
        march = CompiledMarch(native, machinery.layout.record, scenario.sources, (parts,))
        first = extended_state(machinery, method, first_state(machinery, scenario, start))
        sweeper = _sweeper(scenario, machinery)
        return SymplecticEngine(march, grid, first, sweeper, method), {**about, "parts": parts}

    return Method(f"symplectic, order {method.order}", engine, aliases)


def _dormand_prince(scenario: Scenario, machinery: Machinery, timing: Timing, start: Start) -> Made:
    _refuse_step(timing, "dormand-prince")
    rtol = RTOL if timing.rtol is None else timing.rtol
    atol = (ATOL if timing.rtol is None else ATOL / RTOL * rtol) if timing.atol is None else timing.atol
    record = timing.time_between_rows
    rates = CompiledStages(machinery, scenario.sources)
    first = first_state(machinery, scenario, start)
    names = scenario.system.arm.joint_names
    run = Adaptive(rates, _sweeper(scenario, machinery), Tolerance(rtol, atol), names, timing.begin, first)
    return AdaptiveEngine(run, record), {"rtol": rtol, "atol": atol, "record": record}


def _explicit_loop(tableau: Tableau) -> Callable[[Machinery], Loop]:
    return lambda machinery: Loop(machinery.march(tableau, machinery.lanes))


def _symplectic_loop(method: Collocation) -> Callable[[Machinery], Loop]:
    def loop(machinery: Machinery) -> Loop:
        native = native_march(machinery, method, machinery.lanes)
        return Loop(native, carried(machinery.layout, method), (PARTS[method.name],))

    return loop


LOOPS = {
    **{name: _explicit_loop(tableau) for name, tableau in FIXED_STEP.items()},
    **{name: _symplectic_loop(method) for name, method in SYMPLECTIC.items()},
}
"""The methods that can do many environments at once."""


def _refuse_step(timing: Timing, name: str) -> None:
    if timing.step is not None:
        raise InputError(
            f"step: {timing.step:g} s was given to {name!r}, which chooses its steps. Give rtol= instead, or take a "
            f"method with a fixed step: {', '.join((*FIXED_STEP, *SYMPLECTIC))}."
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


TABLE = {
    **{name: _explicit(tableau) for name, tableau in FIXED_STEP.items()},
    "semi-implicit": _explicit(SEMI_IMPLICIT, "; q moves by the new velocity"),
    "dormand-prince": Method(
        f"adaptive, order {DORMAND_PRINCE.order}(4), dense output", _dormand_prince, ("adaptive", "dopri5", "rk45")
    ),
    "midpoint": _symplectic(SYMPLECTIC["midpoint"], "implicit-midpoint"),
    **{name: _symplectic(method) for name, method in SYMPLECTIC.items() if name != "midpoint"},
}

METHODS: Mapping[str, str] = MappingProxyType({name: method.meaning for name, method in TABLE.items()})
"""The methods of `simulate` by name, and what each is."""
