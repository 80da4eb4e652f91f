"""The base parameters of a model: which of its columns are fitted, and which combinations they stand for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array
from leverarm.identification.structure import Structure


@dataclass(frozen=True, slots=True)
class Base:
    """Columns that are fitted (b,), and phi_base = regrouping @ phi over all columns of the model (b, p)."""

    columns: NDArray[np.int64]
    regrouping: Array
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.columns)

    def combination(self, i: int, names: Sequence[str]) -> tuple[tuple[float, str], ...]:
        """(factor, parameter) pairs of one base parameter, its own first."""
        row, own = self.regrouping[i], int(self.columns[i])
        others = [j for j in np.flatnonzero(row).tolist() if j != own]
        return tuple((float(row[j]), names[j]) for j in (own, *others))


def base_of(structure: Structure, names: Sequence[str]) -> Base:
    """The base of a model with these columns: the structure's, and every column it does not know by itself."""
    known = {name: j for j, name in enumerate(structure.names)}
    there = [i for i, name in enumerate(names) if name in known]
    alone = [i for i, name in enumerate(names) if name not in known]
    seen = np.zeros((len(structure), len(names)))
    seen[:, there] = structure.regrouping[:, [known[names[i]] for i in there]]
    own, seen = _named_anew(seen, [_place(names, name) for name in structure.base_names])
    regrouping = np.concatenate([seen, np.eye(len(names))[alone]])
    columns = np.array([*own, *alone], dtype=np.int64)
    order = np.argsort(columns)
    return Base(columns[order], regrouping[order], tuple(names[i] for i in columns[order]))


def _place(names: Sequence[str], name: str) -> int | None:
    return names.index(name) if name in names else None


def _named_anew(regrouping: Array, own: list[int | None]) -> tuple[list[int], Array]:
    """Combinations that were named after a parameter the model has not, by another of theirs.

    The friction of a joint that follows another one is that of the other, and the model has only the other's. With
    phi_base = R phi and the columns B kept, W = W_B R_B^-1 R: R_B^-1 R is the regrouping of the new names.
    """
    rows = np.flatnonzero(regrouping.any(axis=1))
    kept: list[int] = []
    for i in rows.tolist():
        name = own[i]
        kept.append(int(np.argmax(np.abs(regrouping[i]))) if name is None else name)
    R = regrouping[rows]
    return kept, np.asarray(np.linalg.solve(R[:, kept], R), dtype=np.float64)
