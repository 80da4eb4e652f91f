"""Each result of a simulation by a second route that shares no compiled code with it, and each method's order."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import leverarm as la
from leverarm.control import LAWS
from leverarm.model import Body, Friction, Joint, JointKind, Limits, MassProperties
from leverarm.simulation.adaptive.dormand_prince import METHOD
from leverarm.spatial import Symmetric3, Vec3
from tests.support.adaptive_runs import slider, with_friction
from tests.support.levels import at_level
from tests.support.random_arms import random_arm
from tests.support.taylor_motion import exact_run

UNTIL, STEPS = 0.04, 16
"""A plain run: so long [s], in so many steps; whatever changes in no time does so at even steps."""
ENOUGH = 1e-11
"""What is left to rounding, and to the adaptive method at rtol 1e-12 in these short runs."""


# Scenes: what acts on an arm, told to the simulation in its words and to the plain route in evaluate's


@dataclass
class Scene:
    """An arm, where it starts, the words for `la.simulate`, and the same arm as it is with those parameters."""

    arm: la.Arm
    q0: np.ndarray
    qd0: np.ndarray
    words: dict[str, Any]
    real: la.Arm
    frame: str
    load: tuple[float, Body] | None = None
    """When a load appears, and the load as a body of the arm."""
    torques: list[Any] = field(default_factory=list)

    def arm_at(self, t):
        """The arm with what it carries then."""
        return self.real if self.load is None or t < self.load[0] else carrying(self.real, self.load[1])

    def torque(self, t, q, qd):
        parts = [
            part.torque_at(self.arm, t, q, qd) if isinstance(part, la.types.Control) else part.at(t).value
            for part in self.torques
        ]
        return np.sum(parts, axis=0)

    def acceleration(self, t, q, qd):
        wrench, disturbance = self.words["wrench"][self.frame], self.words["disturbance"]
        return la.forward_dynamics(
            self.arm_at(t), q, qd, self.torque(t, q, qd),
            wrenches={self.frame: wrench.at(t).value}, disturbance=disturbance.at(t).value,
        )  # fmt: skip


def carrying(arm, load):
    """The arm with a body welded to its tool."""
    return replace(arm, bodies=(*arm.bodies, load))


def load_on_tool(arm, mass, com, tensor):
    tool = next(frame for frame in arm.named_frames if frame.name == "tool")
    six = Symmetric3(*(float(tensor[i, j]) for i, j in ((0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2))))
    weld = Joint("weld", JointKind.FIXED, tool.placement)
    return Body("load", tool.body, weld, MassProperties(mass, Vec3(*com), six, "com"))


def smooth(arm):
    """The arm with friction that is smooth, and as strong as suits its inertia, where it had dry friction or none."""
    M = dict(zip(arm.joint_names, np.diag(la.mass_matrix(arm, np.full(arm.dof, 0.4))), strict=True))

    def softened(joint):
        m = M.get(joint.name, 0.1)
        return replace(joint, friction=Friction(0.5 * m, m, 0.7 * m, 1.3 * m, smoothing=4.0, offset=0.1 * m))

    return replace(
        arm, bodies=tuple(replace(b, joint=softened(b.joint)) if not b.joint.is_fixed else b for b in arm.bodies)
    )


def references(rng, q0):
    """A reference of each kind from about where the arm is; what changes does so at UNTIL / 2."""
    n, half = len(q0), UNTIL / 2
    there, back = q0 + 0.5 * UNTIL**2 * rng.uniform(-1, 1, (2, n))  # accelerations of a few rad/s^2
    way = UNTIL**2 * np.sign(there - q0)
    return {
        "constant": q0 + rng.uniform(-0.2, 0.2, n),
        "cubic": la.signals.cubic([q0, there, back], [0, half, UNTIL]),
        "quintic": la.signals.quintic([q0, there], [0, UNTIL]),
        "trapezoid": la.signals.trapezoid(q0, q0 + way, UNTIL, UNTIL / half),
        "fourier": la.signals.fourier(
            2.0, q0, sines=rng.uniform(-0.1, 0.1, (2, n)), cosines=rng.uniform(-0.1, 0.1, (2, n))
        ),
        "spline": la.signals.table([0, half, UNTIL], [q0, there, back], between="cubic"),
    }


ARMS = ["elbow", "panda", "puma560", "scara", "cylindrical", 11, 24, 3]
"""From the catalog, or random trees by their seed; where laws come round, those of the tip meet arms that can move it."""
KINDS = ["constant", "cubic", "quintic", "trapezoid", "fourier", "spline"]


@cache
def scene(number):
    """The scene of a number: arms, laws and references in turn, the rest by chance."""
    rng, name = np.random.default_rng(number), ARMS[number % len(ARMS)]
    arm = smooth(la.load(name) if isinstance(name, str) else random_arm(name, 4))
    n, law, kind = arm.dof, list(LAWS)[number % len(LAWS)], KINDS[number % len(KINDS)]
    q0, qd0 = rng.uniform(-0.4, 0.4, n) + 0.5, rng.uniform(-0.5, 0.5, n)
    target: Any = references(rng, q0)[kind]
    if law == "operational-space":
        axes = [axis for axis in la.quantities.task_axes(arm) if axis in "xyz"]
        tip = la.forward_kinematics(arm, q0, "tool")[:3, 3][["xyz".index(axis) for axis in axes]]
        target = references(rng, tip)[kind]
    effort = 1e3 * np.diag(la.mass_matrix(arm, q0))  # never met: what a limit does is tested where laws are
    control = la.control.by_name(law, arm, target, frequency=0.2, effort=effort if number % 2 else None)
    M = np.diag(la.mass_matrix(arm, q0))
    push = la.signals.table([0, UNTIL / 2, UNTIL], M * rng.uniform(-3, 3, (3, n)))
    gravity = np.array([1.0, -2.0, -8.0])
    mass, com, root = 0.7, rng.uniform(-0.1, 0.1, 3), rng.uniform(-0.1, 0.1, (3, 3))
    tensor = root @ root.T + 0.01 * np.eye(3)
    words = {
        "torque": [control, push],
        "disturbance": la.signals.fourier(3.0, M * rng.uniform(-2, 2, n), *(M * rng.uniform(-2, 2, (2, 1, n)))),
        "wrench": {"tool": la.signals.table([0, UNTIL], M.min() * rng.uniform(-5, 5, (2, 6)))},
        "payload": la.payload(mass, com, tensor, at=UNTIL / 2),
        "parameters": {"gravity": gravity},
    }
    real = replace(arm, gravity=Vec3(*gravity.tolist()))
    load = UNTIL / 2, load_on_tool(arm, mass, com, tensor)
    return Scene(arm, q0, qd0, words, real, "tool", load, [control, push])


SCENES = range(12)


@cache
def simulated(number):
    """A scene by the adaptive method, with a row at every plain step."""
    s = scene(number)
    return la.simulate(s.arm, s.q0, s.qd0, until=UNTIL, rtol=1e-12, record=UNTIL / STEPS, **s.words)


# The plain route


def plain_run(acceleration, q, qd, steps):
    """(q, qd) at the end by RK4, asked nowhere but inside its steps: at their ends two pieces of data meet."""
    h = UNTIL / steps
    x = np.concatenate([q, qd])
    for k in range(steps):
        middle = (k + 0.5) * h

        def rate(part, x, middle=middle):
            q, qd = np.split(x, 2)
            return np.concatenate([qd, acceleration(middle + (part - 0.5) * h * (1 - 1e-12), q, qd)])

        k1 = rate(0, x)
        k2 = rate(0.5, x + h / 2 * k1)
        k3 = rate(0.5, x + h / 2 * k2)
        k4 = rate(1, x + h * k3)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return x


@pytest.mark.slow
@pytest.mark.parametrize("number", SCENES[: at_level(2, 5, len(SCENES))])
def test_a_motion_is_that_of_plain_evaluation(number):
    """RK4 in twice as many steps errs by a fifteenth of what it changes by; without that, by much less than that."""
    s, run = scene(number), simulated(number)
    coarse, fine = (plain_run(s.acceleration, s.q0, s.qd0, steps) for steps in (STEPS // 2, STEPS))
    left = np.abs(fine - coarse).max() / 15
    assert left < 1e-7
    assert np.abs(fine + (fine - coarse) / 15 - np.concatenate(run.final)).max() < 0.3 * left + ENOUGH


@pytest.mark.parametrize("number", SCENES)
def test_a_record_is_what_evaluation_gives_there(number):
    """Accelerations and torques row by row, and energies; the last row of a piece belongs to the next one."""
    s, run = scene(number), simulated(number)
    for k in range(0, STEPS, 5):
        t, q, qd = float(run.t[k]) + 1e-13, run.q[k], run.qd[k]
        qdd = s.acceleration(t, q, qd)
        assert np.abs(run.qdd[k] - qdd).max() < 1e-9 * max(1, np.abs(qdd).max())
        tau = s.torque(t, q, qd)
        assert np.abs(run.tau[k] - tau).max() < 1e-9 * max(1, np.abs(tau).max())
        arm = s.arm_at(t)
        assert run.energy.kinetic[k] == pytest.approx(la.kinetic_energy(arm, q, qd), rel=1e-11, abs=1e-12)
        assert run.energy.potential[k] == pytest.approx(la.potential_energy(arm, q), rel=1e-11, abs=1e-11)


def simpson(values, h):
    """The integral over each two rows, summed, at the even rows."""
    return h / 3 * (values[0:-1:2] + 4 * values[1::2] + values[2::2]).sum()


@pytest.mark.parametrize("number", SCENES)
def test_an_account_is_the_integral_of_its_power(number):
    """Simpson's rule on the rows, right to a fifteenth of what every second row gives otherwise (fourth order)."""
    s, run = scene(number), simulated(number)
    h, middle = UNTIL / STEPS, STEPS // 2

    def powers(t, q, qd):
        arm = s.arm_at(t)
        return {
            "torque": s.torque(t, q, qd) @ qd,
            "disturbance": -s.words["disturbance"].at(t).value @ qd,
            "wrench": s.words["wrench"]["tool"].at(t).value @ la.velocity(arm, q, qd, "tool"),
            "friction": -la.friction(arm, qd) @ qd,
        }

    for first, last in ((0, middle), (middle, STEPS)):
        inside = run.t[first : last + 1] + np.array([1e-13, *[0] * (last - first - 1), -1e-13])
        rows = [powers(float(t), run.q[k], run.qd[k]) for k, t in enumerate(inside, first)]
        for account in rows[0]:
            values = np.array([row[account] for row in rows])
            work = run.energy.works[account]
            fine, coarse = simpson(values, h), simpson(values[::2], 2 * h)
            change = work[last] - work[first]
            assert abs(fine + (fine - coarse) / 15 - change) < abs(fine - coarse) / 15 + ENOUGH, account
    before, after = s.real, s.arm_at(UNTIL)
    q, qd = run.q[middle], run.qd[middle]
    brought = la.hamiltonian(after, q, qd) - la.hamiltonian(before, q, qd)
    assert run.energy.works["payload"][-1] == pytest.approx(brought, rel=1e-10)
    assert run.energy.relative < 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 1, 2, 9])
