"""The command line: what a user sees, exit codes, mistakes; JSON equals the API."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from types import FunctionType

import numpy as np
import pytest
from click.testing import CliRunner

import leverarm as la
from leverarm.cli import cli
from leverarm.cli.evaluate import EVALUABLE
from tests.support.paths import ROOT

CATALOG = la.catalog_names()
ESCAPE = "\x1b"


def run(*args, code=0):
    result = CliRunner().invoke(cli, list(args), prog_name="leverarm")
    assert result.exit_code == code, result.output
    assert ESCAPE not in result.output
    assert "Traceback" not in result.output
    return result


def mistake(*args):
    """The one line on stderr of a command that fails."""
    result = run(*args, code=2)
    assert result.stdout == ""
    assert result.stderr.startswith("error: ") and result.stderr.count("\n") == 1
    return result.stderr


def value(*args):
    return json.loads(run("eval", *args, "--json").stdout)


def process(*args, **environment):
    command = [sys.executable, "-m", "leverarm.cli", *args]
    found = os.environ | {"PYTHONPATH": str(ROOT / "src"), "PYTHONIOENCODING": "utf-8"} | environment
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", env=found, timeout=3600)


@pytest.mark.parametrize("command", [[], ["show"], ["eval"], ["convert"], ["lint"], ["arms"]])
def test_help_teaches_by_example(command):
    text = run(*command, "--help").stdout
    assert "Usage: leverarm" in text
    assert f"leverarm {' '.join(command)} ".rstrip() in text.split("\n", 2)[2]


def test_version():
    assert la.__version__ in run("--version").stdout


def test_an_unknown_command_is_told_with_the_nearest():
    assert "did you mean 'show'?" in mistake("shwo")


# eval ----------------------------------------------------------------------------------------------------------------


def test_the_mass_matrix_is_a_table_with_names_and_units():
    lines = run("eval", "elbow", "M", "--q", "0.1,0").stdout.splitlines()
    assert lines[0].startswith("elbow: M, mass matrix")
    assert lines[1] == "at q = (0.1, 0)"
    assert "M [kg m^2]" in lines
    assert ["theta1", "5", "2"] in [line.split() for line in lines]
    assert ["theta2", "2", "1"] in [line.split() for line in lines]


def test_the_state_that_was_assumed_is_told():
    assert "qd, qdd not given: zero" in run("eval", "elbow", "tau", "--q", "1,2").stdout


def test_forces_carry_their_units():
    rows = [line.split() for line in run("eval", "scara", "g").stdout.splitlines()]
    assert ["theta1", "0", "N", "m"] in rows
    assert ["d3", "-15.696", "N"] in rows


STATE = {
    "q": [0.3, -0.4, 0.2, 0.7],
    "qd": [1.0, -0.5, 0.25, 2.0],
    "qdd": [0.5, 0.1, -0.3, 0.2],
    "tau": [1.0, 2.0, 3.0, 4.0],
}


@pytest.mark.parametrize("quantity", EVALUABLE, ids=lambda quantity: quantity.name)
def test_every_quantity_equals_the_api(quantity):
    arm = la.load("scara")
    options = [part for name in quantity.arguments for part in (f"--{name}", ",".join(map(str, STATE[name])))]
    wrench = {"tool": [0.1, 0.2, 0.3, 1.0, -2.0, 3.0]} if quantity.name == "static_torque" else None
    if wrench:
        options += ["--wrench", "tool=0.1,0.2,0.3,1,-2,3"]
    data = value("scara", quantity.spelled, *options)
    args = [STATE[name] for name in quantity.arguments] + ([wrench] if wrench else [])
    if quantity.function is None:
        expected = quantity.routes[0](la.bind(arm), *args)
    else:
        expected = getattr(la.quantities, quantity.function.__name__)(arm, *args)
    if quantity.name == "acceleration":
        expected = np.column_stack([expected.joint, expected.centripetal, expected.coriolis, expected.total])
    if quantity.name == "pose":
        assert data["value"] == {name: pose.tolist() for name, pose in expected.items()}
    elif quantity.name == "link_energies":
        assert data["value"] == [list(pair) for pair in expected.values()]
        assert data["labels"]["rows"] == list(expected)
    else:
        assert np.array_equal(np.array(data["value"]), np.array(expected))
        shape = np.shape(expected)
        axes = [data["labels"][axis] for axis in ("layers", "rows", "columns") if axis in data["labels"]]
        assert tuple(len(axis) for axis in axes) == shape
    assert data["arm"] == "scara" and data["quantity"] == quantity.spelled
    assert all(data[name] == STATE[name] for name in quantity.arguments)
    assert data["unit"] and (isinstance(data["unit"], str) or len(data["unit"]) == len(data["labels"]["rows"]))
    assert quantity.meaning.split(",")[0] in run("eval", "scara", quantity.letter, *options).stdout


def test_there_is_a_quantity_for_every_public_function_of_a_state():
    about_names = {"task_axes", "parameter_names"}
    named = {quantity.function.__name__ for quantity in EVALUABLE if quantity.function}
    public = {name for name, found in vars(la.quantities).items() if isinstance(found, FunctionType)}
    assert public - about_names == named


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("-0.1,0.2", [-0.1, 0.2]),
        ("-0.1 0.2", [-0.1, 0.2]),
        ("[0.1, -2e-3]", [0.1, -2e-3]),
        ("pi/2,-30deg", [np.pi / 2, -np.pi / 6]),
        ("30 deg 2*pi", [np.pi / 6, 2 * np.pi]),
        ("theta2=45deg", [0.0, np.pi / 4]),
        ("theta2=-1,theta1=a1/4", [0.25, -1.0]),
    ],
)
def test_numbers_may_be_written_in_many_ways(given, expected):
    assert value("elbow", "M", "--q", given)["q"] == pytest.approx(expected, abs=1e-15)
    assert value("elbow", "M", f"--q={given}")["q"] == pytest.approx(expected, abs=1e-15)


def test_settings_wrenches_frames_axes_and_policies_reach_the_api():
    arm = la.with_values(la.load("elbow"), m2=3.0, a1=0.5)
    q, qd = [0.1, 0.2], [1.0, -1.0]
    common = ("--q", "0.1,0.2", "--set", "m2=3", "--set", "a1=1/2")
    assert value("elbow", "M", *common)["value"] == la.mass_matrix(arm, q).tolist()
    found = value(
        "elbow",
        "tau",
        *common,
        "--wrench",
        "tool=0,0,0,0,-9,0",
        "--wrench",
        "link2=0,0,1,0,0,0",
        "--disturbance",
        "1,2",
    )
    wrenches = {"tool": [0, 0, 0, 0, -9, 0], "link2": [0, 0, 1, 0, 0, 0]}
    expected = la.inverse_dynamics(arm, q, [0, 0], [0, 0], wrenches=wrenches, disturbance=[1, 2])
    assert found["value"] == expected.tolist() and found["wrenches"] == wrenches
    assert value("elbow", "J", *common, "--frame", "link2")["value"] == la.jacobian(arm, q, "link2").tolist()
    mobility = value("elbow", "mobility", *common, "--axes", "x,wz")
    assert mobility["value"] == la.mobility(arm, q, axes=["x", "wz"]).tolist()
    assert mobility["labels"]["rows"] == ["x", "wz"] and mobility["frame"] == "tool"
    restricted = value("elbow", "Lambda", "--q", "0,0", "--singular", "restrict")
    assert restricted["value"] == la.operational_inertia(la.load("elbow"), [0, 0], singular="restrict").tolist()
    upper = value("elbow", "C", *common, "--qd", "1,-1", "--factorisation", "upper")
    assert upper["value"] == la.coriolis_matrix(arm, q, qd, "upper").tolist()


def test_a_wide_matrix_is_printed_on_its_side():
    lines = run("eval", "elbow", "W", "--qdd", "1,1").stdout.splitlines()
    head = next(line.split() for line in lines if line.split()[:1] == ["theta1"])
    assert head == ["theta1", "theta2"]
    assert any(line.startswith("link2.Izz") for line in lines)


@pytest.mark.parametrize(
    ("args", "parts"),
    [
        (["elbw", "M"], ["no arm in the catalog named 'elbw'", "did you mean 'elbow'"]),
        (["no_such.urdf", "M"], ["no_such.urdf", "no such file"]),
        (["elbow", "mass"], ["no quantity named 'mass'", "did you mean 'mass-matrix'", "by letter: M, C"]),
        (["elbow", "M", "--q", "1"], ["1 numbers given", "2 (theta1, theta2)"]),
        (["elbow", "M", "--q", "1,2,3"], ["3 numbers given"]),
        (["elbow", "M", "--q", "nan,0"], ["--q", "nan is not a finite number"]),
        (["elbow", "M", "--q", "1,-inf"], ["-inf is not a finite number"]),
        (["elbow", "M", "--q", "1e999,0"], ["--q", "finite"]),
        (["elbow", "M", "--q", "1,foo"], ["no symbol named 'foo'", "m1, m2"]),
        (["elbow", "M", "--q", "1,2+"], ["--q", "column"]),
        (["elbow", "M", "--q", "__import__('os'),1"], ["--q"]),
        (["elbow", "M", "--q", "theta3=1"], ["no joint named 'theta3'", "did you mean"]),
        (["elbow", "M", "--q", "theta1=1,2"], ["give joint=value"]),
        (["elbow", "M", "--q", "theta1=1,theta1=2"], ["given twice"]),
        (["elbow", "M", "--frame", "tool"], ["--frame makes no difference to mass-matrix", "--q"]),
        (["elbow", "M", "--at", "com"], ["--at makes no difference to mass-matrix", "--q"]),
        (["rr", "J", "--at", "com"], ["--at com is of a body", "--frame link1 --at com"]),
        (["rr", "J", "--frame", "link1", "--at", "here"], ["place named 'here'", "com, joint"]),
        (["rr", "J", "--frame", "link1", "--at", "com", "--point", "1,2,3"], ["two places"]),
        (["rr", "J", "--point", "1,2"], ["2 numbers", "x,y,z"]),
        (["elbow", "J", "--frame", "tol"], ["no frame named 'tol'", "did you mean 'tool'"]),
        (["elbow", "tau", "--wrench", "tool=1,2"], ["2 numbers", "mx, my, mz"]),
        (["elbow", "tau", "--wrench", "1,2"], ["frame=mx,my,mz,fx,fy,fz"]),
        (["elbow", "tau", "--wrench", "hand=0,0,0,0,0,0"], ["no frame named 'hand'"]),
        (["elbow", "mobility", "--axes", "x,q"], ["no axis named 'q'"]),
        (["elbow", "Lambda"], ["singular pose", "mobility"]),
        (["elbow", "Lambda", "--singular", "ignore"], ["no policy named 'ignore'"]),
        (["elbow", "C", "--factorisation", "lower"], ["no factorisation named 'lower'"]),
        (["elbow", "M", "--set", "m3=1"], ["no symbol named 'm3'"]),
        (["elbow", "M", "--set", "m1"], ["symbol=value"]),
        (["elbow", "M", "--set", "m1=nan"], ["not a finite number"]),
    ],
)
def test_mistakes_of_eval_are_told_in_one_line(args, parts, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = mistake("eval", *args)
    for part in parts:
        assert part in told


def test_numbers_apart_are_explained():
    result = run("eval", "elbow", "M", "--q", "0.1", "0.2", code=2)
    assert "Separate numbers with commas" in result.stderr


# show ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CATALOG)
def test_show_has_a_picture_and_every_part(name):
    arm = la.load(name)
    text = run("show", name).stdout
    assert any("\u2801" <= letter <= "\u28ff" for letter in text)
    words = set(text.replace(",", " ").split())
    assert {body.name for body in arm.bodies} <= words
    assert {body.joint.name for body in arm.bodies} <= words
    assert {frame.name for frame in arm.named_frames} <= words
    assert set(arm.defaults) <= words
    assert arm.title in text and arm.source in text and arm.licence in text
    assert "gravity" in text


def test_show_tells_limits_friction_motors_and_inertias():
    text = run("show", "puma560").stdout
    rows = {line.split()[0]: line for line in text.splitlines() if line.strip()}
    assert "±2.793" in text and "-0.7854 to 3.927" in text
    assert "coulomb back" in text and "-62.61" in text
    assert "17.4" in rows["link2"] and "0.539" in rows["link2"]


def test_show_takes_a_pose_and_writes_the_picture(tmp_path):
    target = tmp_path / "arm.svg"
    result = run("show", "elbow", "--q", "0,90deg", "--frame", "link2", "-o", str(target))
    assert result.stdout.splitlines()[-1] == f"wrote {target}"
    assert "shown at theta1 0, theta2 1.5708" in result.stdout
    svg = ElementTree.parse(target).getroot()
    assert any(text.text == "link2" for text in svg.iter("{http://www.w3.org/2000/svg}text"))


def test_show_writes_png(tmp_path):
    pytest.importorskip("matplotlib")
    run("show", "scara", "-o", str(tmp_path / "arm.png"))
    assert (tmp_path / "arm.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


def test_mistakes_of_show(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "did you mean 'panda'" in mistake("show", "pandaa")
    assert "takes 2" in mistake("show", "elbow", "--q", "1")
    assert "no frame named 'hand'" in mistake("show", "elbow", "--frame", "hand")
    assert ".svg or .png" in mistake("show", "elbow", "-o", "arm.gif")


def test_show_of_a_locked_and_coupled_arm(tmp_path):
    source = tmp_path / "arm.toml"
    text = (ROOT / "src" / "leverarm" / "formats" / "catalog" / "elbow.toml").read_text()
    source.write_text(text.replace('force = "tau2"', 'force = "tau2"\ncoupling = { theta1 = -2 }'))
    assert "-2 theta1" in run("show", str(source)).stdout
    locked = tmp_path / "locked.toml"
    run("convert", "elbow", str(locked), "--lock", "theta2=90deg")
    assert "locked at " in run("show", str(locked)).stdout


def test_a_state_beyond_what_matters_is_noted():
    done = run("eval", "elbow", "M", "--q", "0.1,0.2", "--qd", "1,2")
    assert done.exit_code == 0
    assert "note: --qd makes no difference to mass-matrix" in done.stderr
    assert done.stdout == run("eval", "elbow", "M", "--q", "0.1,0.2").stdout


STATE_OF_TWO = ("--q", "1,2", "--qd", "3,4")


@pytest.mark.parametrize(("letter", "meant"), [("h", "N"), ("phi", "g"), ("H", "M")])
def test_a_letter_of_books_is_answered_with_both_meanings(letter, meant):
    other = run("eval", "elbow", meant, *STATE_OF_TWO).stdout
    own, words, rest = run("eval", "elbow", letter, *STATE_OF_TWO).stdout.partition(f"What some books call {letter}:")
    assert words and rest.strip() == other.strip()
    assert own.startswith(f"elbow: {letter}, ") and own.strip() not in other
    assert f"note: {letter} is " in run("eval", "elbow", letter, "--json").stderr


def test_only_factorisations_that_are_skew_are_called_so():
    state = ("--q", "1,2,3", "--qd", "4,5,6")
    skew = np.array(value("planar3r", "C", *state)["value"])
    rate = skew + skew.T  # Mdot
    for name in ("upper", "lagrange"):
        difference = rate - 2 * np.array(value("planar3r", "C", "--factorisation", name, *state)["value"])
        assert abs(difference + difference.T).max() > 0.1
        heading = run("eval", "planar3r", "C", "--factorisation", name).stdout.splitlines()[0]
        assert heading.endswith("Mdot - 2 C need not be skew")
    assert "with Mdot - 2 C skew-symmetric" in run("eval", "planar3r", "C", "--factorisation", "christoffel").stdout


# convert, lint, arms ---------------------------------------------------------------------------------------------------


def test_convert_writes_the_same_arm_and_does_not_overwrite(tmp_path):
    target = tmp_path / "panda.urdf"
    assert run("convert", "panda", str(target)).stdout == f"wrote {target}: panda, 7 coordinates, 7 bodies\n"
    q = [0.1, -0.2, 0.3, -1.0, 0.5, 0.6, 0.7]
    assert la.mass_matrix(la.load(target), q) == pytest.approx(la.mass_matrix(la.load("panda"), q), abs=1e-12)
    before = target.read_bytes()
    assert "--force" in mistake("convert", "elbow", str(target))
    assert target.read_bytes() == before
    run("convert", "elbow", str(target), "--force")
    assert la.load(target).dof == 2


def test_a_joint_that_follows_another_is_locked_by_locking_that_one(tmp_path):
    source = tmp_path / "gripper.urdf"
    link = '<link name="{0}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
    joint = '<joint name="{0}" type="continuous"><parent link="base"/><child link="{1}"/>{2}</joint>'
    parts = [
        link.format("a"),
        link.format("b"),
        joint.format("left", "a", ""),
        joint.format("right", "b", '<mimic joint="left"/>'),
    ]
    source.write_text(f'<robot name="gripper"><link name="base"/>{"".join(parts)}</robot>')
    says = "joint 'right' follows 'left', so it has no position of its own. Lock 'left' instead."
    assert says in mistake("convert", str(source), str(tmp_path / "a.toml"), "--lock", "right=0")
    with pytest.raises(la.LeverarmError, match=says):
        la.load(source, lock={"right": 0})


def test_convert_locks_joints(tmp_path):
    target = tmp_path / "arm.toml"
    run("convert", "panda", str(target), "--lock", "joint3=90deg", "--lock", "joint5=-0.25")
    locked = la.load(target)
    assert locked.joint_names == ("joint1", "joint2", "joint4", "joint6", "joint7")
    whole = la.forward_kinematics(la.load("panda"), [0, 0, np.pi / 2, -1, -0.25, 0, 0], "tool")
    assert la.forward_kinematics(locked, [0, 0, -1, 0, 0], "tool") == pytest.approx(whole, abs=1e-12)


def test_mistakes_of_convert_leave_nothing_behind(tmp_path):
    assert "names no format" in mistake("convert", "panda", str(tmp_path / "arm.step"))
    assert "only a chain" in mistake("convert", "torso", str(tmp_path / "arm.csv"))
    assert "cannot be written" in mistake("convert", "panda", str(tmp_path / "no" / "arm.toml"))
    assert "no joint that moves" in mistake("convert", "panda", str(tmp_path / "a.toml"), "--lock", "joint9=0")
    assert "joint=value" in mistake("convert", "panda", str(tmp_path / "a.toml"), "--lock", "joint1")
    assert list(tmp_path.iterdir()) == []


def test_lint_finds_nothing_wrong_in_a_good_arm():
    assert json.loads(run("lint", "panda", "--json").stdout)["arm"] == "panda"
    assert run("lint", "panda").stdout.splitlines()[0].startswith("panda: ")


def test_lint_fails_on_an_impossible_arm(tmp_path):
    source = tmp_path / "bad.toml"
    run("convert", "rr", str(source))
    source.write_text(source.read_text().replace("I2 = 0.1", "I2 = -0.1"))
    told = run("lint", str(source), code=1).stdout
    assert told.startswith("rr: 1 error") and "[error] " in told and "link2" in told
    findings = json.loads(run("lint", str(source), "--json", code=1).stdout)["findings"]
    assert findings[0]["level"] == "error"
    assert set(findings[0]) == {"level", "where", "message", "remedy"}


def test_arms_lists_the_catalog():
    lines = run("arms").stdout.splitlines()
    assert [line.split()[0] for line in lines[2:]] == list(CATALOG)
    scara = next(line for line in lines if line.startswith("scara"))
    assert "RRPR" in scara and "SCARA arm" in scara and "facts from a published book" in scara
    entries = json.loads(run("arms", "--json").stdout)
    assert [entry["name"] for entry in entries] == list(CATALOG)
    torso = next(entry for entry in entries if entry["name"] == "torso")
    assert torso["joints"] == "P" + 9 * "R" and torso["dof"] == 10 and torso["licence"] == "Apache-2.0"


# as a process ------------------------------------------------------------------------------------------------------------


def test_a_process_prints_plain_text_and_exit_codes():
    shown = process("show", "panda", COLUMNS="80")
    assert shown.returncode == 0 and shown.stderr == "" and ESCAPE not in shown.stdout
    wrong = process("eval", "elbow", "M", "--q", "nan,1")
    assert (wrong.returncode, wrong.stdout) == (2, "") and wrong.stderr.startswith("error: ")


def test_a_terminal_without_unicode_gets_no_traceback():
    shown = process("show", "elbow", PYTHONIOENCODING="ascii")
    assert shown.returncode == 0 and "Traceback" not in shown.stderr and "theta1" in shown.stdout


def test_a_closed_pipe_is_quiet():
    command = f"{sys.executable} -m leverarm.cli show panda | head -1"
    found = subprocess.run(
        command, shell=True, capture_output=True, env=os.environ | {"PYTHONPATH": str(ROOT / "src")}, timeout=3600
    )
    assert found.stderr == b"" and found.stdout.count(b"\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize("no_colour", [False, True])
def test_a_terminal_gets_colours_unless_it_wants_none(no_colour):
    import pty

    leader, follower = pty.openpty()
    environment = {
        name: text for name, text in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "FORCE_COLOR")
    }
    environment |= {"PYTHONPATH": str(ROOT / "src"), "TERM": "xterm-256color", "COLUMNS": "80"}
    environment |= {"NO_COLOR": "1"} if no_colour else {}
    with subprocess.Popen(
        [sys.executable, "-m", "leverarm.cli", "show", "elbow"], stdout=follower, stderr=follower, env=environment
    ) as running:
        os.close(follower)
        told = b""
        while True:
            try:
                part = os.read(leader, 65536)
            except OSError:
                break
            if not part:
                break
            told += part
    os.close(leader)
    assert running.returncode == 0
    assert (ESCAPE.encode() in told) is not no_colour
    assert b"theta2" in told


def test_an_interrupt_is_quiet(monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(la, "load", interrupted)
    result = run("show", "panda", code=130)
    assert result.output == ""


HEAVY = {"sympy", "matplotlib", "scipy", "llvmlite", "flint", "pyarrow"}
"""Packages that take long to load. How long a command takes is measured by bench/startup.py."""


@pytest.mark.parametrize(
    ("args", "unused"),
    [
        (
            ["--help"],
            {*HEAVY, "rich", "leverarm.derivation", "leverarm.simulation", "leverarm.identification.excitation"},
        ),
        (["show", "panda"], {*HEAVY, "leverarm.cli.derive", "leverarm.compiler", "leverarm.simulation"}),
    ],
)
def test_a_command_loads_only_what_it_needs(args, unused):
    code = "import atexit, sys; from leverarm.cli import main"
    code += "; atexit.register(lambda: sys.stderr.write(' '.join(sys.modules))); main()"
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "PYTHONIOENCODING": "utf-8"}
    found = subprocess.run(
        [sys.executable, "-c", code, *args], capture_output=True, text=True, encoding="utf-8", env=environment
    )
    assert found.returncode == 0 and found.stdout
    loaded = set(found.stderr.split())
    assert "leverarm.cli.command_group" in loaded and unused & loaded == set()


DOOR = """leverarm = 1
name = "door"
gravity = [0, -9.81, 0]
[[body]]
name = "leaf"
mass = 20
com = [0.4, 0, 0]
[body.joint]
name = "q1"
kind = "revolute"
spring = { stiffness = 12, rest = 0.5 }
"""


def test_springs_are_shown_named_and_counted(tmp_path, monkeypatch):
    """In the table of an arm, in closed forms with symbols, and in the heading of a value."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "door.toml").write_text(DOOR)
    shown = run("show", "door.toml").stdout.partition("Springs")[2].splitlines()
    assert any(line.split() == ["q1", "12", "N", "m/rad", "0.5", "rad"] for line in shown)
    assert "Springs" not in run("show", "elbow").stdout
    text = run("equations", "door.toml", "--what", "g", "--symbolic", "springs").stdout
    assert "torques of gravity and springs" in text and "78.48 c1 + k1 (q1 - q0_1)" in text
    assert "torques of gravity and springs" in run("eval", "door.toml", "g", "--q", "1").stdout
    (tmp_path / "door.toml").write_text(DOOR.replace("stiffness = 12, ", ""))
    assert "no stiffness was given" in mistake("show", "door.toml")


