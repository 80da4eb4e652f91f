"""From the raw rows of a march to records: which entry is what, and the energies of the states."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from leverarm.compiler.llvm.march_layout import Layout
from leverarm.model import Arm
from leverarm.runtime.compiled import CompiledArm, compile
from leverarm.simulation.acting.feeds import Floats
from leverarm.simulation.acting.system import System
from leverarm.simulation.contacts import HELD
from leverarm.trajectories.records import Records


class Observer:
    """Reads the rows of a system's march."""

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
        """The records of rows (N, entries) under constant parameters; `jumped` is energy booked outside the march."""
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
