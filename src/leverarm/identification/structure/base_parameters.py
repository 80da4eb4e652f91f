"""The base parameters of an arm as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from leverarm.arrays import Array

Route = Literal["exact", "numeric"]


@dataclass(frozen=True, slots=True, eq=False)
class Structure:
    """Base (minimal) parameters of an arm: the fewest combinations phi_b = R phi with W phi = W_b phi_b.

    W_b are the columns `base` of the regressor W of these kinds, and R = `regrouping` has a 1 where a base parameter
    meets the parameter it is named after.
    """

    names: tuple[str, ...]
    """All parameters phi, in the order of the regressor's columns."""
    base: tuple[int, ...]
    regrouping: Array
    """R, of shape (base parameters, parameters); not writeable."""
    how: Route
    """Proven in exact numbers, or found by the rank of W at random states."""
    kinds: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.base)

    @property
    def base_names(self) -> tuple[str, ...]:
        """The parameter that each base parameter is named after."""
        return tuple(self.names[j] for j in self.base)