# points of a frame ---------------------------------------------------------------------------------------------------


def test_the_frame_of_a_body_is_on_its_joint_and_says_so():
    shown = run("eval", "rr", "J", "--frame", "link1").stdout
    assert "frame link1, whose origin is on its joint q1 (--at com: its centre of mass)" in shown
    assert (
        value("rr", "J", "--frame", "link1", "--at", "joint")["value"] == value("rr", "J", "--frame", "link1")["value"]
    )
    assert "whose origin" not in run("eval", "rr", "J").stdout


@pytest.mark.parametrize(
    ("place", "point"), [(["--at", "com"], [0.5, 0, 0]), (["--point", "lc2,-0.25,0.1"], [0.5, -0.25, 0.1])]
)
def test_a_centre_of_mass_and_a_point_are_reached(place, point):
    q, qd = [0.3, 0.4], [1.0, -2.0]
    state = ["--q", "0.3,0.4", "--qd", "1,-2", "--frame", "link2", *place]
    arm = la.load("rr")
    assert np.allclose(
        value("rr", "J", *state[:2], *state[4:])["value"], la.jacobian(arm, q, "link2", point), atol=1e-14
    )
    assert np.allclose(value("rr", "v", *state)["value"], la.velocity(arm, q, qd, "link2", point), atol=1e-14)
    assert value("rr", "Lambda", *state[:2], *state[4:])["frame"] != "link2"
