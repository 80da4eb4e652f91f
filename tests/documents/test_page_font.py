"""Pages with formulas bring their font, so that they look alike on a machine without one for mathematics."""

from __future__ import annotations

import re
from base64 import b64decode

from leverarm.documents.document import Document, Equations, Paragraph, Section, Shown
from leverarm.documents.html import to_html
from leverarm.documents.page import FOLDER
from leverarm.notation.tree import Symbol

SOURCE = re.compile(r'@font-face \{ font-family: "Leverarm Math"; src: url\(data:font/woff2;base64,([^)]*)\)')


def page_with(*blocks):
    return to_html(Document("A page", (), (Section("Here", blocks),)))


def test_a_page_with_formulas_holds_the_font_that_its_style_names():
    page = page_with(Equations((Shown(Symbol("theta1", 2)),)))
    assert b64decode(SOURCE.search(page)[1]) == (FOLDER / "math_font.woff2").read_bytes()
    assert re.search(r'math \{ font-family: "Leverarm Math",', page)


def test_a_page_without_formulas_does_not():
    assert not SOURCE.search(page_with(Paragraph(("No formula.",))))
