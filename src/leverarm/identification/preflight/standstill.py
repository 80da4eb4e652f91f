"""How long joints rest, and below which speed a joint's friction cannot be told from sticking."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array
from leverarm.lint.finding import Finding, listed

if TYPE_CHECKING:
    from leverarm.identification.motion import Motion


OF_FAST = 0.01
"""A joint rests below this share of its fast speed, the 95 % quantile."""
SPREADS = 5.0
"""... and below this many standard deviations of its speed while it rests."""
NEVER = 1e-4
"""A joint whose fast speed stays below this [rad/s or m/s] does not move."""
LONG_REST = 0.05
MOSTLY_REST = 0.5


def dead_zone(motion: Motion) -> Array:
    """Speeds (n,) [rad/s or m/s] below which a joint counts as resting, from its fast speed and its noise at rest."""
    speed = np.abs(motion.qd)
    fast = np.quantile(speed, 0.95, axis=0)
    zone = OF_FAST * fast
    resting = speed < zone
    # the median of a half normal distribution is 0.6745 standard deviations
    noise = [float(np.median(s[r])) / 0.6745 if r.any() else 0.0 for s, r in zip(speed.T, resting.T, strict=True)]
    share = resting.mean(axis=0)
    # a joint that only swings through zero has a flat spread of speeds there, which is no noise
    rests = share > LONG_REST + OF_FAST
    return np.maximum(zone, np.where(rests, np.minimum(SPREADS * np.array(noise), 0.2 * fast), 0.0))


def rest_shares(motion: Motion, dead_zone: Array) -> Array:
    """Share of time (n,) each joint spends inside its dead zone."""
    share: Array = np.mean(np.abs(motion.qd) <= dead_zone, axis=0)
    return share


def never_moving(motion: Motion) -> NDArray[np.bool_]:
    """Joints (n,) that stay where they are through the whole log."""
    still: NDArray[np.bool_] = np.quantile(np.abs(motion.qd), 0.95, axis=0) < NEVER
    return still


def found(motion: Motion, dead_zone: Array, joints: tuple[str, ...]) -> tuple[Finding, ...]:
    """A warning on joints that never move, and one on a log that rests for long."""
    findings = []
    still = never_moving(motion)
    if still.any():
        names = [joint for joint, is_still in zip(joints, still, strict=True) if is_still]
        findings.append(
            Finding(
                "warning",
                listed("joint", names),
                "never moves in this log, so its friction and the inertia about it cannot be told."
                if len(names) == 1
                else "never move in this log, so their friction and the inertia about them cannot be told.",
                "Log a motion of every joint, such as one of `leverarm excite`.",
            )
        )
    at_rest = float(np.mean((np.abs(motion.qd) <= dead_zone).all(axis=1)))
    shares = rest_shares(motion, dead_zone)
    long = (shares > MOSTLY_REST) & ~still
    if at_rest > LONG_REST:
        findings.append(
            Finding(
                "warning" if at_rest > MOSTLY_REST else "note",
                "standstill",
                f"all joints rest in {100 * at_rest:.0f} % of the log ({at_rest * len(motion.t) / motion.rate:.1f} s); "
                "there friction may be anything between its two Coulomb values.",
                "Those rows are left out. Cut them from the log, or log a motion without pauses.",
            )
        )
    if long.any() and at_rest <= MOSTLY_REST:
        names = [joint for joint, is_long in zip(joints, long, strict=True) if is_long]
        findings.append(
            Finding(
                "note",
                listed("joint", names),
                f"{'rests' if len(names) == 1 else 'rest'} in "
                f"{', '.join(f'{100 * s:.0f} %' for s in shares[long])} of the log.",
                "Rows at rest are left out of the fit; friction rests on the others.",
            )
        )
    return tuple(findings)
