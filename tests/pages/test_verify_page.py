"""The table on docs/verify.md is the one that is printed; `python -m tests.pages.test_verify_page` writes it anew.

Times, witnesses and the last digits of bounds depend on the machine, so numbers are compared as numbers: an enclosure on
the page must overlap the one that is found, and hold the truth.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest

import leverarm as la
from tests.support.paths import ROOT

PAGE = ROOT / "docs" / "verify.md"
BLOCK = re.compile(r"(?<=```text\nProperties of the equations of motion).*?(?=```)", re.DOTALL)
SHOWN = ("symmetric", "positive_definite", "mu1", "mu2", "v_b", "skew", "velocity_terms", "g_b", "base_parameters")
NUMBER = re.compile(r"[-−]?\d+(?:\.\d+)?(?:e-?\d+)?")
LETTERS = {"μ₁": "mu1", "μ₂": "mu2", "v_b": "v_b", "g_b": "g_b"}
ENCLOSURE = re.compile(rf"({NUMBER.pattern}) ≤ ({'|'.join(LETTERS)}) ≤ ({NUMBER.pattern})")
TRUE = {"mu1": 3 - math.sqrt(8), "mu2": 3 + math.sqrt(8), "g_b": 9.81 * math.sqrt(10)}


def properties() -> la.types.Properties:
    return la.properties(la.load("elbow"), boxes=10**6, processes=1)


def excerpt(p: la.types.Properties) -> str:
    """The printed table with some of its lines."""
    return replace(p, rows=tuple(p[key] for key in SHOWN)).text(100).rstrip() + "\n"


def on_page() -> str:
    return BLOCK.findall(PAGE.read_text())[0]


def masked(text: str) -> str:
    """Without numbers, and without times, which are only printed where they are long; lines are broken by length."""
    return re.sub(r" # s\b,?", "", " ".join(NUMBER.sub("#", text).split()))


@pytest.fixture(scope="module")
def found() -> la.types.Properties:
    return properties()


def test_the_table_on_the_page_is_the_one_that_is_printed(found):
    assert masked(on_page()) == masked(excerpt(found).removeprefix("Properties of the equations of motion"))


def test_enclosures_on_the_page_are_right(found):
    printed = {LETTERS[letter]: (float(low), float(high)) for low, letter, high in ENCLOSURE.findall(on_page())}
    assert set(printed) == {"mu1", "mu2", "v_b", "g_b"}
    for key, (low, high) in printed.items():
        bound = getattr(found, key)
        assert low <= bound.upper and high >= bound.lower
        assert low <= TRUE.get(key, low) <= high


if __name__ == "__main__":
    table = excerpt(properties()).removeprefix("Properties of the equations of motion")
    PAGE.write_text(BLOCK.sub(lambda _: table, PAGE.read_text()))
