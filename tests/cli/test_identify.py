"""`leverarm identify`: what a user sees, the files, exit codes, mistakes in one line; JSON equals the library."""

from __future__ import annotations

import doctest
import json
import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import leverarm as la
from leverarm.cli import cli
from leverarm.cli.reading_words import in_reading_options
from tests.support.paths import ROOT

VISCOUS, COULOMB = np.array([0.8, 0.3]), np.array([2.0, 1.0])
FILES = ["arm.toml", "arm.urdf", "report.html", "result.json"]


def run(*args, code=0):
    result = CliRunner(env={"COLUMNS": "100", "NO_COLOR": "1"}).invoke(
        cli, ["identify", *map(str, args)], prog_name="leverarm"
    )
    assert result.exit_code == code, result.output
    assert "\x1b" not in result.output and "Traceback" not in result.output
    return result


def mistake(*args):
    """The one line on stderr of a command that fails."""
    result = run(*args, code=2)
    assert result.stdout == "" and result.stderr.startswith("error: ") and result.stderr.count("\n") == 1
    return result.stderr


def fourier_log(seed: int) -> dict[str, np.ndarray]:
    """A log of the elbow arm with friction, 10 s at 100 Hz: t, q, qd, tau with noise of 0.05 N m."""
    random = np.random.default_rng(seed)
    t = np.arange(1000) / 100
    omega = 2 * np.pi * 0.1 * np.arange(1, 6)
    a, b = random.normal(size=(2, 2, 5)) / np.arange(1, 6)
    sines, cosines = np.sin(omega * t[:, None]), np.cos(omega * t[:, None])
    q = sines @ a.T + cosines @ b.T
    qd = (cosines * omega) @ a.T - (sines * omega) @ b.T
    qdd = -(sines * omega**2) @ a.T - (cosines * omega**2) @ b.T
    robot = la.with_values(la.load("elbow"), m1=1.3, m2=0.8)
    tau = la.compile(robot, "inverse_dynamics").inverse_dynamics(q, qd, qdd) + VISCOUS * qd + COULOMB * np.sign(qd)
    return {"t": t, "q": q, "qd": qd, "tau": tau + random.normal(scale=0.05, size=q.shape)}


