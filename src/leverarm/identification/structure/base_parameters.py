"""The base parameters of an arm as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

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
    unidentifiable: tuple[str, ...]
    """The parameters that have no effect on any torque."""
    how: Route
    """Proven in exact numbers, or found by the rank of W at random states."""
    kinds: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.base)

    @property
    def base_names(self) -> tuple[str, ...]:
        """The parameter that each base parameter is named after."""
        return tuple(self.names[j] for j in self.base)

    def combination(self, i: int) -> tuple[tuple[float, str], ...]:
        """The (coefficient, parameter) pairs of base parameter i, its own first, with 1."""
        row = self.regrouping[i]
        order = sorted(np.flatnonzero(row).tolist(), key=lambda j: (j != self.base[i], j))
        return tuple((float(row[j]), self.names[j]) for j in order)

    def describe(self, i: int) -> str:
        """Base parameter i as a sum, coefficients to 4 digits: "link2.Ixx - link2.Iyy + 0.25 link3.m"."""
        (_, text), *others = self.combination(i)
        for coefficient, name in others:
            size = f"{abs(coefficient):.4g}"
            text += f" {'-' if coefficient < 0 else '+'} {'' if size == '1' else size + ' '}{name}"
        return text


def structure_of(
    names: tuple[str, ...], base: tuple[int, ...], regrouping: Array, how: Route, kinds: tuple[str, ...]
) -> Structure:
    """The structure from a regrouping; a parameter in no base parameter has no effect."""
    regrouping.setflags(write=False)
    lost = tuple(name for name, column in zip(names, regrouping.T, strict=True) if not column.any())
    return Structure(names, base, regrouping, lost, how, kinds)
