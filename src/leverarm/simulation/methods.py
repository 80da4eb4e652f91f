"""The integration methods by name, and the engine of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from leverarm.compiler.llvm.march_layout import Collocation
from leverarm.errors import InputError, unknown_name
from leverarm.runtime.stepping import EXPLICIT, RungeKutta
from leverarm.simulation.acting.feeds import Floats, aligned_copy
from leverarm.simulation.acting.scenario import Scenario
from leverarm.simulation.adaptive.attempts import CompiledStages
from leverarm.simulation.adaptive.dormand_prince import DORMAND_PRINCE
from leverarm.simulation.adaptive.engine import AdaptiveEngine
from leverarm.simulation.adaptive.step_control import Tolerance
from leverarm.simulation.adaptive.stepping import ATOL, RTOL, Adaptive
from leverarm.simulation.compiled_system import CompiledSystem
from leverarm.simulation.contacts.event_location import Sweeper, first_marks
from leverarm.simulation.fixed_step.marching import CompiledMarch, FixedEngine, Loop
from leverarm.simulation.running import Engine
from leverarm.simulation.symplectic.engine import PARTS, SYMPLECTIC, implicit_loop
from leverarm.simulation.timing import Timing, fixed_grid

Start = tuple[Sequence[float], Sequence[float]]
"""Initial q and qd."""

Made = tuple[Engine, dict[str, Any]]
"""An engine, and its settings for `Trajectory.about`."""


@dataclass(frozen=True, slots=True)
class Method:
    """A method: what it is, its order, how its engine is made, its loop over many environments, and other names."""

    meaning: str
    order: int
    engine: Callable[[Scenario, CompiledSystem, Timing, Start], Made]
    loop: Callable[[CompiledSystem], Loop] | None = None
    aliases: tuple[str, ...] = ()


def method_named(given: str | None, timing: Timing) -> str:
    """The canonical name of a method; by default the adaptive method, or rk4 where there is a step."""
    if given is None:
        return "dormand-prince" if timing.step is None else "rk4"
    names = {alias: name for name, method in TABLE.items() for alias in (name, *method.aliases)}
    name = spelled(given)
    if name not in names:
        raise InputError(unknown_name("method", str(given), METHODS))
    return names[name]


def spelled(name: str) -> str:
    """A name in the spelling of the table: "RK4" and "semi implicit" are accepted."""
    return str(name).lower().replace(" ", "-").replace("_", "-")


def _explicit(method: RungeKutta) -> Method:
    remark = f"; {method.remark}" if method.remark else ""

    def loop(compiled: CompiledSystem, lanes: int, has_callback: bool) -> Loop:
        return Loop(compiled.march(method.tableau, lanes))

    return _fixed_step(f"explicit, order {method.order}{remark}", method.order, loop)


def _symplectic(method: Collocation, *aliases: str) -> Method:
    def loop(compiled: CompiledSystem, lanes: int, has_callback: bool) -> Loop:
        parts = 1 if has_callback else PARTS[method.name]  # each part would call back
        return implicit_loop(compiled, method, lanes, parts)

    return _fixed_step(f"symplectic, order {method.order}", method.order, loop, method.name, *aliases)


def _fixed_step(
    meaning: str,
    order: int,
    loop: Callable[[CompiledSystem, int, bool], Loop],
    implicit: str | None = None,
    *aliases: str,
) -> Method:
    """A method with a fixed step, from its compiled loop for so many lanes, with a callback or without."""

    def engine(scenario: Scenario, compiled: CompiledSystem, timing: Timing, start: Start) -> Made:
        grid, about = fixed_grid(timing)
        native, carried, options = loop(compiled, 1, scenario.callback is not None)
        march = CompiledMarch(native, compiled.layout.record, scenario.sources, options)
        first = first_state(compiled, scenario, start, carried)
        if options:
            (about["parts"],) = options
        return FixedEngine(march, grid, first, _sweeper(scenario, compiled), implicit), about

    return Method(meaning, order, engine, lambda compiled: loop(compiled, compiled.lanes, False), aliases)


def _dormand_prince(scenario: Scenario, compiled: CompiledSystem, timing: Timing, start: Start) -> Made:
    _refuse_step(timing, "dormand-prince")
    rtol = RTOL if timing.rtol is None else timing.rtol
    atol = (ATOL if timing.rtol is None else ATOL / RTOL * rtol) if timing.atol is None else timing.atol
    record = timing.time_between_rows
    rates = CompiledStages(compiled, scenario.sources)
    first = first_state(compiled, scenario, start)
    names = scenario.system.arm.joint_names
    run = Adaptive(rates, _sweeper(scenario, compiled), Tolerance(rtol, atol), names, timing.begin, first)
    return AdaptiveEngine(run, record), {"rtol": rtol, "atol": atol, "record": record}


def _refuse_step(timing: Timing, name: str) -> None:
    if timing.step is not None:
        raise InputError(
            f"step: {timing.step:g} s was given to {name!r}, which chooses its steps. Give rtol= instead, or take a "
            f"method with a fixed step: {', '.join((*EXPLICIT, *SYMPLECTIC))}."
        )


def _sweeper(scenario: Scenario, compiled: CompiledSystem) -> Sweeper | None:
    """What applies contact resets; None for a system without contacts."""
    return Sweeper(compiled.jump(), compiled.layout, scenario.system) if scenario.system.marks else None


def first_state(compiled: CompiledSystem, scenario: Scenario, start: Start, carried: int = 0) -> Floats:
    """The initial state of a run: the arm's state, empty energy accounts, and zeros for a loop's own variables."""
    q, qd = (np.asarray(x, float) for x in start)
    numbers = [q, qd, np.zeros(compiled.layout.sums), first_marks(scenario.system, qd), np.zeros(carried)]
    state: Floats = aligned_copy(np.concatenate(numbers))
    return state


TABLE = {
    **{name: _explicit(method) for name, method in EXPLICIT.items()},
    "dormand-prince": Method(
        f"adaptive, order {DORMAND_PRINCE.order}(4), dense output",
        DORMAND_PRINCE.order,
        _dormand_prince,
        aliases=("adaptive", "dopri5", "rk45"),
    ),
    "midpoint": _symplectic(SYMPLECTIC["midpoint"], "implicit-midpoint"),
    **{name: _symplectic(method) for name, method in SYMPLECTIC.items() if name != "midpoint"},
}

METHODS: Mapping[str, str] = MappingProxyType({name: method.meaning for name, method in TABLE.items()})
"""The methods of `simulate` by name, and what each is."""

LOOPS = {name: method.loop for name, method in TABLE.items() if method.loop is not None}
"""The methods that can do many environments at once."""
