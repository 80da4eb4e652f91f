"""Arms with many joints: the structure of their equations of motion instead of pages of terms.

Which entries of M depend on which joints and how many terms each has; the short entries in full, the others as a
sequence of short assignments.
"""

from __future__ import annotations

from leverarm import mechanics as me
from leverarm.closed_form import Formula
from leverarm.derivation.chapters.properties import is_skew
from leverarm.derivation.formulas import M_DOT_MINUS_2C, C, M, brief, equation, g, plus, tau, times
from leverarm.derivation.setting import DIGITS, Setting, readable
from leverarm.derivation.steps import chapter, step
from leverarm.documents.document import Level, Section, Shown, Table, sentence
from leverarm.notation.tree import Equation, Indexed, Node, Of, Symbol, mapped
from leverarm.scalars import Scalar
from leverarm.scalars.exact import Abbreviations, Cosine, Polynomial, Short, Sine, is_exactly_zero

SMALL = 12
"""Entries with at most this many terms are written in full."""


def structure(setting: Setting) -> tuple[Section, ...]:
    """The equations of motion of a large arm: their structure, the short entries, and assignments for the rest."""
    return (
        chapter("The equations of motion", (_form(setting), _mass_matrix(setting), _forces(setting))),
        chapter("Short entries in full", (_small_entries(setting),)),
        chapter("The other entries, step by step", (_program(setting),)),
        chapter("Properties", (_properties(setting),)),
    )


def _form(setting: Setting) -> Section:
    q, qd, qdd = (setting.all(dots) for dots in (0, 1, 2))
    losses = [setting.friction] if setting.mechanism.has_friction else []
    form = plus(times(Of(M, (q,)), qdd), times(Of(C, (q, qd)), qd), *losses, Of(g, (q,)))
    words = "Mass matrix, Coriolis and centrifugal terms, "
    words += "friction, gravity; " if losses else "gravity; "
    words += "`la.equations(arm)` holds them as objects."
    if _has_long_numbers(setting):
        words += f" Below, numbers are rounded to {DIGITS} digits wherever ≈ is written; the objects are exact."
    return step("Matrix form", (words,), (brief(form, tau),), code="[eq.M, eq.C, eq.g]")


def _has_long_numbers(setting: Setting) -> bool:
    entries = [*setting.eq.M, *setting.eq.g]
    shown = [equation(entry.tree) for entry in entries if 0 < entry.terms <= SMALL]
    return any(readable(line) != line for line in shown)


def depends_on(setting: Setting, formula: Formula) -> list[int]:
    """The coordinates a closed form depends on, counted from 1."""
    if not isinstance(formula.value, Polynomial):
        return []
    names = {g.angle if isinstance(g, Sine | Cosine) else g.name for g in formula.value.generators()}
    return [i for i, name in enumerate(setting.eq.exact.coordinates, 1) if name in names]


def _span(numbers: list[int]) -> str:
    """2, 3, 4, 6 as "2-4, 6"."""
    runs: list[list[int]] = []
    for k in numbers:
        if runs and k == runs[-1][-1] + 1:
            runs[-1].append(k)
        else:
            runs.append([k])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def _cell(setting: Setting, formula: Formula) -> str:
    if formula.is_zero:
        return "0"
    joints = _span(depends_on(setting, formula))
    return f"{formula.terms} ({joints})" if joints else f"{formula.terms}"


def _mass_matrix(setting: Setting) -> Section:
    entries, n = setting.eq.M, range(setting.dof)
    rows: tuple[tuple[str | Node, ...], ...] = tuple(
        (setting.coordinates()[i], *("" if j < i else _cell(setting, entries[i, j]) for j in n)) for i in n
    )
    is_symmetric = me.transposed(entries.values) == entries.values
    return step(
        "Mass matrix",
        (
            "The number of terms of each entry and, in parentheses, the joints on which it depends; "
            f"{entries.terms} terms in all. M is {'symmetric (verified)' if is_symmetric else 'NOT symmetric'}.",
        ),
        tables=(Table(("", *setting.coordinates()), rows),),
        code="eq.M",
    )


def _forces(setting: Setting) -> Section:
    eq = setting.eq
    rows = tuple(
        (setting.coordinates()[i], _cell(setting, eq.c[i]), _cell(setting, eq.g[i]), str(eq.tau[i].terms))
        for i in range(setting.dof)
    )
    return step(
        "Forces",
        (
            "The number of terms of the Coriolis and centrifugal torques, of gravity, and of the whole equation of "
            "each joint.",
        ),
        tables=(Table(("joint", times(C, setting.all(1)), g, tau), rows),),
        code="eq.tau",
    )


