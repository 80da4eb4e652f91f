"""The pages of documents as a browser lays them out: nothing is cut off, switches work without a script."""

from __future__ import annotations

import pytest

import leverarm as la
from leverarm.documents.document import Level
from leverarm.documents.html import to_html
from tests.support.browser import BROWSER, measured
from tests.support.sample_document import REPORT, SAMPLE

pytestmark = [pytest.mark.slow, pytest.mark.skipif(BROWSER is None, reason="needs a browser")]
PAGES = {"sample": SAMPLE, "report": REPORT, "elbow": la.derive(la.load("elbow")).document}


@pytest.mark.parametrize("width", [390, 1200])
@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_as_wide_as_the_screen(name, width, tmp_path):
    script = "[document.documentElement.scrollWidth, innerWidth]"
    needed, given = measured(to_html(PAGES[name], Level.EVERY_LINE), script, tmp_path, width)
    assert needed <= given == width


@pytest.mark.parametrize("name", PAGES)
def test_no_box_cuts_the_bottom_edge_of_a_formula(name, tmp_path):
    boxes = "[...document.querySelectorAll('.display, .table, .long')].filter(box => box.offsetParent)"
    script = f"{boxes}.map(box => box.scrollHeight - box.clientHeight)"
    assert max(measured(to_html(PAGES[name], Level.EVERY_LINE), script, tmp_path)) <= 1


def test_switches_show_and_hide(tmp_path):
    script = """['python', 'brief', 'every-line'].map(name => {
        document.getElementById(name).click();
        return ['.python', 'section.full', '.display.every-line'].map(
            what => [...document.querySelectorAll(what)].filter(each => each.offsetParent).length);
    })"""
    python, brief, every = measured(to_html(SAMPLE, Level.FULL), script, tmp_path)
    code = 1 + sum(bool(section.code) for section in SAMPLE)
    assert python == [code, 1, 0]
    assert brief == [code, 0, 0]
    assert every[:2] == [code, 1] and every[2] > 0


def test_dots_do_not_touch_their_letter(tmp_path):
    script = """[...document.querySelectorAll('mover[accent=true]')].filter(
        mover => mover.getBoundingClientRect().width).map(mover => {
        const [letter, dot] = [...mover.children].map(each => each.getBoundingClientRect());
        return (letter.top - dot.bottom) / dot.height;
    })"""
    gaps = measured(to_html(PAGES["elbow"]), script, tmp_path)
    assert len(gaps) > 20 and min(gaps) > 0.35  # of the height of the dot