def write(path: Path, log: dict[str, np.ndarray]) -> Path:
    heads = [name if x.ndim == 1 else f"{name}{k + 1}" for name, x in log.items() for k in range(x.size // len(x))]
    np.savetxt(
        path, np.column_stack(list(log.values())), fmt="%.9g", delimiter=",", header=",".join(heads), comments=""
    )
    return path


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("logs")
    write(folder / "log.csv", fourier_log(1))
    write(folder / "other.csv", fourier_log(2))
    return folder


# What it prints and writes --------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_log_becomes_files_and_a_verdict(logs, tmp_path):
    folder = tmp_path / "deep" / "result"
    said = run("elbow", logs / "log.csv", "--validate", logs / "other.csv", "-o", folder).stdout
    lines = said.splitlines()
    assert lines[0] == "Identification of elbow" and any(
        line.startswith("✓ Accepted. The model is fit for use. ") for line in lines
    )
    assert any(line.startswith("error on other.csv ") for line in lines) and any(
        line.startswith("error on left-out blocks ") for line in lines
    )
    assert lines[-1] == "wrote " + ", ".join(str(folder / name) for name in ("report.html", "result.json", *FILES[:2]))
    assert max(map(len, lines[:-1])) <= 100
    assert sorted(path.name for path in folder.iterdir()) == FILES
    arm = la.load(folder / "arm.toml")
    friction = [(body.joint.friction.viscous, body.joint.friction.coulomb) for body in arm.bodies]
    # 0.05 N m of white noise over some 900 samples: a standard error of about 1 % of these values
    assert pytest.approx(np.stack([VISCOUS, COULOMB]), rel=0.05) == np.array(friction, dtype=float).T


@pytest.mark.slow
def test_json_is_the_file_and_equals_the_library(logs, tmp_path):
    said = run("elbow", logs / "log.csv", "--validate", logs / "other.csv", "-o", tmp_path / "r", "--json").stdout
    assert said == (tmp_path / "r" / "result.json").read_text()
    facts = json.loads(said)
    result = la.identify(la.load("elbow"), [logs / "log.csv"], validate=[logs / "other.csv"])
    values = {entry["name"]: entry["value"] for entry in facts["parameters"]}
    assert values == {entry.name: entry.value for entry in result.parameters}
    assert facts["validations"][0]["relative_error"] == result.validations[0].relative_error < 3


def test_quiet_prints_the_verdict_only(logs):
    said = run("elbow", logs / "log.csv", "--quiet").stdout
    assert said.startswith("The model is fit for use. ") and "Friction" not in said


@pytest.mark.slow
def test_a_second_result_takes_the_place_of_the_first(logs, tmp_path):
    for log in ("log.csv", "other.csv"):
        run("elbow", logs / log, "-o", tmp_path / "r", "--quiet")
    assert json.loads((tmp_path / "r" / "result.json").read_text())["settings"]["logs"] == "other.csv"
    assert sorted(path.name for path in (tmp_path / "r").iterdir()) == FILES


def test_a_log_of_a_joint_at_rest_is_refused_and_written(tmp_path):
    log = fourier_log(1)
    slow = {"t": log["t"], "q": np.column_stack([log["q"][:, 0], 0 * log["t"]]), "tau": log["tau"]}
    write(tmp_path / "slow.csv", slow)
    said = run("elbow", tmp_path / "slow.csv", "-o", tmp_path / "r", code=1).stdout
    assert "✗ Refused. The model is not fit for use." in said and "never moves in this log" in said
    assert sorted(path.name for path in (tmp_path / "r").iterdir()) == FILES


# How a log is read ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_options_say_what_a_file_cannot(tmp_path, logs):
    """Coupled motors in degrees and amperes, without names and times, in two files: the same masses come out."""
    log = fourier_log(1)
    ratio = np.array([[50.0, 0.0], [10.0, 40.0]])
    motors = np.rad2deg((log["q"] - [0.0, np.pi / 2]) @ ratio.T)
    currents = np.linalg.solve(ratio.T, log["tau"].T).T / [0.5, 0.25]
    write(tmp_path / "positions.csv", {"a": motors})
    write(tmp_path / "currents.csv", {"b": currents})
    told = run(
        "elbow", f"{tmp_path / 'positions.csv'}+{tmp_path / 'currents.csv'}", "--rate", "100", "--json",
        "--columns", "q=1-2,tau=3-4", "--units", "q=deg,tau=A", "--gains", "0.5,0.25",
        "--ratio", "50,0;10,40", "--zero", "theta2=90deg",
    ).stdout  # fmt: skip
    plain = run("elbow", logs / "log.csv", "--columns", "tau=tau", "--json").stdout
    values, expected = ({p["name"]: p["value"] for p in json.loads(text)["parameters"]} for text in (told, plain))
    assert set(values) == {
        *expected,
        "theta2.motor_viscous",
        "theta2.motor_coulomb",
    }  # the matrix says they are coupled
    for name in ("link1.hx", "link2.hx"):  # 17.6 and 7.8 N m of gravity against 0.05 N m of noise, in some 900 samples
        assert values[name] == pytest.approx(expected[name], rel=0.02)


@pytest.mark.slow
def test_models_can_be_said(logs):
    sharp = json.loads(run("elbow", logs / "log.csv", "--friction", "sign", "--spring", "theta2", "--json").stdout)
    assert all(friction["smoothing"] is None for friction in sharp["frictions"])
    assert "theta2.spring" in [entry["name"] for entry in sharp["parameters"]]
    plain = json.loads(run("elbow", logs / "log.csv", "--method", "ordinary", "--json").stdout)
    assert plain["settings"]["estimator"].startswith("least squares, all joints alike")
    coupled = json.loads(run("elbow", logs / "log.csv", "--coupling", "theta2,theta1", "--json").stdout)
    assert coupled["settings"]["couplings"] == "motor of theta2 turns with theta1"


@pytest.mark.slow
def test_columns_can_be_left_aside(tmp_path):
    """Speeds and times that are wrong would spoil the fit; without them it has positions and the rate."""
    log = fourier_log(1)
    wrong = write(tmp_path / "wrong.csv", {**log, "t": 7 * log["t"], "qd": 3 - log["qd"][::-1]})
    said = run("elbow", wrong, "--columns", "qd=none,t=none", "--rate", 100, "--json").stdout
    facts = json.loads(said)
    assert facts["settings"]["signals used"] == "positions" and facts["settings"]["rate [Hz]"] == 100
    assert facts["cross_validation"]["relative_error"] < 3
    assert "--columns q is empty; a log needs positions and torques" in mistake("elbow", wrong, "--columns", "q=none")


@pytest.mark.slow
def test_findings_are_in_the_words_of_the_command_line(tmp_path):
    log = fourier_log(1)
    np.savetxt(tmp_path / "bare.csv", np.column_stack(list(log.values())), delimiter=",")
    said = " ".join(run("elbow", tmp_path / "bare.csv").stdout.split())
    assert "[note] columns: the file has no column names" in said and "Give --columns q=NAMES if" in said


@pytest.mark.parametrize(
    ("library", "command"),
    [
        ("Give rate=... [Hz], or columns={'t': 'name'}.", "Give --rate HZ, or --columns t=name."),
        ("columns={'t': 1, 'q': [2, 3, ...], 'tau': [...]}.", "--columns t=1,q=NAMES,tau=NAMES."),
        ("Say units={'tau': 'N m'}, or gains=[...].", "Say --units tau=Nm, or --gains NUMBERS."),
        ("columns['q'] = '2-8': 7 columns (a, b); q needs 6", "--columns q=2-8: 7 columns (a, b); q needs 6"),
        ("units['q'] = ['deg', 'rad']: 2 units", "--units q=deg,rad: 2 units"),
        ("rate = -3.0 was given; it is a number", "--rate -3.0 was given; it is a number"),
        ("Read it with ratio -1 for one (motor_side tau).", "Read it with --ratio -1 for one (--motor-side tau)."),
        ("ratio is singular: rows", "--ratio is singular: rows"),
        ("the rate of the log and the ratio of columns", "the rate of the log and the ratio of columns"),
    ],
)
def test_words_of_the_library_become_options(library, command):
    assert in_reading_options(library) == command


# Mistakes -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--friction", "sine"), "'sine'"),
        (("--method", "robst"), "did you mean 'robust'? Valid: robust, weighted, ordinary, instrumental"),
        (("--coupling", "theta2"), "give two joints, MOTOR,JOINT"),
        (("--coupling", "theta2,theta3"), "'theta3'"),
        (("--spring", "thetta2"), "did you mean 'theta2'"),
        (("--columns", "q=4-9"), "--columns q: 8 was given"),
        (("--columns", "q=2-4"), "--columns q=2-4: 3 columns (q1, q2, qd1); q needs 2"),
        (("--columns", "q=foo,bar"), "--columns q: log.csv: "),
        (("--columns", "torque=1-2"), "--columns: "),
        (("--units", "q=furlong"), "--units q: "),
        (("--rate", "-5"), "--rate -5.0 was given"),
        (("--ratio", "1,2,3"), "--ratio has shape (3,)"),
        (("--ratio", "1,1;1,1"), "--ratio is singular"),
        (("--set", "m9=1"), "m9"),
        (("--validate", "nowhere.csv"), "nowhere.csv: there is no such file"),
    ],
)
def test_mistakes_are_one_line(options, told, logs, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert told in mistake("elbow", logs / "log.csv", *options)


def test_logs_that_cannot_be_used_are_one_line(tmp_path, logs):
    log = fourier_log(1)
    no_torque = write(tmp_path / "no_torque.csv", {"t": log["t"], "q": log["q"]})
    assert "no_torque.csv: no torques found by name" in mistake("elbow", no_torque)
    torques = write(tmp_path / "torques.csv", {"tau": log["tau"]})
    assert f"side by side: {no_torque}+{torques}." in mistake("elbow", no_torque, torques)
    assert "give it once" not in mistake("elbow", write(tmp_path / "one.csv", {k: x[:1] for k, x in log.items()}))
    nothing = {**log, "tau": np.full_like(log["tau"], np.nan)}
    assert "tau" in mistake("elbow", write(tmp_path / "nan.csv", nothing))
    assert "for an arm of 7 joints" in mistake("panda", logs / "log.csv")
    (tmp_path / "empty.csv").write_text("")
    assert "empty.csv: is empty" in mistake("elbow", tmp_path / "empty.csv")
    assert "did you mean 'elbow'?" in mistake("elbo", logs / "log.csv")


def test_a_folder_that_cannot_be_written_is_refused_before_the_work(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken").write_text("")
    assert "is a file; a result is written into a folder" in mistake("elbow", "nowhere.csv", "-o", tmp_path / "taken")
    assert "is a file" in mistake("elbow", "nowhere.csv", "-o", tmp_path / "taken" / "below")
    assert "-o is empty" in mistake("elbow", "nowhere.csv", "-o", "")


# Interruptions --------------------------------------------------------------------------------------------------------

INTERRUPTED = """
import atexit
import signal
import sys
import time
from contextlib import contextmanager

signal.signal(signal.SIGINT, signal.default_int_handler)  # also where a shell began the tests with it ignored
moment = sys.argv.pop(1)


class Importing:
    def find_spec(name, *_):
        if name == moment:
            signal.raise_signal(signal.SIGINT)


sys.meta_path.insert(0, Importing)
if moment == "end":
    atexit.register(signal.raise_signal, signal.SIGINT)

from leverarm.cli import identify, main


@contextmanager
def waiting(name):
    def tell(done, words):
        if words == moment:
            print("begun", flush=True)
            while True:
                time.sleep(0.01)

    yield tell


identify.progress_bar = waiting
main()
"""
"""`leverarm`, that interrupts itself when it loads a module or ends, or waits for a signal at some work."""


def found_in(folder):
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize(
    ("moment", "code", "files"),
    [
        ("leverarm.cli", -signal.SIGINT, []),
        ("leverarm.model", 130, []),
        ("leverarm.identification.identifying", 130, []),
        ("fitting base parameters", 130, []),
        ("end", 0, FILES),
    ],
)
def test_ctrl_c_leaves_nothing_half_written(moment, code, files, logs, tmp_path):
    """Whenever it comes, while Python starts or ends too: all files or none."""
    folder = tmp_path / "result"
    command = [sys.executable, "-c", INTERRUPTED, moment, "identify", "elbow", str(logs / "log.csv"), "-o", str(folder)]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        if " " in moment:
            assert process.stdout.readline() == "begun\n"
            process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=3600)
    assert (process.returncode, found_in(folder)) == (code, files), err
    assert list(tmp_path.iterdir()) == ([folder] if files else [])
    if code == 130:
        # before the work has begun there is nothing to say
        assert out == "" and err == ("" if moment == "leverarm.model" else "interrupted: nothing was written.\n")


@pytest.mark.parametrize(
    "stage", ["reading", "choosing a filter", "fitting physically consistent parameters", "validating"]
)
def test_ctrl_c_at_any_stage_is_told(stage, logs, tmp_path, monkeypatch):
    @contextmanager
    def impatient(name):
        def tell(done, words):
            if words == stage:
                raise KeyboardInterrupt

        yield tell

    monkeypatch.setattr("leverarm.cli.identify.progress_bar", impatient)
    given = ("elbow", logs / "log.csv", "--validate", logs / "other.csv", "-o", tmp_path / "result")
    assert run(*given, code=130).output == "interrupted: nothing was written.\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("number", range(5))
def test_ctrl_c_while_the_files_are_made_leaves_none(number, logs, tmp_path, monkeypatch):
    """While one of the four is written beside its place, or before the first takes its own."""
    folder, calls = tmp_path / "result", []
    method = "replace" if number == 4 else "chmod"
    original = getattr(Path, method)

    def interrupted(path, *given):
        if path.parent == folder:  # not one of the cache
            calls.append(path)
            if len(calls) > number % 4:
                raise KeyboardInterrupt
        return original(path, *given)

    monkeypatch.setattr(Path, method, interrupted)
    result = run("elbow", logs / "log.csv", "-o", folder, code=130)
    assert result.stderr == f"interrupted: {folder} was not written.\n" and len(calls) == number % 4 + 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [1, 2, 4])