def _small_entries(setting: Setting) -> Section:
    eq, n = setting.eq, range(setting.dof)
    upper = [(i, j) for i in n for j in range(i, setting.dof)]
    shown = [Shown(readable(equation(_entry("M", *at), eq.M[at].tree))) for at in upper if 0 < eq.M[at].terms <= SMALL]
    shown += [Shown(readable(equation(_entry("g", i), eq.g[i].tree))) for i in n if eq.g[i].terms <= SMALL]
    return step(
        f"Entries of at most {SMALL} terms",
        ("From the mass matrix and the gravity terms.",),
        tuple(shown),
        code="together(eq, *(entry for entry in (*eq.M, *eq.g) if 0 < entry.terms <= 12))",
    )


def _entry(name: str, *indices: int) -> Node:
    separator = "," if max(indices) >= 9 else ""
    return Indexed(Symbol(name), separator.join(str(i + 1) for i in indices))


def _program(setting: Setting) -> Section:
    """The composite-rigid-body algorithm from the tip inwards, with a name for every long sum."""
    eq, exact = setting.eq, setting.eq.exact
    book = Abbreviations(exact.ring, prefix="v.")
    arm, q = exact.abbreviated(book)
    inertia, gravity = me.mass_matrix(arm, q), me.gravity_forces(arm, q)
    n = range(setting.dof)
    results: list[tuple[Node, Scalar, Formula]] = [
        (_entry("M", i, j), inertia[i][j], eq.M[i, j])
        for i in n
        for j in range(i, setting.dof)
        if eq.M[i, j].terms > SMALL
    ]
    results += [(_entry("g", i), gravity[i], eq.g[i]) for i in n if eq.g[i].terms > SMALL]
    same = book.expanded(short for _, short, _ in results) == [formula.value for _, _, formula in results]
    lines = _lines(setting, book, [(left, short) for left, short, _ in results])
    verdict = "Substituted into each other, they are exactly these entries (verified)." if same else "The check FAILED."
    return step(
        "Intermediate variables",
        sentence(
            f"{len(lines) - len(results)} short assignments give the remaining {len(results)} entries of {{M}} and "
            f"{{g}}. {verdict}",
            M=M, g=g,
        ),
        tuple(Shown(readable(line), Level.FULL) for line in lines),
        level=Level.FULL,
        code="[eq.M[0, 0].terms, eq.g[0].terms]",
    )  # fmt: skip


def _lines(setting: Setting, book: Abbreviations, results: list[tuple[Node, Scalar]]) -> list[Equation]:
    """The definitions in order, numbered without gaps, then the results; a result that is one name replaces it."""
    definitions = book.needed(short for _, short in results)
    names: dict[str, Node] = {}
    for left, short in results:
        named = _only_name(short)
        if named in definitions and named not in names:
            names[named] = left
    prefix = _free_prefix(setting)
    numbers = iter(range(1, len(definitions) + 1))
    names |= {name: Symbol(f"{prefix}{next(numbers)}") for name in definitions if name not in names}
    lines = [equation(names[name], _renamed(setting.tree(value), names)) for name, value in definitions.items()]
    defined = {id(left) for left in names.values()}
    rest = [(left, short) for left, short in results if id(left) not in defined]
    return lines + [equation(left, _renamed(setting.tree(_plain(short)), names)) for left, short in rest]


def _only_name(x: Scalar) -> str:
    """The name that a result consists of; "" where it is more than one name."""
    text = repr(x.short) if isinstance(x, Short) else ""
    return text if text.startswith("v.") and text[2:].isdigit() else ""


def _renamed(formula: Node, names: dict[str, Node]) -> Node:
    """A formula with the final names of the intermediate variables."""
    return mapped(formula, lambda node: names.get(node.name, node) if isinstance(node, Symbol) else node)


def _plain(x: Scalar) -> Scalar:
    return x.short if isinstance(x, Short) else x


def _free_prefix(setting: Setting) -> str:
    """A letter for intermediate variables with which no symbol of the arm begins."""
    taken = {name[0] for name in (*setting.eq.arm.defaults, *setting.names)}
    return next(letter for letter in "vuwbefhknptxyz" if letter not in taken) if len(taken) < 14 else "v_"


def _properties(setting: Setting) -> Section:
    eq = setting.eq
    skew = is_skew(setting, eq.C.values)
    power = sum((v * f for v, f in zip(eq.exact.qd, eq.euler_lagrange.values, strict=True)), start=0)
    energy = is_exactly_zero(eq.time_derivative(eq.H.value) - power)
    rows: tuple[tuple[str | Node, ...], ...] = (
        (M_DOT_MINUS_2C, "is skew-symmetric", "proven" if skew else "FAILED"),
        (
            Symbol("H", 1),
            "equals the power of the generalised forces without friction",
            "proven" if energy else "FAILED",
        ),
    )
    return step(
        "Identities",
        ("Each was verified symbolically: the difference of the two sides is identically zero.",),
        tables=(Table(("", "identity", "verdict"), rows),),
        code="eq.M_dot",
    )
