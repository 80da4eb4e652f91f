"""Trajectories as files: what is loaded is what was saved, and a run that is killed keeps every complete part."""

from __future__ import annotations

import csv
import json
import os
import random
import signal
import subprocess
import sys
import tracemalloc
from itertools import pairwise

import numpy as np
import pytest

import leverarm as la
from leverarm.errors import FormatError, InputError, MissingExtraError, NotFiniteError
from leverarm.simulation.trajectories import Event, Records, Trajectory, load_trajectory, open_stream, resume_stream
from leverarm.simulation.trajectories.files import stream
from leverarm.simulation.trajectories.files.columns import quaternions
from leverarm.simulation.trajectories.files.layout import parts_of, read_run
from tests.support.hostile_arrays import PACKED
from tests.support.paths import ROOT

try:
    import pyarrow  # noqa: F401
except ImportError:
    ENDINGS = ["npz", "csv"]
else:
    ENDINGS = ["npz", "csv", "parquet"]

ARM = la.load("polar")
ABOUT = {
    "method": "dopri5",
    "rtol": 1e-10,
    "seed": 7,
    "q0": [0.1, -0.0],
    "note": "µ\n# {",
    "nested": {"a": [1, None, True]},
}
EVENTS = (Event(0.1 + 0.2, "theta", "sticks"), Event(1.0, None, "payload"))
CHECKPOINT = {"t": 0.1 + 0.2, "state": [1 / 3, -0.0, 5e-324, 1.7976931348623157e308], "steps": 10**12, "h": "0x1.8p-3"}

needs_arrow = pytest.mark.skipif("parquet" not in ENDINGS, reason="pyarrow is not installed")
only_posix = pytest.mark.skipif(os.name != "posix", reason="kill -9 is POSIX")


def sample(rows=40, arm=ARM, seed=0):
    """Records that no motion has: numbers of all sizes, so that a digit that is lost is seen."""
    rng = np.random.default_rng(seed)

    def wild(*shape):
        return rng.normal(size=shape) * 10.0 ** rng.integers(-300, 300, size=shape)

    n = arm.dof
    works = {"torque": wild(rows), "friction": wild(rows)}
    works["torque"][: min(rows, 3)] = [-0.0, 5e-324, 1.7976931348623157e308][: min(rows, 3)]
    q = rng.normal(size=(rows, n))
    held = rng.random((rows, n)) < 0.5
    t = np.cumsum(rng.random(rows)) / 7
    return Records(t, q, wild(rows, n), wild(rows, n), wild(rows, n), wild(rows), wild(rows), works, held)


def trajectory(rows=40, arm=ARM):
    return Trajectory(arm, sample(rows, arm), ABOUT, EVENTS)


def assert_same(one, other):
    """Bit for bit."""
    for name, array in one.arrays():
        assert getattr(other, name).tobytes() == array.tobytes(), name
    assert list(one.works) == list(other.works)
    for name, work in one.works.items():
        assert other.works[name].tobytes() == work.tobytes(), name


# one file --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", ["polar", "panda", "torso"])
def test_what_is_loaded_is_what_was_saved(tmp_path, ending, name):
    saved = trajectory(arm=la.load(name))
    path = tmp_path / f"run.{ending}"
    saved.save(path)
    loaded = load_trajectory(path)
    assert_same(saved.records, loaded.records)
    assert loaded.arm == saved.arm and loaded.about == ABOUT and loaded.events == EVENTS
    assert_same(Trajectory.load(path).records, loaded.records)
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_joint_may_have_any_name_and_an_arm_symbols(tmp_path, ending):
    text = """
        leverarm = 1
        name = "odd"
        symbols = { m = 2.5 }
        [[body]]
        name = "b"
        mass = "m"
        com = [1, 0, 0]
        joint = { name = 'a,"b".#θ', kind = "revolute" }
    """
    (tmp_path / "odd.toml").write_text(text)
    arm = la.load(tmp_path / "odd.toml")
    saved = trajectory(1, arm)
    saved.save(tmp_path / f"run.{ending}")
    loaded = load_trajectory(tmp_path / f"run.{ending}")
    assert_same(saved.records, loaded.records)
    assert loaded.arm == arm and loaded.arm.defaults == {"m": 2.5}


