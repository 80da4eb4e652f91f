"""Where down is: the direction of gravity tested against every axis, and fitted where none will do."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from leverarm.arrays import Array
from leverarm.findings import Finding
from leverarm.identification.preflight.gravity_search import GravitySearch, unit
from leverarm.identification.preflight.readings import gravity_columns
from leverarm.identification.preflight.samples import Thinned
from leverarm.model import Arm, bind
from leverarm.model.arm import STANDARD_GRAVITY
from leverarm.spatial import Vec3

AXES = {
    sign + axis: np.array([(1.0 if sign == "+" else -1.0) * (axis == k) for k in "xyz"])
    for axis in "xyz"
    for sign in "-+"
}
AS_GOOD = 1.25
"""Directions whose residual sum of squares is within this factor of the least fit as well as it."""
CLEARLY_BETTER = 0.6
"""Factor on the residual sum of squares below which another direction takes the place of the one given."""
FAR_BETTER = 0.35
"""The same where the masses of the given arm do not speak against its gravity: a model that lacks something else, such
as elastic joints, may fit a little better under any gravity."""
TILTED = float(np.deg2rad(3.0))
"""Angle to the best axis [rad] from which a fitted direction is another one."""
WAY_OFF = float(np.deg2rad(60.0))
"""Angle [rad] from which the given arm's masses object to its gravity."""

Judgement = Literal["fits", "another axis", "tilted", "opposite", "none", "unseen"]


@dataclass(frozen=True, slots=True)
class GravityTest:
    """The free-fall acceleration [m/s^2] that the torques show, the arm with it, and the error [%] of each direction.

    `fitted` is the best direction of all where it was looked for; `by_masses` is gravity as the arm's own masses see it
    (m/s^2, right in size only if they are), None where they are not to be trusted. `opposite_error` belongs to gravity
    turned round: where it is as small as the given one's, the equations alone cannot tell up from down.
    """

    judgement: Judgement
    direction: Array
    fitted: Array
    fitted_error: float
    given_error: float
    opposite_error: float
    errors: dict[str, float]
    by_masses: Array | None
    arm: Arm


def as_given(arm: Arm) -> GravityTest:
    """No test: the arm's own gravity, which nothing is known against."""
    given = np.array([float(part) for part in bind(arm).gravity])
    unknown = float("nan")
    return GravityTest("unseen", given, given, unknown, unknown, unknown, {}, None, arm)


def gravity_test(rows: Thinned) -> GravityTest:
    """The direction in which free base parameters leave least of the torques; the arm's masses decide between equals.

    W(g) = W(0) + sum of g_k G_k is linear in gravity, so each direction costs one small solve. With free parameters
    gravity turned round is fitted by first moments turned round; only the inertial torques that go with them object,
    and where those are too small the given arm's masses say which it is.
    """
    search = GravitySearch.of(rows)
    given = search.given
    size = float(np.linalg.norm(given)) or STANDARD_GRAVITY
    squares = {name: search.left(size * axis) for name, axis in AXES.items()}
    at_given, none = search.left(given), search.left(np.zeros(3))
    by_masses = search.by_masses()
    starts = [*AXES.values(), *_corners(), given / size]
    fitted, at_fitted = search.refined(size, starts if by_masses is None else [unit(by_masses)])
    judgement, direction = _judged(search, squares, none, fitted, at_fitted, by_masses)
    return GravityTest(
        judgement,
        direction,
        fitted,
        search.percent(at_fitted),
        search.percent(at_given),
        search.percent(search.left(-given)),
        {name: search.percent(square) for name, square in squares.items()},
        by_masses,
        rows.arm if judgement in ("fits", "unseen") else replace(rows.arm, gravity=Vec3(*map(float, direction))),
    )


