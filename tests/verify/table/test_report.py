"""Reports of properties: what is shown encloses what is known, files are whole, and nothing escapes its markup."""

from __future__ import annotations

import json
import math
import re
import shutil
import subprocess
from dataclasses import dataclass
from decimal import Decimal
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

import leverarm as la
from leverarm.documents.html import to_html
from leverarm.documents.saving import RENDERERS
from leverarm.errors import FormatError, InputError
from leverarm.verify.enclosures.extremes import EXTREMES
from leverarm.verify.statements import said
from leverarm.verify.table.bound_rows import bound_row, disturbance_property, missing_row, unit_of
from leverarm.verify.table.box import Box, box_of
from leverarm.verify.table.digits import nearest, outward, percent, rounded_down, rounded_up, state_lines
from leverarm.verify.table.gathering import gather, properties
from leverarm.verify.table.property import SECTIONS, Bound, Properties, Property, capital, in_sections, plain
from leverarm.verify.table.resuming import Draft, previous_bounds

FLOATS = st.floats(allow_nan=False, allow_infinity=False)
WITNESS = {"q": (math.pi / 2, -0.25)}


def enclosed(key="mu1", lower=0.1717234, upper=0.1718134, arm=None, **kwargs):
    unit = unit_of(key, arm or la.load("elbow"))
    return bound_row(key, Bound(lower, upper, "certified enclosure", WITNESS, unit, 1.5, ""), "2", **kwargs)


def identity(key="skew", **changes):
    fields = {
        "title": ("skew-symmetric",), "statement": "S is skew", "formula": said("{S} = {S_T}"),
        "how": "exact identity", "found": ("proven",), "seconds": 0.02,
    }  # fmt: skip
    return Property(key, **(fields | changes))


def table(*rows, name="elbow", finished=True):
    arm = la.load(name)
    box = Box(arm, (-math.pi,) * arm.dof, (math.pi,) * arm.dof, ("a full turn is taken",), ())
    return Properties(arm, box, rows or (identity(), enclosed(), missing_row("g_b", "2", "none: no limits")), finished)


# numbers


@given(FLOATS, FLOATS)
def test_what_is_shown_encloses_what_is_known(a, b):
    lower, upper = sorted((a, b))
    low, high = outward(lower, upper)
    assert Decimal(low) <= Decimal(lower) and Decimal(upper) <= Decimal(high)


@given(FLOATS)
def test_one_side_is_rounded_away_from_the_quantity(x):
    assert Decimal(rounded_down(x)) <= Decimal(x) <= Decimal(rounded_up(x))


@given(st.floats(1e-3, 1e3), st.floats(1e-8, 0.5))
def test_digits_stop_where_they_stop_being_certain(lower, gap):
    upper = lower * (1 + gap)
    low, high = outward(lower, upper)
    apart = Decimal(upper) - Decimal(lower)
    assert Decimal(high) - Decimal(low) <= apart * Decimal("1.21") + Decimal(10) ** (Decimal(upper).adjusted() - 8)
    assert len(low.replace(".", "").lstrip("0")) <= 10 and len(high.replace(".", "").lstrip("0")) <= 11


@pytest.mark.parametrize(
    ("sides", "shown"),
    [
        ((0.18172345, 0.18180999), ("0.181723", "0.181810")),
        ((1.75, 1.9), ("1.75", "1.90")),
        ((0.0, 0.0), ("0", "0")),
        ((-0.25, 0.5), ("-0.250", "0.500")),
        ((1234567.0, 1234569.0), ("1234567.0", "1234569.0")),
        ((1.5e-9, 1.6e-9), ("1.49e-9", "1.61e-9")),
        ((1e12, 2e12), ("1.00e12", "2.00e12")),
        ((0.1, 0.1), ("0.1000000000", "0.1000000001")),  # the float 0.1 is a little more than a tenth
    ],
)
def test_digits_of_an_enclosure(sides, shown):
    assert outward(*sides) == shown


def test_gaps_are_never_shown_smaller_than_they_are():
    assert percent(0.0501) == "5.1 %" and percent(1.234e-9) == "1.3e-7 %"
    assert percent(0.0) == "0 %" and percent(math.inf) == "unknown"
    assert nearest(90.0) == "90"


# rows


