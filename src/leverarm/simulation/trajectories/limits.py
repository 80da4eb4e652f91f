"""A motion checked against the limits of the arm's joints: position, velocity, effort."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from leverarm.arrays import Array
from leverarm.errors import InputError
from leverarm.model import Arm, Joint, Quantity, to_float
from leverarm.quantities.arrays import over_floats
from leverarm.simulation.trajectories.trajectory import Trajectory

UNSOLVABLE = 1e12
"""The condition number from which on couplings are not inverted: most digits of the joints' forces would be lost."""


@dataclass(frozen=True, slots=True, eq=False)
class JointLimits:
    """Limits of m moving joints, in the order of the arm's bodies, infinite where there are none.

    Joint positions are ratios @ q + offsets, velocities ratios @ qd [rad or m, per s].
    """

    names: tuple[str, ...]
    turns: tuple[bool, ...]
    ratios: Array
    """(m, n)."""
    offsets: Array
    shares: Array
    """(m, n): joint forces are shares @ tau [N m or N], where `is_loaded`."""
    is_loaded: tuple[bool, ...]
    """Whether the force in the joint follows from tau; not for a joint that is pulled along by a coordinate."""
    lower: Array
    upper: Array
    velocity: Array
    effort: Array

    @staticmethod
    def of(arm: Arm) -> JointLimits:
        """The limits of an arm, its symbols at their default values."""
        joints = [body.joint for body in arm.bodies if not body.joint.is_fixed]
        ratios = np.zeros((len(joints), arm.dof))
        for i, row in enumerate(over_floats(arm).couplings):
            for j, ratio in row:
                ratios[i, j] = ratio
        shares, is_loaded = _shares(arm, joints, ratios)

        def values(quantities: list[Quantity | None], missing: float) -> Array:
            return np.array([missing if x is None else to_float(x, arm.defaults) for x in quantities])

        return JointLimits(
            tuple(joint.name for joint in joints),
            tuple(joint.kind.turns for joint in joints),
            ratios,
            values([joint.offset for joint in joints], 0.0),
            shares,
            is_loaded,
            lower=values([joint.limits.lower for joint in joints], -np.inf),
            upper=values([joint.limits.upper for joint in joints], np.inf),
            velocity=values([joint.limits.velocity for joint in joints], np.inf),
            effort=values([joint.limits.effort for joint in joints], np.inf),
        )

    def positions(self, q: Array) -> Array:
        """Of the joints, (N, m) [rad or m]."""
        return np.asarray(q @ self.ratios.T + self.offsets)

    def velocities(self, qd: Array) -> Array:
        """Of the joints, (N, m) [rad/s or m/s]."""
        return np.asarray(qd @ self.ratios.T)

    def efforts(self, tau: Array) -> Array:
        """In the joints, (N, m) [N m or N]; zero where a joint is not loaded."""
        return np.asarray(tau @ self.shares.T)

    def unit(self, joint: int, angular: str, linear: str) -> str:
        return angular if self.turns[joint] else linear


def _shares(arm: Arm, joints: list[Joint], ratios: Array) -> tuple[Array, tuple[bool, ...]]:
    """The force in each joint per unit of tau: the same power, ratios^T force = tau, however the arm is described.

    Joints that are coordinates carry tau themselves, and those that follow them nothing. Otherwise there must be as
    many joints as coordinates, so that the equation has one solution.
    """
    own = np.array(
        [[float(joint.coupling is None and joint.name == name) for name in arm.coordinates] for joint in joints]
    )
    if own.any(axis=0).all():
        return own, tuple(bool(row.any()) for row in own)
    if len(joints) == arm.dof and np.linalg.cond(ratios) < UNSOLVABLE:
        return np.linalg.inv(ratios).T.astype(np.float64), (True,) * len(joints)
    return np.zeros_like(ratios), (False,) * len(joints)


ROUNDING = 1e-9
"""Relative tolerance: a value this little past a limit still counts as at the limit."""


@dataclass(frozen=True, slots=True)
class LimitUse:
    """How much of one limit of one joint a motion uses, at the row where it uses most.

    `value` and `limit` have the unit `unit`; a limit is None where the arm has none. `ratio` is the value divided by
    the limit; for positions, the distance from the middle of the range divided by half the range (None where the
    range has only one end). `exceeded_at` is the time [s] of the first row beyond the limit.
    """

    joint: str
    quantity: str
    unit: str
    value: float
    t: float
    limit: float | None
    ratio: float | None
    exceeded_at: float | None


