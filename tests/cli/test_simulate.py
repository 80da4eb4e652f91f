"""`leverarm simulate`: what a user sees, the files, exit codes, interruptions; JSON equals the API."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import leverarm as la
from leverarm.cli import cli
from leverarm.cli.run_report import energy_chart
from leverarm.cli.simulate import in_options
from leverarm.control import LAWS
from leverarm.pictures.terminal import CHART_ROWS as ROWS
from tests.support.paths import ROOT

STEP = ("--step", "0.001")
SHORT = (*STEP, "--until", "0.5")
LONG = ("elbow", *STEP, "--until", "9", "--record", "0.001")
WAITING = """
import signal
import time

from leverarm.cli import main
from leverarm.simulation.fixed_step import marching
from leverarm.simulation.running import Progress
from leverarm.simulation.trajectories.files import stream

signal.signal(signal.SIGINT, signal.default_int_handler)  # also where a shell began the tests with it ignored
marching.CHUNK_SECONDS, marching.LARGEST_CHUNK = 1e9, 256
stream.PART_SECONDS, stream.PART_ROWS = 1e9, 1024
chunks, reached = [], Progress.reached


def waiting(self, t):
    reached(self, t)
    chunks.append(t)
    if len(chunks) == 6:
        print("begun", flush=True)
        while True:
            time.sleep(0.01)


