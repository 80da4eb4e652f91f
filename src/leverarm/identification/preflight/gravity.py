"""The direction of gravity: tested along every axis, and fitted where none agrees with the torques.

`GravitySearch` gives the residual under any gravity, from sums over the log that are made once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from leverarm.arrays import Array, IntArray
from leverarm.findings import Finding
from leverarm.identification.preflight import samples
from leverarm.identification.preflight.readings import gravity_columns, masses_of
from leverarm.identification.preflight.samples import Thinned, left_over, weighted
from leverarm.model import Arm, bind
from leverarm.model.arm import STANDARD_GRAVITY
from leverarm.spatial import Vec3

SAMPLES = 300
CLOSE = float(np.deg2rad(0.2))
"""Step on the sphere [rad] at which the search ends."""
SEEN = 5.0
"""Standard errors from zero at which the nominal masses decide a sign."""


@dataclass(frozen=True, slots=True)
class GravitySearch:
    """Sums over the log from which the residual of any gravity follows: columns W(0) and G_k, friction taken out."""

    rows: Array
    """Columns of the inertial parameters without gravity, then those added by unit gravity along x, y and z."""
    target: Array
    gram: Array
    moments: Array
    seen: IntArray
    """The inertial parameters that gravity acts on."""
    scale: Array
    total: float
    given: Array
    masses: Array
    blocks: IntArray

    @staticmethod
    def of(rows: Thinned) -> GravitySearch:
        """From a thinned motion; friction, rotors and offsets are projected out of columns and torques."""
        mechanism = bind(rows.arm)
        count = 10 * len(mechanism.links)
        rows = rows.few(SAMPLES)
        G = gravity_columns(rows.arm, rows.motion.q)
        given = np.array([float(part) for part in mechanism.gravity])
        still = rows.W[:, :, :count] - np.tensordot(given, G, 1)
        seen = np.flatnonzero(np.abs(G).max(axis=(0, 1, 2)) > 0)
        everything = np.concatenate([rows.W[:, :, count:], still, *(g[:, :, seen] for g in G)], axis=2)
        # joints are weighted by the residual of a fit with free gravity, which no direction can bias
        weights = rows.moves / samples.unexplained(everything, rows.tau, rows.moves)
        columns = weighted(everything, weights)
        others, columns = samples.span(columns[:, : rows.W.shape[2] - count]), columns[:, rows.W.shape[2] - count :]
        target = (rows.tau * weights).reshape(-1)
        lengths = np.linalg.norm(columns, axis=0)
        columns, left = left_over(others, columns), left_over(others, target)
        columns[:, np.linalg.norm(columns, axis=0) < 1e-9 * lengths] = 0.0
        norms = np.linalg.norm(columns[:, :count], axis=0)
        for k in range(3):
            part = columns[:, count + k * len(seen) : count + (k + 1) * len(seen)]
            norms[seen] = np.hypot(norms[seen], STANDARD_GRAVITY * np.linalg.norm(part, axis=0))
        gram, moments = columns.T @ columns, columns.T @ left
        scale, total = 1 / np.where(norms > 0, norms, 1), float(target @ target)
        blocks = np.repeat(rows.blocks, weights.shape[1])
        return GravitySearch(columns, left, gram, moments, seen, scale, total, given, masses_of(rows.arm), blocks)

    def percent(self, squares: float) -> float:
        """Relative error of the torques, each joint by its own size [%]."""
        return 100 * float(np.sqrt(max(squares, 0) / max(self.total, 1e-300)))

    def _mixing(self, g: Array) -> Array:
        """The matrix from columns without gravity and those of each axis to columns at gravity g."""
        count, seen = len(self.scale), len(self.seen)
        mixing = np.zeros((count + 3 * seen, count))
        mixing[np.arange(count), np.arange(count)] = self.scale
        for k in range(3):
            mixing[count + k * seen + np.arange(seen), self.seen] = g[k] * self.scale[self.seen]
        return mixing

    def left(self, g: Array) -> float:
        """Residual sum of squares of free parameters at gravity g."""
        mixing = self._mixing(g)
        normal = mixing.T @ self.gram @ mixing
        normal[np.diag_indices_from(normal)] += 1e-10
        right = mixing.T @ self.moments
        answer = np.linalg.solve(normal, right)
        whole = float(self.target @ self.target)
        return max(whole - 2 * float(right @ answer) + float(answer @ normal @ answer), 1e-12 * self.total)

    def refined(self, size: float, starts: list[Array]) -> Array:
        """The best gravity near the best start, by Newton steps on the sphere."""
        down = min(starts, key=lambda axis: self.left(size * axis))
        best = self.left(size * down)
        reach = 0.3
        for _ in range(6):
            across = np.linalg.svd(down[None])[2][1:]
            h = 0.05 * reach
            plus, minus = ([self.left(size * unit(down + s * h * a)) for a in across] for s in (1, -1))
            both = self.left(size * unit(down + h * (across[0] + across[1])))
            slope = (np.array(plus) - minus) / (2 * h)
            bend = np.diag((np.array(plus) - 2 * best + minus) / h**2)
            bend[0, 1] = bend[1, 0] = (both - plus[0] - plus[1] + best) / h**2
            values, vectors = np.linalg.eigh(bend)
            step = -vectors @ ((vectors.T @ slope) / np.maximum(np.abs(values), 1e-12 * self.total))
            step *= min(1.0, reach / max(float(np.linalg.norm(step)), 1e-12))
            new = unit(down + step @ across)
            if float(np.linalg.norm(step)) < CLOSE:
                break
            if (left := self.left(size * new)) < best:
                down, best = new, left
            else:
                reach /= 4
        return np.asarray(size * down)

    def by_masses(self) -> Array | None:
        """Gravity according to the nominal masses [m/s^2]; None if they explain little or torques are reversed."""
        count, seen = len(self.scale), len(self.seen)
        along = self.rows[:, count:].reshape(len(self.rows), 3, seen) @ self.masses[self.seen]
        columns = np.column_stack([self.rows[:, :count] @ self.masses, along])
        inverse = np.linalg.pinv(columns.T @ columns, rcond=1e-10)
        factors = inverse @ (columns.T @ self.target)
        rest = self.target - columns @ factors
        spread = inverse @ samples.spread_of_mean(columns * rest[:, None], self.blocks) @ inverse
        down: Array = factors[1:]
        length = float(np.linalg.norm(down))
        explains = float(rest @ rest) < 0.5 * float(self.target @ self.target)
        is_reversed = factors[0] < -SEEN * float(np.sqrt(max(float(spread[0, 0]), 0.0)))
        if length == 0 or not explains or is_reversed:
            return None
        error = float(np.sqrt(max(float(down @ spread[1:, 1:] @ down), 0.0))) / length
        return down if length > SEEN * error else None


def unit(v: Array) -> Array:
    """The direction of a vector."""
    return np.asarray(v / np.linalg.norm(v))


AXES = {
    sign + axis: np.array([(1.0 if sign == "+" else -1.0) * (axis == k) for k in "xyz"])
    for axis in "xyz"
    for sign in "-+"
}
AS_GOOD = 1.25
"""Directions whose residual sum of squares is within this factor of the least fit as well as it."""
CLEARLY_BETTER = 0.6
"""Factor on the residual sum of squares below which another direction replaces the given one."""
FAR_BETTER = 0.35
"""The same where the nominal masses agree with the given gravity: a model that lacks something else, such as elastic
joints, may fit a little better under any gravity."""
TILTED = float(np.deg2rad(3.0))
"""Angle to the best axis [rad] above which a fitted direction differs from it."""
WAY_OFF = float(np.deg2rad(60.0))
"""Angle [rad] above which the nominal masses contradict the given gravity."""

Judgement = Literal["fits", "another axis", "tilted", "opposite", "none", "unseen"]


@dataclass(frozen=True, slots=True)
class GravityTest:
    """The free-fall acceleration [m/s^2] that the torques show, the arm with it, and the error [%] of each direction.

    `fitted` is the best direction of all; `by_masses` is gravity according to the nominal masses (m/s^2, right in size
    only if they are), None where they cannot be trusted. `opposite_error` belongs to reversed gravity: where it is as
    small as the given one's, the equations alone cannot distinguish up from down.
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


