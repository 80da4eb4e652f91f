"""`leverarm words`: a letter, a word, a book, and the whole list, which is docs/words.md; `eval` and `equations` too."""

from __future__ import annotations

import json

import pytest

from leverarm.cli.words import ENDINGS
from leverarm.quantities.books import BOOKS
from tests.cli.test_commands import mistake, run
from tests.support.paths import ROOT


def test_a_letter_is_answered_with_its_meanings_and_their_commands():
    text = run("words", "B").stdout
    assert "B has 3 meanings." in text
    for part in (
        "M: mass matrix",
        "leverarm eval ARM M",
        "Siciliano",
        "2 Gamma_ijk: coefficients",
        "Craig",
        "S_i, A_i",
    ):
        assert part in text


def test_words_need_no_quotes_and_a_book_narrows_the_answer():
    assert run("words", "inertia", "tensor").stdout == run("words", "inertia tensor").stdout
    assert "V has 2 meanings in Craig." in run("words", "V", "--book", "Craig").stdout
    assert "V has one meaning in Lewis." in run("words", "V", "--book", "Lewis").stdout
    assert "is part of the words for" in run("words", "coriolis").stdout
    assert run("words", " ").stdout == run("words").stdout


def test_json_has_the_same():
    data = json.loads(run("words", "D", "--json").stdout)
    (meaning,) = data["meanings"]
    assert (meaning["letter"], meaning["name"]) == ("M", "mass_matrix")
    assert {"book": "Spong", "writes": "D(q)", "calls_it": "inertia matrix"} in meaning["books"]
    assert set(json.loads(run("words", "--json").stdout)) == {book.name for book in BOOKS}


@pytest.mark.parametrize("ending", ENDINGS)
def test_it_is_written_to_a_file(ending, tmp_path):
    place = tmp_path / f"words{ending}"
    assert run("words", "V_m", "-o", str(place)).stdout == f"wrote {place}\n"
    assert "Coriolis" in place.read_text()


def test_the_page_in_the_docs_is_the_whole_list(tmp_path):
    run("words", "-o", str(tmp_path / "words.md"))
    assert (ROOT / "docs" / "words.md").read_text() == (tmp_path / "words.md").read_text(), (
        "run: leverarm words -o docs/words.md"
    )


@pytest.mark.parametrize(
    ("args", "parts"),
    [
        (["words", "flux"], ["'flux' is not in the lists of books", "prints all letters and words"]),
        (["words", "mass matrix", "--book", "Spong"], ["is not in the list of Spong", "words --book Spong"]),
        (["words", "M", "--book", "Newton"], ["no book named 'Newton'", "Spong, Craig"]),
        (["words", "-o", "words.doc"], ["words.doc", ".html, .md"]),
        (["eval", "elbow", "V"], ["'V' stands for c (Coriolis", "P (potential energy)", "leverarm words 'V'"]),
        (["eval", "elbow", "inertia tensor"], ["is shown by another command: leverarm show ARM"]),
        (["equations", "elbow", "--what", "qdd,omega"], ["shown by another command: leverarm eval ARM"]),
    ],
)
def test_what_has_no_single_answer_is_one_line(args, parts):
    text = mistake(*args)
    assert all(part in text for part in parts), text


@pytest.mark.parametrize(
    ("given", "ours"), [("D", "M"), ("generalized momentum", "p"), (r"\mathcal{K}", "K"), ("U", "P")]
)
def test_a_letter_or_word_of_one_meaning_is_taken_with_a_note(given, ours):
    result = run("eval", "elbow", given, "--q", "0.3,0.4")
    assert result.stdout == run("eval", "elbow", ours, "--q", "0.3,0.4").stdout
    assert result.stderr.startswith(f"note: {given} is {ours} here, ")
    assert run("equations", "elbow", "--what", given).stdout == run("equations", "elbow", "--what", ours).stdout
