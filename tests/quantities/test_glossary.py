"""The letters and words of textbooks: each is found, as its book means it, and none is taken for another silently."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from leverarm.errors import InputError
from leverarm.quantities.books import BOOKS
from leverarm.quantities.glossary import OTHERS, WORDS, Meaning, book_names, in_books, meaning_of, nearest, uses
from leverarm.quantities.table import BOOK_LETTERS, BY_NAME, TABLE, find

BY_BOOK = {
    book: {written: [meant] if isinstance(meant, str) else meant for written, meant in table.items()}
    for book, table in tomllib.loads((Path(__file__).parent / "textbooks.toml").read_text()).items()
}
LINES = [pytest.param(book, *line, id=f"{book} {line[0]}") for book, table in BY_BOOK.items() for line in table.items()]

UNREAD = {("Craig", "u"), ("Featherstone", "C")}
"""What `check` takes for another quantity: Craig's potential energy u for a torque, C of a bias force for the matrix."""


def is_meant(meaning: Meaning, expected: str) -> bool:
    """By our letter where it is that of a quantity, else by the words that say what it is."""
    return (
        meaning.letter == expected or expected in (meaning.meaning, meaning.key) or meaning.meaning.startswith(expected)
    )


@pytest.mark.parametrize(("book", "written", "expected"), LINES)
def test_a_letter_or_word_is_found_as_its_book_means_it(book, written, expected):
    meanings = [use.meaning for use in uses(written, book)]
    assert len(meanings) == len(expected), meanings
    assert all(any(is_meant(meaning, each) for meaning in meanings) for each in expected), meanings


@pytest.mark.parametrize(("book", "written", "expected"), LINES)
def test_without_a_book_it_resolves_to_that_or_asks(book, written, expected):
    everywhere = [use.meaning for use in uses(written)]
    assert all(any(is_meant(meaning, each) for meaning in everywhere) for each in expected)
    try:
        quantity = in_books(written)
    except InputError as problem:
        assert len(everywhere) > 1 or everywhere[0].quantity is None
        assert all(each.noun in str(problem) for each in everywhere)
    else:
        ours = [each.letter for each in TABLE]
        assert any(is_meant(meaning_of(quantity.name), each) for each in expected) or written_alike(written, ours)


def written_alike(written: str, letters: list[str]) -> bool:
    """Whether what is written is one of our own letters, which is answered as ours and said so."""
    bare = re.sub(r"\\(?:mathcal|var|hat)|[\\{}]|\(.*\)|_\w+$", "", written)
    return bare in letters


def test_each_book_has_thirty_letters_and_words():
    assert {book: len(table) >= 30 for book, table in BY_BOOK.items()} == dict.fromkeys(BY_BOOK, True)
    assert set(BY_BOOK) <= set(book_names())


def test_every_entry_means_something_and_shows_a_command():
    keys = [term.key for book in BOOKS for term in book.terms] + [key for named in WORDS.values() for key in named]
    for key in keys:
        meaning = meaning_of(key)
        assert meaning.meaning and all(command.startswith("leverarm ") for command in meaning.commands)
    assert set(OTHERS) <= set(keys)
    assert not set(OTHERS) & set(BY_NAME)


def test_every_quantity_is_found_by_its_own_letter_first():
    for quantity in TABLE:
        assert uses(quantity.letter)[0].meaning.key == quantity.name


def test_check_reads_the_letters_that_stand_for_forces_and_energies():
    """What a book's letter means among the quantities that check compares by letter, it can be read as."""
    readable = {name for names in BOOK_LETTERS.values() for name in names}
    for book in BOOKS:
        for term in book.terms:
            letter = re.sub(r"\(.*", "", term.written)
            if letter in BOOK_LETTERS and term.key in readable and (book.name, letter) not in UNREAD:
                assert term.key in BOOK_LETTERS[letter], (book.name, term)


@pytest.mark.parametrize(
    "same",
    [
        ("M", "M(q)", r"\mathbf{M}(\theta)", "$M$", "M11", "M_{12}"),
        ("Mdot", r"\dot M", r"\dot{M}", "Md"),
        ("omega", "ω", r"\omega", r"\boldsymbol{\omega}", "omega_1"),
        ("generalized momentum", "Generalized-Momentum", "the generalized momentum"),
        ("centre of mass", "center of mass", "Centers of mass"),
    ],
    ids=lambda same: same[0],
)
def test_dress_makes_no_difference(same):
    found = [{use.meaning.key for use in uses(given)} for given in same]
    assert all(found) and all(each == found[0] for each in found)


def test_unknown_words_are_answered_with_the_nearest():
    assert uses("flux capacitor") == ()
    assert "inertia tensor" in nearest("inertia tensors of")
    with pytest.raises(InputError, match="no book named 'Newton'"):
        uses("M", "Newton")


def test_a_letter_of_several_meanings_is_no_quantity():
    with pytest.raises(InputError, match=r"'V' stands for c .*twist|'V' stands for c .*velocity"):
        in_books("V")
    with pytest.raises(InputError, match="shown by another command: leverarm eval ARM v"):
        in_books("omega")
    assert in_books("D") is find("M")
    assert in_books(r"\dot M") is find("Mdot")
