"""`leverarm equations`: closed forms of an arm as text, LaTeX, Python, SymPy or JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

import leverarm as la
from leverarm.cli.closed_forms import arm_of, check_choice, check_ending, listed, options, patience
from leverarm.errors import FormatError

FORMS = ("text", "latex", "python", "sympy", "json")
ENDINGS = {".txt": "text", ".tex": "latex", ".py": "python", ".json": "json"}
ALSO = (("sympy", ".py"),)
"""Forms with endings that do not mean them, but may be asked for."""
LONGEST = 100
"""A terminal is shown the number of terms of longer entries."""

LISTED = "\n".join(f"{q.letter:<8} {q.name:<24} {q.meaning}" for q in la.closed_forms())


@click.command(
    short_help="Closed forms as text, LaTeX, Python, SymPy or JSON.",
    epilog=f"\b\nQUANTITIES, by letter or name:\n{LISTED}",
)
@click.argument("arm_name", metavar="ARM")
@click.option("--what", default="M,c,g", metavar="QUANTITIES", show_default=True, help="Which, by letter or name.")
@click.option("--as", "form", metavar="FORM", help="text, latex, python, sympy or json; else as -o ends, else text.")
@click.option("--frame", metavar="NAME", help="The frame that J, Lambda, x, ... are of; the tool unless given.")
@options
@click.option("-o", "--output", metavar="FILE", help="Write a .txt, .tex, .py or .json file instead.")
def equations(
    arm_name: str,
    what: str,
    form: str | None,
    frame: str | None,
    symbolic: str | None,
    output: str | None,
    **notation: Any,
) -> None:
    """Closed forms of an arm: exact, every symbol kept, printed as a textbook would.

    python is a module of NumPy functions M(q), c(q, qd), ... with the arm's symbols as keyword arguments; latex is
    ready to paste; json has every term. A terminal is told how many terms an entry of more than 100 has; a pipe or -o
    gets them all.

    \b
    leverarm equations elbow
    leverarm equations elbow --what M,C,Lambda --as latex
    leverarm equations scara --what tau -o scara.py
    leverarm equations panda --what J --frame link5 --as sympy
    leverarm equations puma560 --what base-parameters --symbolic inertia,geometry
    """
    names = listed(what, "--what")
    form = _form(form, output)
    arm = arm_of(arm_name, symbolic)
    from leverarm.cli.output import is_terminal

    is_cut = output is None and form in (None, "text") and is_terminal()
    with patience(f"computing {', '.join(names)} of {arm.name}"):
        eq = la.equations(arm, **notation)
        if output is not None:
            la.save_equations(eq, output, names, form, frame)
        else:
            text = la.write_equations(eq, names, form or "text", frame, LONGEST if is_cut else None)
    if output is not None:
        click.echo(f"wrote {output}: {', '.join(names)} of {arm.name} as {form}")
        return
    click.echo(text, nl=False)
    if is_cut and "= ... " in text:
        click.echo(f"\nEntries of more than {LONGEST} terms are counted; -o FILE or a pipe gets them whole.", err=True)


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
