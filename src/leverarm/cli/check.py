"""`leverarm check`: are these equations right, and if not, which term is wrong?"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import click

import leverarm as la
from leverarm.cli.verdict_lines import plain, plain_candidate, say_candidates, say_verdicts, summary
from leverarm.errors import FormatError, InputError

EQUAL, DIFFERENT, UNREADABLE = 0, 1, 2
EXITS = {"equal": EQUAL, "equal by convention": EQUAL, "different": DIFFERENT, "unreadable": UNREADABLE}
LARGEST_FILE = 20_000_000
"""Bytes. A book has fewer."""


@dataclass(frozen=True, slots=True)
class Checked:
    """One text, where it is from, and what was found about its equations."""

    file: str
    text: str
    verdicts: la.Verdicts


@click.command(short_help="Are these equations right? Which term is wrong?")
@click.argument("given", metavar="ARM [FILE]...", nargs=-1)
@click.option("--text", "texts", multiple=True, metavar="EQUATIONS", help="Check these instead of a file.")
@click.option("--map", "mapped", multiple=True, metavar="YOURS=OURS",
              help="Your name for a symbol of the arm, as a1=L1; may be repeated.")  # fmt: skip
@click.option("--which", is_flag=True, help="Say which arm of the catalog they belong to; ARM may be left out.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def check(
    ctx: click.Context,
    given: tuple[str, ...],
    texts: tuple[str, ...],
    mapped: tuple[str, ...],
    which: bool,
    as_json: bool,
) -> None:
    """Whether equations in LaTeX, Markdown or plain text hold for an arm; if not, which term is off.

    What can be given: tau_i, M, C, c or V, g or G, K, P, L, H, Jacobians, Lambda, positions, Christoffel symbols, a
    regressor. They are compared exactly. A C matrix that is another valid factorisation is no error, nor is another
    convention, which is said. `leverarm equations ARM` shows what the arm's symbols are called.

    The exit code is 0 where all hold, 1 where one does not, 2 where one cannot be read.

    \b
    leverarm check elbow homework.tex
    leverarm check elbow --text "tau_2 = m2 a2^2 (qdd1 + qdd2)"
    leverarm check elbow derivation.md --map L_1=a1 --map L_2=a2
    leverarm check --which unknown.txt
    cat notes.md | leverarm check elbow -
    """
    from leverarm.cli.numbers import named

    arm_name, files = _arm_and_files(given, which)
    if not files and not texts:
        raise InputError("there is nothing to check. Give a file, - for standard input, or --text 'tau_1 = ...'.")
    names = dict(named(mapped, "--map", "yours=ours"))
    arm = None if arm_name is None else la.load(arm_name)
    sources = [*((name, _read(name)) for name in files), *(("", text) for text in texts)]
    checked = (
        [] if arm is None else [Checked(*source, la.check(arm, source[1], names=names or None)) for source in sources]
    )
    candidates = [la.which_arm(text) for _, text in sources] if which else []
    if as_json:
        from leverarm.cli.output import say_json

        entries = [plain(verdict, each.file) for each in checked for verdict in each.verdicts]
        belong = [[plain_candidate(one) for one in each] for each in candidates]
        say_json({"arm": None if arm is None else arm.name, "verdicts": entries, "which": belong})
    else:
        for each in checked:
            say_verdicts(each.file, each.text, each.verdicts)
        for (name, _), found in zip(sources, candidates, strict=False):
            say_candidates(name, found)
        if arm is not None:
            click.echo(summary(arm.name, [verdict for each in checked for verdict in each.verdicts]))
    ctx.exit(max((EXITS[verdict.status] for each in checked for verdict in each.verdicts), default=EQUAL))


def _arm_and_files(given: tuple[str, ...], which: bool) -> tuple[str | None, tuple[str, ...]]:
    """The first word is the arm. With --which it may be left out: then it is one only if the catalog has it."""
    if which and (not given or given[0] not in la.catalog_names()):
        return None, given
    if not given:
        raise InputError("no arm is given. Give ARM, a name from `leverarm arms` or a file, before the equations.")
    return given[0], given[1:]


def _read(name: str) -> str:
    """The text of a file, or of standard input."""
    try:
        if name == "-":
            content = sys.stdin.buffer.read(LARGEST_FILE + 1)
        else:
            with Path(name).open("rb") as stream:
                content = stream.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise FormatError(
            f"cannot be read: {reason}. Give a file of equations, or - for standard input.", name
        ) from None
    if len(content) > LARGEST_FILE:
        raise FormatError(f"is larger than {LARGEST_FILE // 10**6} MB. Give the part with the equations.", name)
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as problem:
        raise FormatError(
            f"is not UTF-8 text (byte {problem.start}). Give LaTeX, Markdown or plain text.", name
        ) from None
