"""Parameters that a machine can have: bodies that exist, friction that brakes, near the given arm where that helps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array
from leverarm.identification.choosing.pull_choice import PhysicalProblem, left_out_values, pull_choice
from leverarm.identification.fitting.methods import BaseFit
from leverarm.identification.fitting.normal_equations import normal_equations


@dataclass(frozen=True, slots=True)
class PossibleBodies:
    """Values of all columns (p,), the pull to the given bodies, and values (blocks, p) fitted to all blocks but one."""

    values: Array
    pull: float
    left_out: Array


def possible_bodies(based: BaseFit, block: NDArray[np.int64], drawn: Array) -> PossibleBodies:
    """The best possible machine, and one without each block (k,) of time; `drawn` (p,) are the given arm's numbers."""
    kinds = based.columns.kinds
    problem = PhysicalProblem(
        equations=normal_equations(based.columns.W, based.motion.tau, based.motion.raw, based.used, block),
        weights=1 / based.fit.noise**2,
        drawn=drawn,
        links=tuple(slice(i, i + 10) for i in range(0, kinds.count("inertial"), 10)),
        nonnegative=tuple(i for i, kind in enumerate(kinds) if kind in ("rotor", "viscous", "coulomb")),
    )
    pull, _ = pull_choice(problem)
    values = problem.fitted(np.ones(problem.equations.blocks, dtype=bool), pull)
    return PossibleBodies(values, pull, left_out_values(problem, pull))
