"""Which parameters give the base parameters their names, where there is a choice: the same on every route."""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.mechanics.regressor import INERTIAL_NAMES, KINDS
from leverarm.model import Link, Mechanism

RANKS = {"offset": 0, "inertial": 1}
MASS, DRIVE, MOVED = 2, 3, 4


def preferred(arm: Mechanism, kinds: Sequence[str]) -> list[int]:
    """The columns of the regressor of these kinds, those that are kept where possible first.

    Constant forces, the links' numbers from the base outwards with the masses after them, then drives; last, of each
    link, what its joint lets its carrier have. That is Khalil's choice, and that of the exact base parameters.
    """
    moved = {f"{link.name}.{name}" for link in arm.links for name in _moved_inward(link)}
    ranks: list[int] = []
    for kind in kinds:
        for parameter in KINDS[kind].parameters(arm):
            if kind == "inertial" and parameter.name in moved:
                ranks.append(MOVED)
            elif kind == "inertial" and parameter.name.endswith(".m"):
                ranks.append(MASS)
            else:
                ranks.append(RANKS.get(kind, DRIVE))
    return sorted(range(len(ranks)), key=ranks.__getitem__)


def _moved_inward(link: Link) -> list[str]:
    """The numbers of a link over floats that may be counted to its carrier.

    On a joint that turns about z they are m, hz and Iyy; on one that slides all second moments; on a screw Iyy only.
    """
    if not link.turns:
        return [name for name in INERTIAL_NAMES if name.startswith("I")]
    along = max(range(3), key=lambda k: round(float(list(link.axis)[k]) ** 2, 9))
    across = "xyz"[along - 1]
    on_axis = ["m", f"h{'xyz'[along]}"] if link.slide == 0 else []
    return [*on_axis, f"I{across}{across}"]