def test_a_gap_is_relative_to_the_larger_side():
    assert Bound(0.9, 1.0, "certified enclosure", None, "", 0, "").gap == pytest.approx(0.1)
    assert Bound(0.0, 0.0, "declared", None, "", 0, "").gap == 0
    assert Bound(None, 1.0, "certified enclosure", None, "", 0, "").gap == math.inf
    assert Bound(1.0, math.inf, "certified enclosure", None, "", 0, "").gap == math.inf


def test_units_follow_the_joints():
    elbow, polar = la.load("elbow"), la.load("polar")
    assert (unit_of("mu1", elbow), unit_of("g_b", elbow), unit_of("lambda2", elbow)) == ("kg m^2", "N m", "kg")
    assert unit_of("mu1", polar) == unit_of("g_b", polar) == "SI units"


def test_the_norm_is_said():
    for norm, words in (("2", "2-norm"), ("inf", "infinity norm"), ("fro", "Frobenius")):
        row = bound_row("norm_upper", Bound(1, 2, "certified enclosure", None, "kg", 0, ""), norm)
        assert any(words in line for line in row.detail) and norm in row.statement


def test_constants_are_attributes_and_lines_are_items():
    p = table()
    assert p.mu1.lower == 0.1717234 and p["skew"].value == "proven" and len(p) == len(list(p)) == 3
    with pytest.raises(InputError, match=r"g_b is not known for 'elbow': none: no limits"):
        _ = p.g_b
    with pytest.raises(InputError, match="did you mean 'skew'"):
        _ = p["skw"]


def test_sections_keep_the_order_of_the_source_and_lose_no_line():
    rows = (enclosed("lambda1"), identity("unheard"), enclosed("mu2"), identity(), enclosed("mu1"))
    sections = in_sections(rows)
    assert [row.key for _, lines in sections for row in lines] == ["mu1", "mu2", "skew", "lambda1", "unheard"]
    assert sections[-1][0] == "Further properties"


def test_a_state_is_given_in_degrees_and_metres():
    assert state_lines(la.load("elbow"), WITNESS) == ("q = (90°, -14.324°)",)
    both = state_lines(la.load("polar"), {"q": (math.pi / 6, 0.5), "qd": (0.6, 0.8)})
    assert both == ("q = (30°, 0.5 m)", "qd = (0.6 rad/s, 0.8 m/s)")


# formulas


def test_formulas_are_written_by_every_renderer():
    row = enclosed("norm_upper")
    assert row.value == "0.171723 <= norm_upper <= 0.171814 kg m^2" and row.statement == "||M(q)||_2 <= norm_upper"
    assert row.latex == r"\Vert M(q) \Vert_2 \le \Vert M \Vert_{\mathrm{upper}}"
    assert row.latex_value == r"0.171723 \le \Vert M \Vert_{\mathrm{upper}} \le 0.171814\ \mathrm{kg\,m^2}"
    assert "0.171723 ≤ ‖M‖ᵤₚₚₑᵣ ≤ 0.171814 kg m²" in table(row).text()
    infinite = bound_row("norm_lower", row.bound, "inf")
    assert infinite.statement == "norm_lower <= ||M(q)||_inf" and r"\Vert_{\infty }" in infinite.latex


def test_sentences_hold_formulas_and_begin_with_a_capital():
    words = said("every entry of {S} + {S_T} is zero in {place}.", place="{Mars}")
    assert plain(words) == "every entry of S + S^T is zero in {Mars}."
    assert plain(capital(words)).startswith("Every entry") and capital(words[1:]) == words[1:]
    line = properties(la.load("elbow"), boxes=1, processes=1)["velocity_terms"]
    assert line.detail[0].startswith("c_1 (theta1): Coriolis -2 m2 a1 a2 s2 thetad1 thetad2; centripetal -m2 a1 a2 s2")
    assert [type(piece).__name__ for piece in line.remarks[0]].count("Product") == 2


# files


FORMS = (*RENDERERS, ".json")
VOID = {"meta", "link", "col", "input", "br"}