def test_a_motion_is_that_of_its_taylor_series(number):
    """In arbitrary precision, without compiled code; from 20 digits of it only the 15 of doubles are left."""
    s, run = scene(number), simulated(number)
    exact = exact_run(s.arm, s.q0, s.qd0, until=UNTIL, record=UNTIL / 2, **s.words)
    assert np.abs(np.concatenate(exact.final) - np.concatenate(run.final)).max() < ENOUGH
    for account, work in exact.energy.works.items():
        assert abs(work[-1] - run.energy.works[account][-1]) < 10 * ENOUGH * max(1, np.abs(work).max())
    assert exact.energy.relative < 1e-13


@pytest.mark.slow
@pytest.mark.parametrize("number", range(5))
def test_a_rollout_is_the_simulation(number):
    """The same steps of the same formulas, in another program (no ledger, lanes): equal to its rounding."""
    s = scene(number)
    words = {name: x for name, x in s.words.items() if name != "payload"}
    rng = np.random.default_rng(number)
    carried = la.payload(0.3, rng.uniform(-0.1, 0.1, 3)).numbers
    words["parameters"] = {**words["parameters"], "payload": carried}
    q0 = s.q0 + rng.uniform(-0.1, 0.1, (3, s.arm.dof))
    many = la.rollout(s.arm, q0, s.qd0, steps=40, step=UNTIL / 40, record=20, **words)
    for k, start in enumerate(q0):
        alone = la.simulate(s.arm, start, s.qd0, until=UNTIL, step=UNTIL / 40, record=UNTIL / 2, bound=np.inf, **words)
        assert np.abs(alone.q - many.q[k]).max() < 1e-13 * max(1, np.abs(alone.q).max()) * 10
        assert np.abs(alone.qd - many.qd[k]).max() < 1e-12 * max(1, np.abs(alone.qd).max()) * 10
        assert np.abs(alone.tau - many.tau[k]).max() < 1e-11 * max(1, np.abs(alone.tau).max())