@pytest.mark.parametrize("ending", ENDINGS)
def test_saving_replaces_a_file_whole_or_not_at_all(tmp_path, ending):
    path = tmp_path / f"run.{ending}"
    trajectory(3).save(path)
    before = path.read_bytes()
    made = sample(5)
    broken = np.array(made.qd)
    broken[2, 1] = np.nan
    wrong = Records(made.t, made.q, broken, made.qdd, made.tau, made.kinetic, made.potential, made.works, made.held)
    with pytest.raises(NotFiniteError, match=r"qd is not finite at t = .* \(row 2\)"):
        Trajectory(ARM, wrong, {}).save(path)
    with pytest.raises(InputError, match=r"cannot be written.*plain values"):
        Trajectory(ARM, made, {"law": object()}).save(path)
    assert path.read_bytes() == before and len(list(tmp_path.iterdir())) == 1
    trajectory(5).save(path)
    assert len(load_trajectory(path)) == 5


def test_numpy_values_about_a_run_become_plain_ones(tmp_path):
    Trajectory(ARM, sample(2), {"seed": np.int64(3), "q0": np.array([0.1, 0.2])}).save(tmp_path / "run.npz")
    assert load_trajectory(tmp_path / "run.npz").about == {"seed": 3, "q0": [0.1, 0.2]}


def test_the_columns_of_a_csv_and_their_units(tmp_path):
    saved = trajectory(4)
    saved.save(tmp_path / "run.csv")
    lines = (tmp_path / "run.csv").read_text().splitlines()
    comments = [line.removeprefix("# ") for line in lines if line.startswith("#")]
    units = json.loads("\n".join(comments))["units"]
    names, *rows = list(csv.reader(line for line in lines if not line.startswith("#")))
    assert names == list(units)
    assert names[:9] == ["t", "q.theta", "q.r", "qd.theta", "qd.r", "qdd.theta", "qdd.r", "tau.theta", "tau.r"]
    assert names[9:15] == ["K", "P", "W.torque", "W.friction", "held.theta", "held.r"]
    assert [units[name] for name in ("t", "q.theta", "q.r", "qdd.r", "tau.theta", "tau.r", "K")] == [
        "s", "rad", "m", "m/s^2", "N m", "N", "J",
    ]  # fmt: skip
    at = dict(zip(names, map(float, rows[2]), strict=True))
    assert at["q.r"] == saved.q[2, 1] and at["W.friction"] == saved.records.works["friction"][2]
    tool = saved.pose[2]
    assert [at["tip.x"], at["tip.y"], at["tip.z"]] == tool[:3, 3].tolist()
    assert np.allclose(rotation([at[f"tip.q{k}"] for k in "wxyz"]), tool[:3, :3], rtol=0, atol=1e-15)


def test_an_npz_holds_plain_arrays(tmp_path):
    saved = trajectory(4)
    saved.save(tmp_path / "run.npz")
    with np.load(tmp_path / "run.npz") as arrays:
        assert set(arrays) == {
            "t",
            "q",
            "qd",
            "qdd",
            "tau",
            "held",
            "K",
            "P",
            "W.torque",
            "W.friction",
            "tip",
            "leverarm",
        }
        assert np.array_equal(arrays["q"], saved.q) and arrays["tip"].shape == (4, 7)


@needs_arrow
def test_other_programs_read_the_parquet_file(tmp_path):
    import pyarrow.parquet as pq

    saved = trajectory(4)
    saved.save(tmp_path / "run.parquet")
    table = pq.read_table(tmp_path / "run.parquet")
    assert table["q.r"].to_pylist() == saved.q[:, 1].tolist()
    assert table["held.theta"].to_pylist() == saved.held[:, 0].tolist()
    assert table.schema.field("tau.r").metadata == {b"unit": b"N"}


def rotation(quaternion):
    w, x, y, z = quaternion
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def test_quaternions_of_all_kinds_of_rotations():
    rng = np.random.default_rng(3)
    given = np.concatenate([rng.normal(size=(200, 4)), np.eye(4), [[1e-9, 1, 0, 0], [0, -1, 1e-5, 0], [0, 1, 1, 1]]])
    given /= np.linalg.norm(given, axis=1, keepdims=True)
    found = quaternions(np.array([rotation(quaternion) for quaternion in given]))
    assert (found[:, 0] >= 0).all()
    assert np.abs(np.abs((found * given).sum(axis=1)) - 1).max() < 8 * np.finfo(float).eps


