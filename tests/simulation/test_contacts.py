"""Joints that stick and stops that hold: closed forms, energy to the last digit, one arm and many, no chatter."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

import leverarm as la
from leverarm import mechanics
from leverarm.compiler.llvm import host_machine
from leverarm.control import signals
from leverarm.errors import SimulationError
from leverarm.mechanics.matrices import dot
from leverarm.model import Arm, Body, Coefficient, Friction, FrictionTerm, Joint, JointKind, MassProperties, bind
from leverarm.runtime.stepping import EXPLICIT
from leverarm.simulation.acting.feeds import Rows
from leverarm.simulation.acting.forces import TimedTorque
from leverarm.simulation.acting.system import System
from leverarm.simulation.contacts import NO_STOP, Contact, Stop, guard, held_accelerations, swept
from leverarm.simulation.contacts.contact_modes import greatest, is_at_least_zero, is_nought, is_positive, least
from leverarm.simulation.contacts.event_location import first_marks
from leverarm.simulation.programs import jump_program, rates_program
from leverarm.spatial import Vec3
from tests.support.adaptive_runs import adaptive, imbalance, marched, ran, slider, stops, with_friction
from tests.support.random_arms import float_state, random_arm

RK4 = EXPLICIT["rk4"].tableau

MOMENT = 1e-11
"""Events are found to 1e-13 s; the rest is what the tolerance of the motion before them leaves [s]."""


def pushed(arm, torque, **structure):
    return System(arm, (TimedTorque(torque.form),), **structure)


# Choices


@pytest.mark.parametrize("x", [-2.5, -1e-300, 0.0, 1e-300, 2.5])
def test_conditions_are_exact(x):
    assert is_positive(x) == (x > 0)
    assert is_at_least_zero(x) == (x >= 0)
    assert is_nought(x) == (x == 0)
    for y in (-1.0, 0.0, 1e-300, 7.0):
        assert least(x, y) == min(x, y)
        assert greatest(x, y) == max(x, y)


# Held coordinates


@pytest.mark.parametrize("seed", range(6))
def test_free_coordinates_move_as_if_the_held_ones_were_welded(seed):
    arm = random_arm(seed)
    mechanism = bind(arm)
    q, _, rhs = float_state(arm, seed)
    M = mechanics.mass_matrix(mechanism, q)
    held = {i: int((seed + i) % 3 == 0) for i in range(arm.dof) if i % 4 != 3}
    qdd, hold = held_accelerations(M, rhs, held)
    free = [i for i in range(arm.dof) if not held.get(i, 0)]
    expected = np.zeros(arm.dof)
    expected[free] = np.linalg.solve(np.array(M, float)[np.ix_(free, free)], np.array(rhs)[free])
    assert np.allclose(qdd, expected, rtol=1e-9, atol=1e-12)
    assert all(qdd[i] == 0 for i in range(arm.dof) if i not in free)
    loads = np.array(rhs) - np.array(M, float) @ expected
    loads[free] = 0
    assert np.allclose(hold, loads, rtol=1e-9, atol=1e-12)


def test_arms_that_nothing_holds_carry_no_marks():
    panda, smooth = la.load("panda"), with_friction(la.load("elbow"), Friction(1, 2, smoothing=Fraction(1, 100)))
    for arm in (panda, smooth):
        system = System(arm)
        assert system.marks == () == system.dry
        assert jump_program(system) is None
        assert [array.name for array in rates_program(system).outputs] == ["qdd", "power", "tau"]
    assert first_marks(System(panda), np.zeros((5, 7))).shape == (5, 0)


def test_only_joints_with_a_coordinate_of_their_own_can_stick():
    arms = [random_arm(seed) for seed in range(40)]
    arm = next(a for a in arms if any(b.joint.coupling and b.joint.friction for b in a.bodies) and not is_geared(a))
    dry = {name for i, name in enumerate(arm.joint_names) if i in System(arm).dry}
    rubbing = {b.joint.name for b in arm.bodies if b.joint.friction or (b.joint.motor and b.joint.motor.has_friction)}
    assert dry == rubbing - {b.joint.name for b in arm.bodies if b.joint.coupling}


def is_geared(arm):
    """Whether some motor turns with several joints."""
    return any(len(rotor.gears) > 1 for rotor in bind(arm).rotors)


def test_friction_that_is_data_can_stick():
    arm = slider(friction=Friction(viscous=1))
    assert System(arm).dry == ()
    assert System(arm, parameters=("coulomb",)).dry == (0,)


# One sweep


DRY = FrictionTerm({"coulomb": Coefficient(3.0, 2.0)}, is_asymmetric=True)
STOP = Stop(-1.0, 1.0, 0.5, 1e-3)


def contact(index=0, q=0.0, qd=0.0, qdd=0.0, hold=0.0, held=0, direction=0, resting=0, friction=None, stop=None):
    return Contact(index, q, qd, qdd, hold, held, direction, resting, friction, stop)


@pytest.mark.parametrize(
    ("given", "is_violated"),
    [
        (contact(hold=2.9, held=1, friction=DRY), False),
        (contact(hold=3.0, held=1, friction=DRY), False),
        (contact(hold=3.1, held=1, friction=DRY), True),
        (contact(hold=-1.9, held=1, friction=DRY), False),
        (contact(hold=-2.1, held=1, friction=DRY), True),
        (contact(qd=0.1, direction=1, friction=DRY), False),
        (contact(qd=-0.1, direction=1, friction=DRY), True),
        (contact(qd=0.1, direction=-1, friction=DRY), True),
        (contact(qdd=0.1, direction=1, friction=DRY), False),
        (contact(qdd=-0.1, direction=1, friction=DRY), True),
        (contact(hold=9.0, held=1, resting=1, friction=DRY, stop=STOP), False),
        (contact(hold=-1.9, held=1, resting=1, friction=DRY, stop=STOP), False),
        (contact(hold=-2.1, held=1, resting=1, friction=DRY, stop=STOP), True),
        (contact(hold=9.0, held=1, resting=-1, friction=DRY, stop=STOP), True),
        (contact(hold=1e-9, held=1, resting=-1, stop=STOP), True),
        (contact(hold=0.0, held=1, resting=-1, stop=STOP), False),
        (contact(q=1.1, qd=0.1, stop=STOP), True),
        (contact(q=1.0, qd=0.1, stop=STOP), True),
        (contact(q=1.1, qd=-0.1, stop=STOP), False),
        (contact(q=0.9, qd=5.0, stop=STOP), False),
        (contact(q=-1.1, qd=-0.1, stop=STOP), True),
        (contact(q=-1.0, qdd=-0.1, stop=STOP), True),
        (contact(q=-1.0, qdd=0.1, stop=STOP), False),
    ],
)
def test_the_guard_is_negative_exactly_where_a_sweep_changes_something(given, is_violated):
    mechanism = bind(slider(mass=1.0))
    assert (guard([given]) < 0) == is_violated
    jump = swept(mechanism, [given], [given.q], [given.qd])
    after = (jump.q[0], jump.qd[0], jump.held[0], jump.direction[0], jump.resting[0])
    assert (after != (given.q, given.qd, given.held, given.direction, given.resting)) == is_violated


@pytest.mark.parametrize("seed", range(6))
def test_a_blow_is_an_impulse_along_its_coordinate_and_its_energy_is_booked(seed):
    arm = random_arm(seed, joints=4, serial=True)
    mechanism = bind(arm)
    q, qd, _ = float_state(arm, seed)
    n, e, i = arm.dof, 0.5, arm.dof - 1
    stop = Stop(-NO_STOP, q[i] - 0.01, e, 1e-3) if qd[i] > 0 else Stop(q[i] + 0.01, NO_STOP, e, 1e-3)
    jump = swept(mechanism, [contact(i, q[i], qd[i], stop=stop)], q, qd)
    assert jump.q[i] == (stop.upper if qd[i] > 0 else stop.lower)
    assert jump.qd[i] == pytest.approx(-e * qd[i], rel=1e-15)
    M = np.array(mechanics.mass_matrix(mechanism, jump.q), float)
    impulse = M @ (np.array(jump.qd) - qd)
    assert np.abs(np.delete(impulse, i)).max(initial=0) < 1e-12 * np.abs(impulse[i])

    def energy(q, qd):
        return mechanics.kinetic_energy(mechanism, q, qd) + mechanics.potential_energy(mechanism, q)

    assert jump.by_stops == pytest.approx(energy(jump.q, jump.qd) - energy(q, qd), rel=1e-9)
    assert jump.by_friction == 0
    assert n == len(jump.held)


@pytest.mark.parametrize("seed", range(6))
def test_a_slider_that_stops_leaves_the_other_momenta_and_only_loses_energy(seed):
    arm = random_arm(seed, joints=4, serial=True)
    mechanism, n = bind(arm), arm.dof
    q, qd, _ = float_state(arm, seed)
    i = n - 1
    given = contact(i, q[i], qd[i], direction=-math.copysign(1, qd[i]), friction=DRY)
    jump = swept(mechanism, [given], q, qd)
    M = np.array(mechanics.mass_matrix(mechanism, q), float)
    assert jump.qd[i] == 0 and jump.held[i] == 1 and jump.direction[i] == 0
    momenta = np.delete(M @ (np.array(jump.qd) - qd), i)
    assert np.abs(momenta).max(initial=0) < 1e-11 * np.abs(M @ qd).max()
    lost = dot(jump.qd, (M @ jump.qd).tolist()) / 2 - dot(qd, (M @ qd).tolist()) / 2
    assert jump.by_friction == pytest.approx(lost, rel=1e-9)
    assert jump.by_friction < 0 == jump.by_stops


def test_of_holds_that_give_way_one_changes_per_sweep_the_first():
    mechanism = bind(la.load("elbow"))
    both = [contact(i, hold=9.0, held=1, friction=DRY) for i in range(2)]
    jump = swept(mechanism, both, [0.3, 0.5], [0.0, 0.0])
    assert (jump.held, jump.direction) == ([0, 1], [1, 0])


# Sticking


def test_a_block_breaks_loose_when_the_ramp_exceeds_its_threshold_and_stops_where_it_must():
    mass, g, fc, slope = 2.0, -3.0, 8.0, 4.0
    arm = slider(mass, g, Friction(coulomb=fc))
    up, down = 5.0, 1e-9
    ramp = signals.table([0, up, up + down, 20], [[0], [slope * up], [0], [0]])
    run = ran(pushed(arm, ramp), [ramp], [0.25], [0.0], 8.0)
    loose = (fc - mass * g) / slope
    assert run.times("slides") == pytest.approx([loose], abs=MOMENT)
    gone = up - loose
    x, v = 0.25 + slope / mass * gone**3 / 6, slope / mass * gone**2 / 2
    slowing = fc / mass - g
    assert run.times("sticks") == pytest.approx([up + v / slowing], abs=2 * down)
    assert run.state[0] == pytest.approx(x + v * v / 2 / slowing, abs=10 * v * down)
    assert run.state[1] == 0
    assert len(run.events) == 2
    assert imbalance(pushed(arm, ramp), ([0.25], [0.0]), run.state) < 1e-9


def test_a_stuck_block_does_not_move_at_all():
    arm = slider(2.0, -3.0, Friction(coulomb=6.5))
    none = signals.constant([0.0])
    run = ran(pushed(arm, none), [none], [0.25], [0.0], 100.0)
    assert run.state[0] == 0.25
    assert run.state[1] == 0
    assert run.events == []
    assert len(run.steps) < 20


def test_friction_that_differs_by_direction_breaks_at_its_own_threshold():
    ramp = signals.table([0, 10], [[0], [-20]])
    arm = slider(1.0, 0.0, Friction(coulomb=9, coulomb_negative=3, offset=Fraction(1, 2)))
    run = ran(pushed(arm, ramp), [ramp], [0.0], [0.0], 3.0)
    assert run.times("slides") == pytest.approx([(3 - 0.5) / 2], abs=MOMENT)
    assert run.state[0] < 0


@pytest.mark.parametrize(("amplitude", "is_loose"), [(0.999, False), (1.01, True)])
def test_a_load_that_comes_and_goes_is_not_overlooked_while_nothing_moves(amplitude, is_loose):
    fc, w = 5.0, 2 * math.pi
    torque = signals.fourier(1.0, [0.0], [[fc * amplitude]], [[0.0]])
    arm = slider(1.0, 0.0, Friction(coulomb=fc))
    run = ran(pushed(arm, torque), [torque], [0.0], [0.0], 24.0)
    if is_loose:
        assert run.times("slides")[0] == pytest.approx(math.asin(1 / amplitude) / w, abs=MOMENT)
        assert len(run.times("slides")) == len(run.times("sticks")) == 48
    else:
        assert run.events == []


def test_a_rare_peak_of_the_load_is_not_stepped_over():
    fc, peaks, w = 5.0, 12, 2 * math.pi / 40
    torque = signals.fourier(1 / 40, [0.0], np.zeros((peaks, 1)), np.full((peaks, 1), fc / 10), begin=23.0)

    def load(t):
        return fc / 10 * sum(math.cos(k * w * (t - 23)) for k in range(1, peaks + 1))

    loose, early = 23.0, 22.0
    while loose - early > 1e-13:
        middle = (loose + early) / 2
        loose, early = (middle, early) if load(middle) > fc else (loose, middle)
    run = ran(pushed(slider(1.0, 0.0, Friction(coulomb=fc)), torque), [torque], [0.0], [0.0], 40.0)
    assert run.times("slides") == pytest.approx([loose], abs=MOMENT)
    assert len(run.steps) < 200


def test_a_pendulum_loses_to_dry_friction_what_its_amplitudes_tell():
    m, g, length, fc = 1.5, 9.81, 0.8, 0.2
    joint = Joint("swing", JointKind.REVOLUTE, friction=Friction(coulomb=fc))
    bob = Body("bob", "base", joint, MassProperties(m, Vec3(length, 0, 0)))
    system = System(Arm("pendulum", (bob,), gravity=Vec3(g, 0, 0)))
    run = ran(system, [], [0.3], [0.0], 30.0)
    ends = [step.attempt.after for step in run.steps]
    turns = [0.3, *(state[0] for state in ends if abs(state[1]) < 1e-10)]
    turns = turns[: next(k for k in range(1, len(turns)) if m * g * length * abs(math.sin(turns[k])) <= fc) + 1]
    assert len(turns) > 8
    for a, b in pairwise(turns):  # from one turning point to the next, the height lost is fc times the way
        assert a * b < 0 or abs(b) < 2 * fc / (m * g * length)
        assert m * g * length * (math.cos(b) - math.cos(a)) == pytest.approx(fc * abs(a - b), rel=1e-8)
        assert abs(a) - abs(b) == pytest.approx(2 * fc / (m * g * length), rel=0.05) or a * b > 0
    assert [event.what for event in run.events] == ["slides", "sticks"]
    assert run.state[0] == turns[-1]


def test_the_elbow_sticks_and_slips_and_every_joule_is_booked():
    arm = with_friction(la.load("elbow"), Friction(Fraction(1, 5), Fraction(3, 2), coulomb_negative=1))
    torque = signals.constant([0.5, -0.3])
    system = pushed(arm, torque)
    run = ran(system, [torque], [0.3, 0.5], [0.0, 0.0], 6.0)
    sticks, slides = run.times("sticks"), run.times("slides")
    assert 2 <= len(sticks) <= len(slides) <= 10
    assert imbalance(system, ([0.3, 0.5], [0.0, 0.0]), run.state) < 1e-9
    assert run.state[2 * arm.dof + system.accounts.index("friction")] < 0


def test_joints_with_speed_slide_from_the_start_and_those_without_are_asked_for_their_load():
    arm = with_friction(la.load("panda"), Friction(coulomb=2))
    none = signals.constant(np.zeros(7))
    qd0 = np.array([0.1, 0, -0.2, 0, 0, 0, 0.0])
    run = adaptive(pushed(arm, none), [none], np.full(7, 0.4), qd0)
    run.settle()
    held, direction = run.state[-21:-14], run.state[-14:-7]
    out = run.rates.at(run.state, 0.0, run.rates.feeds(0.0, 0.0))
    qdd, hold = out[:7], out[-8:-1]
    assert out[-1] >= 0
    assert direction[0] == 1 and direction[2] == -1 and not held[[0, 2]].any()
    assert ((held == 1) == (direction == 0)).all()
    assert (np.abs(hold[held == 1]) <= 2).all() and (qdd[held == 1] == 0).all()
    started = (held == 0) & (qd0 == 0)
    assert started.any() and (held == 1).any()
    assert (qdd[started] * direction[started] > 0).all()


# Stops


@pytest.mark.parametrize(("side", "name"), [(1, "upper"), (-1, "lower")])
def test_bounces_follow_the_geometric_series_and_end_in_rest(side, name):
    g, e, height, rest_speed = 9.81, 0.5, 1.0, 1e-3
    system = System(slider(1.0, side * g), stops=(0,))
    ends = (-NO_STOP, 0.0) if side > 0 else (0.0, NO_STOP)
    run = ran(system, stops(*ends, e, rest_speed), [-side * height], [0.0], 3.0)
    fall = math.sqrt(2 * height / g)
    strikes = run.times(f"strikes the {name} stop")
    count = math.ceil(math.log(rest_speed / (g * fall)) / math.log(e))
    assert len(strikes) == count
    expected = fall + 2 * fall * np.cumsum([0.0, *(e**k for k in range(1, count))])
    assert np.allclose(strikes, expected, rtol=0, atol=MOMENT)
    assert run.times(f"rests on the {name} stop") == strikes[-1:]
    assert len(run.events) == count + 1
    assert run.state[:2].tolist() == [0, 0]
    assert run.state[2] == pytest.approx(-g * height, rel=1e-12)  # all of it went to the stop


def test_a_resting_joint_is_released_when_it_is_pulled_inward():
    mass, g = 2.0, 3.0
    arm = slider(mass, g)
    pull = signals.table([0, 10], [[0], [-20]])
    system = pushed(arm, pull, stops=(0,))
    run = ran(system, [pull, *stops(-NO_STOP, 1.0, 0.5)], [1.0], [0.0], 4.0)
    assert [event.what for event in run.events] == ["rests on the upper stop", "leaves the upper stop"]
    assert run.events[0].t == 0
    assert run.events[1].t == pytest.approx(mass * g / 2, abs=MOMENT)
    assert run.state[0] == pytest.approx(1 - 2 / mass / 6, abs=1e-10)


def test_an_arm_that_runs_into_its_stops_comes_to_rest_with_its_books_closed():
    arm = la.load("elbow")
    torque = signals.constant([0.5, -0.3])
    system = pushed(arm, torque, stops=(0, 1))
    sources = [torque, *stops([-1.0, -0.8], [1.5, 1.0], [0.6, 0.4])]
    run = ran(system, sources, [0.3, 0.5], [0.0, 0.0], 10.0)
    assert (run.state[:2] >= [-1.0, -0.8]).all() and (run.state[:2] <= [1.5, 1.0]).all()
    assert len(run.events) < 80
    assert imbalance(system, ([0.3, 0.5], [0.0, 0.0]), run.state) < 1e-9
    assert run.state[4 + system.accounts.index("stops")] < -1


def test_blows_without_end_are_an_error_that_names_the_remedy():
    arm = la.load("elbow")
    system = System(arm, stops=(0, 1))
    run = adaptive(system, stops([-1.0, -0.8], [1.5, 1.0], [0.0, 0.0], 0.0), [-1.0, -0.8], [-1.0, -2.0])
    with pytest.raises(SimulationError, match="larger rest speed") as caught:
        list(run.steps(1.0))
    assert caught.value.t == 0 and caught.value.joint in arm.joint_names


# Fixed steps, many arms


def corner():
    """Two joints with friction and stops, and the sources of their data."""
    arm = with_friction(la.load("elbow"), Friction(Fraction(1, 5), Fraction(3, 2), coulomb_negative=1))
    torque = signals.constant([0.5, -0.3])
    return pushed(arm, torque, stops=(0, 1)), [torque, *stops([-1.0, -0.8], [1.5, 1.0], [0.6, 0.4])]


def test_fixed_steps_come_to_the_same_with_an_error_of_first_order_and_close_the_books():
    system, sources = corner()
    start = ([0.3, 0.5], [0.0, 0.0])
    for until, steps in ((0.7, (500, 1000, 2000)), (2.0, (2000, 20000))):  # sliding; after some twenty impacts
        exact = ran(system, sources, *start, until).state
        errors = []
        for count in steps:
            state = marched(system, sources, RK4, *start, until / count, count)[0]
            errors.append(np.abs(state - exact)[:4].max())
            assert imbalance(system, start, state) < 1e-9
        assert errors[-1] < 1e-2
        assert errors[-1] / errors[0] < 1.5 * steps[0] / steps[-1]


@pytest.mark.slow
def test_many_at_once_do_what_each_does_alone_bit_for_bit():
    system, sources = corner()
    lanes, rng = host_machine().lanes("double"), np.random.default_rng(4)
    q0 = rng.uniform(-0.7, 0.9, (lanes, 2))
    qd0 = np.where(np.arange(lanes)[:, None] % 2, 0.0, rng.normal(size=(lanes, 2)))
    for steps in (800, 3000):
        many = marched(system, sources, RK4, q0, qd0, 1e-3, steps, lanes)
        for lane in range(lanes):
            assert np.array_equal(marched(system, sources, RK4, q0[lane], qd0[lane], 1e-3, steps)[0], many[lane])
        held = many[:, -6:-4] == 1
        assert held.any()
        assert held.all() == (steps == 3000)  # in the end all are at rest, and stay so
        assert (many[:, 2:4][held] == 0).all()


def test_dry_friction_of_each_environment_can_be_its_own():
    arm = slider(1.0, 0.0, Friction(coulomb=1))
    torque = signals.constant([2.0])
    system = pushed(arm, torque, parameters=("coulomb",))
    lanes = host_machine().lanes("double")
    values = np.linspace(0, 4, lanes)
    state = marched(
        system,
        [torque, Rows.constant(values[:, None])],
        RK4,
        np.zeros((lanes, 1)),
        np.zeros((lanes, 1)),
        1e-3,
        1000,
        lanes,
    )
    stuck = values >= 2
    assert (state[stuck, 0] == 0).all() and (state[stuck, -3] == 1).all()
    assert np.allclose(state[~stuck, 1], (2 - values[~stuck]) * 1.0, rtol=2e-3)


def test_replace_keeps_the_structure_of_a_system():
    system, _ = corner()
    assert replace(system, stops=()).accounts == ("torque", "friction")
    assert system.accounts == ("torque", "friction", "stops")
    assert [array.name for array in system.feeds][-4:] == ["lower", "upper", "restitution", "rest_speed"]
