"""`leverarm equations`: closed forms of an arm as text, a page, LaTeX, Python, SymPy or JSON.

Also what other commands share with it: options for the notation, choices, file endings, and a note when work is long.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import Any

import click

import leverarm as la
from leverarm.cli.output_files import check_ending
from leverarm.cli.places import place_options, placed
from leverarm.errors import FormatError, InputError, unknown_name
from leverarm.quantities.table import TABLE, Quantity, also_meant, find, listing

SYMBOLIC = ("inertia", "geometry", "gravity", "friction", "motors", "springs")
DEFAULTS = {"coordinates": "own", "angles": "short"}
PATIENCE = 1.0
"""How long to wait before saying what is being done [s]."""


RENAME_HELP = "Other letters for symbols, coordinates and forces: a1=L1,theta1=q1,tau1=n."


def options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options for symbols, and for how coordinates and angles are written."""
    names = "Coordinate names: own (where they are letters), theta or q (numbered)."
    groups = f"Turn numbers into symbols first: {', '.join(SYMBOLIC)}, or all."
    for flag, metavar, text in (
        ("--angles", "NAME", "Angles: short (c1, s12) or expanded (cos(theta1))."),
        ("--coordinates", "NAME", names),
        ("--symbolic", "GROUPS", groups),
        ("--rename", "OLD=NEW,...", RENAME_HELP),
    ):
        command = click.option(flag, metavar=metavar, default=DEFAULTS.get(flag[2:]), help=text)(command)
    return command


def renamed(arm: la.Arm, pairs: str | None) -> la.Arm:
    """The arm with the letters of `--rename`."""
    if pairs is None:
        return arm
    from leverarm.cli.numbers import named

    return la.model.rename(arm, dict(named(listed(pairs, "--rename"), "--rename", "old=new")))


def arm_of(name: str, symbolic: str | None, rename: str | None = None) -> la.Arm:
    """The arm, with the groups of numbers that are asked for as symbols, and the letters of `--rename`.

    A group without any numbers is noted.
    """
    arm, groups = la.load(name), groups_of(symbolic)
    for group in () if groups is SYMBOLIC else groups:
        if la.symbolic(arm, group).symbols == arm.symbols:
            click.echo(f"note: --symbolic {group} changes nothing: {arm.name} has no numbers of {group}.", err=True)
    return renamed(la.symbolic(arm, *groups) if groups else arm, rename)


def groups_of(symbolic: str | None) -> Sequence[str]:
    """The groups of numbers that `--symbolic` names."""
    groups = [] if symbolic is None else listed(symbolic, "--symbolic")
    for group in groups:
        check_choice("--symbolic", "group of numbers", group, (*SYMBOLIC, "all"))
    return SYMBOLIC if "all" in groups else groups


def listed(text: str, option: str) -> list[str]:
    """Names separated by commas or spaces."""
    names = text.replace(",", " ").split()
    if not names:
        raise InputError(f"{option} is empty. Give names separated by commas.")
    return names


def note_renamed(names: Sequence[str]) -> None:
    """Names of quantities of the version before still work, with a note."""
    for given in names:
        quantity = find(given)
        if quantity is not None and given.lower().replace("-", "_") in quantity.former:
            click.echo(f"note: {given} is called {quantity.spelled} now.", err=True)


def in_our_letters(names: Sequence[str], among: Sequence[Quantity]) -> list[Quantity]:
    """The quantities of these names; of a letter or word of books that has one meaning, with a note."""
    ours = []
    for given in names:
        quantity = find(given, among)
        if quantity is None:
            from leverarm.quantities.glossary import in_books

            quantity = in_books(given, among)
            click.echo(f"note: {given} is {quantity.letter} here, {quantity.meaning}.", err=True)
        ours.append(quantity)
    return ours


def note_also_meant(names: Sequence[str]) -> None:
    """A letter that is another quantity in books is answered as it is meant here, with a note."""
    for given in names:
        here, other = find(given), also_meant(given)
        if here is not None and other is not None:
            elsewhere = f"what some books call {given}, {other.noun}, is {other.letter}"
            click.echo(f"note: {given} is {here.noun} here; {elsewhere}.", err=True)


def check_choice(option: str, kind: str, given: str, valid: Sequence[str]) -> None:
    if given not in valid:
        raise InputError(f"{option}: {unknown_name(kind, given, valid)}")


