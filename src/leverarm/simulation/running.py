"""A run from its beginning, or from where it stopped, to its end: part by part, with the books kept.

An engine moves the arm; here its rows become records, go to where they are kept, and are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

import numpy as np

from leverarm.simulation.acting.feeds import Floats
from leverarm.simulation.acting.parameters import PAYLOAD
from leverarm.simulation.acting.scenario import Scenario
from leverarm.simulation.keeping import Keeper
from leverarm.simulation.observing import Observer
from leverarm.simulation.parts import Part
from leverarm.simulation.progress import Progress
from leverarm.trajectories.records import Event, Records


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
"""An imbalance of less than this [J] is rounding: an arm that is held still moves about as much."""


class EnergyWarning(UserWarning):
    """The energies of a run do not balance: its numbers are not to be trusted."""


@dataclass(slots=True)
class Books:
    """The balance of a run so far: what no account explains, and how much energy moved [J]."""

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
        """The worst imbalance as a part of the energy that moved."""
        if self.worst < ROUNDING:
            return 0.0
        scale = max((b - a for a, b in zip(self.low, self.high, strict=True)), default=0.0)
        return self.worst / max(scale, self.high[0])  # all of the kinetic energy moves, be it always the same


@dataclass(slots=True)
class Run:
    """A run under way: its pieces between changes of the payload, and all that a checkpoint has to hold."""

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

        Raises `Exploded` or SimulationError where the run cannot go on; what was recorded before is kept.
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
                return True  # stopped after its last row, before that was said
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
        """What the energy of the arm grows by when its payload changes and its motion does not."""
        n = self.scenario.system.arm.dof
        before, after = (
            sum(float(x[0]) for x in self.observer.energies(state[None, :n], state[None, n : 2 * n], parameters))
            for parameters in (self.scenario.parameters_at(np.nextafter(t, -np.inf)), self.scenario.parameters_at(t))
        )
        return after - before
