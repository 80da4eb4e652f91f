"""`leverarm words`: what the letters and words of books are here, and the commands that show them."""

from __future__ import annotations

from typing import Any

import click

from leverarm.documents import Document, Items, Paragraph, Section, Table
from leverarm.errors import InputError
from leverarm.quantities.books import BOOKS, Book
from leverarm.quantities.glossary import Meaning, Use, book_names, containing, meaning_of, nearest, uses
from leverarm.quantities.table import TABLE

ENDINGS = (".html", ".md", ".json", ".tex", ".ipynb", ".txt")
INTRODUCTION = (
    "Books give one quantity different letters, and one letter different meanings. A row says what a book writes and "
    "how it calls it, what that is here, and the command that shows it; for ARM stands the name of an arm or a file. "
    "`leverarm words D` looks up one letter, `leverarm words inertia matrix` a word; `eval` and `equations` take what "
    "has only one meaning, and ask about the rest."
)


@click.command(short_help="What the letters and words of books are here.")
@click.argument("given", metavar="[LETTER|WORDS]", nargs=-1)
@click.option("--book", metavar="NAME", help=f"Of one book only: {', '.join(book_names())}.")
@click.option("-o", "--output", metavar="FILE", help="Write a .html, .md, .tex, .ipynb, .txt or .json file instead.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def words(given: tuple[str, ...], book: str | None, output: str | None, as_json: bool) -> None:
    """What a letter or word of a book is here, and which command shows it; without one, the lists of all books.

    A letter with several meanings is answered with all of them, each with the books that have it.

    \b
    leverarm words D
    leverarm words "inertia tensor"
    leverarm words "\\dot M"
    leverarm words V --book Craig
    leverarm words -o words.html
    """
    from leverarm.cli.output import print_document, print_json
    from leverarm.cli.output_files import check_ending, check_place
    from leverarm.documents.saving import save

    if output is not None:
        check_ending(output, "list of words", ENDINGS)
        check_place(output)
    asked = " ".join(given).strip()
    document = _answer(asked, book) if asked else _lists(book)
    if output is not None:
        save(document, output)
        click.echo(f"wrote {output}")
    elif as_json:
        print_json(document.data or {})
    else:
        print_document(document)


def _answer(given: str, book: str | None) -> Document:
    """One section per meaning: what it is here, what shows it, and the books that have it."""
    found, has = uses(given, book), "has"
    if not found:
        found, has = containing(given, book), "is part of the words for"
    if not found and book is not None:
        raise InputError(
            f"{given!r} is not in the list of {book}. Leave --book out, or see: leverarm words --book {book}."
        )
    if not found:
        close = nearest(given)
        hint = f"; did you mean {' or '.join(map(repr, close))}?" if close else "."
        raise InputError(f"{given!r} is not in the lists of books{hint} `leverarm words` prints all letters and words.")
    many = "one meaning" if len(found) == 1 else f"{len(found)} meanings"
    summary = Paragraph((f"{given} {has} {many}{f' in {book}' if book else ''}.",))
    return Document(
        given, (summary,), tuple(map(_section, found)), data={"given": given, "meanings": [*map(_facts, found)]},
        layout="report",
    )  # fmt: skip


def _section(use: Use) -> Section:
    shown = Items(tuple((f"`{command}`",) for command in use.meaning.commands))
    rows = tuple((name, term.written, term.words) for name, term in use.books)
    table = (Table(("book", "writes", "calls it"), rows),) if rows else ()
    return Section(_title(use.meaning), (shown, *table))


def _title(meaning: Meaning) -> str:
    """M: mass matrix, rotors included; of what has no letter here, its name."""
    return f"{meaning.letter}: {meaning.meaning}" if meaning.letter else meaning.meaning


def _facts(use: Use) -> dict[str, Any]:
    meaning = use.meaning
    return {
        "letter": meaning.letter,
        "name": meaning.key,
        "meaning": meaning.meaning,
        "commands": list(meaning.commands),
        "books": [{"book": name, "writes": term.written, "calls_it": term.words} for name, term in use.books],
    }


def _lists(book: str | None) -> Document:
    """The list of symbols of each book, and the letters of this software."""
    from leverarm.errors import require_known

    if book is not None:
        require_known("book", book, book_names())
    chosen = [each for each in BOOKS if book in (None, each.name)]
    own = () if book else (_own(),)
    data = {each.name: [_row(each, k) for k in range(len(each.terms))] for each in chosen}
    return Document(
        "Letters and words of books", (Paragraph((INTRODUCTION,)),), (*own, *map(_list, chosen)), data=data,
        layout="report",
    )  # fmt: skip


def _own() -> Section:
    rows = tuple((q.letter, q.spelled, q.meaning, _command(meaning_of(q.name))) for q in TABLE)
    return Section("Here", (Table(("letter", "name", "meaning", "leverarm ..."), rows),))


def _list(book: Book) -> Section:
    rows = []
    for term in book.terms:
        meaning = meaning_of(term.key)
        here = f"{meaning.letter}, {meaning.noun}" if meaning.letter else meaning.noun
        rows.append((term.written, term.words, here, _command(meaning)))
    return Section(
        book.name, (Paragraph((f"{book.title}.",)), Table(("writes", "calls it", "here", "leverarm ..."), tuple(rows)))
    )


def _command(meaning: Meaning) -> str:
    """The first command that shows it, without the leverarm before it."""
    return f"`{meaning.commands[0].removeprefix('leverarm ')}`"


def _row(book: Book, k: int) -> dict[str, str]:
    term = book.terms[k]
    meaning = meaning_of(term.key)
    return {"writes": term.written, "calls_it": term.words, "letter": meaning.letter, "name": term.key}
