"""Where the energy of a run went, and whether the books balance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from leverarm.arrays import Array
from leverarm.trajectories.records import Records


@dataclass(frozen=True, slots=True, eq=False)
class EnergyLedger:
    """Energies over time [J], (N,) each: `kinetic`, `potential`, and `works`, what flowed into the arm by account.

    Accounts: "torque", "friction", "disturbance", "noise", "wrench", "stops", "payload"; those that exist.
    """

    t: Array
    kinetic: Array
    potential: Array
    works: Mapping[str, Array]

    @staticmethod
    def of(records: Records) -> EnergyLedger:
        return EnergyLedger(records.t, records.kinetic, records.potential, records.works)

    @property
    def total(self) -> Array:
        """E = K + P [J]."""
        return self.kinetic + self.potential

    @property
    def balance(self) -> Array:
        """What no account explains [J]: E - E(start) - sum of (W - W(start)); zero if all is right.

        Counted from the first row, so that a slice of a run has books of its own.
        """
        unexplained = self.total - self.total[0]
        for work in self.works.values():
            unexplained = unexplained - (work - work[0])
        return np.asarray(unexplained)

    @property
    def scale(self) -> float:
        """The largest amount of energy that moved [J]: the most of K, the range of P, the most through one account."""
        moved = [self.kinetic.max(), np.ptp(self.potential)]
        moved += [np.abs(work - work[0]).max() for work in self.works.values()]
        return float(max(moved))

    @property
    def relative(self) -> float:
        """The largest imbalance as a part of the energy that moved; 0 where nothing moved."""
        return float(np.abs(self.balance).max() / self.scale) if self.scale else 0.0

    @property
    def worst(self) -> int:
        """The row at which the imbalance is largest."""
        return int(np.abs(self.balance).argmax())

    def __repr__(self) -> str:
        change = self.total[-1] - self.total[0]
        accounts = ", ".join(f"{name} {work[-1] - work[0]:+.4g} J" for name, work in self.works.items())
        return (
            f"<EnergyLedger: K + P changed by {change:+.4g} J; {accounts or 'no work was done'}; "
            f"balance {self.relative:.1e} of {self.scale:.4g} J>"
        )