class Tags(HTMLParser):
    """Counts the elements that are open, and collects what they refer to."""

    def __init__(self):
        super().__init__()
        self.open, self.addresses, self.seen = [], [], []

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        self.addresses += [value for name, value in attrs if name in ("src", "href")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def page_of(properties):
    return to_html(properties.document)


def test_the_page_is_whole_and_needs_nothing_from_outside():
    page = page_of(table())
    tags = Tags()
    tags.feed(page)
    assert tags.open == [] and "script" not in tags.seen and "link" not in tags.seen and "img" not in tags.seen
    assert all(address.startswith("#") for address in tags.addresses)
    assert re.findall(r"url\((?!data:)", page) == [] and "http" not in page  # the font of formulas stands in the page
    assert "certified enclosure" in page and "exact identity" in page and "Interrupted" not in page
    assert "0.171723" in page and "0.171814" in page and "gap 0.053 %" in page
    assert "Interrupted" in page_of(table(finished=False))


def test_the_page_says_only_what_was_established():
    page = page_of(table(identity()))
    assert "exact identity" in page and ">certified enclosure<" not in page and ">sampled estimate<" not in page


HOSTILE = "</style><script>alert(1)</script> & \\input{x} | $y$ `z`"


def test_names_cannot_break_out_of_a_report(tmp_path):
    row = identity(title=(HOSTILE,), statement=HOSTILE, formula=(), found=(HOSTILE,), remarks=((HOSTILE,),))
    page = page_of(table(row))
    tags = Tags()
    tags.feed(page)
    assert "script" not in tags.seen and tags.open == []
    table(row).save(tmp_path / "report.tex")
    assert "\\input{x}" not in (tmp_path / "report.tex").read_text()
    table(row).save(tmp_path / "report.md")
    lines = (tmp_path / "report.md").read_text().splitlines()
    assert all(len(re.findall(r"(?<!\\)\|", line)) == 6 for line in lines if "script" in line and line.startswith("|"))


def test_every_ending_is_written_and_others_are_refused(tmp_path):
    for ending in FORMS:
        table().save(tmp_path / f"report{ending}")
        assert "0.171723" in (tmp_path / f"report{ending}").read_text()
    with pytest.raises(FormatError, match=r"'report.pdf' does not end like a document. Valid: .html"):
        table().save(tmp_path / "report.pdf")
    assert sorted(path.suffix for path in tmp_path.iterdir()) == sorted(FORMS)


def test_json_keeps_every_digit(tmp_path):
    third = 1 / 3
    table(enclosed(lower=third, upper=math.nextafter(third, 1))).save(tmp_path / "p.json")
    found = json.loads((tmp_path / "p.json").read_text())
    (row,) = found["rows"]
    assert row["bound"]["lower"] == third and row["bound"]["upper"] == math.nextafter(third, 1)
    assert row["bound"]["witness"] == {"q": [math.pi / 2, -0.25]} and row["section"] == "Inertia matrix"
    assert found["box"] == {"theta1": [-math.pi, math.pi], "theta2": [-math.pi, math.pi]}
    assert found == table(enclosed(lower=third, upper=math.nextafter(third, 1))).facts()


def test_unknown_sides_are_null_in_json():
    row = enclosed(lower=None, upper=None)
    assert row.value == "nothing is known yet"
    bound = table(row).facts()["rows"][0]["bound"]
    assert bound["lower"] is bound["upper"] is bound["gap"] is None


def test_lines_of_text_fit():
    text = table(identity(remarks=(("a sentence of several words " * 12,),))).text(60)
    assert max(map(len, text.splitlines()[2:])) <= 60 and "skew-symmetric" in text


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_the_document_is_set_without_overfull_lines(tmp_path):
    rows = (identity(), identity("at_rest", formula=(), statement="50 % & more_ #1"), enclosed(), enclosed("v_b"))
    table(*rows, enclosed("mu2", lower=1e-12, upper=2e-12)).save(tmp_path / "p.tex")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "p.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Overfull" not in done.stdout


# putting the table together


@dataclass(frozen=True)
class Found:
    lower: float
    upper: float
    witness: dict[str, tuple[float, ...]] | None = None
    seconds: float = 1.0
    note: str = ""
    part: None = None
    left: None = None


def gathered(name="elbow", found=None, ranges=None, earlier=None, norm="2", interrupt=False):
    """The table of an arm whose constants are enclosed by what is given."""
    box, told = box_of(la.load(name) if isinstance(name, str) else name, ranges), []
    known = Draft(box, norm, lambda key, bound: told.append((key, bound)), earlier or {})
    known.add(disturbance_property())

    def narrow(tell):
        for key, each in (found or {}).items():
            tell(key, each)
        if interrupt:
            raise KeyboardInterrupt

    finished = gather(known, narrow)
    return Properties(box.arm, known.box, known.rows(), finished), told


ALL = {key: Found(1.0 + k, 1.5 + k, WITNESS) for k, key in enumerate(EXTREMES)}


def test_the_table_has_every_line_of_the_source_and_how_it_is_known():
    p, told = gathered(found=ALL)
    assert p.finished and told[-1] == ("lambda2", p.lambda2)
    how = {row.key: row.how for row in p}
    proven = ("symmetric", "positive_definite", "quadratic", "factorised", "skew", "at_rest", "velocity_terms", "energy",
              "passivity", "linear", "base_parameters")  # fmt: skip
    assert all(how[key] == "exact identity" for key in proven)
    assert all(how[key] == "certified enclosure" for key in EXTREMES)
    assert [title for title, _ in in_sections(p.rows)] == list(SECTIONS)
    assert p.mu1.lower == 1.0 and p.mu1.upper == 1.5 and p.mu1.witness == WITNESS and p.mu1.unit == "kg m^2"


def test_ctrl_c_leaves_what_is_known(tmp_path):
    p, _ = gathered(found={"mu1": Found(0.5, 1.0), "mu2": Found(5.0, 6.0)}, interrupt=True)
    assert not p.finished and p.mu1.lower == 0.5 and p.mu2.upper == 6.0
    assert p["v_b"].value == "not reached: interrupted" and p["v_b"].how == "none" and p["skew"].value == "proven"
    for ending in FORMS:
        p.save(tmp_path / f"p{ending}")
    assert json.loads((tmp_path / "p.json").read_text())["finished"] is False
    assert "Interrupted" in (tmp_path / "p.html").read_text() and "Interrupted" in p.text()


def test_ctrl_c_before_the_first_proof_leaves_a_table(monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("leverarm.verify.table.gathering.exact_states", interrupted)
    p, _ = gathered(found=ALL)
    assert not p.finished and p["k"].how == "declared" and p["mu1"].value == "not reached: interrupted"
    assert "Nothing is established yet" in p.text()


def test_a_joint_without_limits_has_no_bounds_but_their_growth():
    p, told = gathered("polar", found=ALL)
    assert p.finished and not any(bound for _, bound in told)
    assert p["mu2"].value == "no bound: r has no range" and "box={'r': (low, high)}" in p["mu2"].detail[0]
    assert p["growth"].how == "exact identity" and p.facts()["box"]["r"] is None
    bounded, _ = gathered("polar", found=ALL, ranges={"r": (0.5, 1.5)})
    assert bounded.mu2.upper == 2.5 and "growth" not in [row.key for row in bounded]


@pytest.mark.parametrize("name", ["point-mass", "scara"])
def test_a_joint_that_nothing_depends_on_needs_no_range(name):
    p, _ = gathered(name, found=ALL)
    assert p.box.missing and "none is needed" in p.box.notes[-1] and "growth" not in [row.key for row in p]
    assert (p.mu1.lower, p.g_b.upper, p.lambda1.lower) == (1.0, 5.5, 7.0)


def test_only_the_ranges_that_matter_are_asked_for():
    p, _ = gathered("cylindrical", found=ALL)
    assert p.box.missing == ("d2", "d3") and p["mu1"].value == "no bound: d3 has no range"
    assert "d2: no range, and none is needed" in p.box.notes[-1] and "|d2|" not in p["growth"].value
    assert p.facts()["box"]["d2"] is None


def test_an_effective_mass_that_depends_on_a_missing_range_is_left_out():
    """Two wheels that gravity does not move, the second on a slide: only where its tool is depends on the slide."""
    slide = la.Joint("s", la.JointKind.PRISMATIC, axis=la.types.Vec3(1, 0, 0))
    turn = la.Joint("a", la.JointKind.REVOLUTE)
    wheel = la.MassProperties(2, la.types.Vec3(0, 0, 0), la.types.Symmetric3(1, 0, 1, 0, 0, 1))
    light = la.MassProperties(0, la.types.Vec3(0, 0, 0), la.types.Symmetric3(0, 0, 0, 0, 0, 1))
    arm = la.Arm("wheel", (la.Body("w", "base", turn, wheel), la.Body("t", "w", slide, light)))
    p, _ = gathered(arm, found=ALL)
    assert p.mu1.lower == 1.0 and p["lambda1"].value == "no bound: s has no range"


def test_what_is_exactly_zero_is_said_to_be():
    p, _ = gathered("point-mass", found=ALL)
    assert (p["v_b"].value, p["v_b"].how, p.v_b.gap) == ("v_b = 0 kg", "exact identity", 0.0)
    assert p["g_b"].how == "certified enclosure"


def test_a_positive_lower_bound_proves_definiteness_over_the_box():
    fine, _ = gathered("polar", found=ALL, ranges={"r": (0.5, 1.5)})
    assert fine["positive_definite"].how == "certified enclosure"
    vague, _ = gathered("polar", found=ALL | {"mu1": Found(-0.1, 1.0)}, ranges={"r": (0.0, 1.5)})
    assert vague["positive_definite"].how != "certified enclosure"


def test_what_an_earlier_report_knows_better_is_kept():
    first, _ = gathered(found=ALL | {"mu1": Found(0.9, 1.2), "norm_upper": Found(3.0, 4.0)})
    earlier = {row.key: (row.statement, row.bound) for row in first if row.how == "certified enclosure"}
    now, _ = gathered(found=ALL | {"mu1": Found(0.5, 1.1), "norm_upper": Found(1.0, 9.0)}, earlier=earlier, norm="fro")
    assert (now.mu1.lower, now.mu1.upper) == (0.9, 1.1)
    assert (now.norm_upper.lower, now.m2.upper) == (1.0, 9.0)  # a bound of another norm says nothing
    stopped, _ = gathered(found={"mu1": Found(0.5, 1.1)}, earlier=earlier, interrupt=True)
    assert (stopped.g_b.lower, stopped.g_b.upper) == (first.g_b.lower, first.g_b.upper)  # Ctrl-C loses nothing
    with pytest.raises(InputError, match="contradicts"):
        gathered(found=ALL | {"mu1": Found(2.0, 3.0)}, earlier=earlier)


def test_enclosures_over_different_parts_of_the_box_are_not_joined():
    here, there = "over theta2 0..1", "over theta2 1..2"
    first, _ = gathered(found=ALL | {"lambda2": Found(5.0, 6.0, note=here)})
    earlier = {row.key: (row.statement, row.bound) for row in first if row.how == "certified enclosure"}
    for sides, note, kept in (((4.0, 5.5), here, (5.0, 5.5)), ((7.0, 7.1), there, (7.0, 7.1)),
                              ((7.0, 99.0), there, (5.0, 6.0)), ((7.0, math.inf), there, (5.0, 6.0))):  # fmt: skip
        now, _ = gathered(found=ALL | {"lambda2": Found(*sides, note=note)}, earlier=earlier)
        assert (now.lambda2.lower, now.lambda2.upper) == kept


def test_a_side_that_is_infinite_is_not_known_and_a_norm_is_not_negative():
    p, _ = gathered(found={key: Found(-math.inf, math.inf) for key in EXTREMES})
    assert (p.mu1.lower, p.v_b.lower, p.g_b.upper) == (0.0, 0.0, None)  # M of the elbow is proven to be definite
    assert "the other side is not known yet" in p.text(120) and "Bounded from one side with certainty: 8" in p.text(120)
    polar, _ = gathered(
        "polar", found={"mu1": Found(-math.inf, 1.0), "norm_lower": Found(-0.1, 1.0)}, ranges={"r": (0.0, 1.5)}
    )
    assert polar.mu1.lower is None and polar.norm_lower.lower == 0.0
    assert any("units are mixed" in line for line in polar["mu1"].detail)


@pytest.mark.parametrize("given", [-1, math.nan, math.inf, "long", True])
def test_times_that_are_none_are_refused(given):
    with pytest.raises(InputError, match="seconds="):
        properties(la.load("elbow"), seconds=given)


@pytest.mark.parametrize("given", [0, -3, 2.5, True, "many"])
def test_boxes_are_a_count(given):
    with pytest.raises(InputError, match="boxes="):
        properties(la.load("elbow"), boxes=given)


@pytest.mark.slow
def test_boxes_alone_give_the_same_bounds_each_time():
    first, again = (
        la.properties(la.load("rr"), {"q1": (-1, 1), "q2": (0.2, 2)}, boxes=20, processes=1) for _ in range(2)
    )
    for key in ("mu1", "mu2", "v_b", "g_b"):
        assert (first[key].bound.lower, first[key].bound.upper) == (again[key].bound.lower, again[key].bound.upper)
        assert first.left[key].looked_at <= 20


def test_a_norm_that_is_none_is_refused():
    with pytest.raises(InputError, match="no norm named 'max'"):
        properties(la.load("elbow"), norm="max")


def test_what_many_lines_say_is_said_once():
    p, _ = gathered(found=ALL)
    text = p.text(100)
    assert text.count("Proven for every position and motion") == 1 and "note 1" in text


# going on with an earlier report


def test_an_earlier_report_gives_its_certified_bounds_back(tmp_path):
    p = table(identity(), enclosed(), missing_row("g_b", "2", "none"))
    p.save(tmp_path / "p.json")
    found = previous_bounds(tmp_path / "p.json", p.box)
    assert found == {"mu1": (p["mu1"].statement, p.mu1)}


@pytest.mark.parametrize("nonsense", ["NaN", "Infinity", "1e999", '"x"', "0.9", "[]"])
def test_a_report_with_sides_that_enclose_nothing_is_refused(tmp_path, nonsense):
    table(enclosed(lower=0.25, upper=0.5)).save(tmp_path / "p.json")
    text = (tmp_path / "p.json").read_text()
    assert '"lower":0.25' in text
    (tmp_path / "p.json").write_text(text.replace('"lower":0.25', f'"lower":{nonsense}'))
    with pytest.raises(FormatError, match="is not a report"):
        previous_bounds(tmp_path / "p.json", table().box)


def test_a_report_of_something_else_is_refused(tmp_path):
    table().save(tmp_path / "p.json")
    p = table()
    heavier = la.with_values(p.arm, m1=2)
    with pytest.raises(InputError, match="as it was then"):
        previous_bounds(tmp_path / "p.json", Box(heavier, p.box.lower, p.box.upper, (), ()))
    with pytest.raises(InputError, match="other ranges"):
        previous_bounds(tmp_path / "p.json", Box(p.arm, p.box.lower, (1.0, 1.0), (), ()))
    stale = (tmp_path / "p.json").read_text().replace(f'"version":"{la.__version__}"', '"version":"0.0.1"')
    (tmp_path / "old.json").write_text(stale)
    with pytest.raises(InputError, match=r"made by leverarm 0\.0\.1"):
        previous_bounds(tmp_path / "old.json", p.box)


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{}", b"\xff\xfe", b'{"format": "leverarm properties 1"}', b"[" * 10**5]
)
def test_a_file_that_is_no_report_is_refused(tmp_path, content):
    (tmp_path / "p.json").write_bytes(content)
    with pytest.raises(FormatError, match="is not a report of properties"):
        previous_bounds(tmp_path / "p.json", table().box)


@pytest.mark.slow
def test_a_later_run_goes_on_with_the_boxes_that_are_left(tmp_path):
    arm, report = la.load("puma560"), tmp_path / "puma.json"
    first = la.properties(arm, boxes=40, processes=1)
    first.save(report)
    assert len(first.left["v_b"].bound) and (tmp_path / "puma.boxes.npz").is_file()
    second = la.properties(arm, boxes=60, processes=1, resume=report)
    assert (first.left["v_b"].looked_at, second.left["v_b"].looked_at) == (40, 100)
    assert second.v_b.upper <= first.v_b.upper and second.v_b.lower >= first.v_b.lower
    widest = max(first.left["v_b"].halves.max(1))
    assert max(second.left["v_b"].halves.max(1)) <= widest


@pytest.mark.slow
def test_boxes_of_another_run_are_not_taken_up(tmp_path):
    arm, report = la.load("puma560"), tmp_path / "puma.json"
    first = la.properties(arm, boxes=40, processes=1)
    first.save(report)
    (tmp_path / "puma.boxes.npz").write_bytes(b"PK not a file of boxes")
    second = la.properties(arm, boxes=10, processes=1, resume=report)
    assert second.left["v_b"].looked_at == 10
    assert second.v_b.upper <= first.v_b.upper
