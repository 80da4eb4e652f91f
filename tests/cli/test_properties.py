"""`leverarm properties`: options, files, what is printed, interruptions and exit codes."""

from __future__ import annotations

import json
import math
from contextlib import contextmanager

import pytest
from click.testing import CliRunner

import leverarm as la
from leverarm.cli import cli
from leverarm.cli.properties import box_of, enclosure_text
from leverarm.errors import InputError
from leverarm.verify.table.bound_rows import bound_row, missing_row
from leverarm.verify.table.box import Box
from leverarm.verify.table.property import Bound, Properties


def run(*args, code=0):
    result = CliRunner().invoke(cli, ["properties", *args], prog_name="leverarm")
    assert result.exit_code == code, result.output
    assert "\x1b" not in result.output and "Traceback" not in result.output
    return result


def mistake(*args):
    """The one line on stderr of a command that fails."""
    result = run(*args, code=2)
    assert result.stdout == "" and result.stderr.startswith("error: ") and result.stderr.count("\n") == 1
    return result.stderr


@pytest.fixture
def asked(monkeypatch):
    """What la.properties is asked for; it answers at once with two lines, unfinished after 13 s."""
    calls = []

    def properties(arm, box, seconds, **rest):
        calls.append({"arm": arm, "box": box, "seconds": seconds, **rest})
        bound = Bound(0.25, 0.5, "certified enclosure", {"q": (0.0,) * arm.dof}, "kg m^2", 0.1, "")
        rows = (bound_row("mu1", bound, "2"), missing_row("g_b", "2", "interrupted before it was reached"))
        where = Box(arm, (-math.pi,) * arm.dof, (math.pi,) * arm.dof, (), ())
        return Properties(arm, where, rows, seconds != 13)

    monkeypatch.setattr(la, "properties", properties, raising=False)
    return calls


@pytest.mark.parametrize(
    ("text", "ranges"),
    [
        ("theta1=-90..90deg", {"theta1": (-math.pi / 2, math.pi / 2)}),
        ("theta1=-pi/2..pi/2, theta2=0..1", {"theta1": (-math.pi / 2, math.pi / 2), "theta2": (0.0, 1.0)}),
        ("theta1=-90deg..1.5", {"theta1": (-math.pi / 2, 1.5)}),
        ("theta2=.5..1.5", {"theta2": (0.5, 1.5)}),
        ("theta2=.5..1.5 rad", {"theta2": (0.5, 1.5)}),
        ("theta2=90°..2rad", {"theta2": (math.pi / 2, 2)}),
        ("theta2=-a1..2*a1", {"theta2": (-1.0, 2.0)}),
    ],
)
def test_ranges_are_read(text, ranges):
    found = box_of(text, la.load("elbow"))
    assert found.keys() == ranges.keys()
    assert [x for pair in found.values() for x in pair] == pytest.approx([x for pair in ranges.values() for x in pair])


@pytest.mark.parametrize("text", ["", ",", "theta1", "theta1=", "theta1=1", "theta1=..1", "theta1=0..x", "=0..1",
                                  "theta1=0..nan", "theta1=0..1,theta1=0..2"])  # fmt: skip
def test_ranges_that_are_none_are_refused(text):
    with pytest.raises(InputError, match="--box"):
        box_of(text, la.load("elbow"))


def test_lengths_are_told_from_angles():
    polar = la.load("polar")
    assert box_of("r=0.5..1.5m,theta=0..90deg", polar) == {"r": (0.5, 1.5), "theta": (0.0, pytest.approx(math.pi / 2))}
    with pytest.raises(InputError, match="r slides: give metres"):
        box_of("r=0..90deg", polar)
    with pytest.raises(InputError, match="theta turns: give radians"):
        box_of("theta=0..1m", polar)


