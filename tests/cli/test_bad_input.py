"""A user's mistake gets one clear error, and nothing hangs, is lost or is half-written."""

from __future__ import annotations

import os
import subprocess
import sys
from fractions import Fraction
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import leverarm as la
from leverarm.cli import cli
from leverarm.formats.native import arm_from_toml

ELBOW = (files("leverarm") / "formats" / "catalog" / "elbow.toml").read_text()


def run(*words):
    return CliRunner(env={"COLUMNS": "100"}).invoke(cli, words)


@pytest.mark.parametrize(
    ("change", "line", "says"),
    [
        (('mass = "m1"', "mass = -1"), 16, "mass -1 kg"),
        (('parent = "link1"', 'parent = "lnk1"'), 26, "did you mean 'link1'"),
        (('name = "link2"', 'name = "link1"'), 26, "name 'link1'"),
        (('name = "theta2"', 'name = "theta1"'), 31, "name 'theta1'"),
        (('com = ["a2", 0, 0]', 'com = ["a3", 0, 0]'), 26, "uses 'a3'"),
        (('xyz = ["a1", 0, 0]', "axis = [0, 0, 0]"), 31, "axis of length zero"),
        (('xyz = ["a1", 0, 0]', "pitch = 0.1"), 31, "only a helical joint"),
        (('xyz = ["a1", 0, 0]', "limits = { lower = 2, upper = 1 }"), 31, "above its upper limit"),
        (('xyz = ["a1", 0, 0]', "limits = { velocity = -2 }"), 31, "velocity limit is -2"),
        (('xyz = ["a1", 0, 0]', "friction = { viscous = -2 }"), 31, "viscous friction is -2"),
        (('xyz = ["a1", 0, 0]', "coupling = { theta3 = 2 }"), 31, "unknown coordinate"),
        (('body = "link2"', 'body = "link3"'), 38, "did you mean 'link"),
        (('mass = "m1"', 'mass = "m1/(a1 - a1)"'), 16, "has no real value"),
        (("m1 = 1.0", "pi = 1.0"), 8, "cannot name a symbol"),
        (("m1 = 1.0", "m1 = 1" + "0" * 400), 8, "too large for a float"),
    ],
)  # fmt: skip
def test_semantic_errors_of_arm_files_name_the_table(change, line, says):
    assert change[0] in ELBOW
    with pytest.raises(la.LeverarmError) as error:
        arm_from_toml(ELBOW.replace(*change, 1), "my.toml")
    assert says in str(error.value)
    start = int(str(error.value).split(":")[1])
    assert abs(start - line) <= 2, f"{error.value}, not near line {line}"


def test_a_number_of_thousands_of_digits():
    with pytest.raises(la.LeverarmError, match="thousands of digits"):
        arm_from_toml(ELBOW.replace("m1 = 1.0", "m1 = 1" + "0" * 6000), "my.toml")
    with pytest.raises(la.LeverarmError, match=r"too large|not a list"):
        la.mass_matrix(la.load("elbow"), [10**400, 1])
    with pytest.raises(la.LeverarmError, match="too large"):
        la.with_values(la.load("elbow"), m1=10**400)
    assert run("eval", "elbow", "M", "--q", "9" * 400 + ",1").exit_code == 2


def test_numbers_of_any_type_are_kept_as_plain_ones(tmp_path):
    arms = [
        la.with_values(la.load("elbow"), m1=np.float64(2.1), m2=np.int64(3), a1=Fraction(1, 3), a2=np.float32(0.5)),
        la.planar("RR", masses=np.array([1.0, 2.0]), lengths=[np.int32(1), "L2"]),
        la.load("panda", lock={"joint1": np.float64(0.5), "joint2": "30 deg"}),
    ]
    for arm in arms:
        la.save(arm, tmp_path / "arm.toml")
        assert la.load(tmp_path / "arm.toml") == arm
    for bad in (True, None, "x", float("nan"), 1j):
        with pytest.raises(la.LeverarmError):
            la.with_values(la.load("elbow"), m1=bad)


def test_values_given_to_bind():
    from leverarm import mechanics
    from leverarm.scalars import RATIONAL, Turn

    elbow = la.load("elbow")
    q = [Turn.from_half_tangent(Fraction(1, 2))] * 2
    M = mechanics.mass_matrix(la.bind(elbow, RATIONAL, {"m1": 0.1, "m2": np.float64(0.2), "a1": 3}), q)
    assert all(isinstance(x, Fraction) for row in M for x in row)
    for bad in ("m", float("nan")):
        with pytest.raises(la.LeverarmError):
            la.bind(elbow, RATIONAL, {"m1": bad})