# files of others ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_file_without_our_header_is_read_with_an_arm(tmp_path, ending):
    made, path = sample(5), tmp_path / f"log.{ending}"
    made = Records(made.t, made.q, np.sin(made.q), made.qdd, made.tau, made.kinetic, made.potential, {}, made.held)
    columns = {"t": made.t, "temperature": np.arange(5)}
    columns |= {
        f"{a}.{j}": getattr(made, a)[:, k] for a in ("q", "qd", "qdd", "tau") for k, j in enumerate(ARM.joint_names)
    }
    if ending == "csv":
        rows = [",".join(map(repr, row)) for row in zip(*(values.tolist() for values in columns.values()), strict=True)]
        path.write_text("# made by hand\n" + ",".join(columns) + "\n" + "\n".join(rows))
    elif ending == "npz":
        np.savez(path, t=made.t, q=made.q, qd=made.qd, qdd=made.qdd, tau=made.tau, temperature=np.arange(5))
    else:
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.table(columns), path)
    loaded = load_trajectory(path, ARM)
    for name in ("t", "q", "qd", "qdd", "tau"):
        assert np.array_equal(getattr(loaded, name), getattr(made, name))
    assert not loaded.held.any() and loaded.records.works == {} and loaded.about == {}
    assert loaded.energy.kinetic[3] == pytest.approx(la.kinetic_energy(ARM, made.q[3], made.qd[3]), rel=1e-13)
    assert loaded.energy.potential[3] == pytest.approx(la.potential_energy(ARM, made.q[3]), rel=1e-13)
    with pytest.raises(FormatError, match=f"log.{ending}: was not written by leverarm and names no arm.*arm="):
        load_trajectory(path)
    with pytest.raises(
        FormatError, match=r"q is an array of .* shape \(5, 2\)" if ending == "npz" else "has no column 'q.joint1'"
    ):
        load_trajectory(path, la.load("panda"))


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_file_is_not_read_as_that_of_another_arm(tmp_path, ending):
    trajectory(3).save(tmp_path / f"run.{ending}")
    with pytest.raises(FormatError, match=r"with the joints theta, r; arm 'elbow' has|has no column 'q.theta1'"):
        load_trajectory(tmp_path / f"run.{ending}", la.load("elbow"))
    heavier = la.with_values(ARM, **dict.fromkeys(list(ARM.defaults)[:1], 2))
    assert load_trajectory(tmp_path / f"run.{ending}", heavier).arm == heavier


# bad files -----------------------------------------------------------------------------------------------------------------


def lines_of(path):
    trajectory(6).save(path)
    return path.read_text().splitlines(keepends=True)


def names_line(lines):
    return next(k for k, line in enumerate(lines) if not line.startswith("#"))


def changed(cell, text):
    """A change of one cell, given by row and column."""

    def change(lines, first):
        cells = lines[first + 1 + cell[0]].rstrip("\n").split(",")
        cells[cell[1]] = text
        lines[first + 1 + cell[0]] = ",".join(cells) + "\n"

    return change


def swapped(lines, first):
    lines[first + 3], lines[first + 4] = lines[first + 4], lines[first + 3]


def cut(lines, first):
    lines[:] = [*lines[:-1], lines[-1].rpartition(",")[0]]


def clipped(lines, first):
    lines[-1] = lines[-1].rstrip("\n")[:-1]


def renamed(lines, first):
    lines[first] = lines[first].replace("qd.theta", "qd.tehta")


def added(lines, first):
    lines[first:] = [
        line.rstrip("\n") + ("," + ("extra" if k == 0 else "1")) + "\n" for k, line in enumerate(lines[first:])
    ]


@pytest.mark.parametrize(
    ("change", "line", "message"),
    [
        (changed((2, 3), "nan"), 4, "qd.theta is nan; every number must be finite"),
        (changed((2, 3), "1e999"), 4, "qd.theta is inf"),
        (changed((3, 0), "soon"), 5, "t is 'soon'; it must be a number"),
        (changed((5, 1), ""), 7, "q.theta is ''; it must be a number"),
        (swapped, 5, "the rows must be sorted by time"),
        (cut, 7, "has 21 cells; there are 22 columns"),
        (clipped, 7, "ends after 6 rows of 6; it is cut short"),
        (lambda lines, first: lines.pop(), 6, "ends after 5 rows of 6; it is cut short"),
        (lambda lines, first: lines.__delitem__(slice(first + 1, None)), 1, "ends after 0 rows of 6"),
        (lambda lines, first: lines.__delitem__(slice(first, None)), 0, "ends before the names of the columns"),
        (renamed, 1, "has no column 'qd.theta'"),
        (added, 1, "there is no column named 'extra'"),
        (lambda lines, first: lines.__setitem__(first, lines[first].replace("W.friction", "W.torque")), 1, "2 columns"),
        (lambda lines, first: lines.__delitem__(4), None, "its header is damaged: KeyError"),
        (lambda lines, first: lines.__delitem__(0), None, "was not written by leverarm"),
        (lambda lines, first: lines.insert(1, "# oops\n"), None, "its header is not JSON"),
        (lambda lines, first: lines.__setitem__(2, '# "format": 2,\n'), None, "is of format 2.*reads format 1"),
    ],
)  # fmt: skip
def test_a_bad_csv_names_its_line(tmp_path, change, line, message):
    path = tmp_path / "bad.csv"
    lines = lines_of(path)
    first = names_line(lines)
    change(lines, first)
    path.write_text("".join(lines))
    place = f"bad.csv:{first + line}: " if line is not None else "bad.csv: "
    with pytest.raises(FormatError, match=f"{place}.*{message}"):
        load_trajectory(path)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("kept", [0, 1, 30, 0.3, 0.99])
