"""How well the motion separates the base parameters, and which it hardly excites."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from leverarm.arrays import Array
from leverarm.findings import Finding
from leverarm.identification.preflight.samples import Thinned, weighted

POOR = 100.0
"""Condition number above which some combination of parameters is hardly identifiable (Gautier and Khalil 1992)."""
PART = 0.35
"""A parameter takes part in a direction whose unit vector has at least this entry."""
NAMED = 4


@dataclass(frozen=True, slots=True)
class Excitation:
    """The condition number of the regressor with columns of length one, and its weak directions.

    `own` (b,) is the share of each base parameter's column that no other column gives, 1 for a column at right angles
    to all others. `weak` lists directions: a condition number and the indices of the base parameters in it.
    """

    condition: float
    rank: int
    own: Array
    weak: tuple[tuple[float, tuple[int, ...]], ...]


def excitation(rows: Thinned, residual: Array) -> Excitation:
    """From the base columns, each joint's rows divided by its residual of the best fit (n,) [N m or N]."""
    columns = weighted(rows.base, rows.moves / residual)
    norms = np.linalg.norm(columns, axis=0)
    scaled = columns / np.where(norms > 0, norms, 1)
    _, sizes, right = np.linalg.svd(np.linalg.qr(scaled, mode="r"))
    rank = int(np.sum(sizes > 1e-10 * sizes[0]))
    largest = float(sizes[0]) or 1.0
    sizes = np.maximum(sizes, 1e-14 * largest)
    ratio = largest / sizes
    own = 1 / np.sqrt(np.sum((right / sizes[:, None]) ** 2, axis=0))
    own = np.where(norms > 0, np.minimum(own, 1.0), 0.0)
    weak = [
        (float(ratio[k]), tuple(int(i) for i in np.argsort(-np.abs(right[k])) if abs(right[k, i]) >= PART)[:NAMED])
        for k in range(len(sizes) - 1, -1, -1)
        if ratio[k] > POOR
    ]
    return Excitation(float(ratio[-1]), rank, own, tuple(weak))


def excitation_findings(excitation: Excitation, names: tuple[str, ...]) -> Iterator[Finding]:
    """A warning with the condition number and the parameters in the weakest directions; none where all is well."""
    if excitation.condition <= POOR:
        return
    said = list(dict.fromkeys(" with ".join(sorted(names[i] for i in members)) for _, members in excitation.weak))
    weakest = [text or "a combination of many" for text in said[:NAMED]]
    more = f" and {len(said) - NAMED} more" if len(said) > NAMED else ""
    is_lost = excitation.rank < len(excitation.own)
    condition = "infinite" if is_lost else f"{excitation.condition:.3g}"
    message = (
        f"the condition number of the scaled base regressor is {condition} (good: below {POOR:.0f}); hardly "
        f"excited: {'; '.join(weakest)}{more}."
    )
    remedy = "These parameters stay close to their nominal values. To identify them, run a trajectory of"
    yield Finding("warning", "excitation", message, f"{remedy} `leverarm excite`.")
