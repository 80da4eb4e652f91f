"""Every line of the sources is done by the command that docs/sources.md names, and its status is what happens."""

from __future__ import annotations

import pytest

from tests.sources.coverage import NAMES, STATUS, Line, answer, flat, load

LINES = [pytest.param(line, id=f"{name} {k} {line.at}") for name in NAMES for k, line in enumerate(load(name).lines, 1)]
EXITS = {"equal": 0, "misprint": 1}


@pytest.mark.parametrize("line", LINES)
def test_the_command_does_what_its_status_says(line: Line):
    if line.status == "not covered":
        assert line.note and not line.command
        return
    code, printed = answer(tuple(line.arguments))
    assert code == (EXITS[line.status] if line.paste else 0), printed
    assert [piece for piece in line.shows if flat(piece) not in printed] == []


@pytest.mark.parametrize("line", LINES)
def test_a_line_is_complete(line: Line):
    assert line.status in STATUS
    assert bool(line.says) != bool(line.paste)
    assert not line.paste or line.command.startswith("check ")
    assert line.paste or line.shows or line.status == "not covered"
    assert line.status != "misprint" or line.note or line.shows
    assert not any(word in line.command for word in (" -o ", "--output"))


def test_at_most_five_lines_are_not_covered():
    assert sum(line.status == "not covered" for name in NAMES for line in load(name).lines) <= 5


def test_a_display_is_not_listed_twice():
    for name in NAMES:
        pasted = [line.paste for line in load(name).lines if line.paste]
        assert len(pasted) == len(set(pasted))