def test_a_file_that_is_cut_short_is_one_error(tmp_path, ending, kept):
    path = tmp_path / f"cut.{ending}"
    trajectory().save(path)
    content = path.read_bytes()
    path.write_bytes(content[: int(kept * len(content)) if isinstance(kept, float) else kept])
    with pytest.raises(FormatError, match=rf"cut.{ending}"):
        load_trajectory(path)


@pytest.mark.parametrize("ending", ENDINGS)
def test_whatever_bytes_a_file_has_there_is_one_error_or_a_trajectory(tmp_path, ending):
    path, luck = tmp_path / f"noise.{ending}", random.Random(5)
    trajectory(3).save(path)
    content = path.read_bytes()
    for _ in range(60):
        noisy = bytearray(content)
        for _ in range(luck.choice([1, 3, 20])):
            noisy[luck.randrange(len(noisy))] = luck.randrange(256)
        path.write_bytes(noisy)
        try:
            load_trajectory(path)
        except la.LeverarmError as problem:
            assert "noise." in str(problem)


@pytest.mark.parametrize("content", PACKED.values(), ids=PACKED)
def test_an_npz_that_claims_more_than_it_holds_is_one_error_and_takes_no_memory(tmp_path, content):
    path = tmp_path / "hostile.npz"
    path.write_bytes(content)
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match=r"hostile.npz: cannot be read as NPZ"):
            load_trajectory(path, ARM)
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


def test_an_npz_is_never_unpickled(tmp_path):
    made = sample(3)
    bad = np.array([print, print, print], dtype=object)
    np.savez(tmp_path / "bad.npz", t=made.t, q=made.q, qd=made.qd, qdd=made.qdd, tau=made.tau, evil=bad)
    with pytest.raises(FormatError, match=r"bad.npz: cannot be read as NPZ"):
        load_trajectory(tmp_path / "bad.npz", ARM)
    np.savez(tmp_path / "bad.npz", t=made.t, q=made.q[:, :1], qd=made.qd, qdd=made.qdd, tau=made.tau)
    with pytest.raises(FormatError, match=r"q is an array of float64 of shape \(3, 1\).*must.*\(3, 2\)"):
        load_trajectory(tmp_path / "bad.npz", ARM)


@needs_arrow
def test_a_bad_parquet_names_its_row(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "bad.parquet"
    trajectory(5).save(path)
    table = pq.read_table(path)
    for values, message in (
        (pa.array([0.0, 1, None, 3, 4]), "row 2: q.r is empty"),
        (pa.array([0.0, 1, 2, np.inf, 4]), "row 3: q.r is inf"),
        (pa.array(["a", "b", "c", "d", "e"]), "column q.r holds string; it must hold numbers"),
    ):
        place = table.column_names.index("q.r")
        pq.write_table(table.set_column(place, "q.r", values), path)
        with pytest.raises(FormatError, match=f"bad.parquet: {message}"):
            load_trajectory(path)


def test_without_pyarrow_parquet_is_refused_with_the_remedy(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for act in (
        lambda: trajectory().save(tmp_path / "run.parquet"),
        lambda: load_trajectory(tmp_path / "run.parquet"),
        lambda: open_stream(tmp_path / "run.parquet", ARM, {}),
    ):
        with pytest.raises(MissingExtraError, match=r"pip install 'leverarm\[parquet\]'; or write .npz"):
            act()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda folder: load_trajectory(folder / "none.csv"), "none.csv: there is no such file"),
        (
            lambda folder: load_trajectory(folder / "run.xlsx"),
            "'run.xlsx' names no format.*Valid: .parquet, .npz, .csv",
        ),
        (
            lambda folder: load_trajectory(3),
            "3 was given as a path; a path is text or a pathlib.Path. Give one such as 'run.npz'",
        ),
        (lambda folder: load_trajectory("\0.csv"), "there is no such file"),
        (lambda folder: trajectory().save(folder / "no" / "run.npz"), "cannot be written: No such file"),
        (lambda folder: load_trajectory(folder / "x.csv", every=0), "every = 0: it must be a positive whole number"),
        (lambda folder: load_trajectory(folder / "x.csv", between=(2, 1)), r"between = \(2, 1\)"),
        (lambda folder: load_trajectory(folder / "x.csv", between=3), "between = 3"),
        (lambda folder: resume_stream(folder / "run.npz"), "no folder of a run"),
    ],
)
def test_bad_requests(tmp_path, act, message):
    with pytest.raises(la.LeverarmError, match=message):
        act(tmp_path)