def test_parts_built_in_python_are_checked_too():
    joint = la.Joint("j", la.JointKind.REVOLUTE)
    with pytest.raises(la.LeverarmError, match="Valid: com, origin"):
        la.Arm("a", (la.Body("b", "base", joint, la.MassProperties(1.0, about="centre")),))
    with pytest.raises(la.LeverarmError, match="must be a number"):
        la.Arm("a", (la.Body("b", "base", joint, la.MassProperties("1")),))
    with pytest.raises(la.LeverarmError, match="printable"):
        la.Arm("a\x1b[31m", (la.Body("b", "base", joint),))
    with pytest.raises(la.LeverarmError, match="control character"):
        la.Arm("a", (la.Body("b\x07", "base", joint),))
    with pytest.raises(la.LeverarmError, match="did you mean 'm1'"):
        la.planar("RR", values={"m11": 2.0})


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("ending", [".toml", ".urdf", ".csv", ".xml", ".dh.toml"])
def test_pipes_and_devices_are_no_files(tmp_path, ending):
    os.mkfifo(tmp_path / f"pipe{ending}")
    (tmp_path / f"zero{ending}").symlink_to("/dev/zero")
    for name in ("pipe", "zero"):
        with pytest.raises(la.LeverarmError, match="not a file"):
            la.load(tmp_path / f"{name}{ending}")


def test_names_that_no_file_can_have(tmp_path):
    for name in ("a" * 5000, "x\0y", ""):
        done = run("show", name)
        assert done.exit_code == 2
        assert done.output.startswith("error: ")
    with pytest.raises(la.LeverarmError, match="cannot be written"):
        la.save(la.load("elbow"), str(tmp_path / "x\0.toml"))
    assert "OUT is empty" in run("convert", "elbow", "").output


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.toml").write_text("old")
    (tmp_path / "link.toml").symlink_to(tmp_path / "real.toml")
    la.save(la.load("elbow"), tmp_path / "link.toml")
    assert (tmp_path / "link.toml").is_symlink()
    assert la.load(tmp_path / "real.toml") == la.load("elbow")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
@pytest.mark.parametrize("words", [["show", "elbow"], ["eval", "elbow", "M", "--json"], ["arms"]])
def test_a_full_disk_is_told_in_one_line(words):
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "leverarm.cli", *words], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode != 0
    assert b"Traceback" not in done.stderr
    assert done.stderr.count(b"\n") == 1


def test_numbers_on_the_command_line():
    assert run("eval", "elbow", "M", "--q", "1,,2").exit_code == 2
    assert "--q" in run("eval", "elbow", "M", "--q", "sqrt(-1),1").output
    done = run("eval", "elbow", "tau", "--q", "1,1", "--qd", "1e200,1e200")
    assert done.exit_code == 2
    assert "range of floats" in done.output


def test_conversion_tells_that_symbols_become_numbers(tmp_path):
    for ending, says in ((".urdf", True), (".csv", True), (".dh.toml", True), (".toml", False)):
        done = run("convert", "elbow", str(tmp_path / f"arm{ending}"))
        assert done.exit_code == 0
        assert ("written as numbers" in done.output) is says


def test_threads_may_save_one_file_at_once(tmp_path):
    """Whoever reads sees a whole file, and no temporary one stays."""
    from concurrent.futures import ThreadPoolExecutor

    arms = [la.load("elbow"), la.load("panda")]
    target = tmp_path / "arm.toml"
    la.save(arms[0], target)

    def save_and_load(k):
        la.save(arms[k % 2], target)
        return la.load(target) in arms

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(save_and_load, range(40)))
    assert [p.name for p in tmp_path.iterdir()] == ["arm.toml"]


@pytest.mark.skipif(os.name == "nt", reason="permissions of files are a Unix matter")
def test_saving_keeps_the_permissions_of_a_file(tmp_path):
    target = tmp_path / "arm.toml"
    target.write_text("")
    target.chmod(0o640)
    la.save(la.load("elbow"), target)
    assert target.stat().st_mode & 0o777 == 0o640


def test_expressions_of_numpy_numbers_and_shapes_read_back(tmp_path):
    m = la.symbol("m")
    arm = la.planar("RR", masses=[m * np.float64(2), np.float64(1) * m], values={"m": np.float32(2)})
    la.save(arm, tmp_path / "arm.toml")
    assert la.load(tmp_path / "arm.toml") == arm
    shape = '[[body.shape]]\nkind = "capsule"\nradius = "r"\nlength = "L"\ndensity = "d"\nrpy = ["a", "a", "a"]\n'
    text = (
        'leverarm = 1\nname = "s"\n[symbols]\nr = 0.1\nL = 0.5\nd = 900\na = 0.3\n[[body]]\nname = "b"\n' + shape * 6
        + '[body.joint]\nname = "j"\nkind = "revolute"\n'
    )  # fmt: skip
    shaped = arm_from_toml(text)
    la.save(shaped, tmp_path / "shaped.toml")
    assert la.load(tmp_path / "shaped.toml") == shaped
    for bad, says in (('density = "d"', "needs mass or density"), ('radius = "r"', "needs radius, length")):
        with pytest.raises(la.LeverarmError, match=says):
            arm_from_toml(text.replace(bad, ""))
    with pytest.raises(la.LeverarmError, match="no key named 'density'"):
        arm_from_toml(text.replace('"capsule"\nradius = "r"\nlength = "L"', '"point"\nmass = 1'))
    for bad in (0.5, 17, 2.0):
        with pytest.raises(la.LeverarmError, match="exponent"):
            m**bad
    total = m
    with pytest.raises(la.LeverarmError, match="deep"):
        for k in range(400):
            total = total + k + m


