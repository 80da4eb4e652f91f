"""Time-optimal motion along a path: at every moment some joint is at one of its limits.

The path is a smooth curve q(s) of its own length s. Along it, qd = q' ds/dt and qdd = q' u + q'' x with u = d2s/dt2 and
x = (ds/dt)^2, so the torque is

    tau = M q' u + (M q'' + C(q, q') q') x + F + g + tau_d - J^T w

(Bobrow, Dubowsky and Gibson 1985): linear in u and x but for friction, which is linearised in x iteratively.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from leverarm.arrays import Array
from leverarm.control.signals import Signal, scaled_in_time
from leverarm.control.signals.checked import finite, number_array, positive, vector
from leverarm.control.signals.pieces import polynomial_signal
from leverarm.errors import InputError
from leverarm.model import Arm
from leverarm.simulation.trajectories.limits import JointLimits, ratio_to
from leverarm.simulation.trajectories.motions import motion_rows, span, spline
from leverarm.simulation.trajectories.reachability import DeadEndError, PathBounds, fastest_profile
from leverarm.simulation.trajectories.time_scaling import largest_speed
from leverarm.simulation.trajectories.torques import Loads, compiled_without_friction, force_parts, friction_along

CORNER = 0.9
"""The cosine of the angle between neighbouring steps of a path below which it has a corner there."""
FINER = 10
"""Points per step at which the length of a signal's path is measured."""


def path_of(arm: Arm, path: ArrayLike | Signal, steps: int) -> tuple[Signal, Array]:
    """The path as a cubic spline of its length, and a grid of lengths that holds the spline's knots.

    Length is that in the space of the coordinates, angles and lengths alike: it only numbers the points of the path.
    """
    if isinstance(steps, bool) or not isinstance(steps, int) or not 2 <= steps <= 100_000:
        raise InputError(f"steps = {steps!r}: divide the path into 2 to 100,000 steps.")
    points = _on_signal(arm, path, steps) if isinstance(path, Signal) else _waypoints(arm, path)
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    way = spline(lengths, points)
    even = np.linspace(0.0, lengths[-1], steps + 1)
    # A grid point that rounding sets beside a knot would make a step of no length.
    apart = np.min(np.abs(even[:, None] - lengths), axis=1) if len(points) < steps else np.zeros(steps + 1)
    return way, np.union1d(even[apart > 1e-6 * lengths[-1] / steps], lengths)


def _on_signal(arm: Arm, signal: Signal, steps: int) -> Array:
    """Points evenly spaced along the path of a signal."""
    start, end = span(signal.of_size(arm.dof, f"the path of arm {arm.name!r}"))
    t = np.linspace(start, end, FINER * steps + 1)
    fine = np.linalg.norm(np.diff(signal.at(t).value, axis=0), axis=1)
    length = np.concatenate([[0.0], np.cumsum(fine)])
    if not length[-1] > 0:
        raise InputError(f"the path of arm {arm.name!r} is a signal that does not move; give one that does.")
    moving = np.concatenate([[True], fine > 0])
    at = np.interp(np.linspace(0.0, length[-1], steps + 1), length[moving], t[moving])
    points: Array = signal.at(at).value
    ways = np.diff(points, axis=0)
    ways = ways / np.linalg.norm(ways, axis=1)[:, None]
    turned = np.einsum("kn,kn->k", ways[1:], ways[:-1])
    if turned.min() < CORNER:
        k = int(np.argmin(turned)) + 1
        raise InputError(
            f"the path of arm {arm.name!r} has a corner at t = {at[k]:.4g} s of its signal, where the arm would have "
            "to stop. Give the paths before and after it separately, or a smooth path."
        )
    return points


def _waypoints(arm: Arm, given: ArrayLike) -> Array:
    takes = f"a signal, or two or more waypoints of {arm.dof} numbers ({', '.join(arm.joint_names)})"
    points = finite(f"the path of arm {arm.name!r}", number_array(f"the path of arm {arm.name!r}", given, takes))
    if points.ndim != 2 or len(points) < 2 or points.shape[1] != arm.dof:
        raise InputError(f"the path of arm {arm.name!r}: an array of shape {points.shape} was given. It takes {takes}.")
    same = np.flatnonzero(~np.diff(points, axis=0).any(axis=1))
    if same.size:
        raise InputError(
            f"the path of arm {arm.name!r}: waypoints {same[0]} and {same[0] + 1} are the same; leave one out."
        )
    return points


