"""`leverarm excite`: what a user sees, the files, exit codes, interruptions; JSON equals the API."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from time import sleep

import numpy as np
import pytest
from click.testing import CliRunner

import leverarm as la
from leverarm.cli import cli
from tests.support.paths import ROOT

SHORT = ("--duration", "5", "--harmonics", "3", "--rate", "100")


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


def test_it_tells_the_condition_numbers_and_the_use_of_limits(tmp_path):
    path = tmp_path / "traj.csv"
    said = run("elbow", *SHORT, "-o", str(path)).stdout
    lines = said.splitlines()
    assert lines[0].startswith("elbow: 5 s, 3 harmonics of 0.2 Hz, 13 base parameters, seed 0")
    assert lines[1].startswith("condition number ") and " -> " in lines[1]
    assert any(line.startswith("theta1") and line.count("%") >= 4 for line in lines)
    assert "warning: position limits: " in said and "note: collisions: " in said
    assert lines[-1] == f"wrote {path}: 501 rows of t, q, qd, qdd"
    table = np.genfromtxt(path, delimiter=",", names=True, deletechars="")
    assert len(table) == 501 and table.dtype.names == (
        "t",
        *(f"{x}.theta{k}" for x in ("q", "qd", "qdd") for k in (1, 2)),
    )
    assert table["qd.theta1"][[0, -1]] == pytest.approx(0, abs=1e-12)


def test_json_equals_the_library():
    facts = json.loads(run("elbow", *SHORT, "--margin", "20", "--seed", "2", "--json").stdout)
    found = la.excite(la.load("elbow"), duration=5, harmonics=3, rate=100, margin=0.2, seed=2)
    assert facts["after"]["condition"] == found.condition_after and facts["start"] == found.trajectory.q[0].tolist()
    assert facts["uses"][0]["position"] == found.uses[0].position <= 80
    assert facts["limits_kept"] and facts["finished"] and facts["files"] == []


def test_options_reach_the_library(tmp_path):
    more = ("--acceleration", "3,4", "--floor", "-10", "--base-frequency", "0.4", "--set", "m1=2", "--time-limit", "30")
    facts = json.loads(run("elbow", *SHORT, *more, "--json").stdout)
    assert facts["base_frequency"] == 0.4 and all(use["acceleration"] <= 90 for use in facts["uses"])
    one = json.loads(run("elbow", *SHORT, "--acceleration", "3", "--json").stdout)
    assert one["uses"][1]["acceleration"] is not None


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
def test_mistakes_are_one_line(args, told):
    assert told in mistake(*args)


def test_a_folder_is_no_file(tmp_path):
    (tmp_path / "traj.csv").mkdir()
    assert "is a folder" in mistake("elbow", "-o", str(tmp_path / "traj.csv"))


def test_ctrl_c_writes_the_best_so_far(tmp_path):
    """Whenever it comes: a whole file and exit code 130, or neither file nor motion, or all was done."""
    path = tmp_path / "traj.csv"
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-m", "leverarm.cli", "excite", "panda", "-o", str(path), "--harmonics", "12"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    sleep(3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode in (0, 130) and "Traceback" not in err
    if process.returncode == 130 and path.exists():
        assert "warning: interrupted: " in out and f"the best motion so far is in {path}" in err
    if path.exists():
        assert len(path.read_text().splitlines()) == 10002
    assert [p.name for p in tmp_path.iterdir()] in ([], ["traj.csv"])