def test_a_place_that_cannot_be_written_is_refused_before_the_work(asked, tmp_path):
    (tmp_path / "p.html").mkdir()
    assert "is a folder" in mistake("elbow", "-o", str(tmp_path / "p.html"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("leverarm.cli.output_files.TemporaryFile", _no_room)
        assert "No space left" in mistake("elbow", "-o", str(tmp_path / "q.html"))
    assert asked == []


def test_the_table_is_printed_where_its_file_cannot_be_written(asked, monkeypatch, tmp_path):
    monkeypatch.setattr("leverarm.atomic_write._temporary_file", _no_room)
    result = run("elbow", "-o", str(tmp_path / "p.md"), code=2)
    assert "0.250 ≤ μ₁ ≤ 0.500" in result.stdout and "No space left" in result.stderr


def _no_room(*_, **__):
    raise OSError(28, "No space left on device")


def test_options_reach_the_library(asked):
    run("elbow", "--box", "theta2=0..1", "--seconds", "7", "--norm", "fro", "--disturbance", "2.5", "--processes", "3",
        "--set", "m1=4", "--resume", "old.json")  # fmt: skip
    (call,) = asked
    assert call["box"] == {"theta2": (0.0, 1.0)} and call["seconds"] == 7 and call["norm"] == "fro"
    assert call["disturbance"] == 2.5 and call["processes"] == 3 and call["resume"] == "old.json"
    assert call["arm"].defaults["m1"] == 4 and call["progress"] is None


def test_the_table_is_printed_or_written(asked, tmp_path):
    out = run("elbow").stdout
    assert "0.250 ≤ μ₁ ≤ 0.500 kg m²" in out and "Inertia matrix" in out
    told = run("elbow", "-o", str(tmp_path / "p.html")).stdout
    assert told == f"wrote {tmp_path / 'p.html'}: 2 properties of elbow\n"
    assert "certified enclosure" in (tmp_path / "p.html").read_text()
    assert json.loads(run("elbow", "--json").stdout)["rows"][0]["bound"]["lower"] == 0.25


def test_an_interrupted_table_is_written_and_said(asked, tmp_path):
    result = run("elbow", "--seconds", "13", "-o", str(tmp_path / "p.json"), code=130)
    assert "interrupted: the table is not finished; what is known is in" in result.stderr
    found = json.loads((tmp_path / "p.json").read_text())
    assert found["finished"] is False and found["rows"][0]["bound"]["upper"] == 0.5


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("elbw",), "did you mean 'elbow'"),
        (("elbow", "-o", "p.pdf"), "names no report"),
        (("elbow", "-o", "no_such_folder/p.html"), "there is no folder 'no_such_folder'"),
        (("elbow", "--norm", "3"), "no norm named '3'"),
        (("elbow", "--seconds", "long"), "--seconds"),
        (("elbow", "--processes", "0"), "is not a count"),
        (("elbow", "--disturbance", "nan"), "--disturbance"),
        (("elbow", "--box", "theta1"), "--box"),
    ],
)
def test_mistakes_are_told_in_one_line_before_the_work(asked, args, told):
    assert told in mistake(*args) and asked == []


def test_a_bound_in_the_making_fits_a_line():
    assert enclosure_text(Bound(0.25, 0.5, "certified enclosure", None, "kg", 0, "")) == "0.25 .. 0.5 kg  gap 50 %"
    assert "no enclosure yet" in enclosure_text(Bound(None, 0.5, "certified enclosure", None, "kg", 0, ""))


@pytest.mark.skipif("properties" not in la.__all__, reason="la.properties is not public yet")
def test_ctrl_c_while_bounds_are_narrowed_writes_them_and_exits_with_130(monkeypatch, tmp_path):
    @contextmanager
    def impatient(arm, seconds, boxes):
        def tell(name, bound):
            if bound is not None:
                raise KeyboardInterrupt

        yield tell

    monkeypatch.setattr("leverarm.cli.properties.bound_progress", impatient)
    run("elbow", "--seconds", "20", "-o", str(tmp_path / "p.json"), code=130)
    found = json.loads((tmp_path / "p.json").read_text())
    known = [row for row in found["rows"] if row["how"] == "certified enclosure"]
    assert found["finished"] is False and len(known) == 1 and known[0]["bound"]["lower"] <= known[0]["bound"]["upper"]


@pytest.mark.slow
@pytest.mark.skipif("properties" not in la.__all__, reason="la.properties is not public yet")
def test_a_report_is_gone_on_from(tmp_path):
    path = str(tmp_path / "p.json")

    def sides():
        rows = json.loads((tmp_path / "p.json").read_text())["rows"]
        bounds = {row["key"]: row["bound"] for row in rows if row["how"] == "certified enclosure"}
        # lambda2 has no upper side: the box holds singular poses
        return {
            key: (each["lower"], math.inf if each["upper"] is None else each["upper"]) for key, each in bounds.items()
        }

    run("elbow", "--boxes", "50", "--processes", "1", "-o", path)
    first = sides()
    run("elbow", "--boxes", "50", "--processes", "1", "--resume", path, "-o", path)
    again = sides()
    assert all(again[key][0] >= first[key][0] and again[key][1] <= first[key][1] for key in first)
    assert first["mu1"][0] <= 3 - 8**0.5 <= first["mu1"][1]  # theta2 = 0: M = [[5, 2], [2, 1]]
    assert "other ranges" in mistake("elbow", "--box", "theta2=0..1", "--resume", path)