# streams ---------------------------------------------------------------------------------------------------------------------


def streamed(folder, whole, cuts, events=()):
    """A stream that was given the rows in pieces; each piece becomes a part."""
    target = open_stream(folder, ARM, ABOUT)
    give(target, whole, cuts, events)
    return target


def give(target, whole, cuts, events=()):
    for start, end in pairwise(cuts):
        target.take(whole[start:end], CHECKPOINT | {"row": end}, [event for event in events if event[0] == end])
        target.close()


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_stream_comes_back_as_it_was_given(tmp_path, ending):
    whole, folder = sample(100), tmp_path / f"run.{ending}"
    target = streamed(folder, whole, [0, 10, 11, 60, 60, 100], [(11, "r", "stop"), (60, None, "payload")])
    assert repr(target).endswith("100 rows>")
    unfinished = load_trajectory(folder)
    assert_same(whole, unfinished.records)
    assert unfinished.about == ABOUT | {"complete": False} and "unfinished" in repr(unfinished)
    target.finish({"steps": 5})
    loaded = load_trajectory(folder)
    assert_same(whole, loaded.records)
    assert loaded.about == ABOUT | {"complete": True, "steps": 5} and loaded.arm == ARM
    assert [event.what for event in loaded.events] == ["stop", "payload", "payload"]
    assert sorted(path.name for path in folder.iterdir()) == [
        "_run.json",
        *(f"part-{k:06d}.{ending}" for k in range(5)),
    ]
    assert_same(whole[11:60], load_trajectory(folder / f"part-000002.{ending}").records)


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_long_run_is_loaded_in_part(tmp_path, ending):
    whole, folder = sample(100), tmp_path / f"run.{ending}"
    streamed(folder, whole, [0, 13, 14, 60, 100], [(14, None, "a"), (60, None, "b")]).finish()
    assert_same(whole[::7], load_trajectory(folder, every=7).records)
    start, end = float(whole.t[20]), float(whole.t[70])
    assert_same(whole[20:71], load_trajectory(folder, between=(start, end)).records)
    picked = load_trajectory(folder, between=(start, end), every=np.int64(9))
    assert_same(whole[27:71:9], picked.records)
    with pytest.raises(FormatError, match=r"has no row between 0.0 and 1e-09 s"):
        load_trajectory(folder, between=(0.0, 1e-9))
    Trajectory(ARM, whole, {}, [(start, None, "in"), (0.0, None, "out")]).save(tmp_path / f"whole-{ending}.{ending}")
    one = load_trajectory(tmp_path / f"whole-{ending}.{ending}", between=(start, end), every=9)
    assert_same(picked.records, one.records)
    assert [event.what for event in one.events] == ["in"]


def test_only_the_parts_that_are_asked_for_are_read(tmp_path):
    whole, folder = sample(100), tmp_path / "run.npz"
    streamed(folder, whole, [0, 50, 100]).finish()
    damaged = folder / "part-000000.npz"
    content = bytearray(damaged.read_bytes())
    content[400:440] = bytes(40)  # rows of t
    damaged.write_bytes(content)
    assert_same(whole[60:], load_trajectory(folder, between=(float(whole.t[60]), 1e9)).records)
    with pytest.raises(FormatError, match=r"part-000000.npz"):
        load_trajectory(folder)


