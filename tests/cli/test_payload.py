"""`leverarm payload`: what a user sees, files, exit codes; JSON equals the library; the options that read logs."""

from __future__ import annotations

import json

import click
import numpy as np
import pytest
from click.testing import CliRunner

import leverarm as la
from leverarm.cli import cli
from leverarm.cli.log_options import log_options, log_source, reading_options
from leverarm.errors import InputError
from tests.support.lifting_arm import two_links
from tests.support.loaded_logs import MASS, carrying, driven, log_of


def run(*args, code=0):
    result = CliRunner().invoke(cli, ["payload", *args], prog_name="leverarm")
    assert result.exit_code == code, result.output
    assert "\x1b" not in result.output and "Traceback" not in result.output
    return result


def mistake(*args):
    """The one line on stderr of a command that fails."""
    result = run(*args, code=2)
    assert result.stdout == "" and result.stderr.startswith("error: ") and result.stderr.count("\n") == 1
    return result.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """An arm of two joints, and logs of it: empty.csv, loaded.csv [N m], the same in A with 2 and 4 N m/A."""
    folder = tmp_path_factory.mktemp("logs")
    arm = two_links()
    la.save(arm, folder / "arm.toml")
    for name, each, seed in (("empty", driven(arm), 1), ("loaded", carrying(driven(arm)), 2)):
        log = log_of(each, seed, 0.005)
        for beginning, gains in (("", np.ones(2)), ("amperes_", np.array([2.0, 4.0]))):
            table = np.column_stack([log["t"], log["q"], log["qd"], log["tau"] / gains])
            head = "t,q1,q2,qd1,qd2,tau1,tau2"
            np.savetxt(folder / f"{beginning}{name}.csv", table, delimiter=",", header=head, comments="")
    return folder


def files(folder, *names):
    return [str(folder / name) for name in names]


@pytest.mark.slow
def test_it_tells_the_load_and_writes_it(folder, tmp_path):
    """Two joints that lift in a plane feel the mass, where the centre is in it, and one moment."""
    out = tmp_path / "result"
    said = run(*files(folder, "arm.toml", "empty.csv", "loaded.csv"), "-o", str(out)).stdout
    lines = said.splitlines()
    assert lines[0] == "Load at fore of lifter" and "✓ The mass is identifiable." in lines
    assert any(line.strip().startswith("com.y") and "[not identifiable]" in line for line in lines)
    assert any(line.strip().startswith("all joints, filtered") for line in lines)
    assert lines[-1] == f"wrote {out}"
    assert {path.name for path in out.iterdir()} == {"report.html", "payload.json", "arm.toml", "arm.urdf"}
    assert la.load(str(out / "arm.toml")).bodies[-1].name == "payload"


@pytest.mark.slow
def test_json_equals_the_library(folder):
    """A body on the first link of a pendulum shows its moments only: no mass, and exit code 1."""
    arm, empty, loaded = files(folder, "arm.toml", "empty.csv", "loaded.csv")
    facts = json.loads(run(arm, empty, loaded, "--frame", "upper", "--json", code=1).stdout)
    found = la.identify_payload(la.load(arm), empty, loaded, frame="upper")
    assert facts["numbers"]["mass"]["value"] == found.numbers["mass"].value and facts["frame"] == "upper"
    assert "the mass is not identifiable" in facts["findings"][0]["message"]
    assert facts["com"] == found.com.tolist()


@pytest.mark.slow
def test_one_log_takes_the_arm_as_described(folder):
    """The arm describes no rotors and little friction; both are found."""
    facts = json.loads(run(*files(folder, "arm.toml", "loaded.csv"), "--json").stdout)
    mass = facts["numbers"]["mass"]
    assert mass["value"] == pytest.approx(MASS, rel=0.05, abs=4 * mass["standard_error"])
    assert any("taken as exact" in finding["message"] for finding in facts["findings"])