def test_ctrl_c_between_two_renames_takes_effect_after_the_last(number, logs, tmp_path, monkeypatch, request):
    folder, renamed, rename = tmp_path / "result", [], Path.replace

    def interrupted(path, target):
        rename(path, target)
        if path.parent == folder:
            renamed.append(path)
            if len(renamed) == number:
                signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Path, "replace", interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have started us with it ignored
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, before))
    result = run("elbow", logs / "log.csv", "-o", folder, code=130)
    assert result.stderr == f"interrupted: all 4 files in {folder} were written.\n"
    assert found_in(folder) == FILES
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_while_it_reports_leaves_all_files(logs, tmp_path, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("leverarm.cli.identify._report", interrupted)
    run("elbow", logs / "log.csv", "-o", tmp_path / "result", code=130)
    assert found_in(tmp_path / "result") == FILES


# The page -------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_page_shows_what_the_command_prints(tmp_path, monkeypatch):
    """Its Python examples make the files; figures may differ in their digits from machine to machine."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        "leverarm.identification.excitation.designing.TIME_LIMIT", 1e9
    )  # a search ends by itself, on a slow machine too
    page = ROOT / "docs" / "identification.md"
    assert doctest.testfile(str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE).failed == 0
    shown = re.search(r"```sh\n(leverarm identify drawn.*)\n```\n\n```text\n(.*?)```", page.read_text(), re.DOTALL)
    said = run(*shown[1].split()[2:]).stdout
    words, printed = (
        [re.sub(r"[\d.,−]+|\s+", " ", line).split() for line in text.splitlines()] for text in (shown[2], said)
    )
    tables = slice(words.index([]), None)
    assert words[0] == printed[0] and [line[:2] for line in words[tables]] == [line[:2] for line in printed[tables]]