MOST_ROUNDS = 12
SETTLED = 1e-6
"""The relative change of the profile at which friction's tangent is where it should be; what remains is scaled away."""
UNBOUNDED = 1e6
"""Upper bound on the speed along a path, in units of its length per second."""


def fastest_along(
    arm: Arm,
    path: ArrayLike | Signal,
    margin: float = 1.0,
    *,
    acceleration: ArrayLike | None = None,
    wrench: ArrayLike | None = None,
    disturbance: ArrayLike | None = None,
    frame: str | None = None,
    steps: int = 1000,
) -> Signal:
    """The time-optimal motion from rest to rest along a path within the joints' limits.

    The path is waypoints (K, n) [rad or m], joined by a cubic spline, or a signal, of which only the path counts, not
    the timing. It keeps `margin` times the joints' velocity and effort limits and, where given, limits of the joints'
    `acceleration` [rad/s^2 or m/s^2], one for all or one each. `wrench` (on `frame`, the tool) and `disturbance` are
    constant. The path is divided into `steps`; the whole motion is then slowed down slightly if limits are exceeded
    within a step. It begins at t = 0 and arrives at the last of its `begins`. Raises InputError where the arm cannot
    follow the path, or where no limit bounds its speed.
    """
    part, limits = positive("margin", margin, "(of the limits)"), JointLimits.of(arm)
    hardest = np.full(len(limits.names), np.inf)
    if acceleration is not None:
        given = vector("acceleration", acceleration)
        if given.shape not in ((1,), hardest.shape) or not (given > 0).all():
            raise InputError(
                f"acceleration = {acceleration!r}: it takes one positive number, or one for each of the "
                f"{len(limits.names)} joints ({', '.join(limits.names)})."
            )
        hardest = np.broadcast_to(given, hardest.shape)
    limits = replace(limits, velocity=part * limits.velocity, effort=part * limits.effort)
    if not np.isfinite(limits.effort).any() and not np.isfinite(hardest).any():
        raise InputError(
            f"no joint of arm {arm.name!r} has a limit of effort, so nothing bounds how fast it speeds up. Give its "
            "joints limits = { effort = ... }, or pass acceleration=..."
        )
    way, s = path_of(arm, path, steps)
    loads = Loads.of(arm, s, _constant("wrench", wrench, 6), _constant("disturbance", disturbance, arm.dof), frame)
    motion = _motion(way, s, *_profile(arm, way, s, loads, limits, hardest))
    speed = min(1.0, largest_speed(arm, motion_rows(arm, motion), loads, part))
    t = motion.begins[1:]
    ends = motion.at(np.concatenate([t[:-1], np.nextafter(t[1:], 0.0)])).acceleration
    speed = min(speed, float(np.sqrt(1 / max(1.0, np.max(np.abs(ends @ limits.ratios.T) / hardest)))))
    return motion if speed == 1 else scaled_in_time(motion, 1 / speed)


def _profile(arm: Arm, way: Signal, s: Array, loads: Loads, limits: JointLimits, hardest: Array) -> tuple[Array, Array]:
    """x at the points of the path and u between them."""
    q, slope, bend = way.at(s)
    rigid = compiled_without_friction(arm)
    parts = force_parts(arm, s, (q, slope, bend), loads)
    push = limits.efforts(rigid.inverse_dynamics(q, np.zeros_like(q), slope) - parts.weight)
    pull = limits.efforts(parts.inertial)
    fixed = limits.efforts(parts.weight + parts.disturbance - parts.wrench)
    speeds, turns = limits.velocities(slope), limits.velocities(bend)
    most = np.min(
        np.divide(limits.velocity, np.abs(speeds), out=np.full_like(speeds, UNBOUNDED), where=speeds != 0), axis=1
    )
    still = np.zeros_like(speeds)
    pace = _linear(speeds, turns, still, still, hardest)
    x = np.ones_like(s)
    for _ in range(MOST_ROUNDS):
        near = np.maximum(x, 1e-6 * x.max())
        friction, rise = _tangent_of_friction(arm, limits, (s, q, slope), near, loads)
        steady = fixed - rise * near[:, None]
        least, greatest = _around_reversals(friction, speeds)
        effort = _linear(push, pull + rise, steady + least, steady + greatest, limits.effort)
        columns = [np.concatenate(pair, axis=1) for pair in zip(effort, pace, strict=True)]
        bounds = PathBounds(columns[0], columns[1], columns[2], np.minimum(most, UNBOUNDED) ** 2)
        try:
            found, u = fastest_profile(s, bounds)
            stop = np.flatnonzero(found[1:-1] <= 0)
            if stop.size:
                raise DeadEndError(int(stop[0]) + 1)
        except DeadEndError as end:
            raise _overloaded(arm, limits, fixed + friction, s, end.point) from None
        change, x = np.max(np.abs(found - x)), found
        if change <= SETTLED * x.max() or not friction.any():
            break
    return x, u


