"""Which motors turn with other joints too: as the arm, a matrix of gears or the user says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from leverarm.errors import InputError, unknown_name
from leverarm.identification.modelling.drives import Coupling
from leverarm.identification.modelling.modelled_arm import couplings_of
from leverarm.model import Arm

ROUNDING = 1e-9
"""Of a motor's own gear: a smaller one to another joint is the rounding of a matrix that was inverted."""


def described_couplings(arm: Arm, ratio: Any, pairs: Sequence[tuple[str, str]]) -> tuple[Coupling, ...]:
    """The couplings of the arm, of a matrix with motor speeds = ratio @ qd, of (motor's joint, other joint) pairs."""
    return _one_of_each((*couplings_of(arm), *_couplings_in(ratio), *_named_couplings(arm, pairs)))


def _named_couplings(arm: Arm, pairs: Sequence[tuple[str, str]]) -> tuple[Coupling, ...]:
    for pair in pairs:
        if isinstance(pair, str) or len(pair) != 2 or pair[0] == pair[1]:
            raise InputError(f"coupling {pair!r}: it takes a pair of joints, (the motor's own, another it turns with).")
        for name in pair:
            if name not in arm.joint_names:
                raise InputError(unknown_name("joint", name, arm.joint_names))
    return tuple(Coupling(arm.joint_names.index(a), arm.joint_names.index(b), 1.0) for a, b in pairs)


def _couplings_in(ratio: Any) -> tuple[Coupling, ...]:
    """The couplings of a matrix with motor speeds = ratio @ qd, where it was given."""
    R = np.atleast_1d(np.asarray(0.0 if ratio is None else ratio, dtype=np.float64))
    if R.ndim != 2:
        return ()
    return tuple(
        Coupling(int(i), int(j), float(R[i, j] / R[i, i]))
        for i, j in np.argwhere(np.abs(R) > ROUNDING * np.abs(np.diag(R))[:, None])
        if i != j and R[i, i] != 0
    )


def _one_of_each(couplings: Sequence[Coupling]) -> tuple[Coupling, ...]:
    """The first of those that couple the same motor with the same joint."""
    found: dict[tuple[int, int], Coupling] = {}
    for coupling in couplings:
        found.setdefault((coupling.motor, coupling.also), coupling)
    return tuple(found.values())