@needs_arrow
def test_other_programs_open_the_folder_as_one_table(tmp_path):
    import pyarrow.dataset
    import pyarrow.parquet as pq

    whole, folder = sample(100), tmp_path / "run.parquet"
    streamed(folder, whole, [0, 0, 10, 60, 100])
    (folder / ".part-000004.parquet.x7").write_bytes(b"half")
    for table in (pq.read_table(folder), pyarrow.dataset.dataset(folder).to_table()):
        assert np.array_equal(table["t"].to_numpy(), whole.t)
        assert np.array_equal(table["W.friction"].to_numpy(), whole.works["friction"])


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_run_is_resumed_after_its_last_complete_part(tmp_path, ending):
    whole, folder = sample(100), tmp_path / f"run.{ending}"
    streamed(folder, whole, [0, 10, 60])
    (folder / f".part-000002.{ending}.abc_12").write_bytes(b"half")
    (folder / "._run.json.zz").write_bytes(b"half")
    (folder / "notes.txt").write_text("mine")
    assert_same(whole[:60], load_trajectory(folder).records)
    target, checkpoint, arm, about = resume_stream(folder)
    assert checkpoint == CHECKPOINT | {"row": 60} and arm == ARM and about == ABOUT
    assert np.signbit(checkpoint["state"][1]) and checkpoint["state"][2] == 5e-324
    names = {path.name for path in folder.iterdir()}
    assert names == {"_run.json", "notes.txt", f"part-000000.{ending}", f"part-000001.{ending}"}
    give(target, whole, [60, 61, 100])
    target.finish()
    assert_same(whole, load_trajectory(folder).records)
    with pytest.raises(FormatError, match="is complete; there is nothing to resume"):
        resume_stream(folder)


def test_a_last_part_that_a_power_failure_broke_was_never_complete(tmp_path):
    whole, folder = sample(30), tmp_path / "run.npz"
    streamed(folder, whole, [0, 10, 20, 30])
    (folder / "part-000002.npz").write_bytes(b"")
    assert_same(whole[:20], load_trajectory(folder).records)
    target, checkpoint, _, _ = resume_stream(folder)
    assert checkpoint["row"] == 20 and not (folder / "part-000002.npz").exists()
    give(target, whole, [20, 30])
    target.finish()
    (folder / "part-000002.npz").write_bytes(b"")
    with pytest.raises(FormatError, match=r"part-000002.npz: cannot be read as NPZ"):
        load_trajectory(folder)


def test_a_part_that_is_missing_is_said(tmp_path):
    whole, folder = sample(40), tmp_path / "run.npz"
    streamed(folder, whole, [0, 10, 20, 30, 40]).finish()
    (folder / "part-000003.npz").rename(tmp_path / "kept.npz")
    with pytest.raises(FormatError, match="holds 30 rows of 40; a part is missing"):
        load_trajectory(folder)
    (tmp_path / "kept.npz").rename(folder / "part-000003.npz")
    (folder / "part-000001.npz").unlink()
    with pytest.raises(FormatError, match=r"part-000002.npz: holds part 2 from row 20; part 1 from row 10 should come"):
        load_trajectory(folder)


def test_nothing_is_overwritten_but_complete_runs(tmp_path):
    whole = sample(40)
    (tmp_path / "file.npz").write_text("mine")
    (tmp_path / "folder.npz").mkdir()
    (tmp_path / "folder.npz" / "notes.txt").write_text("mine")
    (tmp_path / "empty.npz").mkdir()
    for name, message in (
        ("file", "is a file and not a streamed run"),
        ("folder", "is a folder with other things in it"),
    ):
        with pytest.raises(FormatError, match=f"{name}.npz: {message}"):
            open_stream(tmp_path / f"{name}.npz", ARM, {})
    with pytest.raises(FormatError, match=r"folder without _run.json"):
        load_trajectory(tmp_path / "folder.npz")
    folder = tmp_path / "empty.npz"
    streamed(folder, whole, [0, 10, 20, 30])
    with pytest.raises(FormatError, match=r"not finished. Resume it, or remove the folder"):
        open_stream(folder, ARM, {})
    resume_stream(folder).stream.finish()
    streamed(folder, whole, [0, 5])
    assert_same(whole[:5], load_trajectory(folder).records)
    assert len(list(folder.iterdir())) == 2


