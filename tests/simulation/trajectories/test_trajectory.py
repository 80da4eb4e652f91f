"""What a run gives: records, the energy ledger, slices and resampling."""

from __future__ import annotations

import pickle
from fractions import Fraction

import numpy as np
import pytest

import leverarm as la
from leverarm.errors import InputError
from leverarm.simulation.trajectories import EnergyLedger, Records, Trajectory, concatenated
from leverarm.simulation.trajectories.records import resampled

EPS = np.finfo(float).eps
ELBOW = la.load("elbow")


def records(t, q, qd=None, qdd=None, **others):
    """Records with zeros for what is not given."""
    t, q = np.asarray(t, float), np.asarray(q, float)
    zero = np.zeros_like(q)
    fields = {
        "tau": zero,
        "kinetic": 0 * t,
        "potential": 0 * t,
        "works": {},
        "held": np.zeros(q.shape, bool),
    } | others
    return Records(t, q, zero if qd is None else qd, zero if qdd is None else qdd, **fields)


def polynomials(degree, joints, seed):
    """Polynomials with small integer coefficients, one a joint."""
    rng = np.random.default_rng(seed)
    return [np.polynomial.Polynomial(rng.integers(-9, 10, degree + 1).astype(float)) for _ in range(joints)]


def motion_of(curves, t):
    """Records of joints that move along polynomials."""
    q, qd, qdd = (np.stack([curve.deriv(k)(t) for curve in curves], axis=1) for k in range(3))
    return records(t, q, qd, qdd, tau=np.sin(q), kinetic=t**2, potential=-t, works={"torque": 3 * t})


def trajectory(count=11, events=()):
    return Trajectory(ELBOW, motion_of(polynomials(5, 2, 1), np.linspace(0, 2, count)), {"method": "rk4"}, events)


# records ---------------------------------------------------------------------------------------------------------------


def test_records_are_views_that_cannot_be_written_to_and_leave_the_callers_array_alone():
    t = np.arange(3.0)
    made = records(t, np.zeros((3, 2)))
    with pytest.raises(ValueError, match="read-only"):
        made.t[0] = 7
    t[0] = -1
    assert made.t[0] == -1


def test_rows_are_picked_by_number_slice_and_array():
    made = motion_of(polynomials(5, 2, 3), np.linspace(0, 1, 7))
    assert made[2:5].t.tolist() == made.t[2:5].tolist() and len(made[2:5].works["torque"]) == 3
    assert made[-1].q.tolist() == made.q[-1:].tolist()
    assert made[np.array([0, 3])].qdd.tolist() == made.qdd[[0, 3]].tolist()
    assert made[made.t > 0.5].t.tolist() == made.t[made.t > 0.5].tolist()
    assert [float(row.t[0]) for row in made] == made.t.tolist()
    with pytest.raises(IndexError):
        made[7]


def test_parts_put_together_are_the_whole():
    whole = motion_of(polynomials(5, 3, 4), np.linspace(0, 1, 20))
    joined = concatenated([whole[start:end] for start, end in ((0, 7), (7, 8), (8, 8), (8, 20))])
    for name, array in joined.arrays():
        assert np.array_equal(array, getattr(whole, name))
    assert np.array_equal(joined.works["torque"], whole.works["torque"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tau": np.zeros((3, 1))}, r"tau has shape \(3, 1\).*must be \(3, 2\)"),
        ({"kinetic": np.zeros(4)}, r"kinetic has shape \(4,\)"),
        ({"works": {"torque": np.zeros(2)}}, r"works\['torque'\] has shape \(2,\)"),
        ({"held": "no"}, "held has shape"),
        ({"potential": ["a", "b", "c"]}, "potential is not an array of numbers"),
    ],
)
def test_records_are_complete_or_not_built(change, message):
    with pytest.raises(InputError, match=message):
        records([0, 1, 2], np.zeros((3, 2)), **change)


def test_time_may_stand_still_but_not_go_back():
    assert len(records([0, 1, 1, 2], np.zeros((4, 1)))) == 4
    with pytest.raises(InputError, match=r"from np.float64\(2.0\) in row 1|from 2.0 in row 1"):
        records([0, 2, 1], np.zeros((3, 1)))
    with pytest.raises(InputError, match="may not decrease"):
        records([0, np.nan, 1], np.zeros((3, 1)))