def _judged(
    search: GravitySearch,
    squares: dict[str, float],
    none: float,
    fitted: Array,
    at_fitted: float,
    by_masses: Array | None,
) -> tuple[Judgement, Array]:
    given, at_given = search.given, search.left(search.given)
    best = min(squares, key=lambda name: squares[name])
    axis = float(np.linalg.norm(fitted)) * AXES[_wanted(best, squares, by_masses)]
    at_axis = search.left(axis)
    masses_object = by_masses is not None and _angle(given, by_masses) > WAY_OFF
    better = CLEARLY_BETTER if masses_object else FAR_BETTER
    if none < better * min(at_given, at_axis, at_fitted):
        return "none", np.zeros(3)
    if max(*squares.values(), none) <= AS_GOOD * min(at_given, at_fitted) and not masses_object:
        return "unseen", given
    if at_fitted < CLEARLY_BETTER * at_axis and at_fitted < better * at_given and _angle(fitted, axis) > TILTED:
        return "tilted", fitted
    if at_axis < better * at_given:
        return "another axis", axis
    if masses_object and at_axis <= AS_GOOD * at_given:
        return "opposite", axis
    return "fits", given


def _wanted(best: str, squares: dict[str, float], by_masses: Array | None) -> str:
    """The best axis, or among those that fit as well the one that the masses of the arm want."""
    if by_masses is None:
        return best
    within = squares[best] / CLEARLY_BETTER
    return max((name for name in AXES if squares[name] <= within), key=lambda name: float(AXES[name] @ by_masses))


def _corners() -> list[Array]:
    return [np.array([x, y, z]) / np.sqrt(3) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]


def _angle(a: Array, b: Array) -> float:
    sizes = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(np.arccos(np.clip(a @ b / sizes, -1, 1))) if sizes > 0 else float(np.pi)


def with_gravity(rows: Thinned, gravity: Array) -> Thinned:
    """The same samples with the regressor of an arm under another gravity [m/s^2], without compiling it anew."""
    more = gravity - np.array([float(part) for part in bind(rows.arm).gravity])

    def regressor(q: Array, qd: Array, qdd: Array) -> Array:
        G = gravity_columns(rows.arm, q)
        W = rows.regressor(q, qd, qdd).copy()
        W[:, :, : G.shape[3]] += np.tensordot(more, G, 1)
        return W

    state = (np.ascontiguousarray(x[rows.at]) for x in (rows.motion.q, rows.motion.qd, rows.motion.qdd))
    arm = replace(rows.arm, gravity=Vec3(*map(float, gravity)))
    return replace(rows, arm=arm, regressor=regressor, W=regressor(*state))


REMEDY = "Give gravity as the free-fall acceleration in the world, such as gravity = [0, 0, -9.81] for z up."


def found(test: GravityTest) -> tuple[Finding, ...]:
    """A warning where torques show another gravity than the arm has, a note where they show none."""
    text = "(" + ", ".join(f"{part:.3g}" for part in test.direction) + ") m/s^2"
    given = f"with the arm's own gravity free base parameters leave {test.given_error:.2g} % of the torques"
    if test.judgement == "fits":
        return ()
    if test.judgement == "unseen":
        if not test.errors:
            message = "the log has too few samples of moving joints to test signs, gravity and time lag."
            return (Finding("note", "preflight", message, "Log a longer motion."),)
        message = f"every direction fits alike ({test.given_error:.2g} %), so the torques do not show where down is."
        return (Finding("note", "gravity", message, "The arm's own gravity is kept."),)
    if test.judgement == "none":
        message = f"{given}; without gravity they fit clearly better: it seems to be subtracted already."
        return (
            Finding("warning", "gravity", message, "Log torques with gravity in them, or set gravity = [0, 0, 0]."),
        )
    if test.judgement == "opposite":
        message = (
            f"the torques hold the arm's masses up against gravity along {text}, not along that of the arm "
            f"(free parameters fit both alike)."
        )
        return (Finding("warning", "gravity", message, REMEDY + " An arm that hangs has z down."),)
    if test.judgement == "tilted":
        message = f"{given}; fitted, gravity is {text} and leaves {test.fitted_error:.2g} %. No axis of the world fits."
        return (Finding("warning", "gravity", message, REMEDY + " Or turn the arm's base the way it is mounted."),)
    least = min(test.errors.values())
    message = f"{given}; gravity along {text} leaves {least:.2g} %."
    return (Finding("warning", "gravity", message, REMEDY),)