def test_a_run_that_has_no_part_yet(tmp_path):
    folder = tmp_path / "run.npz"
    open_stream(folder, ARM, {"seed": 1})
    with pytest.raises(FormatError, match="no complete part yet"):
        load_trajectory(folder)
    target, checkpoint, _, about = resume_stream(folder)
    assert checkpoint is None and about == {"seed": 1} and target.rows == 0
    open_stream(folder, ARM, {"seed": 2}).finish()
    assert read_run(folder).about == {"seed": 2}


def test_parts_of_a_run_that_was_replaced_are_not_taken_for_the_new_ones(tmp_path, monkeypatch):
    whole, folder = sample(40), tmp_path / "run.npz"
    streamed(folder, whole, [0, 10, 20]).finish()
    monkeypatch.setattr(stream, "_remove", lambda paths: None)  # killed before they were removed
    open_stream(folder, ARM, {})
    assert parts_of(read_run(folder)) == ()
    monkeypatch.undo()
    target, checkpoint, _, _ = resume_stream(folder)
    assert checkpoint is None and [path.name for path in folder.iterdir()] == ["_run.json"]
    give(target, whole, [0, 30])
    assert_same(whole[:30], load_trajectory(folder).records)


def test_parts_are_written_after_enough_rows_or_time(tmp_path, monkeypatch):
    monkeypatch.setattr(stream, "PART_ROWS", 25)
    clock = [0.0]
    monkeypatch.setattr(stream.time, "monotonic", lambda: clock[0])
    whole, folder = sample(100), tmp_path / "run.npz"
    target = open_stream(folder, ARM, {})

    def parts():
        return [part.header.rows for part in parts_of(read_run(folder))]

    for row in range(0, 50, 10):
        target.take(whole[row : row + 10], {"row": row + 10})
    assert parts() == [30] and target.rows == 50
    clock[0] = 0.9
    target.take(whole[50:51], {})
    assert parts() == [30]
    clock[0] = 1.0
    target.take(whole[51:52], {})
    assert parts() == [30, 22]
    clock[0] = 1000
    target.take(whole[52:53], {})
    clock[0] = 1009
    target.take(whole[53:54], {})
    assert parts() == [30, 22, 1]
    clock[0] = 1011
    target.take(whole[54:55], {})
    assert parts() == [30, 22, 1, 2]
    with target:
        target.take(whole[55:56], {})
    assert parts() == [30, 22, 1, 2, 1]