def test_plain_values_given_to_bind_are_checked_like_defaults():
    from leverarm import mechanics
    from leverarm.scalars import RATIONAL

    arm = la.from_dh([("0", 0, 1, "al")], symbols={"al": 0.3}, inertias=[{"mass": 1, "com": [0, 0.5, 0]}])
    bound = mechanics.mass_matrix(la.bind(arm, RATIONAL, {"al": 0.7}), [0])
    assert float(bound[0][0]) == pytest.approx(la.mass_matrix(la.with_values(arm, al=0.7), [0])[0, 0])
    with pytest.raises(la.LeverarmError, match="zero or positive"):
        la.bind(la.load("elbow"), RATIONAL, {"m1": -3})


def test_a_short_row_of_a_table_is_refused(tmp_path):
    (tmp_path / "arm.csv").write_text("theta,d,a,alpha,mass\n0,0,1,0,1\n0,0,1\n")
    with pytest.raises(la.LeverarmError, match=r"arm.csv:3: .*3 cells"):
        la.load(tmp_path / "arm.csv")


@pytest.mark.parametrize(
    ("ending", "there", "bad"), [(".csv", ",2.5,", ",-2.5,"), (".dh.toml", "mass = 2.5", "mass = -2.5")]
)
def test_semantic_errors_of_tables_name_the_row(tmp_path, ending, there, bad):
    file = tmp_path / f"arm{ending}"
    la.save(la.planar("RRR", masses=[1.5, 2.5, 3.5], lengths=[1, 1, 1]), file)
    text = file.read_text()
    assert text.count(there) == 1
    row = text[: text.index(there)].count("\n") + 1
    file.write_text(text.replace(there, bad))
    with pytest.raises(la.LeverarmError) as error:
        la.load(file)
    line = int(str(error.value).split(ending + ":")[1].split(":")[0])
    assert row - 12 < line <= row
    assert "mass -2.5 kg" in str(error.value)


def test_gravity_compensation_is_refused(tmp_path):
    pytest.importorskip("mujoco")
    (tmp_path / "arm.xml").write_text(
        '<mujoco><worldbody><body name="b" gravcomp="1"><joint name="j"/><geom size="0.1" mass="1"/></body></worldbody></mujoco>'
    )
    with pytest.raises(la.LeverarmError, match="gravity compensation"):
        la.load(tmp_path / "arm.xml")


def test_odd_arguments():
    panda = la.load("panda")
    q = np.zeros(7)
    for call in (
        lambda: la.inverse_dynamics(panda, q, q, q, wrenches=[1, 2]),
        lambda: la.inverse_dynamics(panda, q, q, q, wrenches={None: [0] * 6}),
        lambda: la.jacobian(panda, q, 1),
        lambda: la.operational_inertia(panda, q, axes=3),
        lambda: la.operational_inertia(panda, q, singular=None),
        lambda: la.operational_inertia(panda, q, damping=-1),
        lambda: la.operational_inertia(panda, q, "base"),
        lambda: la.coriolis_matrix(panda, q, q, None),
        lambda: la.mass_matrix(panda, q + 1j),
        lambda: la.mass_matrix(panda, [[1, 2], [3]]),
        lambda: la.mass_matrix(panda, ["0"] * 7),
        lambda: la.mass_matrix(panda, np.zeros(7, "datetime64[s]")),
        lambda: la.lock(panda, {"joint1": None}),
        lambda: la.lock(panda, {5: 1}),
        lambda: la.lock(panda, ["joint1"]),
        lambda: la.load("panda", lock="joint1"),
        lambda: la.operational_inertia(panda, q, damping=None),
        lambda: la.operational_inertia(panda, q, damping=5e-324),
        lambda: la.planar(5),
        lambda: la.planar("RR", 5),
        lambda: la.planar("RR", {"a": 1, "b": 2}),
        lambda: la.planar("RR", joints=[1, 2]),
        lambda: la.planar("RR", values={1: 2}),
        lambda: la.bind(panda, values={5: 1}),
        lambda: la.Arm("a", (la.Body("b", "base", la.Joint("j", la.JointKind.REVOLUTE, motor=la.Motor(None))),)),
    ):
        with pytest.raises(la.LeverarmError):
            call()
