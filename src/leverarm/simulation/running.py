"""A run from its start, or from a checkpoint, to its end, part by part, with its energy balance.

An engine moves the arm; here its raw rows become records with energies, are stored and checked for balance, and
progress is shown.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from time import perf_counter
from typing import Any, Protocol

import numpy as np

from leverarm.compiler.llvm.march_layout import Layout
from leverarm.errors import InputError
from leverarm.model import Arm
from leverarm.runtime.compiled import CompiledArm, compile
from leverarm.simulation.acting.feeds import Floats
from leverarm.simulation.acting.scenario import Scenario
from leverarm.simulation.acting.system import PAYLOAD, System
from leverarm.simulation.contacts import HELD
from leverarm.simulation.fixed_step.marching import Part
from leverarm.simulation.keeping import Keeper
from leverarm.simulation.trajectories.records import Event, Records


class Observer:
    """Converts the raw rows of an engine to records."""

    def __init__(self, system: System, layout: Layout) -> None:
        self.system, self._places = system, layout.places

    def energies(self, q: Floats, qd: Floats, parameters: Mapping[str, Floats]) -> tuple[Floats, Floats]:
        """K and P of states, with these parameters of the arm."""
        given = {name: np.asarray(value, float) for name, value in parameters.items()}
        fast = _compiled(self.system.arm, self.system.parameters)
        return fast.kinetic_energy(q, qd, **given), fast.potential_energy(q, **given)

    def records(
        self, t: Floats, rows: Floats, parameters: Mapping[str, Floats], jumped: Mapping[str, float]
    ) -> Records:
        """The records of rows (N, entries) under constant parameters; `jumped` is energy added outside the loop."""
        at = self._places
        q, qd = (np.ascontiguousarray(rows[:, at[part]]) for part in ("x", "v"))
        kinetic, potential = self.energies(q, qd, parameters)
        sums = rows[:, at["sums"]]
        works = {name: sums[:, k] for k, name in enumerate(self.system.accounts)}
        for name, energy in jumped.items():
            works[name] = works.get(name, np.zeros(len(t))) + energy
        held = rows[:, at[HELD]] > 0.5 if HELD in at else np.zeros(q.shape, bool)
        qdd, tau = (rows[:, at[part]].copy() for part in ("acceleration", "tau"))
        return Records(t, q, qd, qdd, tau, kinetic, potential, works, held)


@lru_cache(maxsize=32)
def _compiled(arm: Arm, parameters: tuple[str, ...]) -> CompiledArm:
    return compile(arm, ["kinetic_energy", "potential_energy"], inputs=parameters)


PATIENCE = 2.0
"""A run that lasts longer than this [s] shows a bar, if standard error is a terminal."""


class Progress:
    """Reports the completed fraction of a run to a function; without one, a bar in the terminal after a while."""

    def __init__(self, begin: float, until: float, tell: Callable[[float], Any] | None) -> None:
        if tell is not None and not callable(tell):
            raise InputError(f"progress: {tell!r} was given; it takes a function of the completed fraction, 0 to 1.")
        self.begin, self.until, self.tell = begin, until, tell
        self._since = perf_counter()
        self._bar: Any = None
        self._task: Any = None

    def reached(self, t: float) -> None:
        """The run is at time t."""
        done = min(1.0, (t - self.begin) / (self.until - self.begin)) if self.until > self.begin else 1.0
        if self.tell is not None:
            self.tell(done)
        elif perf_counter() - self._since > PATIENCE and sys.stderr.isatty():
            if self._bar is None:
                self._open()
            self._bar.update(self._task, completed=done)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.stop()

    def _open(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
        self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task("simulating", total=1.0)
        self._bar.start()


class Engine(Protocol):
    """A method at work on a scenario."""

    def start(self) -> Floats:
        """The state in which the run begins."""
        ...

    def resumed(self, kept: Mapping[str, Any]) -> Floats:
        """The state of a checkpoint."""
        ...

    def run(self, t0: float, t1: float, state: Floats, kept: Mapping[str, Any] | None) -> Iterator[Part]:
        """From t0, or from the checkpoint, to t1 in parts; changes the state."""
        ...

    def last(self, state: Floats) -> Part:
        """The record of the end of the run."""
        ...


ROUNDING = 1e-13
"""An imbalance of less than this [J] is rounding: even an arm at rest shows about as much."""


class EnergyWarning(UserWarning):
    """The energies of a run do not balance: its results are not accurate."""


@dataclass(slots=True)
class Books:
    """The energy balance of a run so far: the unexplained energy, and the energy exchanged [J]."""

    first: float | None = None
    low: list[float] = field(default_factory=list)
    high: list[float] = field(default_factory=list)
    worst: float = 0.0
    worst_time: float = 0.0

    def enter(self, records: Records) -> None:
        """Adds some records."""
        total = records.kinetic + records.potential
        explained = sum(records.works.values(), start=np.zeros(len(total)))
        if self.first is None:
            self.first = float(total[0] - explained[0])
        balance = np.abs(total - explained - self.first)
        k = int(balance.argmax())
        if balance[k] > self.worst:
            self.worst, self.worst_time = float(balance[k]), float(records.t[k])
        seen = [records.kinetic, records.potential, *records.works.values()]
        self.low = [min(a, float(x.min())) for a, x in zip(self.low or [np.inf] * len(seen), seen, strict=True)]
        self.high = [max(a, float(x.max())) for a, x in zip(self.high or [-np.inf] * len(seen), seen, strict=True)]

    @property
    def relative(self) -> float:
        """The worst imbalance relative to the energy exchanged."""
        if self.worst < ROUNDING:
            return 0.0
        scale = max((b - a for a, b in zip(self.low, self.high, strict=True)), default=0.0)
        return self.worst / max(scale, self.high[0])  # all of the kinetic energy counts, even if it is constant


@dataclass(slots=True)
class Run:
    """A run in progress: its pieces between changes of the payload, and everything in a checkpoint."""

    scenario: Scenario
    engine: Engine
    observer: Observer
    keeper: Keeper
    begin: float
    until: float
    progress: Progress
    books: Books = field(default_factory=Books)
    span: int = 0
    jumped: dict[str, float] = field(default_factory=dict)

    def go(self, kept: Mapping[str, Any] | None = None) -> bool:
        """Runs to the end, from a checkpoint if there is one; False where Ctrl-C stopped it between two parts.

        Raises `Exploded` or SimulationError where the run cannot continue; what was recorded before is kept.
        """
        switches = [t for t in self.scenario.switches if self.begin < t < self.until]
        spans = [self.begin, *switches, self.until]
        if kept is None:
            state = self.engine.start()
            self.jumped = {PAYLOAD: 0.0} if self.scenario.switches else {}
        else:
            state = self.engine.resumed(kept)
            self.span, self.books = int(kept["span"]), Books(**kept["books"])
            self.jumped = {name: float.fromhex(x) for name, x in kept["jumped"].items()}
            if self.span == len(spans) - 1:
                return True  # stopped after its last row, before it was marked complete
        events: tuple[Event, ...] = ()
        try:
            while self.span < len(spans) - 1:
                parameters = self.scenario.parameters_at(spans[self.span])
                for part in self.engine.run(spans[self.span], spans[self.span + 1], state, kept):
                    self._keep(part, parameters, events)
                    events = ()
                kept = None
                self.span += 1
                if self.span < len(spans) - 1:
                    self.jumped[PAYLOAD] += self._energy_brought(state, spans[self.span])
                    events = (Event(spans[self.span], None, PAYLOAD),)
            self._keep(self.engine.last(state), self.scenario.parameters_at(spans[-2]), events)
        except KeyboardInterrupt:
            return False
        finally:
            self.progress.close()
        return True

    def _keep(self, part: Part, parameters: Mapping[str, Floats], events: tuple[Event, ...]) -> None:
        records = self.observer.records(part.t, part.rows, parameters, self.jumped)
        if len(records):
            self.books.enter(records)
        checkpoint = {
            **part.checkpoint,
            "span": self.span,
            "jumped": {name: x.hex() for name, x in self.jumped.items()},
            "books": asdict(self.books),
        }
        self.keeper.take(records, checkpoint, (*events, *part.events))
        self.progress.reached(part.until)

    def _energy_brought(self, state: Floats, t: float) -> float:
        """The energy added to the arm by a change of payload at constant velocities."""
        n = self.scenario.system.arm.dof
        before, after = (
            sum(float(x[0]) for x in self.observer.energies(state[None, :n], state[None, n : 2 * n], parameters))
            for parameters in (self.scenario.parameters_at(np.nextafter(t, -np.inf)), self.scenario.parameters_at(t))
        )
        return after - before