@pytest.mark.parametrize("method", ["euler", "rk4", "midpoint", "dormand-prince"])
def test_a_row_that_is_held_acts_from_its_own_time_on(method):
    """A block of 2 kg gains h / 2 of each row's force: no step sees the row before or after its own."""
    forces = np.random.default_rng(1).uniform(-1, 1, (20, 1))
    torque = la.signals.table(0.01 * np.arange(20), forces, between="hold", after="hold")
    step = {} if method == "dormand-prince" else {"step": 0.01}
    run = la.simulate(slider(2.0, 0.0), until=0.2, method=method, torque=torque, record=0.01, bound=np.inf, **step)
    assert np.abs(run.qd[1:, 0] - 0.005 * np.cumsum(forces)).max() < 1e-13


# Contacts as limits of what is smooth


@pytest.mark.slow
def test_sticking_is_the_limit_of_ever_steeper_friction():
    """tanh(qd / w) lets a stuck joint creep at w artanh(load / coulomb): the difference is of first order in w."""
    torque = la.signals.table([0, 0.5, 1.0, 1.5], [[0, 0], [4, -1], [-3, 2.5], [1, 0]])

    def final(smoothing):
        arm = with_friction(replace(la.load("elbow"), gravity=Vec3(0, 0, 0)), Friction(0.3, 1.5, smoothing=smoothing))
        return la.simulate(arm, [0.3, 0.4], until=1.5, rtol=1e-9, torque=torque, record=0.01)

    dry = final(None)
    assert dry.held.any(axis=0).all() and not dry.held.all(axis=0).any()
    differences = [np.abs(final(w).q - dry.q).max() for w in (4e-3, 2e-3, 1e-3)]
    assert differences[-1] < 5 * 1e-3
    ratios = np.array(differences[:-1]) / differences[1:]
    assert (ratios > 1.6).all() and (ratios < 2.4).all(), differences


