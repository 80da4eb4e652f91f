"""A report: tables with groups and marks, facts, items, verdicts and figures, in every form."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from leverarm.documents import Document, Figure, Items, Mark, Paragraph, Section, Table, Verdict
from leverarm.documents.document import Code, Level, marks, numbered
from leverarm.documents.html import to_html
from leverarm.documents.latex import to_latex_document
from leverarm.documents.markdown import to_markdown
from leverarm.documents.notebook import to_notebook
from leverarm.documents.page import page
from leverarm.documents.saving import RENDERERS, save
from leverarm.documents.terminal import to_terminal, to_text
from leverarm.documents.terminal_lines import cells
from leverarm.errors import FormatError
from leverarm.notation.vocabulary import Writing
from tests.support.sample_document import REPORT, SAMPLE


def with_block(block) -> Document:
    return Document("Title", (), (Section("Part", (block,)),), Writing(), layout="report")


@pytest.mark.parametrize("ending", RENDERERS)
def test_every_word_of_a_report_is_in_every_form(ending):
    text = RENDERERS[ending](REPORT, Level.FULL)
    for word in ("3.4", "of the torque", "log-2.csv", "14.2", "Upper bound", "sampled", "Perhaps.", "A bar."):
        assert word in text or (word == "A bar." and "a bar" in text), word


@pytest.mark.parametrize("width", [24, 40, 60, 80, 120])
def test_lines_are_never_wider_than_the_terminal(width):
    lines = to_text(REPORT, width=width).splitlines()
    assert max(map(cells, lines)) <= width


def test_numbers_stand_flush_right_below_their_heads():
    lines = to_text(REPORT).splitlines()
    rows = [line for line in lines if re.search(r"(all|3\.4|12\.0|3\.9) +", line) and "error " not in line]
    ends = {re.match(r"  [a-z \[\]%]*?(all|[\d.]+)", line).end() for line in rows}
    assert len(rows) >= 3 and len(ends) == 1


def test_marks_and_verdicts_have_the_colour_of_their_tone():
    text = to_terminal(REPORT)
    styles = {(text.plain[span.start : span.end], span.style) for span in text.spans}
    assert {("[proven]", "green"), ("[sampled]", "yellow"), ("✗ The sign of K is wrong.", "red")} <= styles
    assert [mark.word for mark in marks(REPORT)] == ["proven", "sampled", "proven", "sampled"]


def test_a_report_has_no_numbers_and_a_text_has():
    assert {number for _, number, _ in numbered(REPORT)} == {""}
    assert [(depth, number) for depth, number, _ in numbered(SAMPLE)][:3] == [(1, "1"), (2, "1.1"), (1, "2")]
    assert r"\section*{Errors}" in to_latex_document(REPORT)
    assert "## Errors" in to_markdown(REPORT) and "## 1. Kinematics" in to_markdown(SAMPLE)


def test_switches_are_there_where_they_do_something():
    assert 'name="level"' in to_html(SAMPLE) and 'id="python"' in to_html(SAMPLE)
    assert 'name="level"' not in to_html(REPORT) and 'id="python"' not in to_html(REPORT)
    assert 'id="python"' in to_html(with_block(Code("1 + 1")))


def test_a_table_of_words_stacks_its_cells_on_a_phone_and_one_of_numbers_does_not():
    text = to_html(REPORT)
    assert text.count('<table class="cells stacked">') == text.count('<table class="cells">') == 1
    assert text.count('data-head="statement"') == 3
    assert text.count('<th scope="rowgroup" colspan="4">') == 2
    assert '<td class="number">14.2</td>' in text


def test_figures_that_follow_each_other_stand_side_by_side():
    text = to_html(REPORT)
    assert text.count('<div class="figures">') == 1 and text.count("<figure>") == 2
    assert "gap 3 %" not in text and "gap 3 %" in to_markdown(REPORT)


def test_an_item_has_the_edge_of_its_mark():
    assert '<li class="fair"><span class="mark fair" title="not a bound">' in to_html(REPORT)


def test_what_comes_from_outside_is_escaped():
    odd = "<script>\"&'"
    blocks = (
        Paragraph((odd,), "aside"), Table((odd, "b"), ((odd,), (odd, Mark(odd, "bad", odd))), odd), Items(((odd,),)),
        Verdict((odd,)), Figure("<svg></svg>", odd),
    )  # fmt: skip
    for block in blocks:
        assert "<script" not in to_html(with_block(block)) and "<script" not in to_markdown(with_block(block))
    assert "<script" not in to_html(replace(SAMPLE, title=odd, code=odd))
    assert "<script" not in page(odd, "", "")


def test_data_is_saved_where_there_is_any(tmp_path):
    save(REPORT, tmp_path / "report.json")
    assert json.loads((tmp_path / "report.json").read_text()) == REPORT.data
    with pytest.raises(FormatError, match=r"Valid: \.html.*\.txt\.$"):
        save(SAMPLE, tmp_path / "sample.json")


def test_a_table_without_a_head_has_no_rule():
    text = to_text(with_block(Table((), (("a", "1"), ("b", "20")), numeric=(1,))))
    assert "  a   1\n  b  20\n" in text and "─" * 5 not in text.split("────\n")[1]


def test_code_is_a_cell_between_what_stands_around_it():
    section = Section("Part", (Paragraph(("before",)), Code("1 + 1"), Paragraph(("after",))))
    notebook = json.loads(to_notebook(Document("T", (), (section,), Writing())))
    assert [cell["cell_type"] for cell in notebook["cells"]] == ["markdown", "markdown", "code", "markdown"]
    assert notebook["cells"][-1]["source"] == ["after"]
