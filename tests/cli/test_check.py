"""`leverarm check`: what a user sees of verdicts, where the marks stand, exit codes, bad input."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise

import pytest
from click.testing import CliRunner

import leverarm as la
from leverarm.cli import cli
from leverarm.cli.check import MOST_LINES, SHOWN, lines
from leverarm.verify.equations.verdict import DEFINED, Correction, Verdict, Where, Witness
from leverarm.verify.equations.which import Candidate

RIGHT = "tau_2 = (m2 a2^2 + m2 a1 a2 c2) qdd1 + m2 a2^2 qdd2 + m2 a1 a2 s2 qd1^2 + m2 g a2 c12"
WRONG = RIGHT.replace("+ m2 a1 a2 s2", "- m2 a1 a2 s2")


def run(*args, code=0, given=None):
    result = CliRunner().invoke(cli, ["check", *args], prog_name="leverarm", input=given)
    assert result.exit_code == code, result.output
    assert "\x1b" not in result.output and "Traceback" not in result.output
    return result


def mistake(*args, **kwargs):
    """The one line on stderr of a command that fails."""
    result = run(*args, code=2, **kwargs)
    assert result.stdout == "" and result.stderr.startswith("error: ") and result.stderr.count("\n") == 1
    return result.stderr


def verdict(text, wrong=None, status="different", message="It does not hold.", **more):
    """About a whole text, with a correction of a part of it."""
    suggestion = None
    if wrong is not None:
        begin = text.index(wrong)
        where = Where(text.count("\n", 0, begin) + 1, begin - (text.rfind("\n", 0, begin) + 1) + 1)
        suggestion = Correction(wrong, "x", "a sign", (begin, begin + len(wrong)), where, f"{wrong} should be x.")
    return Verdict(status, Where(1, 1), text, "tau_2", message, suggestion=suggestion, span=(0, len(text)), **more)


def under(shown):
    """The characters above the marks."""
    for line, marks in pairwise(shown):
        if set(marks.strip()) == {"^"}:
            return "".join(c for c, m in zip(line, marks, strict=False) if m == "^")
    return ""


@pytest.mark.parametrize("wrong", ["- m2", "tau_2", "c12", "s2 qd1^2"])
def test_the_marks_stand_under_what_is_wrong(wrong):
    assert under(lines(WRONG, verdict(WRONG, wrong))) == wrong


def test_in_a_long_line_the_wrong_part_is_still_shown():
    text = "tau_1 = " + "m1 a1 + " * 60 + "WRONG" + " + m2 a2" * 60
    shown = lines(text, verdict(text, "WRONG"))
    assert under(shown) == "WRONG" and all(len(line) <= SHOWN + 8 for line in shown[:2])


def test_in_many_lines_the_wrong_one_is_shown():
    text = "\n".join([f"a_{k} + " for k in range(40)] + ["WRONG +"] + [f"b_{k} + " for k in range(40)])
    shown = lines(text, verdict(text, "WRONG"))
    assert under(shown) == "WRONG" and len(shown) <= MOST_LINES + 5


def test_a_part_over_two_lines_is_marked_in_both():
    text = "tau_1 = a +\nb + c"
    shown = lines(text, verdict(text, "a +\nb"))
    assert shown[:4] == ["tau_1 = a +", "        ^^^", "b + c", "^"]


def test_a_missing_term_is_marked_where_it_belongs():
    gone = replace(verdict(WRONG), suggestion=Correction("", "+ y", "a missing term", (12, 12), Where(1, 13), "gone"))
    assert lines(WRONG, gone)[1] == " " * 12 + "^"
    at_the_end = replace(gone, suggestion=replace(gone.suggestion, span=(len(WRONG), len(WRONG))))
    assert lines(WRONG, at_the_end)[1] == " " * len(WRONG) + "^"


def test_nothing_is_told_twice():
    told = lines(WRONG, verdict(WRONG, "- m2", message="- M2 should be x.\nAnd so on."))
    assert told[2:] == ["- M2 should be x.", "And so on."]


def test_a_difference_comes_with_correction_and_numbers():
    witness = Witness({"theta1": 0.5, "m2": 1.0}, 1.25, 2.5)
    told = "\n".join(lines(WRONG, verdict(WRONG, "- m2", witness=witness)))
    assert "It does not hold." in told and "- m2 should be x." in told
    assert "theta1 = 0.5" in told and "1.25" in told and "2.5" in told


def test_what_holds_is_told_briefly():
    fine = verdict(RIGHT, status="equal", message="Proven.")
    assert lines(RIGHT, fine) == ["Proven."]
    other = verdict(RIGHT, status="equal by convention", message="", convention="angles from the vertical")
    assert lines(RIGHT, other) == ["angles from the vertical"]


NONE = la.types.Verdicts("elbow", ())


def test_letters_that_were_taken_for_the_arms_are_told():
    told = run("elbow", "--text", "M22 = m2 b2^2").stdout.splitlines()
    assert told[-2] == "read b_2 as a2" and told[0].startswith("✓ equal")
    assert "read qd_1 as thetad1" in run("elbow", "--text", "c2 = m2 a1 a2 s2 qd1^2").stdout


def stub(monkeypatch, *statuses):
    """la.check that says this of any text."""
    found = la.types.Verdicts(
        "elbow",
        tuple(
            verdict("x = y", status=DEFINED if status == "open" else status, is_open=status == "open")
            for status in statuses
        ),
    )
    monkeypatch.setattr(la, "check", lambda arm, text, names=None: found, raising=False)


@pytest.mark.parametrize(
    ("statuses", "code"),
    [
        (("equal", "equal by convention"), 0),
        (("equal", DEFINED), 0),
        ((DEFINED, "open"), 3),
        (("open", "different"), 1),
        (("equal", "different"), 1),
        (("different", "unreadable"), 2),
        (("unreadable",), 2),
    ],
)
def test_exit_codes(monkeypatch, statuses, code):
    stub(monkeypatch, *statuses)
    result = run("elbow", "--text", "x = y", code=code)
    assert f"elbow: {len(statuses)} equation" in result.stdout.splitlines()[-1]
    assert all(status in result.stdout for status in statuses if status != "open")


SINE = "tau_2 = m2 a2^2 (qdd1 + qdd2) + m2 a1 a2 (c2 qdd1 + s2 qd1^2) + m2 g a2 s12"


def test_a_convention_that_could_be_a_slip_is_open():
    told = run("elbow", "--text", SINE, code=3).stdout
    assert told.splitlines()[-1] == "elbow: 1 equation: 1 equal by convention (1 could also be a slip)"
    assert "; with theta1 as in the arm, `m2 g a2 s12` should be `m2 g a2 c12`." in told
    told = run("elbow", "--text", f"{SINE}\n\ng_1 = (m1 + m2) g a1 s1 + m2 g a2 s12").stdout
    assert (
        told.count("Equal if theta1 is measured from the downward vertical") == 1 and "By the same convention." in told
    )
    run("elbow", "--text", f"{SINE}\n\nM22 = m2 a2", code=1)


def test_names_go_where_they_are_asked(monkeypatch):
    asked = []
    monkeypatch.setattr(
        la, "check", lambda arm, text, names=None: asked.append((arm.name, text, names)) or NONE, raising=False
    )
    run("elbow", "--text", "x = y", "--map", "L_1=a1", "--map", "L_2 = a2")
    run("polar", "-", given="y = z\r\n")
    assert asked == [("elbow", "x = y", {"L_1": "a1", "L_2": "a2"}), ("polar", "y = z\n", None)]


def test_which_needs_no_arm(monkeypatch, tmp_path):
    (tmp_path / "e.tex").write_text("x = y")
    found = (Candidate("elbow", la.load("elbow"), 3, 0, 4, ("L_1 as a1",)),)
    monkeypatch.setattr(la, "which_arm", lambda text: found, raising=False)
    stub(monkeypatch, "equal")
    alone = run("--which", str(tmp_path / "e.tex")).stdout
    assert "elbow: 3 of 4 equations hold (reading L_1 as a1)" in alone and "equal:" not in alone
    both = run("elbow", str(tmp_path / "e.tex"), "--which").stdout
    assert "3 of 4" in both and "elbow: 1 equation: 1 equal" in both


def test_json_says_the_same(monkeypatch):
    found = (verdict(WRONG, "- m2", witness=Witness({"theta1": 0.5}, 1.0, 2.0)),)
    monkeypatch.setattr(la, "check", lambda arm, text, names=None: found, raising=False)
    (entry,) = json.loads(run("elbow", "--text", WRONG, "--json", code=1).stdout)["verdicts"]
    assert entry["status"] == "different" and entry["suggestion"]["written"] == "- m2"
    assert entry["witness"] == {"state": {"theta1": 0.5}, "written": 1.0, "true": 2.0}


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ((), "no arm is given"),
        (("elbow",), "no equations are given"),
        (("elbw", "--text", "x=y"), "did you mean 'elbow'"),
        (("elbow", "there_is_no_file.tex"), "cannot be read"),
        (("elbow", "--text", "x=y", "--map", "a1"), "give yours=ours"),
        (("--which",), "no equations are given"),
    ],
)
def test_mistakes_are_told_in_one_line(args, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert told in mistake(*args)


@pytest.mark.skipif("check" not in la.__all__, reason="la.check is not public yet")
def test_the_sign_that_was_turned_is_found():
    assert "elbow: 1 equation: 1 equal" in run("elbow", "--text", RIGHT).stdout
    shown = run("elbow", "--text", WRONG, code=1).stdout
    assert "✗ different: line 1" in shown and "m2 a1 a2 s2" in under(shown.splitlines())


def test_a_file_that_is_no_text_is_refused(tmp_path):
    (tmp_path / "x.tex").write_bytes(b"\xff\xfe\x00")
    assert "is not UTF-8 text" in mistake("elbow", str(tmp_path / "x.tex"))


def test_a_verdict_is_explained(tmp_path):
    text = "h = m2 a1 a2 s2\n\nc_2 = h qd1^2\n\nP = m3 g"
    told = run("elbow", "--text", text, "--explain", "-o", str(tmp_path / "r.html"), code=2).stdout
    assert "h is what the text defines in line 1: `m2 a1 a2 s2`" in told
    assert "qd_1 is thetad1" in told and "s_2 is sin(theta2)" in told
    assert "is zero as a polynomial in a1, a2, m2, theta1' and theta2: it is for all their values" in told
    assert told.splitlines()[-1].startswith("elbow: 3 equations: 1 equal; 1 defined, not checked;")
    page = (tmp_path / "r.html").read_text()
    assert "How it was read" in page and page.count("<html") == 1
    given = json.loads(run("elbow", "--text", text, "--explain", "--json", code=2).stdout)["verdicts"]
    assert [each["open"] for each in given] == [False] * 3 and any("thetad1" in line for line in given[1]["explained"])


def test_a_report_that_cannot_be_written_costs_no_work(tmp_path):
    assert "Give ARM and one file" in mistake("elbow", "--text", "x = y", "--text", "y = z", "-o", "r.html")
    assert ".html" in mistake("elbow", "--text", "x = y", "-o", "r.pdf")
    assert "no folder" in mistake("elbow", "--text", "x = y", "-o", str(tmp_path / "none" / "r.html"))