@contextmanager
def patience(doing: str) -> Iterator[None]:
    """Shows what is being done when it takes long, in a terminal only, and removes the line at the end."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    shown: list[str] = []

    def show() -> None:
        shown.append(f"{doing} ... (Ctrl-C stops)")
        click.echo(shown[0], nl=False, err=True)

    timer = Timer(PATIENCE, show)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        if shown:
            click.echo("\r" + " " * len(shown[0]) + "\r", nl=False, err=True)


FORMS = ("text", "latex", "python", "sympy", "json", "html", "markdown")
ENDINGS = {
    ".txt": "text", ".tex": "latex", ".py": "python", ".json": "json", ".html": "html", ".md": "markdown",
}  # fmt: skip
ALSO = (("sympy", ".py"),)
"""Forms with endings that do not mean them, but may be asked for."""
WRITABLE = tuple(quantity for quantity in TABLE if quantity.closed_form)
LONGEST = 100
"""A terminal is shown the number of terms of longer entries."""


@click.command(
    short_help="Closed forms as text, a page, LaTeX, Python, SymPy or JSON.",
    epilog=f"\b\nQUANTITIES, by letter, name or word of books (`leverarm words`):\n{listing(WRITABLE)}",
)
@click.argument("arm_name", metavar="ARM")
@click.option("--what", default="M,c,g", metavar="QUANTITIES", show_default=True, help="Quantities by letter or name.")
@click.option(
    "--as",
    "form",
    metavar="FORM",
    help="text, latex, python, sympy, json, html or markdown (default: by the ending of -o, else text).",
)
@place_options
@options
@click.option("-o", "--output", metavar="FILE", help="Write a .txt, .tex, .py, .json, .html or .md file instead.")
def equations(
    arm_name: str,
    what: str,
    form: str | None,
    frame: str | None,
    at: str | None,
    point: str | None,
    symbolic: str | None,
    rename: str | None,
    output: str | None,
    **notation: Any,
) -> None:
    """Closed forms of an arm: exact, every symbol kept, printed as a textbook would.

    python is a module of NumPy functions M(q), c(q, qd), ... with the arm's symbols as keyword arguments; latex is
    ready to paste; json has every term. In a terminal, entries of more than 100 terms are
    only counted; a pipe or -o gets them in full.

    \b
    leverarm equations elbow
    leverarm equations elbow --what M,C,Lambda --as latex
    leverarm equations scara --what tau -o scara.py
    leverarm equations rr --what x,J --frame link1 --at com --as sympy
    leverarm equations puma560 --what base-parameters --symbolic inertia,geometry
    """
    asked = _quantities(what)
    note_renamed(asked)
    note_also_meant(asked)
    names = [quantity.letter for quantity in in_our_letters(asked, WRITABLE)]
    form = _form(form, output)
    arm, frame = placed(arm_of(arm_name, symbolic, rename), frame, at, point)
    from leverarm.cli.output import is_terminal

    is_cut = output is None and form in (None, "text") and is_terminal()
    with patience(f"computing {', '.join(names)} of {arm.name}"):
        eq = la.equations(arm, **notation)
        if output is not None:
            eq.save(output, names, form, frame)
        else:
            text = eq.text(names, form or "text", frame, LONGEST if is_cut else None)
    if output is not None:
        click.echo(f"wrote {output}: {', '.join(names)} of {arm.name} as {form}")
        return
    click.echo(text, nl=False)
    if is_cut and "= ... " in text:
        click.echo(
            f"\nEntries of more than {LONGEST} terms are only counted; -o FILE or a pipe gets them in full.", err=True
        )


def _quantities(what: str) -> list[str]:
    """Names separated by commas, or letters by spaces: words of books such as gravity vector stay together."""
    pieces = [piece.strip() for piece in what.split(",") if piece.strip()]
    is_in_words = any(" " in piece and find(piece.split()[0]) is None for piece in pieces)
    return pieces if is_in_words else listed(what, "--what")


def _form(form: str | None, output: str | None) -> str | None:
    """The form that --as names or the file's ending means. Refused where they say different things."""
    if form is not None:
        check_choice("--as", "form", form, FORMS)
    if output is None:
        return form
    ending = Path(output).suffix.lower()
    if form is None or ending in ENDINGS or not output.strip() or output.endswith("/"):
        check_ending(output, "form of equations", tuple(ENDINGS))
    meant = ENDINGS.get(ending, form)
    if form is not None and form != meant and (form, ending) not in ALSO:
        raise FormatError(
            f"--as {form} contradicts -o {output}: {ending} means {meant}. Leave --as out, or end the name otherwise."
        )
    return form or meant