@pytest.mark.slow
@pytest.mark.parametrize("restitution", [1.0, 0.5])
def test_a_stop_is_the_limit_of_ever_stiffer_springs(restitution):
    """A spring k with a damper of ratio z lasts pi sqrt(m / k) and gives e = exp(-pi z / sqrt(1 - z^2)) of the speed.

    m = 1 / (M^-1)_ii is what the coordinate feels of the arm. Four times the stiffness halves the difference.
    """
    stop = 0.6
    arm = with_friction(la.load("elbow"), None)
    limited = replace(arm.bodies[1], joint=replace(arm.bodies[1].joint, limits=Limits(-3, stop)))
    arm = replace(arm, bodies=(arm.bodies[0], limited))
    q0, qd0, name = [0.2, 0.3], [0.5, 2.0], arm.joint_names[1]
    hard = la.simulate(arm, q0, qd0, until=0.3, stops={name: restitution}, rtol=1e-10, record=0.3)
    (impact,) = hard.events
    at = la.simulate(arm, q0, qd0, until=impact.t, rtol=1e-10).final
    m = 1 / np.linalg.inv(la.mass_matrix(arm, at.q))[1, 1]
    damping = -np.log(restitution) / np.hypot(np.pi, np.log(restitution))

    def final(k):
        d = 2 * damping * np.sqrt(k * m)

        def push(t, q, qd):
            return [0.0, -k * (q[1] - stop) - d * qd[1] if q[1] > stop else 0.0]

        return np.concatenate(la.simulate(arm, q0, qd0, until=0.3, torque=push, rtol=1e-7, record=0.3, bound=1).final)

    differences = [np.abs(final(k) - np.concatenate(hard.final)).max() for k in (1e5, 4e5, 16e5)]
    assert differences[-1] < 20 * np.pi * np.sqrt(m / 16e5)
    ratios = np.array(differences[:-1]) / differences[1:]
    assert (ratios > 1.7).all() and (ratios < 2.3).all(), differences