Progress.reached = waiting
main()
"""
"""`leverarm`, that computes 256 rows at a time, writes 1024, and after 6 * 256 says so and waits for a signal."""


def run(*args, code=0):
    result = CliRunner().invoke(cli, ["simulate", *args], prog_name="leverarm")
    assert result.exit_code == code, result.output
    assert "\x1b" not in result.output and "Traceback" not in result.output
    return result


def mistake(*args, code=2):
    """The one line on stderr of a command that fails."""
    result = run(*args, code=code)
    assert result.stdout == "" and result.stderr.startswith("error: ") and result.stderr.count("\n") == 1
    return result.stderr


def facts(*args):
    return json.loads(run(*args, "--json").stdout)


def started(*args, program=("-m", "leverarm.cli"), stdout=subprocess.PIPE):
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, *program, "simulate", *args]
    return subprocess.Popen(
        command, stdout=stdout, stderr=subprocess.PIPE, text=True, encoding="utf-8", env=environment
    )


def finished(*args):
    process = started(*args)
    out, err = process.communicate(timeout=3600)
    return process.returncode, out, err


def waiting(*args):
    """A run that stands still after 1536 rows, 1024 of them on the disk."""
    process = started(*args, program=("-c", WAITING))
    said = process.stdout.readline()
    assert said == "begun\n", process.communicate()
    return process


# What it prints -------------------------------------------------------------------------------------------------------


def test_the_elbow_falls_unless_something_else_is_asked_for():
    lines = run().stdout.splitlines()
    assert lines[0].startswith("elbow: 5 s by dormand-prince")
    assert "times real time" in lines[3]
    assert any(line.strip().startswith("kinetic K") for line in lines)
    assert any(line.startswith("energy [J]   K kinetic   P potential") for line in lines)
    assert lines[-1].split() == ["0", "1", "2", "3", "4", "5", "s"]
    assert max(map(len, lines)) <= 80


def test_the_tables_say_where_it_ended_and_where_the_energy_went():
    text = run(*SHORT, "--torque", "1,2").stdout
    known = la.simulate(la.load("elbow"), until=0.5, step=1e-3, torque=[1.0, 2.0])
    cells = {line.split()[0]: line.split() for line in text.splitlines() if line}
    assert "State at t = 0.5 s" in text
    for k, joint in enumerate(("theta1", "theta2")):
        assert cells[joint][1:3] == [f"{known.q[-1, k]:.6g}", f"{known.qd[-1, k]:.6g}"]
    assert float(cells["kinetic"][-1]) == pytest.approx(known.energy.kinetic[-1], abs=1e-4)
    assert float(cells["work"][-1]) == pytest.approx(known.energy.works["torque"][-1], abs=1e-4)
    assert abs(float(cells["unexplained,"][-1])) < 1e-6


def test_json_is_the_result_of_the_api():
    data = facts("polar", *SHORT, "--q0", "45deg,1", "--qd0", "r=0.1", "--set", "m=2")
    arm = la.with_values(la.load("polar"), m=2.0)
    known = la.simulate(arm, [np.pi / 4, 1.0], [0.0, 0.1], until=0.5, step=1e-3)
    assert data["final"]["q"] == known.q[-1].tolist() and data["final"]["qd"] == known.qd[-1].tolist()
    assert data["energy"]["relative"] == known.energy.relative
    assert (data["method"], data["steps"], data["rows"], data["complete"]) == ("rk4", 500, 501, True)


def test_events_are_counted_and_the_first_are_shown():
    args = [word for k in range(7) for word in ("--payload", f"1@0.0{k + 1}:0,0,0.1")]
    text = run(*SHORT, *args).stdout
    assert "7 events, the first 5" in text
    assert ["0.05", "payload"] in [line.split() for line in text.splitlines()]
    assert ["0.06", "payload"] not in [line.split() for line in text.splitlines()]


@pytest.mark.slow
def test_joints_bounce_off_their_stops():
    data = facts("panda", "--until", "1", "--q0", "joint2=20deg,joint4=-60deg", "--without-friction", "--stops", "0.5")
    assert any(event["what"].startswith("strikes") for event in data["events"]) and data["energy"]["works"]["stops"] < 0
    assert data["energy"]["relative"] < 1e-6


def test_the_help_has_examples_and_the_methods():
    text = run("--help").stdout
    assert "leverarm simulate elbow --control pd+gravity" in text
    assert all(f"\n  {name} " in text for name in la.simulation.METHODS)
    assert "simulate" in CliRunner().invoke(cli, ["--help"]).stdout


def test_help_lists_control_laws_and_profiles_from_their_tables(monkeypatch):
    monkeypatch.setitem(LAWS, "sliding-mode", LAWS["pd"])
    monkeypatch.setattr("leverarm.cli.simulation_options.PROFILES", ("quintic", "bang-bang"))
    text = run("--help").stdout
    assert f"CONTROL LAWS:\n  {', '.join(LAWS)}\n" in text and "PROFILES:\n  quintic, bang-bang\n" in text


# The chart ------------------------------------------------------------------------------------------------------------


def ledger(t, kinetic, potential):
    return la.types.EnergyLedger(np.asarray(t, float), np.asarray(kinetic, float), np.asarray(potential, float), {})


def test_a_chart_puts_energies_at_their_heights():
    lines = energy_chart(ledger([0, 1, 2], [0, 10, 20], [100, 90, 80]), 60).plain.splitlines()
    assert len(lines) == ROWS + 3 and max(map(len, lines)) <= 60
    assert lines[0] == "energy [J]   K kinetic   P potential less 100   E total"
    rows = lines[1 : 1 + ROWS]
    assert rows[0].split()[0] == "20" and rows[0].endswith("K")
    assert rows[-1].split()[0] == "-20" and rows[-1].endswith("P")
    (level,) = [row for row in rows if row.split()[0] == "0"]
    assert level.endswith("E")
    inside = [row.index("K") for row in rows[:-1] if "K" in row[: len(row) - 2]]
    assert inside == sorted(inside, reverse=True)  # it rises


@pytest.mark.parametrize("width", [10, 32, 80, 300])
@pytest.mark.parametrize("scale", [0.0, 1e-12, 1.0, 1e9])
def test_charts_fit_whatever_they_show(width, scale):
    t = np.linspace(0, 3, 50)
    swing = scale * np.sin(5 * t) ** 2
    lines = energy_chart(ledger(t, swing, -swing), width).plain.splitlines()
    assert len(lines) == ROWS + 3 and max(map(len, lines)) <= min(max(width, 56), 80)


# What acts ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("law", ["pd+gravity", "computed-torque", "slotine-li"])
@pytest.mark.parametrize("profile", ["quintic", "cubic", "trapezoid"])
def test_control_takes_the_arm_to_its_target(law, profile):
    data = facts(*STEP, "--until", "3", "--control", law, "--target", "theta2=30deg", "--in", "1", "--profile", profile,
                 "--q0", "0.4,0")  # fmt: skip
    assert data["final"]["q"] == pytest.approx([0.4, np.pi / 6], abs=1e-3)
    assert data["final"]["qd"] == pytest.approx([0, 0], abs=1e-2)


def test_control_holds_the_start_unless_a_target_is_given():
    assert facts(*SHORT, "--control", "pd+gravity", "--q0", "0.3,0.7")["final"]["q"] == [0.3, 0.7]


def test_the_tool_is_taken_to_a_place():
    data = facts("elbow", *STEP, "--until", "3", "--q0", "0.3,0.9", "--control", "operational-space", "--target", "y=0.5",
                 "--in", "1")  # fmt: skip
    arm = la.load("elbow")
    tool, start = (la.forward_kinematics(arm, q, arm.tool)[:3, 3] for q in (data["final"]["q"], [0.3, 0.9]))
    assert tool[:2] == pytest.approx([start[0], 0.5], abs=1e-6)


def test_gains_and_efforts_are_used():
    data = facts(*SHORT, "--control", "pd", "--target", "1,1", "--kp", "100", "--kd", "0,0", "--effort", "3,2")
    known = la.simulate(
        la.load("elbow"), until=0.5, step=1e-3, torque=la.control.pd([1.0, 1.0], 100.0, [0.0, 0.0], effort=[3.0, 2.0])
    )
    assert data["final"]["q"] == known.q[-1].tolist()
    assert abs(data["final"]["tau"][0]) <= 3 and abs(data["final"]["tau"][1]) <= 2


@pytest.mark.slow
def test_everything_that_acts_is_booked(tmp_path):
    data = facts("puma560", *SHORT, "--control", "computed-torque", "--torque", "1,0,0,0,0,0", "--disturbance", "joint2=1",
                 "--noise", "0.1", "--seed", "3", "--wrench", "tool=0,0,0,1,2,3", "--payload", "1.5@0.2")  # fmt: skip
    assert {"torque", "friction", "disturbance", "noise", "wrench", "payload"} <= set(data["energy"]["works"])
    assert data["energy"]["relative"] < 1e-6
    again, other = (facts(*SHORT, "--noise", "0.1", "--seed", seed)["final"]["q"] for seed in ("3", "4"))
    assert again != other and again == facts(*SHORT, "--noise", "0.1", "--seed", "3")["final"]["q"]
    assert "friction" not in facts("puma560", *SHORT, "--without-friction")["energy"]["works"]


@pytest.mark.parametrize("head", ["", "t,theta1,theta2\n", "# torques\ntime, first, second\n"])
def test_torques_come_from_a_table(tmp_path, head):
    file = tmp_path / "torques.csv"
    file.write_text(head + "0,1,2\n\n0.25,3,0\n1,0,-1\n")
    data = facts(*SHORT, "--torque", str(file))
    table = la.signals.table([0, 0.25, 1], [[1, 2], [3, 0], [0, -1]])
    assert data["final"]["q"] == la.simulate(la.load("elbow"), until=0.5, step=1e-3, torque=table).q[-1].tolist()


def test_columns_are_found_by_name(tmp_path):
    straight, swapped = tmp_path / "straight.csv", tmp_path / "swapped.csv"
    straight.write_text("t,theta1,theta2\n0,1,2\n1,3,4\n")
    swapped.write_text("t,theta2,theta1\n0,2,1\n1,4,3\n")
    first, second = (facts(*SHORT, "--torque", str(file))["final"] for file in (straight, swapped))
    assert first == second


def test_the_torques_of_a_run_replay_it(tmp_path):
    file = str(tmp_path / "run.csv")
    led = facts(*SHORT, "--control", "computed-torque", "--target", "1,1", "--in", "0.5", "-o", file)
    replayed = facts(*SHORT, "--torque", file)
    # Straight lines between rows of h = 1 ms miss h^2/8 tau'': with 50 N m that swing in 0.1 s, some 6e-4 N m, which
    # move a kg m^2 by 1e-4 rad in this time. Without the torques it ends a radian away.
    assert replayed["final"]["q"] == pytest.approx(led["final"]["q"], abs=1e-4)


# Files ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["parquet", "csv", "npz"])
def test_runs_are_written(tmp_path, ending):
    file = tmp_path / f"run.{ending}"
    result = run(*SHORT, "-o", str(file))
    assert f"wrote {file}" in result.stdout and file.is_file()
    assert len(la.trajectories.load(file)) == 501
    assert "--replace" in mistake(*SHORT, "-o", str(file))
    again = facts(*SHORT, "-o", str(file), "--resume")
    assert again["final"]["q"] == la.trajectories.load(file).q[-1].tolist()
    assert "nothing to resume" in mistake(*SHORT, "--q0", "1,1", "-o", str(file), "--resume")
    data = facts(*SHORT, "--q0", "1,1", "-o", str(file), "--replace")
    assert la.trajectories.load(file).q[-1].tolist() == data["final"]["q"] and data["files"] == [str(file)]


@pytest.mark.slow
def test_plots_and_animations_are_written(tmp_path):
    plot, film = tmp_path / "run.svg", tmp_path / "run.html"
    data = facts(*SHORT, "--plot", str(plot), "--animate", str(film))
    assert data["files"] == [str(plot), str(film)]
    assert b"<svg" in plot.read_bytes()[:2000] and b"<html" in film.read_bytes()[:2000].lower()


@pytest.mark.slow
def test_a_long_run_is_shown_fast(tmp_path):
    film = tmp_path / "run.html"
    result = run(*STEP, "--until", "60", "--animate", str(film))
    assert "shows 60 s in 30 s" in result.stderr


# Interruptions --------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_keeps_what_was_computed_and_the_run_resumes(tmp_path):
    file = tmp_path / "run.npz"
    process = waiting(*LONG, "-o", str(file))
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=3600)
    assert process.returncode == 130, err
    assert "Traceback" not in err and err.count("\n") == 1
    assert err.startswith("interrupted: the run is complete up to t = ") and "--resume" in err
    part = la.trajectories.load(file)
    assert len(part) == 1536 and part.t[-1] == pytest.approx(1.535) and part.about["complete"] is False
    assert "t = 1.535 s" in err and out.startswith("elbow: 1.535 s by rk4")
    assert "--resume" in mistake(*LONG, "-o", str(file))
    assert "holds another run" in mistake(*LONG, "--q0", "1,0", "-o", str(file), "--resume")
    data = facts(*LONG, "-o", str(file), "--resume")
    assert data["final"]["t"] == 9 and data["rows"] == 9001 and data["real_time_factor"] is None
    assert data["final"] == facts(*LONG)["final"]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_killed_run_opens_and_resumes_to_the_same_state(tmp_path):
    file, whole = tmp_path / "run.parquet", tmp_path / "whole.parquet"
    process = waiting(*LONG, "-o", str(file))
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    part = la.trajectories.load(file)
    assert len(part) == 1024 and part.about["complete"] is False
    code, out, err = finished(*LONG, "-o", str(file), "--resume", "--json")
    assert code == 0, err
    resumed, straight = json.loads(out), facts(*LONG, "-o", str(whole))
    assert resumed["final"] == straight["final"] and resumed["energy"] == straight["energy"]
    assert (la.trajectories.load(file).q == la.trajectories.load(whole).q).all()


def test_a_run_that_breaks_off_is_kept(tmp_path):
    pytest.importorskip("matplotlib.font_manager")  # the first time it says on stderr that it looks for fonts
    file, plot = tmp_path / "run.npz", tmp_path / "run.png"
    args = ("--step", "0.2", "--method", "euler", "-o", str(file), "--plot", str(plot))
    words = mistake(*args, code=1)
    assert "at t = 2.6 s the speed of theta2" in words and f"is in {file} and {plot}" in words
    part = la.trajectories.load(file)
    assert part.t[-1] == pytest.approx(2.6) and plot.stat().st_size > 1000


def test_an_imbalance_is_warned_of_in_one_line():
    code, out, err = finished("--step", "0.05", "--method", "heun", "--until", "1")
    assert code == 0 and out.startswith("elbow: 1 s by heun")
    assert err.startswith("warning: the energies do not balance") and err.count("\n") == 1


def test_a_closed_pipe_is_no_crash():
    reader, writer = os.pipe()
    os.close(reader)
    process = started(*SHORT, stdout=writer)
    os.close(writer)
    _, err = process.communicate(timeout=3600)
    assert "Traceback" not in err and process.returncode == 1


# Mistakes -------------------------------------------------------------------------------------------------------------

MISTAKES = {
    "--resume": "makes no difference without -o FILE",
    "--replace": "makes no difference without -o FILE",
    "-o a.npz --resume --replace": "Give one of them",
    "--target 1,2": "makes no difference without --control",
    "--kp 5": "makes no difference without --control",
    "--control pd --target 1,2 --profile cubic": "makes no difference without --in",
    "--control pd --in 1": "makes no difference without --target",
    "--seed 3": "makes no difference without --noise",
    "--step 0.1 --method dormand-prince": "which chooses its steps. Give --rtol instead",
    "--step 0.1 --rtol 1e-6": "rtol was given to a method with a fixed step",
    "--method rk4": "Give --step, such as --step 1e-3",
    "--method rk5 --step 0.1": "did you mean 'rk4'",
    "-o run.xls": "Valid: .parquet, .csv, .npz",
    "--plot run.txt": "Valid: .png, .svg, .pdf",
    "--animate run.avi": "Valid: .gif, .html, .mp4",
    "--plot nowhere/run.png": "there is no folder 'nowhere'",
    "--control pid --step 0.1": "did you mean 'pd'",
    "--control pd --target 1": "--target: 1 number was given; it takes 2 (theta1, theta2)",
    "--control pd --target theta3=1": "did you mean 'theta2'",
    "--control operational-space --target z=1": "Valid: x, y",
    "--control pd --target 1,2 --in 0": "takes a time above zero",
    "--control pd --target 1,2 --in 1 --profile sudden": "Valid: quintic, cubic, trapezoid",
    "--control pd --effort limits --step 0.1": "no limit of effort for theta1, theta2",
    "--q0 1,2,3": "--q0: 3 numbers were given; it takes 2",
    "--until nan": "not a finite number",
    "--until -1 --step 0.1": "Give a later time",
    "--stops elbow": "give the ARM before it",
    "--stops 2": "from 0 (no bounce) to 1",
    "--payload 1@:0": "give MASS, MASS@TIME or MASS@TIME:x,y,z",
    "--payload 1:0,0": "it takes 3 (x, y, z)",
    "--noise 1 --seed 1.5": "it takes a whole number",
    "--wrench tool": "give frame=mx,my,mz,fx,fy,fz",
    "--torque __import__('os')": "--torque: ",
    "elbw": "did you mean 'elbow'",
}


@pytest.mark.parametrize("args", MISTAKES)
def test_mistakes_are_told_in_one_line(args, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert MISTAKES[args] in mistake(*args.split())
    assert list(tmp_path.iterdir()) == []


TABLES = {
    "t,theta1,theta2\n0,1,2\n0.5,,3\n1,1,1\n": "torques.csv:3: there is a gap in the column of theta1",
    "0,1,2\n1,1,nan\n": "torques.csv:2: nan is given in the column of theta2",
    "0,1,2\n0.5,1\n": "torques.csv:2: there are 2 numbers in this line, and 3 columns",
    "0,1,2\n\n0.5,a,1\n": "torques.csv:3: 'a' is no number, in the column of theta1",
    "0,1,2\n0.5,1,1\n0.5,1,1\n": "torques.csv:3: t = 0.5 s comes after t = 0.5 s",
    "0,1,2\n0.25,1,1\n": "torques.csv: ends at t = 0.25 s",
    "0.1,1,2\n1,1,1\n": "torques.csv: begins at t = 0.1 s",
    "t,theta1,theta3\n0,1,2\n1,1,1\n": "torques.csv:1: there is no column 'theta2'",
    "0,1\n1,1\n": "torques.csv:1: there are 2 columns; arm 'elbow' takes 3: t, theta1, theta2",
    "": "torques.csv: is empty",
    "0,1,2\n": "has 1 rows of numbers",
}


@pytest.mark.parametrize("text", TABLES)
def test_a_bad_table_is_told_with_its_line(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("torques.csv").write_text(text)
    assert TABLES[text] in mistake(*SHORT, "--torque", "torques.csv")


def test_a_missing_table_is_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "No such file" in mistake(*SHORT, "--torque", "nowhere.csv")


def test_messages_speak_of_options():
    assert in_options("Give step=, such as step=1e-3.") == "Give --step, such as --step 1e-3."
    assert in_options('Go on by existing="resume", or method="rk4".') == "Go on by --resume, or --method rk4."
