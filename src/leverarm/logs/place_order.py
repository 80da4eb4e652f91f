"""In which order quantities stand in a table without names: velocities are known by being the slopes of positions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from leverarm.logs.column_words import Role
from leverarm.logs.files.table import Table
from leverarm.logs.velocities import agreement

ORDERS: dict[int, tuple[tuple[Role | None, ...], ...]] = {
    2: (("q", "tau"),),
    3: (("q", "qd", "tau"), ("q", "tau", "qd"), (None, "q", "tau")),
    4: (("q", "qd", "qdd", "tau"), (None, "q", "qd", "tau"), ("q", "qd", "tau", "qdd")),
}
"""Of blocks with a column for each joint, the likeliest first; None is for wanted positions before measured ones."""
SAME = 0.05
"""Of the range of a joint: how far wanted positions are from measured ones, at most."""


def order_of_blocks(table: Table, names: Sequence[Sequence[str]], time: str | None) -> tuple[Role | None, ...]:
    """What each block of columns is: the first order that the numbers do not contradict, or else the usual one."""
    blocks = [np.stack([table.columns[name] for name in block], axis=1) for block in names]
    t = table.columns[time] if time is not None else np.arange(len(table), dtype=np.float64)
    is_whole = np.isfinite(t) & np.logical_and.reduce([np.isfinite(block).all(axis=1) for block in blocks])
    usual, *others = ORDERS[len(blocks)]
    if np.sum(is_whole) < 3 or not np.any(np.diff(t[is_whole]) > 0):
        return usual
    t, blocks = t[is_whole], [block[is_whole] for block in blocks]

    def fits(order: Sequence[Role | None]) -> bool:
        q = blocks[order.index("q")]
        if None in order and np.any(np.abs(blocks[order.index(None)] - q) > SAME * np.ptp(q, axis=0).max()):
            return False
        return "qd" not in order or agreement(t, q, blocks[order.index("qd")]).is_alike

    return next((order for order in (usual, *others) if fits(order)), usual)