def _linear(u: Array, x: Array, least: Array, greatest: Array, bound: Array) -> tuple[Array, ...]:
    """|u-part + x-part + fixed part| <= bound as two rows of push, pull and room each, in units of the bound."""
    known = np.isfinite(bound)
    size = np.where(bound > 0, bound, 1.0)[known]
    a, b, room = u[:, known] / size, x[:, known] / size, bound[known] / size
    below, above = room + least[:, known] / size, room - greatest[:, known] / size
    return tuple(np.concatenate(pair, axis=1) for pair in ((a, -a), (b, -b), (above, below)))


def _around_reversals(friction: Array, speeds: Array) -> tuple[Array, Array]:
    """The least and the greatest friction at each point; within a step in which a joint reverses, that of both ends."""
    rows = np.flatnonzero((np.sign(speeds[1:]) != np.sign(speeds[:-1])).any(axis=1))
    least, greatest = friction.copy(), friction.copy()
    for here, there in ((rows, rows + 1), (rows + 1, rows)):
        least[here] = np.minimum(least[here], friction[there])
        greatest[here] = np.maximum(greatest[here], friction[there])
    return least, greatest


def _tangent_of_friction(
    arm: Arm, limits: JointLimits, path: tuple[Array, Array, Array], x: Array, loads: Loads
) -> tuple[Array, Array]:
    """Friction in the joints at path speeds sqrt(x), (N, m), and its derivative with respect to x.

    `path` holds its points, the positions there and their slope.
    """
    s, q, slope = path

    def friction(at: Array) -> Array:
        return limits.efforts(friction_along(arm, s, (q, np.sqrt(at)[:, None] * slope), loads))

    step = 1e-3 * x
    return friction(x), (friction(x + step) - friction(x - step)) / (2 * step)[:, None]


def _motion(way: Signal, s: Array, x: Array, u: Array) -> Signal:
    """The path run through with constant u in each interval: cubics of s, s a parabola of t, so sextics of t."""
    at, n = way.at(s[:-1]), way.size
    piece = np.searchsorted(way.begins, s[:-1], side="right") - 1
    d1, d2, d3 = at.rate, at.acceleration / 2, way.rows[np.maximum(piece, 0), 1 + 3 * n :]
    v, h = np.sqrt(x[:-1])[:, None], u[:, None] / 2
    times = np.concatenate([[0.0], np.cumsum(2 * np.diff(s) / (np.sqrt(x[:-1]) + np.sqrt(x[1:])))])
    coefficients = [
        at.value,
        d1 * v,
        d1 * h + d2 * v**2,
        2 * d2 * v * h + d3 * v**3,
        d2 * h**2 + 3 * d3 * v**2 * h,
        3 * d3 * v * h**2,
        d3 * h**3,
    ]
    end = way.at(s[-1]).value
    return polynomial_signal(times[:-1], coefficients, before=at.value[0], after=(float(times[-1]), end))


def _overloaded(arm: Arm, limits: JointLimits, load: Array, s: Array, point: int) -> InputError:
    used = ratio_to(limits.effort, load)
    row = int(np.argmax(used.max(axis=1))) if used.max() > 1 else point
    joint = int(np.argmax(used[row]))
    unit = limits.unit(joint, "N m", "N")
    return InputError(
        f"arm {arm.name!r} cannot follow the path: {100 * s[row] / s[-1]:.1f} % along it the load on joint "
        f"{limits.names[joint]!r} is {load[row, joint]:.4g} {unit}, and it may bear {limits.effort[joint]:.4g} {unit}. "
        "Choose another path, a lighter load, or a stronger joint."
    )


def _constant(what: str, given: ArrayLike | None, size: int) -> Array | None:
    if given is None:
        return None
    array = number_array(what, given, f"{size} numbers")
    if array.shape != (size,):
        raise InputError(f"{what}: an array of shape {array.shape} was given. Along a path it takes {size} numbers.")
    return array
