"""The report of an identification: what it draws, what it says, and that nothing in it is lost or half-written."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

import leverarm as la
from leverarm.documents import LEVELS
from leverarm.documents.html import to_html
from leverarm.errors import FormatError
from leverarm.formats.lint import Finding
from leverarm.identification.prediction import Validation
from leverarm.identification.report.identified import MOST_ROWS, error_table
from leverarm.identification.report.numbers import percent, short, unit_text, value_and_error
from leverarm.identification.report.parameters import WIDTH as BAR_WIDTH
from leverarm.identification.report.parameters import (
    combination_words,
    interval_bar,
    letters_of,
    reason_not_identifiable,
    shortened,
)
from leverarm.identification.report.plots import friction_at, time_line, torque_plots
from leverarm.identification.result import Estimate, Estimates, Identified, JointFriction
from leverarm.notation.text import to_text

RNG = np.random.default_rng


def estimate(name="link1.Izz", value=2.0, error=0.1, combination=None, **more):
    fields = {
        "name": name,
        "unit": "kg m^2",
        "value": value,
        "standard_error": error,
        "interval": (value - 2 * error, value + 2 * error),
        "percent": 100 * error / abs(value) if value else math.inf,
        "identifiable": error < 0.3 * abs(value),
        "combination": combination or ((1.0, name),),
        "cad": 1.5,
        "consistent": value,
    }
    return Estimate(**fields | more)


def validation(arm, name, samples, seed):
    rng = RNG(seed)
    t = np.arange(samples) / 500
    waves = rng.uniform(0.1, 0.6, arm.dof)
    predicted = 10 * np.sin(2 * np.pi * t[:, None] * waves)
    filtered = predicted + 0.3 * np.cos(t)[:, None]
    measured = filtered + rng.normal(size=predicted.shape)
    errors = dict(zip(arm.coordinates, rng.uniform(2, 9, arm.dof).tolist(), strict=True))
    return Validation(
        name=name,
        relative_error=6.84,
        filtered_error=3.21,
        all_rows_error=7.77,
        noise_error=1.23,
        per_joint=errors,
        per_joint_filtered={joint: 0.5 * error for joint, error in errors.items()},
        cad_error=31.4,
        cad_per_joint={joint: 4 * error for joint, error in errors.items()},
        floor=2.05,
        t=t,
        measured=measured,
        predicted=predicted,
        filtered=filtered,
        predicted_filtered=predicted,
        rests=np.abs(predicted) < 1.0,
    )


def joint_friction(joint, smoothing=None):
    speeds = np.concatenate((np.linspace(-1, -0.1, 8), np.linspace(0.1, 1, 8)))
    empty = JointFriction(joint, "viscous + Coulomb", 2.5, 1.25, None, None, smoothing, -0.5, ())
    return replace(empty, curve=(speeds, friction_at(empty, speeds), np.full(16, 0.1)))


def result(name="scara", samples=600, accepted=True, logs=1):
    arm = la.load(name)
    names = la.quantities.parameter_names(arm)
    parameters = [estimate(each, value=0.3 + k, error=0.02 * (k + 1)) for k, each in enumerate(names[:6])]
    parameters.append(estimate(names[6], value=0.01, error=0.5, combination=((1.0, names[6]), (-0.0825, names[1]))))
    parameters.append(estimate(f"{arm.coordinates[0]}.viscous", unit="N m s", cad=0.0))
    findings = (
        Finding("note", "rows 12-14 of log.csv", "3 rows go back in time and were dropped.", "Nothing to do."),
        Finding("warning", "time lag", "Torque is 6 ms late.", "Give `lag=0` to keep it."),
        Finding("error", "excitation", "The condition number is 4120.", "Move more joints at once."),
    )
    return Identified(
        arm=arm,
        given=arm,
        parameters=Estimates(parameters),
        covariance=np.diag([each.standard_error**2 for each in parameters]),
        frictions=tuple(joint_friction(joint) for joint in arm.coordinates),
        findings=findings,
        cross_validation=validation(arm, "log.csv", samples, 0),
        validations=tuple(validation(arm, f"other{k}.csv", samples, k + 1) for k in range(logs)),
        accepted=accepted,
        verdict="Predicts another motion to 6.8 %.\nUse it.",
        condition=54.3,
        rank=len(parameters),
        noise=dict.fromkeys(arm.coordinates, 1.0),
        settings={"rate [Hz]": 500.0, "cut-off [Hz]": 8.4, "estimator": "Huber"},
        seconds=1.4,
        predictor=None,
    )


# how curves are drawn


def test_times_of_several_logs_go_forward_and_long_gaps_are_left_out():
    t = np.arange(1000) / 100
    plain = time_line(t)
    assert plain.begins == () and np.array_equal(plain.t, t)
    twice = time_line(np.concatenate((t, t)))
    assert (np.diff(twice.t) > 0).all() and twice.piece[-1] == 1 and "left out" in twice.label
    far = time_line(np.concatenate((t, t + 3600)))
    assert far.t[-1] < 21 and len(far.begins) == 1
    near = time_line(np.concatenate((t, t + 11)))
    assert near.label == "time [s]" and near.begins == (11.0,) and near.t[-1] == pytest.approx(20.99)
    assert time_line(np.array([4.0])).piece.tolist() == [0]


@pytest.mark.parametrize("smoothing", [None, 0.2])
def test_the_friction_curve_is_that_of_the_arm(smoothing):
    """The same numbers in an arm without weight give the same forces."""
    numbers = {"viscous": 2.0, "coulomb": 3.0, "viscous_negative": 5.0, "coulomb_negative": 7.0, "offset": -0.5}
    law = la.Friction(**numbers, smoothing=smoothing)
    arm = la.load("elbow")
    body = replace(arm.bodies[0], joint=replace(arm.bodies[0].joint, friction=law))
    arm = replace(arm, bodies=(body, *arm.bodies[1:]))
    speeds = np.array([-1.3, -0.1, 0.05, 0.9])
    expected = [la.friction(arm, [speed, 0.0])[0] for speed in speeds]
    ours = JointFriction("q1", "asymmetric", 2.0, 3.0, 5.0, 7.0, smoothing, -0.5, ())
    assert friction_at(ours, speeds) == pytest.approx(expected, rel=1e-14)


# how things are written


@pytest.mark.parametrize(
    ("value", "error", "written"),
    [
        (1.23456, 0.0567, ("1.235", "0.057", "")),
        (-0.5, 2.4, ("−0.5", "2.4", "")),
        (-0.004, 2.4, ("0.0", "2.4", "")),
        (0.0015086, 0.0000021, ("1.5086", "0.0021", "·10⁻³")),
        (12346.0, 678.0, ("12350", "680", "")),
        (3.0, 0.0, ("3", "0", "")),
        (3.0, math.inf, ("3", "∞", "")),
        (3.0, 1e-12, ("3", "1·10⁻¹²", "")),
    ],
)
def test_a_value_ends_where_its_error_begins(value, error, written):
    assert value_and_error(value, error) == written


def test_numbers_have_the_digits_that_matter():
    assert [percent(x) for x in (0.421, 9.999, 14.23, 231.4, 1e7, None, math.nan)] == [
        "0.42", "10.0", "14.2", "231", "> 999", "–", "–",
    ]  # fmt: skip
    assert [short(x) for x in (0, -0.25, 1234567.0, 2e-7, -math.inf, None)] == [
        "0", "−0.25", "1.235·10⁶", "2·10⁻⁷", "−∞", "–",
    ]  # fmt: skip
    assert unit_text("kg m^2") == "kg m²"


def test_parameters_are_letters_with_indices():
    letters = letters_of(["link2.Ixx", "link3.m", "joint3.viscous", "joint3.coulomb_negative"])
    assert to_text(letters("link2.Ixx")) == "I_{xx,2}"
    assert to_text(letters("joint3.coulomb_negative")) == "F_{c-,3}"
    combination = ((1.0, "link2.Ixx"), (-0.08250001, "link3.m"), (2.0, "link2.Ixx"))
    words = combination_words(combination, letters)
    said = "".join(word if isinstance(word, str) else to_text(word) for word in words)
    assert said.replace("\u00a0", " ") == "I_{xx,2} − 0.0825 m_3 + 2 I_{xx,2}"


def test_links_with_the_same_number_keep_their_names():
    letters = letters_of(["left1.m", "right1.m", "right2.m"])
    assert [to_text(letters(f"{link}.m")) for link in ("left1", "right1", "right2")] == ["m_left1", "m_right1", "m_2"]
    assert to_text(letters("spring")) == "spring"


def test_words_that_all_names_share_are_left_out():
    assert shortened(("shoulder_pan_joint", "elbow_joint")) == ("shoulder_pan", "elbow")
    assert shortened(("panda_joint1", "panda_joint2")) == ("joint1", "joint2")
    assert shortened(("q1", "q2")) == ("q1", "q2")
    assert shortened(("a_joint", "joint")) == ("a_joint", "joint")
    assert shortened(("only_joint",)) == ("only_joint",)


def test_why_a_parameter_is_not_told():
    assert reason_not_identifiable(estimate()) == ""
    assert "holds zero" in reason_not_identifiable(estimate(value=0.1, error=1.0, identifiable=False))
    assert "40.0 %" in reason_not_identifiable(estimate(value=1.0, error=0.4, identifiable=False))
    assert "does not excite" in reason_not_identifiable(estimate(error=math.inf, identifiable=False))


def test_an_interval_is_drawn_on_its_side_of_zero():
    def places(pattern, figure):
        return [[float(x) for x in found.groups()] for found in re.finditer(pattern, figure.svg)]

    interval, circle, upright = r"M([\d.]+) 10H([\d.]+)", r'cx="([\d.]+)"', r"M([\d.]+) (?:0|3)v"
    bar = interval_bar(estimate(value=-2.0, error=0.5, cad=1.0))
    ((low, high),) = places(interval, bar)
    (zero,), (given_,) = places(upright, bar)
    (consistent,), (value,) = places(circle, bar)
    assert 0 < low < value == consistent < high < zero < given_ < BAR_WIDTH
    assert value - low == pytest.approx(high - value, abs=0.2)
    wide = interval_bar(estimate(value=1.0, error=math.inf, interval=(-math.inf, math.inf)))
    assert places(interval, wide) == [[0, BAR_WIDTH]] and wide.text == "−∞ to ∞"
    assert places(interval, interval_bar(estimate(interval=(math.nan, math.nan)))) == []


# the page


class Tags(HTMLParser):
    """Fails where an element is closed that is not open; collects names, targets and what would be fetched."""

    VOID = frozenset(("meta", "input", "br", "path", "circle"))

    def __init__(self):
        super().__init__()
        self.open, self.names, self.ids, self.links, self.outside = [], [], set(), set(), []

    def handle_starttag(self, tag, attributes):
        self.names.append(tag)
        found = dict(attributes)
        self.ids |= {found["id"]} if "id" in found else set()
        self.links |= {found["href"]} if "href" in found else set()
        self.outside += [found[key] for key in ("src", "xlink:href", "srcset") if key in found]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag


def read(page):
    tags = Tags()
    tags.feed(page)
    tags.close()
    assert tags.open == []
    return tags


def page_of(shown, level="full"):
    return to_html(shown.document(), LEVELS[level])


def test_the_page_is_whole_and_stands_alone():
    shown = result()
    page = page_of(shown)
    tags = read(page)
    assert "script" not in tags.names and tags.outside == []
    assert all(link[0] == "#" and link[1:] in tags.ids for link in tags.links)
    joints = shown.arm.dof
    assert tags.names.count("svg") == 2 * joints + joints + len(shown.parameters)
    assert re.findall(r"url\((?!data:)", page) == [] and "@import" not in page  # the font stands in the page
    assert tags.names.count("svg") == len(re.findall(r'role="img">\s*<title>[^<]+</title>', page))  # none without words
    assert not re.search(r"\b(nan|inf|None)\b", re.sub(r"<style>.*?</style>|<pre.*?</pre>", "", page, flags=re.S))


def test_figures_take_the_colours_of_a_light_or_dark_page():
    figure = next(torque_plots(result().arm, result().cross_validation, {}))
    assert "var(--orange,#d55e00)" in figure.svg and "var(--ink,#1d2939)" in figure.svg
    assert '"#1d2939"' not in figure.svg and "<rect" not in figure.svg
    names = re.findall(r"\.(pen\d+){([^}]*)}", "".join(each.svg for each in torques(result())))
    assert len(set(names)) == len({name for name, _ in names}) < len(names)  # the same rule wherever a name is


def torques(shown):
    return torque_plots(shown.arm, shown.cross_validation, shown.noise)


def test_torques_are_drawn_with_their_rests_and_the_noise_of_the_fit():
    shown = result()
    log = replace(shown.cross_validation, rests=shown.cross_validation.rests & False)
    still, moving = (list(torque_plots(shown.arm, each, shown.noise)) for each in (shown.cross_validation, log))
    assert [a.svg.count("v") > b.svg.count("v") for a, b in zip(still, moving, strict=True)] == [True] * shown.arm.dof
    assert "± 2 × noise" in still[0].svg
    assert "± 2 × noise" not in next(torque_plots(shown.arm, log, {})).svg


def test_a_gap_is_not_drawn_over_and_what_is_not_a_number_is_left_out():
    shown = result(samples=40)
    log = shown.cross_validation
    measured = log.measured.copy()
    measured[5, 0] = np.nan
    gap = replace(log, t=np.where(np.arange(40) < 25, log.t, log.t + 0.1), measured=measured)
    whole, broken = (next(torque_plots(shown.arm, each, {})).svg for each in (log, gap))
    curves = re.compile(r'<path class="pen\d+" d="(M-?\d+ -?\d+l[^"]*)"')
    lengths = [[len(re.findall(r"-?\d+", path)) // 2 for path in curves.findall(svg)] for svg in (whole, broken)]
    assert [sum(each) for each in lengths] == [4 * 40, 4 * 40 - 2]  # measured and raw residual lack a sample
    assert [len(each) for each in lengths] == [4, 8] and max(lengths[1]) == 25


def test_the_page_says_the_verdict_first_and_what_to_do():
    page = page_of(result(accepted=False))
    order = [page.index(each) for each in ("✗ Refused", "Prediction errors</a>", 'id="prediction-errors"', "<svg")]
    assert order == sorted(order)
    assert "Findings: 1 error, 1 warning, 1 note" in page and "✓ Accepted" not in page
    levels = [page.index(f">{level}</span>") for level in ("error", "warning", "note")]
    assert levels == sorted(levels)
    assert "Give <code>lag=0</code> to keep it." in page
    assert "✓ Accepted" in page_of(result())
    assert "force [N]" in page and "torque [N m]" in page  # a SCARA has a joint that slides


@pytest.mark.parametrize("ending", [".html", ".md", ".tex"])
def test_names_from_outside_are_text_and_nothing_else(ending, tmp_path):
    shown = result()
    hostile = '<script>alert("x")</script>'
    bad = replace(
        shown,
        verdict=hostile,
        findings=(Finding("warning", hostile, hostile, hostile),),
        settings={hostile: hostile},
        validations=(replace(shown.validations[0], name=hostile),),
        parameters=Estimates((estimate(f"{hostile}.m"), estimate(hostile))),
        frictions=(replace(shown.frictions[0], joint=hostile, model=hostile),),
    )
    text = bad.save(tmp_path / f"bad{ending}").read_text()
    if ending == ".html":
        assert "script" not in read(text).names
    assert "alert" in text


def test_each_line_of_the_errors_has_its_own_numbers():
    shown = result(logs=0)
    log, table = shown.cross_validation, error_table(shown)
    lines = {
        "all joints": (log.relative_error, log.filtered_error, log.cad_error),
        "all joints, rest included": (log.all_rows_error, None, None),
        "repeatability floor": (log.floor, None, None),
        "noise above the cut-off": (log.noise_error, None, None),
    }
    lines |= {
        joint: (log.per_joint[joint], log.per_joint_filtered[joint], log.cad_per_joint[joint])
        for joint in shown.arm.coordinates
    }
    group, *rows = table.rows
    assert group == ("log.csv: each block of the fitted log left out in turn, 600 samples",)
    written = {name: tuple("" if x is None else percent(x) for x in values) for name, values in lines.items()}
    assert {name: tuple(cells) for name, *cells in rows} == written


def test_a_joint_that_got_worse_is_marked():
    shown = result()
    first, *others = shown.arm.coordinates
    log = shown.validations[0]
    worse = replace(log, cad_per_joint={joint: 0.1 if joint == first else 99.0 for joint in (first, *others)})
    assert "▲" not in shown.text()
    marked = replace(shown, validations=(worse,))
    assert [row[0] for row in error_table(marked).rows if "▲" in str(row)] == [first]
    assert "▲: the nominal arm was better." in marked.text()


def test_blocks_left_out_are_drawn_last_where_another_motion_is_shown():
    blocks = "log.csv: each block predicted by a fit without it"
    assert blocks not in result().text("full") and blocks in result().text("every-line")
    assert blocks in result(logs=0).text("full")


def test_a_result_with_little_in_it_is_shown_all_the_same():
    shown = result()
    nothing = np.zeros((0, shown.arm.dof))
    log = replace(
        shown.cross_validation, t=np.zeros(0), measured=nothing, predicted=nothing, filtered=nothing, predicted_filtered=nothing, floor=None,
        rests=nothing > 0, cad_error=None, cad_per_joint=None,
    )  # fmt: skip
    none = np.zeros(0)
    empty = replace(
        shown, validations=(), cross_validation=log, findings=(), settings={}, parameters=Estimates(),
        frictions=(replace(shown.frictions[0], curve=(none, none, none)),),
    )  # fmt: skip
    read(page_of(empty))
    assert json.loads(empty.to_json())["cross_validation"]["samples"] == 0
    assert "0 of 0" in empty.text() and "No findings." in empty.text()


# for programs


def test_json_has_everything_and_no_infinity():
    shown = result(samples=5000)
    unknown = estimate("link1.m", error=math.inf, interval=(-math.inf, math.inf), percent=math.inf, identifiable=False)
    text = replace(shown, parameters=Estimates((*shown.parameters, unknown))).to_json()
    plain = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    fields = {
        "arm", "accepted", "verdict", "condition", "rank", "noise", "parameters", "frictions", "findings",
        "cross_validation", "validations", "settings", "seconds", "versions", "covariance",
    }  # fmt: skip
    assert fields <= plain.keys()
    assert plain["parameters"][-1]["interval"] == [None, None]
    assert plain["parameters"][6]["combination"] == [list(pair) for pair in shown.parameters[6].combination]
    assert plain["parameters"][0]["value"] == shown.parameters[0].value
    (log,) = plain["validations"]
    signals = log["signals"]
    assert len(signals["t"]) <= MOST_ROWS and log["samples"] == 5000
    joint = shown.arm.coordinates[1]
    kept = shown.validations[0].measured[:: signals["every"], 1]
    assert signals["measured"][joint] == pytest.approx(kept.tolist(), rel=1e-5)
    assert log["rests"][joint] == int(shown.validations[0].rests[:, 1].sum())
    assert np.sqrt(np.diag(plain["covariance"])) == pytest.approx([each.standard_error for each in shown.parameters])
    assert plain["versions"]["leverarm"] == la.__version__


def test_files_are_written_together_and_small(tmp_path):
    shown = result("panda", samples=20_000)
    folder = shown.save(tmp_path / "new" / "folder")
    page, data = folder / "report.html", folder / "result.json"
    assert page.stat().st_size < 1_500_000 and data.stat().st_size < 1_500_000
    names = ["arm.toml", "arm.urdf", "report.html", "result.json"]
    assert sorted(each.name for each in folder.iterdir()) == names
    (tmp_path / "file").write_text("")
    with pytest.raises(FormatError, match="is a file"):
        shown.save(tmp_path / "file")


def test_one_file_is_written_by_its_ending(tmp_path):
    shown = result()
    for ending in (".html", ".md", ".tex", ".txt", ".ipynb", ".json", ".toml", ".urdf"):
        assert shown.save(tmp_path / f"one{ending}").is_file()
    assert (tmp_path / "one.json").read_text() == shown.to_json()
    assert la.load(tmp_path / "one.toml").joint_names == shown.arm.joint_names
    assert shown.save(tmp_path / "2026.11").is_dir()
    with pytest.raises(FormatError, match=r"'one\.xlsx' is no part of a result. Valid: \.html, .*\.urdf, or a folder"):
        shown.save(tmp_path / "one.xlsx")


def test_a_notebook_has_the_arm_and_its_parameters(tmp_path):
    unknown = estimate("link1.m", error=math.inf, interval=(-math.inf, math.inf), percent=math.inf, identifiable=False)
    shown = replace(result(), parameters=Estimates((*result().parameters, unknown)))
    cells = json.loads(shown.save(tmp_path / "one.ipynb").read_text())["cells"]
    names = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    assert names["arm"] == shown.arm
    expected = {each.name: (each.value, each.standard_error) for each in shown.parameters}
    assert names["estimates"] == expected


def test_a_notebook_shows_the_page_in_a_frame():
    shown = result()._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and shown.count("<") == 2  # the page itself is escaped


# for a terminal


@pytest.mark.parametrize("name", ["panda", "ur10", "scara"])
def test_the_summary_fits_a_terminal(name):
    text = result(name).text()
    lines = text.splitlines()
    assert max(map(len, lines)) <= 100 and 15 <= len(lines) <= 80
    assert all(line == line.rstrip() for line in lines)
    assert max(map(len, result(name).text("every-line", width=60).splitlines())) <= 60


def test_the_summary_says_what_matters():
    shown = result(accepted=False)
    text = shown.text()
    assert text.startswith("Identification of scara") and "✗ Refused. Predicts another motion to 6.8 %. Use it." in text
    assert "6.84" in text and "31.4" in text and "2.05" in text
    assert "7 of 8 parameters are identifiable" in text and f"not identifiable: {shown.parameters[6].name}" in text
    assert text.index("[error] excitation") < text.index("[warning] time lag") < text.index("[note] rows 12-14")
    assert "Findings: 1 error, 1 warning, 1 note" in text


def test_friction_that_differs_backward_is_shown_both_ways():
    shown = result()
    uneven = replace(shown.frictions[0], viscous_negative=3.5, coulomb_negative=0.75)
    text = replace(shown, frictions=(uneven, *shown.frictions[1:])).text()
    assert "2.5, 3.5" in text and "1.25, 0.75" in text


def test_a_hostile_name_of_an_arm_cannot_end_the_text_of_a_notebook(tmp_path):
    shown = result()
    shown = replace(shown, arm=replace(shown.arm, title='""" + nothing + """'))
    cells = json.loads(shown.save(tmp_path / "one.ipynb").read_text())["cells"]
    names = {}
    exec("".join(next(cell for cell in cells if cell["cell_type"] == "code")["source"]), names)
    assert names["arm"] == shown.arm
