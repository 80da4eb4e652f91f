"""Closed forms as documents: a section per quantity, equal entries in one equation."""

from __future__ import annotations

import leverarm as la


def test_a_page_has_a_section_for_each_quantity(tmp_path):
    eq = la.equations(la.load("elbow"))
    eq.save(tmp_path / "elbow.md", ["M", "Gamma"])
    eq.save(tmp_path / "elbow.html", ["M", "Gamma"])
    text, page = ((tmp_path / name).read_text(encoding="utf-8") for name in ("elbow.md", "elbow.html"))
    assert "## 1. M(q): mass matrix" in text and "## 2. Gamma(q)" in text
    assert r"\Gamma_{112} = \Gamma_{121} = \Gamma_{122} = -m_2 a_1 a_2 s_2" in text
    assert text.endswith("All other entries are zero.\n")
    assert page.count("<h2>") == 2 and page.count("<math display=") == 3


def test_a_quantity_that_vanishes_says_so():
    eq = la.equations(la.load("scara"))
    assert "Gamma" in eq.text(["Gamma"], "markdown")
    assert la.equations(la.load("point-mass")).text(["Gamma"], "markdown").endswith("Gamma is zero.\n")
