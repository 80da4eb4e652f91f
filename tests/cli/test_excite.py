"""`leverarm excite`: what a user sees, the files, exit codes, interruptions; JSON equals the API."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import numpy as np
import pytest
from click.testing import CliRunner

import leverarm as la
from leverarm.cli import cli
from tests.support.paths import ROOT

ALL = ("--steps", "10000")
"""More than a search takes: it ends by itself, whatever the time."""
SHORT = ("--duration", "5", "--harmonics", "3", "--rate", "100", *ALL)


def run(*args, code=0):
    result = CliRunner().invoke(cli, ["excite", *args], prog_name="leverarm")
    assert result.exit_code == code, result.output
    assert "\x1b" not in result.output and "Traceback" not in result.output
    return result


def mistake(*args):
    """The one line on stderr of a command that fails."""
    result = run(*args, code=2)
    assert result.stdout == "" and result.stderr.startswith("error: ") and result.stderr.count("\n") == 1
    return result.stderr


@pytest.mark.slow
def test_it_tells_the_condition_numbers_and_the_use_of_limits(tmp_path):
    path = tmp_path / "traj.csv"
    said = run("elbow", *SHORT, "-o", str(path)).stdout
    lines = said.splitlines()
    assert lines[0] == "Exciting motion of elbow"
    assert "5 s, 3 harmonics of 0.2 Hz, 13 base parameters, seed 0" in said
    assert any(line.startswith("condition number ") and "at the start" in line for line in lines)
    assert any(line.strip().startswith("theta1") and line.count("%") >= 4 for line in lines)
    assert "[warning] position limits: " in said and "[note] collisions: " in said
    assert lines[-1] == f"wrote {path}: 501 rows of t, q, qd, qdd"
    table = np.genfromtxt(path, delimiter=",", names=True, deletechars="")
    assert len(table) == 501 and table.dtype.names == (
        "t",
        *(f"{x}.theta{k}" for x in ("q", "qd", "qdd") for k in (1, 2)),
    )
    assert table["qd.theta1"][[0, -1]] == pytest.approx(0, abs=1e-12)


def test_json_equals_the_library():
    facts = json.loads(run("elbow", *SHORT, "--margin", "20", "--seed", "2", "--json").stdout)
    found = la.excite(la.load("elbow"), duration=5, harmonics=3, rate=100, margin=0.2, seed=2, steps=10_000)
    assert facts["after"]["condition"] == found.after.condition and facts["start"] == found.trajectory.q[0].tolist()
    assert facts["uses"][0]["position"] == found.uses[0].position <= 80
    assert facts["limits_kept"] and facts["finished"] and facts["files"] == []


@pytest.mark.slow
def test_options_reach_the_library(tmp_path):
    more = (
        "--acceleration",
        "3,4",
        "--floor",
        "-10",
        "--base-frequency",
        "0.4",
        "--set",
        "m1=2",
        "--time-limit",
        "1e9",
    )
    facts = json.loads(run("elbow", *SHORT, *more, "--json").stdout)
    assert facts["base_frequency"] == 0.4 and all(use["acceleration"] <= 90 for use in facts["uses"])
    assert facts["finished"]
    one = json.loads(run("elbow", *SHORT, "--acceleration", "3", "--json").stdout)
    assert one["uses"][1]["acceleration"] is not None


@pytest.mark.parametrize(("option", "limit"), [("--steps", "3"), ("--time-limit", "1e-9")])
def test_a_limit_ends_the_search(option, limit):
    facts = json.loads(run("elbow", *SHORT, option, limit, "--json").stdout)
    ends = [finding for finding in facts["findings"] if "the search ended early" in finding["message"]]
    assert [finding["where"] for finding in ends] == [{"--steps": "step limit", "--time-limit": "time limit"}[option]]
    assert not facts["finished"] and facts["limits_kept"]


@pytest.mark.slow
def test_it_draws(tmp_path):
    pytest.importorskip("matplotlib")
    run("elbow", *SHORT, "--plot", str(tmp_path / "traj.svg"))
    assert "<svg" in (tmp_path / "traj.svg").read_text()[:400]


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("pandda",), "did you mean 'panda'"),
        (("elbow", "-o", "traj.txt"), "Valid: .parquet, .csv, .npz"),
        (("elbow", "-o", "nowhere/traj.csv"), "no folder 'nowhere'"),
        (("elbow", "--plot", "traj.csv"), "Valid: .png"),
        (("elbow", "--harmonics", "many"), "--harmonics: 'many' is not a whole number"),
        (("elbow", "--duration", "nan"), "--duration: nan is not a finite number"),
        (("elbow", "--base-frequency", "0.13"), "whole periods"),
        (("elbow", "--margin", "95"), "0.1 is 10 %"),
    ],
)
def test_mistakes_are_one_line(args, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert told in mistake(*args)


def test_a_folder_is_no_file(tmp_path):
    (tmp_path / "traj.csv").mkdir()
    assert "is a folder" in mistake("elbow", "-o", str(tmp_path / "traj.csv"))


# Interruptions --------------------------------------------------------------------------------------------------------

WAITING = """
import os
import signal
import time
from contextlib import contextmanager

from leverarm.cli import excite, main

signal.signal(signal.SIGINT, signal.default_int_handler)  # also where a shell began the tests with it ignored
progress = excite.progress_bar


@contextmanager
def waiting(name):
    with progress(name) as tell:
        steps = []

        def told(done, words):
            tell(done, words)
            steps.append(done)
            if len(steps) == 60:
                os.write(2, b"begun")  # past the bar
                while True:
                    time.sleep(0.01)

        yield told


excite.progress_bar = waiting
main()
"""
"""`leverarm`, that says so after 60 steps of the search, and waits for a signal."""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_ctrl_c_writes_the_best_so_far(tmp_path):
    import pty

    path = tmp_path / "traj.csv"
    leader, follower = pty.openpty()
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "TERM": "xterm-256color", "COLUMNS": "120"}
    command = [sys.executable, "-c", WAITING, "excite", "elbow", "-o", str(path), *ALL]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=follower, text=True, env=environment) as process:
        os.close(follower)
        shown = b""
        while b"begun" not in shown or b"Ctrl-C keeps the best so far" not in shown:
            shown += os.read(leader, 65536)
        process.send_signal(signal.SIGINT)
        while True:
            try:
                part = os.read(leader, 65536)
            except OSError:  # all is said
                break
            if not part:
                break
            shown += part
        out = process.stdout.read()
    os.close(leader)
    told = " ".join(shown.decode().split())
    assert process.returncode == 130 and "Traceback" not in told
    assert "exciting elbow" in told and f"the best motion so far is in {path}" in told
    assert "[warning] interrupted: " in out and f"wrote {path}: 10,001 rows" in out
    assert [p.name for p in tmp_path.iterdir()] == ["traj.csv"] and len(path.read_text().splitlines()) == 10002
    expected = la.excite(la.load("elbow"), steps=60)
    table = np.genfromtxt(path, delimiter=",", skip_header=1)
    # Sums in another order differ by rounding, one more step by far more.
    np.testing.assert_allclose(table[:, 1:3], expected.trajectory.q, rtol=0, atol=1e-6)


@pytest.mark.parametrize(
    "place",
    ["leverarm.load", "leverarm.identification.excitation.designing.bounds_of", "leverarm.atomic_write.os.fsync"],
)
def test_ctrl_c_before_and_after_the_search_leaves_no_file(place, tmp_path, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(place, interrupted)
    assert run("elbow", *SHORT, "-o", str(tmp_path / "traj.csv"), code=130).output == ""
    assert list(tmp_path.iterdir()) == []