def no_test(arm: Arm) -> GravityTest:
    """No test: the arm's own gravity."""
    given = np.array([float(part) for part in bind(arm).gravity])
    unknown = float("nan")
    return GravityTest("unseen", given, given, unknown, unknown, unknown, {}, None, arm)


def gravity_test(rows: Thinned) -> GravityTest:
    """The direction in which free base parameters leave the least residual; nominal masses decide between equals.

    W(g) = W(0) + sum of g_k G_k is linear in gravity, so each direction costs one small solve. With free parameters
    reversed gravity is fitted by reversed first moments; only the corresponding inertial torques contradict that, and
    where those are too small the nominal masses decide.
    """
    search = GravitySearch.of(rows)
    given = search.given
    size = float(np.linalg.norm(given)) or STANDARD_GRAVITY
    squares = {name: search.left(size * axis) for name, axis in AXES.items()}
    by_masses = search.by_masses()
    corners = [np.array([x, y, z]) / np.sqrt(3) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    fitted = search.refined(size, [*AXES.values(), *corners, given / size] if by_masses is None else [unit(by_masses)])
    judgement, direction = _judged(search, squares, fitted, by_masses)
    of_fitted, of_given, of_opposite = (search.percent(search.left(g)) for g in (fitted, given, -given))
    errors = {name: search.percent(square) for name, square in squares.items()}
    is_kept = judgement in ("fits", "unseen")
    arm = rows.arm if is_kept else replace(rows.arm, gravity=Vec3(*map(float, direction)))
    return GravityTest(judgement, direction, fitted, of_fitted, of_given, of_opposite, errors, by_masses, arm)


def _judged(
    search: GravitySearch, squares: dict[str, float], fitted: Array, by_masses: Array | None
) -> tuple[Judgement, Array]:
    given, axis = search.given, float(np.linalg.norm(fitted)) * AXES[_wanted(squares, by_masses)]
    at_given, at_fitted, at_axis, none = (search.left(g) for g in (given, fitted, axis, np.zeros(3)))
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


def _wanted(squares: dict[str, float], by_masses: Array | None) -> str:
    """The best axis, or among those that fit equally well the one that the nominal masses support."""
    best = min(squares, key=lambda name: squares[name])
    if by_masses is None:
        return best
    within = squares[best] / CLEARLY_BETTER
    return max((name for name in AXES if squares[name] <= within), key=lambda name: float(AXES[name] @ by_masses))


def _angle(a: Array, b: Array) -> float:
    sizes = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(np.arccos(np.clip(a @ b / sizes, -1, 1))) if sizes > 0 else float(np.pi)


def with_gravity(rows: Thinned, gravity: Array) -> Thinned:
    """The same samples with the regressor under another gravity [m/s^2], without recompiling."""
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


def gravity_findings(test: GravityTest) -> Iterator[Finding]:
    """A warning where the torques show another gravity than the arm has, a note where they show none."""
    if test.judgement == "fits":
        return
    text = "(" + ", ".join(f"{part:.3g}" for part in test.direction) + ") m/s^2"
    share = f"{test.given_error:.2g} %"
    given = f"with the arm's own gravity free base parameters leave a residual of {share} of the torques"
    if test.judgement == "unseen" and not test.errors:
        message = "the log has too few samples of moving joints to test signs, gravity and time lag."
        yield Finding("note", "preflight", message, "Log a longer motion.")
        return
    match test.judgement:
        case "unseen":
            what = f"every direction fits equally well ({share}), so the torques do not show gravity."
            remedy = "The arm's own gravity is kept."
        case "none":
            what = f"{given}; without gravity they fit clearly better: it seems to have been subtracted already."
            remedy = "Log torques with gravity in them, or set gravity = [0, 0, 0]."
        case "opposite":
            against = f"against gravity along {text}, not against that of the arm"
            what = f"the torques carry the nominal masses {against} (free parameters fit both equally well)."
            remedy = f"{REMEDY} A hanging arm has z down."
        case "tilted":
            what = f"{given}; fitted, gravity is {text} and leaves {test.fitted_error:.2g} %. No world axis fits."
            remedy = f"{REMEDY} Or rotate the arm's base as it is mounted."
        case _:
            what, remedy = f"{given}; gravity along {text} leaves {min(test.errors.values()):.2g} %.", REMEDY
    yield Finding("note" if test.judgement == "unseen" else "warning", "gravity", what, remedy)