def test_parts_of_two_runs_are_not_put_together():
    one, other = records([0], [[0]], works={"torque": [0]}), records([1], [[0]])
    with pytest.raises(InputError, match=r"accounts of work torque, another \(none\)"):
        concatenated([one, other])
    with pytest.raises(InputError, match="1 joints, another 2"):
        concatenated([other, records([1], [[0, 0]])])
    with pytest.raises(InputError, match="no parts"):
        concatenated([])


# the ledger ------------------------------------------------------------------------------------------------------------


def ledger(kinetic, potential, **works):
    kinetic, potential = np.array(kinetic, float), np.array(potential, float)
    return EnergyLedger(np.arange(len(kinetic)), kinetic, potential, {k: np.array(w, float) for k, w in works.items()})


def test_a_ledger_in_which_every_joule_is_explained():
    books = ledger([0, 3, 4], [10, 9, 7], torque=[0, 4, 5], friction=[0, -2, -4])
    assert books.total.tolist() == [10, 12, 11]
    assert books.balance.tolist() == [0, 0, 0] and books.relative == 0.0
    assert books.scale == 5


def test_a_ledger_says_how_much_is_missing_where_and_relative_to_what_moved():
    books = ledger([0, 3, 4], [10, 9, 7], torque=[0, 4, 5], friction=[0, -2.5, -4])
    assert books.balance.tolist() == [0, 0.5, 0]
    assert books.relative == 0.1 and books.worst == 1
    assert "balance 1.0e-01 of 5 J" in repr(books) and "friction -4 J" in repr(books)


def test_friction_has_a_sign():
    assert ledger([3, 0], [0, 0], friction=[0, -3]).relative == 0
    assert ledger([3, 0], [0, 0], friction=[0, 3]).relative == 2


def test_a_slice_has_books_of_its_own():
    books = ledger([0, 3, 4], [10, 9, 7], torque=[0, 4, 5], friction=[0, -2, -4])
    later = EnergyLedger(
        books.t[1:], books.kinetic[1:], books.potential[1:], {k: w[1:] for k, w in books.works.items()}
    )
    assert later.balance.tolist() == [0, 0]


def test_an_arm_at_rest_balances():
    assert ledger([0, 0], [5, 5], torque=[0, 0]).relative == 0.0
    assert ledger([0], [5]).relative == 0.0


# trajectories ----------------------------------------------------------------------------------------------------------


def test_a_trajectory_tells_what_it_is():
    traj = trajectory(events=[(0.5, "theta1", "sticks")])
    assert repr(traj).startswith("<Trajectory of 'elbow': 2 s, 11 rows, rk4; energy balance ")
    assert "unfinished" not in repr(traj) and "events 1" in repr(traj)
    stopped = Trajectory(ELBOW, traj.records, {"method": "<b>", "step": 1e-3, "complete": False})
    assert "<b>, step 0.001 s" in repr(stopped) and "state unfinished" in repr(stopped)
    assert "&lt;b&gt;" in stopped._repr_html_() and "<td>11</td>" in stopped._repr_html_()


def test_slices_keep_the_events_between_their_ends():
    traj = trajectory(events=[(0.1, "theta1", "sticks"), (1.0, None, "payload"), (1.9, "theta2", "stop")])
    assert [event.what for event in traj[:6].events] == ["sticks", "payload"]
    middle = traj.between(0.9, 1.5)
    assert middle.t.tolist() == [t for t in traj.t if 0.9 <= t <= 1.5]
    assert [event.what for event in middle.events] == ["payload"]
    assert middle.about == traj.about and middle.arm is traj.arm


def test_the_final_state_and_the_pose_of_the_tool():
    traj = trajectory()
    q, qd = traj.final
    assert q.tolist() == traj.q[-1].tolist() and qd.tolist() == traj.qd[-1].tolist()
    assert traj.pose.shape == (11, 4, 4)
    for row in (0, 7):
        expected = la.forward_kinematics(ELBOW, traj.q[row], ELBOW.tool)
        assert np.abs(traj.pose[row] - expected).max() <= 16 * EPS * max(1, np.abs(traj.q[row]).max())


