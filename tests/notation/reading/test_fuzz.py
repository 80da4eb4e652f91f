"""Broken mathematics never raises, stalls or runs code."""

from __future__ import annotations

import builtins
import importlib

import pytest

from tests.support.levels import at_level
from tests.support.paths import BENCH


@pytest.fixture
def fuzzer(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH))
    return importlib.import_module("fuzz_reading")


@pytest.mark.slow
def test_thousands_of_broken_texts(fuzzer):
    count = at_level(500, 3000, 100_000)
    tally = fuzzer.run(count, seed=6)
    assert tally.inputs == count
    assert tally.statements > 1000
    assert tally.unreadable > 1000


def test_the_traps_are_set_and_lifted(fuzzer):
    before = builtins.eval
    with fuzzer.trapped(), pytest.raises(AssertionError, match="ran code"):
        eval("1")
    assert builtins.eval is before


def test_every_real_equation_of_the_fuzzer_is_read(fuzzer):
    for text in fuzzer.EQUATIONS:
        assert all(not isinstance(item, fuzzer.Unreadable) for item in fuzzer.read(text)), text


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit", ["(", "-", "^", "x = 1\n", " ", "sin", r"\frac{", "$", r"\begin{align}", "a,", "1/", "\\"]
)
def test_long_texts_are_read_in_linear_time(fuzzer, unit):
    """A quadratic step would take minutes on these lengths."""
    for many in [size // len(unit) for size in at_level([60_000], [60_000], [60_000, 240_000])]:
        for text in (unit * many, f"$${unit * many}$$", f"x = {unit * many}"):
            assert all(fuzzer.well_placed(item, len(text)) for item in fuzzer.read(text))


def test_a_megabyte_is_refused_in_one_sentence(fuzzer):
    (only,) = fuzzer.read("x = 1\n" * 200_000)
    assert "too long; at most" in only.why
