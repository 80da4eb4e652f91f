"""Data of a march (the compiled loop over time steps): method coefficients, programs, and the layout of its memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leverarm.compiler.program import Array, Program

CALLBACK = "callback"
"""Name (up to a #) of the feed that a callback fills before each evaluation."""

MOST_JUMPS = 16
"""Most resets at the start of one step: one may trigger another; the rest wait for the next step."""


@dataclass(frozen=True, slots=True)
class Tableau:
    """An explicit method for x'' = a(t, x, x'), as in Hairer, Norsett and Wanner 1993, II.14.

    Stage i is at x_i = x + c_i h v + h^2 sum_j positions[i][j] a_j and v_i = v + h sum_j velocities[i][j] a_j; the step
    ends at x + h v + h^2 sum last_position[j] a_j and v + h sum last_velocity[j] a_j.
    """

    name: str
    order: int
    nodes: tuple[float, ...]
    velocities: tuple[tuple[float, ...], ...]
    positions: tuple[tuple[float, ...], ...]
    last_velocity: tuple[float, ...]
    last_position: tuple[float, ...]


def alike(weights: Sequence[float]) -> list[tuple[float, list[int]]]:
    """The weights other than zero, each with the stages that have it: those are added up before they are weighted."""
    found: dict[float, list[int]] = {}
    for stage, weight in enumerate(weights):
        if weight:
            found.setdefault(weight, []).append(stage)
    return list(found.items())


@dataclass(frozen=True, slots=True)
class Layout:
    """What lies in the state and in a record of a march, entry after entry.

    The program of rates takes t, x, v, the marks and then the feeds, and gives the acceleration, the rates of the sums,
    what is only shown, and, if there is a second program for jumps, last a guard that calls for it when negative.
    """

    coordinates: int
    sums: int
    marks: tuple[Array, ...]
    shown: tuple[Array, ...]
    feeds: tuple[Array, ...]
    has_guard: bool

    @staticmethod
    def of(rates: Program, marks: int, has_guard: bool) -> Layout:
        """The layout that a program of rates implies; the first `marks` arrays after t, x, v are marks."""
        return Layout(
            rates.inputs[1].size,
            rates.outputs[1].size,
            rates.inputs[3 : 3 + marks],
            rates.outputs[2 : len(rates.outputs) - has_guard],
            rates.inputs[3 + marks :],
            has_guard,
        )

    @property
    def callback(self) -> int | None:
        """The number of the feed that a callback fills; None where there is none."""
        names = [array.name.partition("#")[0] for array in self.feeds]
        return names.index(CALLBACK) if CALLBACK in names else None

    @property
    def state(self) -> int:
        """Entries of a state: x, v, the sums, the marks."""
        return 2 * self.coordinates + self.sums + sum(mark.size for mark in self.marks)

    @property
    def record(self) -> int:
        """Entries of a record: a state, the acceleration, what is shown."""
        return self.state + self.coordinates + sum(array.size for array in self.shown)

    @property
    def places(self) -> dict[str, slice]:
        """Where each part of a record lies: x, v, sums, the marks by name, acceleration, what is shown by name."""
        parts = [("x", self.coordinates), ("v", self.coordinates), ("sums", self.sums)]
        parts += [(mark.name, mark.size) for mark in self.marks]
        parts += [("acceleration", self.coordinates), *((array.name, array.size) for array in self.shown)]
        found, at = {}, 0
        for name, size in parts:
            found[name] = slice(at, at + size)
            at += size
        return found


ROUNDS, IS_BEGUN, FAILED = -3, -2, -1
"""Where the last three entries of `carried` are in a state."""


@dataclass(frozen=True, slots=True)
class Collocation:
    """An implicit Runge-Kutta method; each table has a row per stage.

    `guesses` are the weights with which the velocities of the last stages, the oldest first, give those of the next
    step. `stiffness` is the part of the step by which A takes the stiffness of F into account.
    """

    name: str
    order: int
    nodes: tuple[float, ...]
    matrix: tuple[tuple[float, ...], ...]
    weights: tuple[float, ...]
    guesses: tuple[tuple[float, ...], ...]
    stiffness: float

    @property
    def remembered(self) -> int:
        """How many stages of the steps before are carried along."""
        return len(self.guesses[0])


@dataclass(frozen=True, slots=True)
class CanonicalPrograms:
    """What the loop calls; all take t, x, v, the marks and the feeds, in this order.

    `rates` and `jump` are those of an explicit march. `flow` gives P, F and the rates of the sums; `velocity`, which
    takes p in place of v, gives v; `inverse`, which takes a length of time last, gives the rows of A^-1. Where marks
    hold a coordinate, its v and its row and column of A^-1 are zero.
    """

    rates: Program
    jump: Program | None
    flow: Program
    velocity: Program
    inverse: Program


def carried(layout: Layout, method: Collocation) -> int:
    """Entries that the state has behind those of an explicit march, zeros where a run begins.

    p, the velocities of the last stages, how often the iteration went round so far, whether p and the velocities are
    there (else both follow from v), and last 0, or infinity after a step that failed: the state stays before it.
    """
    return layout.coordinates * (1 + method.remembered) + 3