def test_to_numpy_gives_arrays_of_ones_own():
    traj = trajectory()
    arrays = traj.to_numpy()
    assert list(arrays) == ["t", "q", "qd", "qdd", "tau", "held", "K", "P", "W.torque"]
    arrays["q"] += 1
    assert np.array_equal(arrays["q"], traj.q + 1) and np.array_equal(arrays["K"], traj.energy.kinetic)


def test_a_trajectory_goes_through_pickle():
    traj = pickle.loads(pickle.dumps(trajectory()))
    assert np.array_equal(traj.q, trajectory().q) and traj.arm == ELBOW


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (
            lambda traj: Trajectory(la.load("polar"), motion_of(polynomials(5, 3, 0), np.arange(3.0)), {}),
            "3 joints; it has 2",
        ),
        (lambda traj: traj[5:5], "no row of the 11"),
        (lambda traj: traj.between(2.5, 3), r"between 2.5 and 3 s; the run has 11 rows from 0.0 to 2.0 s"),
        (lambda traj: traj.resample(), "either rate="),
        (lambda traj: traj.resample(rate=10, times=[1]), "either rate="),
        (lambda traj: traj.resample(rate=-1), "rate = -1 rows a second"),
        (lambda traj: traj.resample(rate=float("nan")), "rate is nan"),
        (lambda traj: traj.resample(rate=1e15), "ask for fewer"),
        (lambda traj: traj.resample(times=[1, 2.5]), r"t = 2.5 s is outside of the run, which lasts from 0.0 to 2.0 s"),
        (lambda traj: traj.resample(times=[-1e-9]), "outside of the run"),
        (lambda traj: traj.resample(times=[float("nan")]), "outside of the run"),
        (lambda traj: traj.resample(times=[2, 1]), "sorted"),
        (lambda traj: traj.resample(times=[]), "one or more times"),
        (lambda traj: traj.resample(times="soon"), "is not a list of numbers"),
        (lambda traj: traj.save("run.txt"), "Valid: .parquet, .npz, .csv"),
    ],
)
def test_bad_input(act, message):
    with pytest.raises(la.LeverarmError, match=message):
        act(trajectory())


# resampling ------------------------------------------------------------------------------------------------------------


def exactly(curve, order, time):
    """A derivative of a polynomial at a time, over the rationals."""
    at, coefficients = Fraction(float(time)), [Fraction(c) for c in curve.deriv(order).coef]
    return float(sum(c * at**k for k, c in enumerate(coefficients)))


@pytest.mark.parametrize("degree", [0, 1, 2, 3, 4, 5])
def test_resampling_is_exact_for_polynomials_up_to_degree_5(degree):
    curves, t = polynomials(degree, 3, degree), np.array([0, 0.5, 0.75, 2, 2.25])
    traj = motion_of(curves, t)
    times = np.linspace(0, 2.25, 100)
    new = resampled(traj, times)
    size = max(np.abs(traj.q).max(), np.abs(traj.qd).max(), np.abs(traj.qdd).max())
    for order, values in enumerate((new.q, new.qd, new.qdd)):
        expected = np.array([[exactly(curve, order, time) for curve in curves] for time in times])
        # rounding of q, seen through 60 / h^2 in qdd; the shortest interval is 1/4
        bound = 16 * EPS * size * (1, 8 / 0.25, 60 / 0.25**2)[order]
        assert np.abs(values - expected).max() <= bound, order


def test_a_rows_own_time_gives_that_row_bit_for_bit():
    traj = trajectory(17)
    same = traj.resample(times=traj.t)
    for name, array in same.records.arrays():
        assert np.array_equal(array, getattr(traj.records, name)), name
    assert same.about == {"method": "rk4", "resampled": "times"}