def test_a_stream_takes_only_what_can_be_loaded_again(tmp_path):
    whole, target = sample(20), open_stream(tmp_path / "run.npz", ARM, {})
    target.take(whole[:10], {})
    other = la.load("panda")
    for part, message in (
        (sample(3, other), "7 joints"),
        (whole[5:15], "the run is at"),
        (Records(*(getattr(whole[10:], name) for name in ("t", "q", "qd", "qdd", "tau", "kinetic", "potential")), {}, whole[10:].held), "accounts"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=message):
            target.take(part, {})
    target.take(whole[10:], {})
    target.finish()
    assert_same(whole, load_trajectory(tmp_path / "run.npz").records)


def test_two_processes_do_not_write_the_same_part(tmp_path):
    whole, folder = sample(40), tmp_path / "run.npz"
    one = streamed(folder, whole, [0, 10])
    other = resume_stream(folder).stream
    give(other, whole, [10, 20])
    one.take(whole[10:20], {})
    with pytest.raises(FormatError, match=r"part-000001.npz: is there already: another process writes this run"):
        one.close()
    assert_same(whole[:20], load_trajectory(folder).records)


@pytest.mark.parametrize("moment", ["before", "after"])
def test_an_interrupt_while_a_part_is_written_neither_loses_nor_doubles_rows(tmp_path, monkeypatch, moment):
    whole, folder = sample(40), tmp_path / "run.npz"
    target = streamed(folder, whole, [0, 10])
    target.take(whole[10:20], {"row": 20})
    place = ("leverarm.atomic_write._sync_folder", "leverarm.atomic_write.os.fsync")[moment == "before"]

    def interrupt(_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(place, interrupt)
        with pytest.raises(KeyboardInterrupt):
            target.close()
    target.close()
    assert_same(whole[:20], load_trajectory(folder).records)
    assert len(list(folder.iterdir())) == 3
    give(target, whole, [20, 40])
    assert_same(whole, load_trajectory(folder).records)


WRITER = """
import json
import os
import signal
import sys

import numpy as np

import leverarm as la
from leverarm import atomic_write
from leverarm.simulation.trajectories import Records, open_stream, resume_stream
from leverarm.simulation.trajectories.files import layout, stream
from leverarm.simulation.trajectories.trajectory import tool_poses

stream.PART_ROWS, stream.PART_SECONDS = 40, 1e9
CHUNK, TOTAL = 20, 5000
PLACES = (os.path.dirname(stream.__file__), atomic_write.__file__)


class Lines:
    # Counts the lines of Python that write files from a part on, and ends the process by kill -9 before one of them.

    def __init__(self, part, fatal):
        self.part, self.fatal, self.count, self.is_on = part, fatal, 0, False

    def __call__(self, frame, event, value):
        if not frame.f_code.co_filename.startswith(PLACES):
            return None
        if frame.f_code is stream.Stream._write.__code__ and event == "call":
            self.is_on |= frame.f_locals["self"]._parts >= self.part
        return self.line

    def line(self, frame, event, value):
        if self.is_on and event == "line":
            self.count += 1
            if self.count == self.fatal:
                os.kill(os.getpid(), signal.SIGKILL)
        return self.line


def run(folder):
    if layout.is_run(layout.Path(folder)):
        target, checkpoint, arm, about = resume_stream(folder)
    else:
        target, checkpoint = open_stream(folder, la.load("polar"), {"seed": 1}), None
    start = checkpoint or {"row": 0, "q": [0.1, 0.2], "qd": [1.0, 2.0]}
    row, q, qd = start["row"], np.array(start["q"]), np.array(start["qd"])
    while row < TOTAL:
        rows = []
        for _ in range(CHUNK):
            rows.append((q, qd))
            q, qd = q + 0.01 * qd, qd - 0.01 * np.sin(q)
        qs, qds = (np.array(part) for part in zip(*rows))
        t, energy = (row + np.arange(CHUNK)) * 0.01, (qds * qds).sum(axis=1)
        records = Records(t, qs, qds, -np.sin(qs), 0 * qs, energy, -energy, {"torque": energy / 3}, qs > 1)
        row += CHUNK
        target.take(records, {"row": row, "q": q.tolist(), "qd": qd.tolist()}, [(float(t[0]), None, "chunk")])
    target.finish()


tool_poses(la.load("polar"), np.zeros((CHUNK, 2)))  # compiled once, here
for line in sys.stdin:  # each line asks for a run: a child of this process, which has everything loaded, does it
    folder, part, fatal = json.loads(line)
    child = os.fork()
    if child == 0:
        lines = Lines(part, fatal)
        sys.settrace(lines)
        run(folder)
        sys.settrace(None)
        print(lines.count, flush=True)
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@pytest.mark.slow
@only_posix
@pytest.mark.parametrize("ending", ENDINGS)
def test_killed_ten_times_the_run_ends_as_if_nothing_had_happened(tmp_path, ending):
    """Killed before any line of Python that writes a part, be its file not there, unwritten, whole or in its place."""
    calm, folder, luck = tmp_path / f"calm.{ending}", tmp_path / f"run.{ending}", random.Random(ending)
    setting = os.environ | {"PYTHONPATH": str(ROOT / "src"), "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-c", WRITER]
    with subprocess.Popen(command, env=setting, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as writer:

        def ask(place, part=0, fatal=None):
            writer.stdin.write(json.dumps([str(place), part, fatal]) + "\n")
            writer.stdin.flush()
            return int(writer.stdout.readline())

        each = ask(calm) // 125  # lines for one of the 125 parts
        assert each > 30 and int(writer.stdout.readline()) == 0
        expected, rows, left = load_trajectory(calm), [0], 0
        for _ in range(10):
            part = max(1, rows[-1] // 40 + luck.randrange(10))
            assert ask(folder, part, 1 + int(2 * each * luck.random())) == -signal.SIGKILL
            kept, last = load_trajectory(folder), parts_of(read_run(folder))[-1]
            assert_same(expected.records[: len(kept)], kept.records)
            assert not kept.about["complete"] and len(kept) == last.part.checkpoint["row"]
            assert 40 * part <= len(kept) <= 40 * (part + 2)
            rows.append(len(kept))
            left += any(path.name.startswith(".") for path in folder.iterdir())
        assert rows == sorted(rows) and len(set(rows)) > 5 and left > 0
        assert ask(folder) > 0 and int(writer.stdout.readline()) == 0
        writer.stdin.close()
    resumed = load_trajectory(folder)
    assert_same(expected.records, resumed.records)
    assert resumed.about == expected.about and resumed.events == expected.events and len(resumed) == 5000
    assert all(path.name == "_run.json" or path.name.startswith("part-") for path in folder.iterdir())
