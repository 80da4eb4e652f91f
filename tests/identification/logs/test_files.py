"""Log files as tables: every kind of file gives the same numbers, and no bad row is lost in silence."""

from __future__ import annotations

import gzip
import pickle
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import leverarm as la
from leverarm import late_import
from leverarm.errors import FormatError, LeverarmError, MissingExtraError
from leverarm.identification.logs.files import read_table
from tests.support.hostile_arrays import MEMBERS, PACKED
from tests.support.paths import DATA
from tests.support.python_calls import python_calls


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def table_of(folder: Path, content: str | bytes, name: str = "log.csv"):
    return read_table(written(folder, name, content))


def values(table) -> list[list[float]]:
    return np.stack(list(table.columns.values()), axis=1).tolist()


LAYOUTS = {
    "comma": ("t,q1,tau1\n0,1.5,-2\n0.1,1.6,3e-2\n", "log.csv"),
    "byte order mark": ("\ufefft,q1,tau1\n0,1.5,-2\n0.1,1.6,3e-2\n", "log.csv"),
    "carriage returns": ("t,q1,tau1\r\n0,1.5,-2\r\n0.1,1.6,3e-2\r\n", "log.csv"),
    "decimal comma": ("t;q1;tau1\n0;1,5;-2\n0,1;1,6;3e-2\n", "log.csv"),
    "decimal comma, tabs": ("t\tq1\ttau1\n0\t1,5\t-2\n0,1\t1,6\t3e-2\n", "log.txt"),
    "tabs": ("t\tq1\ttau1\n0\t1.5\t-2\n0.1\t1.6\t3e-2\n", "log.tsv"),
    "blanks": ("  t  q1 tau1\n  0   1.5  -2\n0.1 1.6   3e-2\n", "log.txt"),
    "commas over blanks": ("t, q1, tau1\n0 1.5 -2\n0.1 1.6 3e-2\n", "log.txt"),
    "comma and blank": ("t, q1, tau1\n0, 1.5, -2\n0.1, 1.6, 3e-2\n", "log.csv"),
    "quotes": ('"t","q1","tau1"\n"0","1.5","-2"\n"0.1","1.6","3e-2"\n', "log.csv"),
    "delimiter at the end": ("t,q1,tau1,\n0,1.5,-2,\n0.1,1.6,3e-2,\n", "log.csv"),
    "delimiter at the end of rows": ("t,q1,tau1\n0,1.5,-2,\n0.1,1.6,3e-2,\n", "log.csv"),
    "names in a comment": ("# a run\n# t q1 tau1\n0 1.5 -2\n0.1 1.6 3e-2\n", "log.txt"),
    "names in a comment of rostopic": ("%t,q1,tau1\n0,1.5,-2\n0.1,1.6,3e-2\n", "log.csv"),
    "words over the table": ("Robot: ours\n\nt,q1,tau1\n0,1.5,-2\n0.1,1.6,3e-2\n", "log.csv"),
    "comments between": ("t,q1,tau1\n0,1.5,-2\n# paused\n\n0.1,1.6,3e-2\n", "log.csv"),
    "no last end of line": ("t,q1,tau1\n0,1.5,-2\n0.1,1.6,3e-2", "log.csv"),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("is_packed", [False, True], ids=["plain", "gzip"])
def test_layouts_of_text(tmp_path, layout, is_packed):
    content, name = LAYOUTS[layout]
    table = table_of(tmp_path, gzip.compress(content.encode()) if is_packed else content, name + ".gz" * is_packed)
    assert list(table.columns) == ["t", "q1", "tau1"]
    assert table.has_header
    assert values(table) == [[0, 1.5, -2], [0.1, 1.6, 0.03]]
    lines = content.splitlines()
    assert table.rows.tolist() == [k for k, line in enumerate(lines, start=1) if line.strip(' "')[0:1] == "0"]


def test_names_and_units(tmp_path):
    assert list(table_of(tmp_path, 'time [s],"q1 [deg]","a, b"\n0,1,2\n1,2,3\n').columns) == [
        "time [s]",
        "q1 [deg]",
        "a, b",
    ]
    below = table_of(tmp_path, "time,q1,name\ns,(deg),\n0,1,2\n1,2,3\n")
    assert list(below.columns) == ["time [s]", "q1 [deg]", "name"]
    assert below.rows.tolist() == [3, 4]
    assert list(table_of(tmp_path, "t,q,q,tau,tau\n0,1,2,3,4\n1,2,3,4,5\n").columns) == [
        "t",
        "q1",
        "q2",
        "tau1",
        "tau2",
    ]
    assert list(table_of(tmp_path, "time,1,2,3\n0,.1,.2,.3\n1,.1,.2,.3\n").columns) == ["time", "1", "2", "3"]
    assert list(table_of(tmp_path, ",t,q\n0,0.0,1\n1,0.1,2\n").columns) == ["1", "t", "q"]


def test_a_text_without_names(tmp_path):
    table = table_of(tmp_path, "0,1.5,nan\n0.1,1.6,2\n")
    assert list(table.columns) == ["1", "2", "3"]
    assert not table.has_header
    assert table.rows.tolist() == [1, 2]
    assert table.columns["2"].tolist() == [1.5, 1.6]


def test_dates_become_seconds_and_words_are_no_garbage(tmp_path):
    rows = [f"2024-02-29T23:59:59.{k}00+01:00,{k},RUN\n" for k in range(5)]
    table = table_of(tmp_path, "stamp,q,state\n" + "".join(rows))
    assert np.diff(table.columns["stamp"]) == pytest.approx(np.full(4, 0.1), abs=1e-6)  # spacing of floats at 1.7e9
    assert table.columns["stamp"][0] == 1709247599.0
    assert np.isnan(table.columns["state"]).all()
    assert table.dropped == table.repaired == ()
    assert table_of(tmp_path, "t,q\n12:00:00.5,1\n12:00:01.5,2\n").columns["t"].tolist() == [43200.5, 43201.5]


SPOILT = """t,q1,tau1
0,1,2
1,1e254,3
2,ERR,4
3,3
t,q1,tau1

4,4,5,6
motor fault
5,inf,nan
6,6,
"""


def test_each_bad_row_is_told(tmp_path):
    good = "".join(f"{k},{k},{k}\n" for k in range(7, 100))
    table = table_of(tmp_path, SPOILT + good + "100,10")
    assert {each.row: each.why for each in table.dropped} == {
        5: "has 2 cells; the table has 3 columns",
        6: "repeats the names of the columns",
        8: "has 4 cells; the table has 3 columns",
        9: "has 1 cell; the table has 3 columns",
        105: "has 2 cells; the table has 3 columns",
    }
    assert {each.row: each.why for each in table.repaired} == {
        3: "q1 is 1e+254",
        4: "q1 is 'ERR'",
        10: "q1 is inf, tau1 is nan",
        11: "tau1 is nan",
    }
    assert table.rows[:5].tolist() == [2, 3, 4, 10, 11]
    assert np.array_equal(table.columns["q1"][:5], [1, np.nan, np.nan, np.nan, 6], equal_nan=True)
    assert np.array_equal(table.columns["tau1"][:5], [2, 3, 4, np.nan, np.nan], equal_nan=True)
    assert table.columns["t"].tolist() == [0, 1, 2, 5, 6, *range(7, 100)]


def test_a_bad_row_spoils_no_other(tmp_path):
    """Lines are read a thousand at once; the rows and lines of all others must stay in step."""
    rng = np.random.default_rng(1)
    numbers = rng.normal(size=(5000, 4))
    lines = [",".join(map(repr, row)) for row in numbers.tolist()]
    bad = set(rng.choice(5000, 40, replace=False).tolist())
    table = table_of(
        tmp_path, "a,b,c,d\n" + "".join(f"{'oops' if k in bad else line}\n" for k, line in enumerate(lines))
    )
    kept = [k for k in range(5000) if k not in bad]
    assert table.rows.tolist() == [k + 2 for k in kept]
    assert {each.row - 2 for each in table.dropped} == bad
    assert np.array_equal(np.stack(list(table.columns.values()), axis=1), numbers[kept])


def test_a_last_number_that_was_cut(tmp_path):
    content = "t,q\n0.000,1.2345\n0.001,1.2346\n0.002,1.2347\n0.003,1.2"
    table = table_of(tmp_path, content)
    assert table.rows.tolist() == [2, 3, 4]
    assert [(each.row, each.why) for each in table.dropped] == [(5, "is truncated: its last number lacks digits")]
    assert table_of(tmp_path, content + "\n").rows.tolist() == [2, 3, 4, 5]


def test_sparse_columns_are_no_faults(tmp_path):
    table = table_of(tmp_path, "t,q,tau\n" + "".join(f"{k},{k},{k if k % 3 == 0 else ''}\n" for k in range(30)))
    assert table.dropped == table.repaired == ()
    assert np.isfinite(table.columns["tau"]).sum() == 10


def test_a_gzip_file_that_was_cut(tmp_path):
    rng = np.random.default_rng(2)
    numbers = rng.normal(size=(3000, 2))
    packed = gzip.compress("\n".join(f"{a!r},{b!r}" for a, b in numbers.tolist()).encode())
    table = table_of(tmp_path, packed[: len(packed) // 2], "log.csv.gz")
    assert 1000 < len(table) < 2000
    assert np.array_equal(np.stack(list(table.columns.values()), axis=1), numbers[: len(table)])
    assert "truncated" in table.notes[0]


REFUSED = {
    "empty": ("", "is empty"),
    "only comments": ("# nothing\n", "is empty"),
    "only names": ("t,q1\n", ":1: holds no table of numbers; it begins with 't,q1'"),
    "words": ("\nhello\nworld\n", ":2: holds no table"),
    "mostly bad": ("t,q\n0,1\nx,y\nz,w\nu,v\n", ":3: 3 of 4 rows cannot be used; the first one holds no number"),
    "mostly garbage": ("t,q\n0,1\n1,1e200\n2,x\n", ":3: 2 of 3 rows cannot be used; the first one has 1e+200 as q"),
    "no text": (bytes(range(256)) * 20, "is not text"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_log_is_refused_with_the_line(tmp_path, case):
    content, message = REFUSED[case]
    with pytest.raises(FormatError) as problem:
        table_of(tmp_path, content)
    assert str(problem.value).startswith(str(tmp_path / "log.csv"))
    assert message in str(problem.value)


def test_files_that_are_not_there_or_of_no_kind(tmp_path):
    written(tmp_path, "log.csv", "t,q\n0,1\n")
    with pytest.raises(FormatError, match=r"no such file; did you mean 'log.csv'\?"):
        read_table(tmp_path / "lag.csv")
    with pytest.raises(FormatError, match=r"is a folder.*metadata\.yaml.*\.parquet"):
        read_table(tmp_path)
    with pytest.raises(FormatError, match=r"the ending '\.foo'.*\.csv.*\.mat"):
        table_of(tmp_path, "t,q\n0,1\n", "log.foo")
    with pytest.raises(FormatError, match=r"Save the sheet as \.csv"):
        table_of(tmp_path, b"PK\x03\x04", "log.xlsx")
    for name in ("log.npz", "log.npy", "log.mat", "log.mcap", "log.bag", "log.parquet"):
        with pytest.raises(LeverarmError, match=r"cannot be read|need"):
            table_of(tmp_path, "t,q\n0,1\n", name)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300) | st.text(alphabet='0123456789.,;eE+-"\t\n #nxa', max_size=200))
def test_whatever_is_in_a_file_gives_a_table_or_one_error(tmp_path_factory, content):
    folder = tmp_path_factory.mktemp("any")
    try:
        table = table_of(folder, content)
    except LeverarmError:
        return
    assert {column.shape for column in table.columns.values()} == {table.rows.shape}
    assert not any((np.abs(column) > 1e100).any() for column in table.columns.values())
    assert set(table.rows.tolist()).isdisjoint(each.row for each in table.dropped)


def test_the_numbers_of_a_long_text_are_no_work_for_python(tmp_path):
    """Lines go through Python one by one, numbers do not."""
    rng = np.random.default_rng(3)
    path = tmp_path / "log.csv"
    np.savetxt(path, rng.normal(size=(20_000, 22)), delimiter=",", fmt="%.7g")
    found = []
    assert python_calls(lambda: found.append(read_table(path))) < 20_000 * 22 / 2
    assert len(found[0]) == 20_000


# Arrays by name --------------------------------------------------------------------------------------------------------

T = np.arange(5) * 0.1
Q = np.arange(10.0).reshape(5, 2)
TAU = -Q


def check_arrays(table):
    names = ["t", "q1", "q2", "tau1", "tau2"]
    assert set(table.columns) == set(names)
    assert np.array_equal(np.stack([table.columns[name] for name in names], axis=1), np.column_stack([T, Q, TAU]))
    assert table.has_header
    assert table.rows.tolist() == [1, 2, 3, 4, 5]


def test_npz(tmp_path):
    path = tmp_path / "log.npz"
    np.savez(path, t=T, q=Q, tau=TAU, rate=10.0, robot="ours", short=np.ones(4))
    table = read_table(path)
    check_arrays(table)
    assert table.scalars == {"rate": 10.0}
    assert len(table.notes) == 2
    assert "'robot' holds text" in table.notes[0]
    assert "'short' has shape (4,) where others have 5 rows" in table.notes[1]
    np.savez(path, t=T[None], q=Q.T, tau=TAU.T)  # joints down, time across
    check_arrays(read_table(path))


def test_npy(tmp_path):
    path = tmp_path / "log.npy"
    np.save(path, np.column_stack([T, Q]))
    table = read_table(path)
    assert list(table.columns) == ["1", "2", "3"]
    assert not table.has_header
    assert table.columns["3"].tolist() == Q[:, 1].tolist()
    records = np.zeros(5, dtype=[("t", "f8"), ("q", "f8", (2,)), ("tau", "f4", (2,))])
    records["t"], records["q"], records["tau"] = T, Q, TAU
    np.save(path, records)
    check_arrays(read_table(path))


def test_garbage_in_arrays(tmp_path):
    path = tmp_path / "log.npz"
    q = np.ones((40, 2))
    q[3, 1], q[4, 0] = 1e254, np.nan
    np.savez(path, q=q, tau=np.ones((40, 2)))
    table = read_table(path)
    assert [(each.row, each.why) for each in table.repaired] == [(4, "q2 is 1e+254"), (5, "q1 is nan")]
    assert np.isnan(table.columns["q2"][3])


@pytest.mark.parametrize(
    ("name", "content"),
    [*((f"{k}.npz", content) for k, content in PACKED.items()), *((f"{k}.npy", data) for k, data in MEMBERS.items())],
)
def test_arrays_that_claim_more_than_there_is_are_one_error_and_take_no_memory(tmp_path, name, content):
    path = written(tmp_path, name, content)
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match=r"cannot be read as NPZ or NPY \(.+\); it is damaged.*np.savez"):
            read_table(path)
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("compression", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_compressed_npz_may_be_much_smaller_than_its_arrays(tmp_path, compression):
    with zipfile.ZipFile(tmp_path / "log.npz", "w", compression) as archive:
        for name in ("t", "q", "tau"):
            with archive.open(f"{name}.npy", "w") as stream:
                np.save(stream, np.zeros(200_000))
        archive.writestr("notes.txt", "not an array")
    assert set(read_table(tmp_path / "log.npz").columns) == {"t", "q", "tau"}


def test_pickles_are_never_loaded(tmp_path):
    class Trap:
        def __reduce__(self):
            return pytest.fail, ("a pickle was loaded",)

    np.save(tmp_path / "log.npy", np.array([Trap()], dtype=object), allow_pickle=True)
    np.savez(tmp_path / "log.npz", t=np.array([Trap()], dtype=object))
    written(tmp_path, "raw.npy", pickle.dumps(Trap()))
    for name in ("log.npy", "log.npz", "raw.npy"):
        with pytest.raises(FormatError, match=r"pickled"):
            read_table(tmp_path / name)
    np.savez(tmp_path / "both.npz", t=T, q=Q, tau=TAU, about=np.array([Trap()], dtype=object))
    table = read_table(tmp_path / "both.npz")
    check_arrays(table)
    assert "'about' holds pickled objects" in table.notes[0]


def test_parquet(tmp_path):
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    pq = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "log.parquet"
    pq.write_table(pa.table({"t": T, "q": Q.tolist(), "tau1": TAU[:, 0], "tau2": TAU[:, 1]}), path)
    check_arrays(read_table(path))
    holes = pa.array([1.0, None, 3.0])
    stamps = pa.array([0, 1_000_000, 2_500_000], pa.timestamp("us"))
    pq.write_table(pa.table({"stamp": stamps, "state": pa.StructArray.from_arrays([holes], ["q"])}), path)
    table = read_table(path)
    assert table.columns["stamp"].tolist() == [0, 1, 2.5]
    assert np.array_equal(table.columns["state.q"], [1, np.nan, 3], equal_nan=True)


def test_matlab(tmp_path):
    io = pytest.importorskip("scipy.io", reason="scipy is not installed")
    path = tmp_path / "log.mat"
    io.savemat(path, {"t": T, "q": Q, "tau": TAU, "rate": 10.0})
    table = read_table(path)
    check_arrays(table)
    assert table.scalars == {"rate": 10.0}
    io.savemat(path, {"log": {"t": T[:, None], "q": Q.T, "tau": TAU, "robot": "ours"}}, do_compression=True)
    check_arrays(read_table(path))
    io.savemat(path, {"out": {"time": T, "signals": {"values": Q}}, "tau": TAU})
    assert list(read_table(path).columns) == ["out.time", "out.signals.values1", "out.signals.values2", "tau1", "tau2"]


def test_matlab_of_version_7_3(tmp_path):
    h5py = pytest.importorskip("h5py", reason="h5py is not installed")
    path = tmp_path / "log.mat"
    with h5py.File(path, "w", userblock_size=512) as file:
        group = file.create_group("log")
        for name, array in {"t": T[:, None], "q": Q, "tau": TAU}.items():
            group.create_dataset(name, data=array.T)
    with path.open("r+b") as stream:
        stream.write(b"MATLAB 7.3 MAT-file, Platform: any")
    check_arrays(read_table(path))


@pytest.mark.parametrize("ending", ["npz", "csv", "parquet"])
def test_trajectories_of_leverarm(tmp_path, ending):
    if ending == "parquet":
        pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    run = la.simulate(la.load("polar"), [0.1, 0.2], [0.0, 0.0], until=0.2)
    run.save(tmp_path / f"run.{ending}")
    table = read_table(tmp_path / f"run.{ending}")
    joints = run.arm.joint_names
    for place, joint in enumerate(joints):
        for quantity in ("q", "qd", "qdd", "tau"):
            assert np.array_equal(table.columns[f"{quantity}.{joint}"], getattr(run, quantity)[:, place])
    assert np.array_equal(table.columns["t"], run.t)


def test_a_run_in_parts(tmp_path):
    run = la.simulate(la.load("polar"), [0.1, 0.2], until=0.2)
    folder = tmp_path / "run.npz"
    folder.mkdir()
    written(folder, "_run.json", "{}")
    with pytest.raises(FormatError, match="no complete part"):
        read_table(folder)
    run[:7].save(folder / "part-000000.npz")
    run[7:].save(folder / "part-000001.npz")
    table = read_table(folder)
    assert np.array_equal(table.columns["t"], run.t)
    assert np.array_equal(table.columns[f"tau.{run.arm.joint_names[1]}"], run.tau[:, 1])
    assert table.rows.tolist() == list(range(1, len(run) + 1))


# Recordings of ROS -----------------------------------------------------------------------------------------------------


def joint_state(typestore, stamp, names, position, effort=()):
    types = typestore.types
    header_type = types["std_msgs/msg/Header"]
    stamped = types["builtin_interfaces/msg/Time"](sec=int(stamp), nanosec=round(stamp % 1 * 1e9))
    more = {"seq": 0} if "seq" in header_type.__dataclass_fields__ else {}
    return types["sensor_msgs/msg/JointState"](
        header=header_type(stamp=stamped, frame_id="", **more),
        name=list(names),
        position=np.array(position, dtype=float),
        velocity=np.array([]),
        effort=np.array(effort, dtype=float),
    )


def messages(typestore):
    """An arm of two joints every 0.1 s, a gripper in messages of its own, 0.01 s later and missing once."""
    for k in range(5):
        yield joint_state(typestore, 100 + 0.1 * k, ["b", "a"], [Q[k, 1], Q[k, 0]], [TAU[k, 1], TAU[k, 0]])
        if k != 2:
            yield joint_state(typestore, 100 + 0.1 * k + 0.01, ["grip"], [k])


def check_bag(table):
    assert list(table.columns) == ["t", "position.b", "position.a", "position.grip", "effort.b", "effort.a"]
    assert table.columns["t"] == pytest.approx(100 + T, abs=1e-7)
    assert table.columns["position.a"].tolist() == Q[:, 0].tolist()
    assert table.columns["effort.b"].tolist() == TAU[:, 1].tolist()
    assert np.array_equal(table.columns["position.grip"], [0, 1, np.nan, 3, 4], equal_nan=True)


@pytest.mark.parametrize("storage", ["MCAP", "SQLITE3"])
def test_rosbag2(tmp_path, storage):
    bags = pytest.importorskip("rosbags.rosbag2", reason="rosbags is not installed")
    from rosbags.typesys import Stores, get_typestore

    typestore = get_typestore(Stores.ROS2_HUMBLE)
    kind = "sensor_msgs/msg/JointState"
    with bags.Writer(tmp_path / "run", version=9, storage_plugin=bags.StoragePlugin[storage]) as writer:
        connection = writer.add_connection("/joint_states", kind, typestore=typestore)
        other = writer.add_connection("/wanted", kind, typestore=typestore)
        for k, message in enumerate(messages(typestore)):
            writer.write(connection, k, typestore.serialize_cdr(message, kind))
        writer.write(other, 99, typestore.serialize_cdr(joint_state(typestore, 7, ["z"], [1.0]), kind))
    table = read_table(tmp_path / "run")
    check_bag(table)
    assert table.notes == ("The joint states of /joint_states were read, and not those of /wanted.",)
    (alone,) = (path for path in (tmp_path / "run").iterdir() if path.suffix in (".mcap", ".db3"))
    check_bag(read_table(alone))


def test_rosbag1(tmp_path):
    bags = pytest.importorskip("rosbags.rosbag1", reason="rosbags is not installed")
    from rosbags.typesys import Stores, get_typestore

    typestore = get_typestore(Stores.ROS1_NOETIC)
    kind = "sensor_msgs/msg/JointState"
    with bags.Writer(tmp_path / "run.bag") as writer:
        connection = writer.add_connection("/joint_states", kind, typestore=typestore)
        for k, message in enumerate(messages(typestore)):
            writer.write(connection, k, typestore.serialize_ros1(message, kind))
    check_bag(read_table(tmp_path / "run.bag"))


def test_missing_packages_are_named(tmp_path, monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(late_import, "import_module", missing)
    wanted = {"log.parquet": r"leverarm\[parquet\]", "log.mat": r"leverarm\[fit\]", "log.mcap": r"leverarm\[rosbag\]"}
    for name, command in wanted.items():
        with pytest.raises(MissingExtraError, match=command):
            table_of(tmp_path, b"anything", name)
    with pytest.raises(MissingExtraError, match=r"h5py.*-v7"):
        table_of(tmp_path, b"\x89HDF\r\n\x1a\n", "log.mat")


# Real logs ------------------------------------------------------------------------------------------------------------

REAL = {
    "tx40_figaroh/curr_data.csv.gz": (45_000, 6, True),
    "panda_unisa/panda_exciting_trajectory.csv.gz": (727, 22, False),
    "ur10_unisa/ur10_exciting_trajectory.csv.gz": (3_441, 19, False),
    "kr300_weigand/traj_A.csv.gz": (2_501, 31, True),
}


@pytest.mark.parametrize("name", REAL)
def test_real_logs_are_clean(name):
    if not (DATA / name).exists():
        pytest.skip("the real logs are not here")
    rows, width, has_header = REAL[name]
    table = read_table(DATA / name)
    assert (len(table), len(table.columns), table.has_header) == (rows, width, has_header)
    assert table.dropped == table.repaired == table.notes == ()
    assert all(np.isfinite(column).all() for column in table.columns.values())