def test_a_rate_counts_from_the_first_row_to_the_last():
    assert trajectory().resample(rate=10).t.tolist() == [k / 10 for k in range(21)]
    assert trajectory().resample(rate=0.7).t.tolist() == [0, 1 / 0.7]
    assert trajectory().resample(rate=0.1).t.tolist() == [0]
    late = Trajectory(ELBOW, records(0.1 + np.arange(4) / 10, np.zeros((4, 2))), {})
    assert len(late.resample(rate=1000)) == 301 and late.resample(rate=1000).t[-1] <= late.t[-1]


def test_resampling_keeps_the_books_balanced():
    t = np.linspace(0, 3, 9)
    kinetic, friction = np.cos(t) ** 2, -0.1 * t
    made = records(t, np.zeros((9, 2)), kinetic=kinetic, potential=friction - kinetic, works={"friction": friction})
    new = Trajectory(ELBOW, made, {}).resample(rate=100)
    assert np.abs(new.energy.balance).max() <= 4 * EPS


def test_after_an_impact_comes_the_state_after_it():
    q, qd = np.array([[0.0], [1], [1], [0]]), np.array([[1.0], [1], [-1], [-1]])
    made = records([0, 1, 1, 2], q, qd, held=[[False], [False], [True], [True]])
    new = resampled(made, [0.5, 1, 1.5])
    assert new.qd[:, 0].tolist() == [1, -1, -1] and new.q[:, 0].tolist() == [0.5, 1, 0.5]
    assert new.held[:, 0].tolist() == [False, True, True]


def test_what_is_held_is_said_by_the_row_before():
    made = records([0, 1, 2, 3], np.zeros((4, 1)), held=[[False], [False], [True], [True]])
    new = resampled(made, [0.5, 1, 1.5, 2, 2.5, 3])
    assert new.held[:, 0].tolist() == [False, False, False, True, True, True]


@pytest.mark.parametrize("h", [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-9])
def test_short_intervals_do_not_amplify_rounding(h):
    """q = sin t near t = 100. A plain quintic has accelerations wrong by 6 eps / h^2, which is 1e-3 at h = 1e-6.

    F is h^4/12 and E is h^5/720 by the errors of the trapezoid rule, without and with correction at the ends. Each is
    dropped where it is below four times its rounding error, so neither can do more harm than either bound.
    """
    t = 100 + h * np.arange(5)
    made = records(t, np.sin(t)[:, None], np.cos(t)[:, None], -np.sin(t)[:, None])
    times = np.linspace(t[0], t[-1], 101)
    new = resampled(made, times)
    clock = EPS * (1 + 101 / h)
    wrong_F = min(h**4 / 12, 5 * (EPS * 2 * h + clock * 2 * h**2))
    wrong_E = min(h**5 / 720, 5 * (EPS * 2 + clock * 2 * h))
    rounding = EPS * (16 + 2 * 101)  # the times between the rows are rounded too
    assert np.abs(new.q[:, 0] - np.sin(times)).max() <= h**6 / 720 + rounding
    assert np.abs(new.qd[:, 0] - np.cos(times)).max() <= h**5 / 720 + (wrong_F + 2 * wrong_E) / h + rounding
    worst = h**4 / 720 + (1.5 * wrong_F + 6 * wrong_E) / h**2 + rounding
    assert np.abs(new.qdd[:, 0] + np.sin(times)).max() <= worst <= 1e-6


def test_late_in_a_run_time_itself_is_rounded():
    """After 1e6 s an interval is known to 1e-10 s only: E and F are nothing but that, and qdd is linear between rows."""
    h = 1e-3
    s = h * np.arange(5)
    t = 1e6 + s
    made = records(t, np.sin(s)[:, None], np.cos(s)[:, None], -np.sin(s)[:, None])
    times = np.linspace(t[0], t[-1], 101)
    new = resampled(made, times)
    late = 2 * EPS * 1e6
    assert np.abs(new.q[:, 0] - np.sin(times - 1e6)).max() <= 2 * late
    assert np.abs(new.qd[:, 0] - np.cos(times - 1e6)).max() <= h**3 / 12 + late
    assert np.abs(new.qdd[:, 0] + np.sin(times - 1e6)).max() <= h**2 / 8 + 2 * late
