"""From the raw rows of a march to records: which entry is what, and the energies of the states."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from leverarm.compiler.llvm.march_layout import Layout
from leverarm.model import Arm
from leverarm.runtime.compiled import CompiledArm, compile
from leverarm.simulation.acting.feeds import Floats
from leverarm.simulation.compiled.system import System
from leverarm.trajectories.records import Records


class Observer:
    """Reads the rows of a system's march: [q, qd, sums, marks, qdd, shown]."""

    def __init__(self, system: System, layout: Layout) -> None:
        self.system = system
        n, at = layout.coordinates, 0
        self.parts: dict[str, slice] = {}
        sizes = [("q", n), ("qd", n), ("sums", layout.sums)]
        sizes += [(mark.name, mark.size) for mark in layout.marks]
        sizes += [("qdd", n), *((array.name, array.size) for array in layout.shown)]
        for name, size in sizes:
            self.parts[name] = slice(at, at + size)
            at += size
        self.state = layout.state

    def energies(self, q: Floats, qd: Floats, parameters: Mapping[str, Floats]) -> tuple[Floats, Floats]:
        """K and P of states, with these parameters of the arm."""
        given = {name: np.asarray(value, float) for name, value in parameters.items()}
        fast = _compiled(self.system.arm, self.system.parameters)
        return fast.kinetic_energy(q, qd, **given), fast.potential_energy(q, **given)

    def records(
        self, t: Floats, rows: Floats, parameters: Mapping[str, Floats], jumped: Mapping[str, float]
    ) -> Records:
        """The records of rows (N, entries) under constant parameters; `jumped` is energy booked outside the march."""
        at = self.parts
        q, qd = np.ascontiguousarray(rows[:, at["q"]]), np.ascontiguousarray(rows[:, at["qd"]])
        kinetic, potential = self.energies(q, qd, parameters)
        sums = rows[:, at["sums"]]
        works: dict[str, Any] = {name: sums[:, k] for k, name in enumerate(self.system.accounts)}
        for name, energy in jumped.items():
            works[name] = works.get(name, np.zeros(len(t))) + energy
        held = rows[:, at["held"]] > 0.5 if "held" in at else np.zeros(q.shape, bool)
        return Records(t, q, qd, rows[:, at["qdd"]].copy(), rows[:, at["tau"]].copy(), kinetic, potential, works, held)


@lru_cache(maxsize=32)
def _compiled(arm: Arm, parameters: tuple[str, ...]) -> CompiledArm:
    return compile(arm, ["kinetic_energy", "potential_energy"], inputs=parameters)
