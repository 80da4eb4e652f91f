"""The timing of a run, checked once: start and end, step or tolerances, recording interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from leverarm.control.signals.checked import number, positive
from leverarm.errors import InputError
from leverarm.simulation.fixed_step.marching import Grid

MOST_ROWS = 5000
"""Default upper bound on the rows of a run with a fixed step (approximate)."""

ROWS = 1000
"""Default number of rows of an adaptive run."""


@dataclass(frozen=True, slots=True)
class Timing:
    """When a run begins and ends, how it steps, and how often it records [s]; None where nothing is given."""

    begin: float
    until: float
    step: float | None
    rtol: float | None
    atol: float | None
    record: float | None

    @property
    def time_between_rows(self) -> float:
        """Recording interval of an adaptive run [s]."""
        return (self.until - self.begin) / ROWS if self.record is None else self.record


def timing_of(begin: Any, until: Any, **given: Any) -> Timing:
    """The timing of a run; InputError where one of the times, or step, rtol, atol or record, makes no sense."""
    first, last = number("begin", begin), number("until", until)
    if last <= first:
        raise InputError(f"until: {last:g} s is not after the start of the run, {first:g} s. Give a later time.")
    timing = Timing(first, last, **{what: None if x is None else positive(what, x) for what, x in given.items()})
    if timing.step is not None and timing.step > last - first:
        raise InputError(
            f"step: {timing.step:g} s is longer than the whole run of {last - first:g} s. Give a shorter one."
        )
    finest = float(np.spacing(max(abs(first), abs(last))))
    for what, length in (("step", timing.step), ("record", timing.record)):
        if length is not None and length < finest:
            raise InputError(
                f"{what}: {length:g} s is below the resolution of times in this run, {finest:.2g} s. Give a "
                "longer one, or a run nearer to t = 0."
            )
    return timing


def fixed_grid(timing: Timing) -> tuple[Grid, dict[str, Any]]:
    """The time grid of a run with a fixed step, and its settings for `Trajectory.about`."""
    if timing.step is None:
        raise InputError("this method has a fixed step, and none was given. Give step=, such as step=1e-3.")
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