@pytest.mark.slow
def test_logs_that_show_no_load_are_refused(folder):
    said = run(*files(folder, "arm.toml", "loaded.csv", "empty.csv"), code=1).stdout
    assert "[error] load: the mass is -2" in said and "logs were swapped" in said


@pytest.mark.slow
def test_gains_from_a_load(folder):
    arm, empty, loaded = files(folder, "arm.toml", "amperes_empty.csv", "amperes_loaded.csv")
    given = (arm, empty, loaded, "--units", "tau=A", "--gains-from-load", "2,0.03,-0.02,0.08")
    facts = json.loads(run(*given, "--json").stdout)
    assert facts["gains"] == pytest.approx([2.0, 4.0], rel=0.05) and all(facts["identifiable"])
    said = run(*given).stdout
    assert "N m per A" in said and any(line.startswith("--gains ") for line in said.splitlines())


def test_mistakes_are_one_line(folder, tmp_path):
    arm, empty, loaded = files(folder, "arm.toml", "empty.csv", "loaded.csv")
    assert "3 logs were given" in mistake(arm, empty, loaded, loaded)
    assert "names no result" in mistake(arm, empty, loaded, "-o", str(tmp_path / "load.xlsx"))
    assert "there is no folder" in mistake(arm, empty, loaded, "-o", str(tmp_path / "no" / "load.json"))
    assert "did you mean 'upper'" in mistake(arm, empty, loaded, "--frame", "uper")
    assert "it takes two" in mistake(arm, loaded, "--gains-from-load", "2")
    assert "2 numbers" in mistake(arm, empty, loaded, "--gains-from-load", "2,3")
    assert "nothing to write" in mistake(arm, empty, loaded, "--gains-from-load", "2", "-o", str(tmp_path / "x"))
    assert "--gains-from-load" in mistake(arm, empty, loaded, "--gains-from-load", "2,0,0,ten")
    assert "no_such.csv" in mistake(arm, empty, str(folder / "no_such.csv"))


# Reading options --------------------------------------------------------------------------------------------------------


def reading(*args):
    """The keywords that a command with `log_options` would read a log of the UR5 by."""
    found = {}

    @click.command()
    @log_options
    def command(**given):
        found.update(reading_options(la.load("ur5"), given))

    result = CliRunner().invoke(command, args)
    if isinstance(result.exception, InputError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return found


def test_options_become_keywords():
    assert reading() == {}
    assert reading("--columns", "q=2-7,tau=a,b,c,d,e,f", "--columns", "t=time") == {
        "columns": {"q": "2-7", "tau": "a,b,c,d,e,f", "t": "time"}
    }
    assert reading("--units", "q=deg,qd=rpm,tau=A,A,A,A,A,mA")["units"] == {
        "q": "deg",
        "qd": "rpm",
        "tau": ["A"] * 5 + ["mA"],
    }
    assert reading("--rate", "125", "--gains", "2.5") == {"rate": 125.0, "gains": 2.5}
    assert reading("--ratio", "1,0;0.5,2", "--motor-side", "q,tau") == {
        "ratio": [[1.0, 0.0], [0.5, 2.0]],
        "motor_side": ("q", "tau"),
    }
    assert reading("--zero", "elbow_joint=-90deg")["zero"] == pytest.approx([0, 0, -np.pi / 2, 0, 0, 0])
    assert log_source("a.csv+b.csv") == ("a.csv", "b.csv") and log_source("a.csv") == "a.csv"


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("--columns", "tq=1"), "did you mean"),
        (("--columns", "2-8"), "give q=2-8"),
        (("--units", "q=deg", "--units", "q=rad"), "given twice"),
        (("--motor-side", "tau"), "without --ratio"),
        (("--ratio", "1", "--motor-side", "torque"), "--motor-side"),
        (("--ratio", "1,2;3"), "rows of 2, 1 numbers"),
        (("--rate", "fast"), "--rate"),
    ],
)
def test_options_that_cannot_be_meant(args, told):
    with pytest.raises(InputError, match=told):
        reading(*args)