@dataclass(frozen=True, slots=True)
class LimitReport:
    """What a motion uses of each joint's limits, and the greatest power of each joint [W]."""

    arm: str
    start: float
    end: float
    rows: int
    uses: tuple[LimitUse, ...]

    @property
    def ok(self) -> bool:
        """Whether no known limit is exceeded at any row."""
        return not self.violations

    @property
    def violations(self) -> tuple[LimitUse, ...]:
        """The limits that are exceeded."""
        return tuple(use for use in self.uses if use.exceeded_at is not None)

    @property
    def unlimited(self) -> tuple[LimitUse, ...]:
        """Quantities without a limit, powers aside: these are not checked."""
        return tuple(use for use in self.uses if use.limit is None and use.quantity != "power")

    @property
    def tightest(self) -> LimitUse | None:
        """The most used limit; None where the arm has no limit."""
        return max((u for u in self.uses if u.ratio is not None), key=lambda u: u.ratio or 0.0, default=None)

    def __str__(self) -> str:
        """A table in plain text, the verdict first."""
        count = len(self.violations)
        verdict = f"{count} limit{'s' * (count != 1)} exceeded" if count else "no limit exceeded"
        if not any(use.limit is not None for use in self.uses):
            verdict = "the arm has no limits to check"
        lines = [f"{self.arm}, {self.rows} rows from {self.start:g} to {self.end:g} s: {verdict}", ""]
        cells: list[tuple[str, ...]] = [("joint", "quantity", "worst", "", "at [s]", "limit", "used", "")]
        cells += [_line(use) for use in self.uses]
        widths = [max(len(line[k]) for line in cells) for k in range(len(cells[0]))]
        for line in cells:
            joined = [
                cell.rjust(width) if k in (2, 4, 5, 6) else cell.ljust(width)
                for k, (cell, width) in enumerate(zip(line, widths, strict=True))
            ]
            lines.append("  ".join(joined).rstrip())
        return "\n".join(lines)


def check_limits(arm: Arm, trajectory: Trajectory) -> LimitReport:
    """What a motion uses of the limits of each joint: range, velocity, effort, and its greatest power.

    The torque is the trajectory's own; `torques_along` gives a motion the torques that it needs. Where joints are
    coupled, what is checked is the joint's own position, velocity and effort, not the coordinate's. A joint that is
    pulled along by another one's motor has no effort of its own. Between rows nothing is checked.
    """
    if not isinstance(arm, Arm) or not isinstance(trajectory, Trajectory):
        raise InputError(
            f"the limits of {type(arm).__name__} and a motion of {type(trajectory).__name__} were given; it takes an "
            "arm and a Trajectory. torques_along(arm, motion) makes one of any motion."
        )
    if trajectory.arm.dof != arm.dof:
        raise InputError(
            f"the trajectory is one of arm {trajectory.arm.name!r} with {trajectory.arm.dof} coordinates; arm "
            f"{arm.name!r} has {arm.dof} ({', '.join(arm.joint_names)}). Give the limits of the same arm."
        )
    limits = JointLimits.of(arm)
    t, x, v = trajectory.t, limits.positions(trajectory.q), limits.velocities(trajectory.qd)
    effort = limits.efforts(trajectory.tau)
    uses: list[LimitUse] = []
    for i, name in enumerate(limits.names):
        uses.append(_position_use(name, limits.unit(i, "rad", "m"), t, x[:, i], limits.lower[i], limits.upper[i]))
        uses.append(_use(name, "velocity", limits.unit(i, "rad/s", "m/s"), t, v[:, i], limits.velocity[i]))
        if limits.is_loaded[i]:
            uses.append(_use(name, "effort", limits.unit(i, "N m", "N"), t, effort[:, i], limits.effort[i]))
            uses.append(_use(name, "power", "W", t, effort[:, i] * v[:, i], np.inf))
    return LimitReport(arm.name, float(t[0]), float(t[-1]), len(t), tuple(uses))


def ratio_to(limit: Array | float, value: Array) -> Array:
    """|value| / limit; zero where both are zero or there is no limit, infinite where only the limit is zero."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(value == 0, 0.0, np.abs(value) / limit)


def _use(joint: str, quantity: str, unit: str, t: Array, value: Array, limit: float) -> LimitUse:
    ratio = ratio_to(limit, value)
    worst = int(np.argmax(np.abs(value)))
    if not np.isfinite(limit):
        return LimitUse(joint, quantity, unit, float(value[worst]), float(t[worst]), None, None, None)
    first = _first(t, ratio > 1 + ROUNDING)
    return LimitUse(
        joint, quantity, unit, float(value[worst]), float(t[worst]), float(limit), float(ratio[worst]), first
    )


def _position_use(joint: str, unit: str, t: Array, x: Array, lower: float, upper: float) -> LimitUse:
    """The row nearest to an end of the range, or the farthest beyond it, and which end that is."""
    if not np.isfinite(lower) and not np.isfinite(upper):
        return _use(joint, "position", unit, t, x, np.inf)
    beyond = np.maximum(x - upper, lower - x)
    worst = int(np.argmax(beyond))
    end = upper if x[worst] - upper > lower - x[worst] else lower
    half = (upper - lower) / 2
    is_range = bool(np.isfinite(half))
    ratio = float(ratio_to(half, np.array(x[worst] - (lower + half)))) if is_range else None
    first = _first(t, beyond > ROUNDING * (half if is_range else max(1.0, abs(end))))
    return LimitUse(joint, "position", unit, float(x[worst]), float(t[worst]), float(end), ratio, first)


def _first(t: Array, is_beyond: np.ndarray) -> float | None:
    rows = np.flatnonzero(is_beyond)
    return float(t[rows[0]]) if rows.size else None


def _line(use: LimitUse) -> tuple[str, ...]:
    is_power = use.quantity == "power"
    return (
        use.joint,
        use.quantity,
        f"{use.value:.4g}",
        use.unit,
        f"{use.t:.4g}",
        "" if is_power else "none" if use.limit is None else f"{use.limit:.4g}",
        "" if use.ratio is None else f"{100 * use.ratio:.1f} %",
        "" if use.exceeded_at is None else f"exceeded from {use.exceeded_at:.4g} s",
    )
