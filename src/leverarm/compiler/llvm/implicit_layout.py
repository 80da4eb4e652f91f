"""What an implicit march is made of: the numbers of the method, the programs that it calls, what its state carries."""

from __future__ import annotations

from dataclasses import dataclass

from leverarm.compiler.llvm.march_layout import Layout
from leverarm.compiler.program import Program

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