def test_a_block_against_dry_friction_and_a_stop_in_closed_form():
    """x = x0 + v t - (mu + g) t^2 / 2 up to the stop, e times the speed back, and the friction turned round."""
    mass, coulomb, e = 2.0, 3.0, 0.8
    arm = slider(mass, 0.0, Friction(coulomb=coulomb))
    arm = replace(arm, bodies=(replace(arm.bodies[0], joint=replace(arm.bodies[0].joint, limits=Limits(-5, 1.0))),))
    a, v0 = coulomb / mass, 3.0
    run = la.simulate(arm, [0.0], [v0], until=3.0, stops=e, rtol=1e-11)
    struck = (v0 - np.sqrt(v0**2 - 2 * a)) / a
    back = e * (v0 - a * struck)
    stuck = struck + back / a
    times = {event.what: event.t for event in run.events}
    assert times["strikes the upper stop"] == pytest.approx(struck, abs=1e-9)
    assert times["sticks"] == pytest.approx(stuck, abs=1e-9)
    assert run.final.q[0] == pytest.approx(1 - back**2 / (2 * a), abs=1e-9)
    works = run.energy.works
    assert works["stops"][-1] == pytest.approx(-mass / 2 * (1 - e**2) * (back / e) ** 2, rel=1e-9)
    assert works["friction"][-1] == pytest.approx(-coulomb * (1 + back**2 / (2 * a)), rel=1e-9)


# The order of every method


def test_the_numbers_of_dormand_and_prince_meet_the_conditions_of_their_orders():
    """Quadrature to order five, A c^k = c^(k+1)/(k+1) where it counts; the error's weights see nothing below order five.

    Hairer, Norsett and Wanner 1993, II.1 and II.5: stages 3 to 7 integrate c and (from the fourth on) c^2 exactly, and
    stage 2, which does not, has no weight.
    """
    A, b, c = (np.array(x) for x in (METHOD.tableau.velocities, METHOD.tableau.last_velocity, METHOD.tableau.nodes))
    error = np.array(METHOD.error_velocity)
    for k in range(5):
        assert b @ c**k == pytest.approx(1 / (k + 1), abs=1e-15)
        assert abs(error @ c**k) < 1e-15 or k == 4
    assert A.sum(axis=1) == pytest.approx(c, abs=1e-14)
    assert (A @ c)[2:] == pytest.approx(c[2:] ** 2 / 2, abs=1e-14)
    assert (A @ c**2)[3:] == pytest.approx(c[3:] ** 3 / 3, abs=1e-14)
    assert b[1] == error[1] == 0 and abs(error @ c**4) > 1e-4
    assert b @ A == pytest.approx(b * (1 - c), abs=1e-15)
    assert METHOD.tableau.last_position == pytest.approx(b @ A, abs=1e-15)
    assert METHOD.error_position == pytest.approx(error @ A, abs=1e-15)


ORDERS = {"euler": 1, "semi-implicit": 1, "heun": 2, "rk4": 4, "midpoint": 2, "gauss4": 4, "gauss6": 6}
FIRST = {"euler": 512, "semi-implicit": 512, "heun": 256, "rk4": 64, "midpoint": 64, "gauss4": 16, "gauss6": 4}
"""Steps in an eighth of a second: so few that errors stand out of rounding, so many that the leading term does too."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["free", "driven"])
@pytest.mark.parametrize("name", ["elbow", "polar", *at_level([], ["puma560"], ["puma560", "panda"])])
def test_the_order_of_each_method_against_the_taylor_series(name, kind):
    """Halving the step divides the error by 2^order, with a control and friction too; the truth has 20 digits."""
    arm, until, words = la.load(name), 0.125, {}
    n = arm.dof
    q0, qd0 = np.linspace(-0.5, 0.6, n) + 0.5, np.linspace(1, -1, n)
    if kind == "free":
        arm = with_friction(arm, None)
    else:
        arm = smooth(arm)
        moving = la.signals.fourier(0.6, q0, sines=[n * [0.3]], cosines=[n * [0.1]])
        words = {"torque": la.control.by_name("pd+gravity", arm, moving, frequency=0.5)}
    exact = np.concatenate(exact_run(arm, q0, qd0, until=until, record=until, **words).final)
    observed = {}
    for method, first in FIRST.items():
        errors = []
        for count in (first, 2 * first):
            run = la.simulate(
                arm, q0, qd0, until=until, method=method, step=until / count, record=until, bound=np.inf, **words
            )
            errors.append(np.abs(np.concatenate(run.final) - exact).max())
        observed[method] = float(np.log2(errors[0] / errors[1]))
    assert observed == {method: pytest.approx(order, abs=0.1) for method, order in ORDERS.items()}
