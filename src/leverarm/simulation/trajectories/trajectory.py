"""The result of a run: the motion, the torques, the energies and the events, with their arm."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from leverarm.arrays import Array, BoolArray
from leverarm.errors import InputError
from leverarm.late_import import late
from leverarm.model import Arm
from leverarm.simulation.trajectories.records import EnergyLedger, Event, Records, Rows, evenly_spaced, resampled


class State(NamedTuple):
    """Positions [rad or m] and velocities [rad/s or m/s] of the joints at one time."""

    q: Array
    qd: Array


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Trajectory:
    """A motion of an arm, at least one row; slices of it are trajectories too.

    `about` is how it was made: plain values by name, such as method, step, rtol, seed; `complete` is False for a run
    that was interrupted. `events` are in the order of time.
    """

    arm: Arm
    records: Records
    about: Mapping[str, Any]
    events: tuple[Event, ...] = ()

    def __post_init__(self) -> None:
        if self.records.dof != self.arm.dof:
            raise InputError(
                f"a trajectory of arm {self.arm.name!r} was given {self.records.dof} joints; it has {self.arm.dof} "
                f"({', '.join(self.arm.joint_names)})."
            )
        if not len(self.records):
            raise InputError("a trajectory without rows was given; it needs at least one.")
        object.__setattr__(self, "about", dict(self.about))
        object.__setattr__(self, "events", tuple(Event(*event) for event in self.events))

    @property
    def t(self) -> Array:
        """Time of each row [s], (N,)."""
        return self.records.t

    @property
    def q(self) -> Array:
        """Positions [rad or m], (N, n)."""
        return self.records.q

    @property
    def qd(self) -> Array:
        """Velocities [rad/s or m/s], (N, n)."""
        return self.records.qd

    @property
    def qdd(self) -> Array:
        """Accelerations [rad/s^2 or m/s^2], (N, n)."""
        return self.records.qdd

    @property
    def tau(self) -> Array:
        """Torques that the source applied [N m or N], (N, n)."""
        return self.records.tau

    @property
    def held(self) -> BoolArray:
        """Whether each joint is stuck or rests on a stop, (N, n)."""
        return self.records.held

    @property
    def energy(self) -> EnergyLedger:
        """The energy balance [J]: kinetic and potential energy, and the work of each account."""
        return EnergyLedger.of(self.records)

    @property
    def pose(self) -> Array:
        """The tool in the world, (N, 4, 4), computed from q on demand."""
        return tool_poses(self.arm, self.q)

    @property
    def final(self) -> State:
        """The state of the last row."""
        return State(self.q[-1], self.qd[-1])

    @property
    def duration(self) -> float:
        """Time from the first to the last row [s]."""
        return float(self.t[-1] - self.t[0])

    def __len__(self) -> int:
        return len(self.records)

    def __getitem__(self, rows: Rows) -> Trajectory:
        """The rows picked, and the events between the first and the last of them."""
        return self._with(self.records[rows])

    def between(self, t0: float, t1: float) -> Trajectory:
        """The rows with t0 <= t <= t1 [s]."""
        try:
            is_inside = (self.t >= float(t0)) & (self.t <= float(t1))
        except (TypeError, ValueError, OverflowError):
            raise InputError(f"between {t0!r} and {t1!r}: give two times in seconds.") from None
        if not is_inside.any():
            raise InputError(
                f"there is no row between {t0!r} and {t1!r} s; the run has {len(self)} rows from {float(self.t[0])!r} "
                f"to {float(self.t[-1])!r} s."
            )
        return self[np.flatnonzero(is_inside)]

    def resample(self, *, rate: float | None = None, times: ArrayLike | None = None) -> Trajectory:
        """The motion at `rate` rows a second, or at given times [s] within the run, by quintic interpolation."""
        if (rate is None) == (times is None):
            raise InputError("resample takes either rate=, rows a second, or times=, a list of times in seconds.")
        at = evenly_spaced(self.records, rate) if rate is not None else times
        new = self._with(resampled(self.records, at if at is not None else ()))
        return replace(new, about={**self.about, "resampled": float(rate) if rate is not None else "times"})

    def _with(self, records: Records) -> Trajectory:
        if not len(records):
            raise InputError(f"no row of the {len(self)} was picked; a trajectory needs at least one.")
        start, end = records.t[0], records.t[-1]
        kept = tuple(event for event in self.events if start <= event.t <= end)
        return Trajectory(self.arm, records, self.about, kept)

    def to_numpy(self) -> dict[str, NDArray[Any]]:
        """Every array by name, copied: t, q, qd, qdd, tau, K, P, W.torque and the like, held."""
        copied = {name: array.copy() for name, array in self.records.arrays()}
        copied["K"], copied["P"] = copied.pop("kinetic"), copied.pop("potential")
        return copied | {f"W.{name}": work.copy() for name, work in self.records.works.items()}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes .parquet, .csv or .npz atomically; `load` gives the same trajectory back, bit for bit."""
        late("simulation.trajectories.files.loading:save_trajectory")(self, path)

    @staticmethod
    def load(path: str | os.PathLike[str], arm: Arm | None = None) -> Trajectory:
        """A trajectory that was saved, or the folder of a streamed run; see `load_trajectory`."""
        loaded: Trajectory = late("simulation.trajectories.files.loading:load_trajectory")(path, arm)
        return loaded

    def plot(
        self, what: str | Sequence[str] | None = None, path: str | os.PathLike[str] | None = None, **options: Any
    ) -> Any:
        """A matplotlib figure of the motion, torques and energies; written to a file where a path is given."""
        return late("simulation.trajectories.run_plots:plot")(self, what, path, **options)

    def animate(self, path: str | os.PathLike[str], **options: Any) -> Any:
        """The arm in motion as .gif, .mp4 or .html."""
        return late("simulation.trajectories.animation:animate")(self, path, **options)

    def facts(self) -> dict[str, str]:
        """The run in a few words, by topic: arm, duration, rows, method, energy balance, events, state."""
        facts = {
            "arm": self.arm.name,
            "duration": f"{self.duration:g} s",
            "rows": f"{len(self):,}",
            "method": _method(self.about),
            "energy balance": f"{self.energy.relative:.1e} of {self.energy.scale:.3g} J",
            "events": str(len(self.events)) if self.events else "",
            "state": "unfinished" if self.about.get("complete") is False else "",
        }
        return {topic: words for topic, words in facts.items() if words}

    def __repr__(self) -> str:
        facts = self.facts()
        end = "".join(f"; {topic} {facts[topic]}" for topic in ("energy balance", "events", "state") if topic in facts)
        method = f", {facts['method']}" if "method" in facts else ""
        return f"<Trajectory of {self.arm.name!r}: {facts['duration']}, {facts['rows']} rows{method}{end}>"

    def _repr_html_(self) -> str:
        cells = (f"<tr><th>{escape(topic)}</th><td>{escape(words)}</td></tr>" for topic, words in self.facts().items())
        return f"<table><caption>Trajectory</caption>{''.join(cells)}</table>"


def tool_poses(arm: Arm, q: Array) -> Array:
    """The tool in the world for each row of q, (N, 4, 4), position in m; compiled code."""
    return np.asarray(_pose_function(arm)(q))


@lru_cache(maxsize=16)
def _pose_function(arm: Arm) -> Any:
    from leverarm.runtime.compiled import compile

    return compile(arm, ["pose"]).pose


def _method(about: Mapping[str, Any]) -> str:
    """The method with its step or its tolerance, such as "rk4, step 0.001 s"."""
    words = [str(about["method"])] if about.get("method") else []
    words += [f"step {about['step']:g} s"] if isinstance(about.get("step"), float) else []
    words += [f"rtol {about['rtol']:g}"] if isinstance(about.get("rtol"), float) else []
    return ", ".join(words)
