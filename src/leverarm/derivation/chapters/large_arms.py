"""Arms with many joints: the shape of their equations instead of pages of terms.

Which entries of M depend on which joints, how many terms each has, the small ones in full, and the others as a program
of short lines.
"""

from __future__ import annotations

from fractions import Fraction

from leverarm import mechanics as me
from leverarm.closed_form import Formula
from leverarm.derivation.chapters.properties import is_skew
from leverarm.derivation.document import Level, Part, Shown, Step, Table
from leverarm.derivation.setting import DIGITS, Setting, equation, readable
from leverarm.notation.tree import Equation, Indexed, Node, Number, Of, Product, Sum, Symbol, mapped
from leverarm.scalars import Scalar
from leverarm.scalars.exact import Abbreviations, Cosine, Polynomial, Short, Sine, is_exactly_zero

_TWICE_C = Product((Number(Fraction(-2)), Symbol("C")))

SMALL = 12
"""Entries with at most this many terms are written in full."""


def structure(setting: Setting) -> tuple[Part, ...]:
    """The robot equation of a large arm: its shape, its small entries, and a program for the rest."""
    return (
        Part("The robot equation", (_form(setting), _mass_matrix(setting), _forces(setting))),
        Part("Small entries in full", (_small_entries(setting),)),
        Part("The rest in short lines", (_program(setting),)),
        Part("Properties", (_properties(setting),)),
    )


def _form(setting: Setting) -> Step:
    q, qd, qdd = (setting.all(dots) for dots in (0, 1, 2))
    terms = (Product((Of(Symbol("M"), (q,)), qdd)), Product((Of(Symbol("C"), (q, qd)), qd)), Of(Symbol("g"), (q,)))
    words = "Mass matrix, Coriolis and centripetal forces, gravity; as objects in `la.equations(arm)`."
    if _has_long_numbers(setting):
        words += f" Numbers below are rounded to {DIGITS} digits where the sign says so; the objects are exact."
    return Step("Matrix form", (words,), (Shown(equation(Sum(terms), Symbol("tau"))),), code="[eq.M, eq.C, eq.g]")


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


def _mass_matrix(setting: Setting) -> Step:
    M, n = setting.eq.M, range(setting.dof)
    rows: tuple[tuple[str | Node, ...], ...] = tuple(
        (setting.coordinates()[i], *("" if j < i else _cell(setting, M[i, j]) for j in n)) for i in n
    )
    symmetric = me.transposed(M.values) == M.values
    return Step(
        "Mass matrix",
        (
            f"Terms of each entry, and in brackets the joints it depends on; {M.terms} terms in all. ",
            "M is symmetric (computed)." if symmetric else "M is NOT symmetric.",
        ),
        tables=(Table(("", *setting.coordinates()), rows),),
        code="eq.M",
    )


def _forces(setting: Setting) -> Step:
    eq = setting.eq
    rows = tuple(
        (setting.coordinates()[i], _cell(setting, eq.c[i]), _cell(setting, eq.g[i]), str(eq.tau[i].terms))
        for i in range(setting.dof)
    )
    return Step(
        "Forces",
        ("Terms of the Coriolis and centripetal forces, of gravity, and of the whole equation of each joint.",),
        tables=(Table(("joint", Product((Symbol("C"), setting.all(1))), Symbol("g"), Symbol("tau")), rows),),
        code="eq.tau",
    )


def _small_entries(setting: Setting) -> Step:
    eq, n = setting.eq, range(setting.dof)
    upper = [(i, j) for i in n for j in range(i, setting.dof)]
    shown = [Shown(readable(equation(_entry("M", *at), eq.M[at].tree))) for at in upper if 0 < eq.M[at].terms <= SMALL]
    shown += [Shown(readable(equation(_entry("g", i), eq.g[i].tree))) for i in n if eq.g[i].terms <= SMALL]
    return Step(
        f"Entries of at most {SMALL} terms",
        ("Of the mass matrix and of gravity.",),
        tuple(shown),
        code="together(eq, *(entry for entry in (*eq.M, *eq.g) if 0 < entry.terms <= 12))",
    )


def _entry(name: str, *indices: int) -> Node:
    separator = "," if max(indices) >= 9 else ""
    return Indexed(Symbol(name), separator.join(str(i + 1) for i in indices))


def _program(setting: Setting) -> Step:
    """Composite bodies from the tip inwards, every long sum named."""
    eq, exact = setting.eq, setting.eq.exact
    book = Abbreviations(exact.ring, prefix="v.")
    arm, q = exact.abbreviated(book)
    M, g = me.mass_matrix(arm, q), me.gravity_forces(arm, q)
    n = range(setting.dof)
    results: list[tuple[Node, Scalar, Formula]] = [
        (_entry("M", i, j), M[i][j], eq.M[i, j]) for i in n for j in range(i, setting.dof) if eq.M[i, j].terms > SMALL
    ]
    results += [(_entry("g", i), g[i], eq.g[i]) for i in n if eq.g[i].terms > SMALL]
    same = book.expanded(short for _, short, _ in results) == [formula.value for _, _, formula in results]
    lines = _lines(setting, book, [(left, short) for left, short, _ in results])
    verdict = "Put back into each other they are exactly the entries (computed)." if same else "The check FAILED."
    return Step(
        "Intermediate variables",
        (f"{len(lines) - len(results)} short lines give the remaining {len(results)} entries of ", Symbol("M"), " and ",
         Symbol("g"), f". {verdict}"),
        tuple(Shown(readable(line), Level.FULL) for line in lines),
        level=Level.FULL,
        code="[eq.M[0, 0].terms, eq.g[0].terms]",
    )  # fmt: skip


def _lines(setting: Setting, book: Abbreviations, results: list[tuple[Node, Scalar]]) -> list[Equation]:
    """The definitions in order, numbered without gaps, and the results; a result that is a name takes its place."""
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
    """The letter that a result is, "" where it is more than one."""
    text = repr(x.short) if isinstance(x, Short) else ""
    return text if text.startswith("v.") and text[2:].isdigit() else ""


def _renamed(formula: Node, names: dict[str, Node]) -> Node:
    """A formula with the intermediate variables called by their final names."""
    return mapped(formula, lambda node: names.get(node.name, node) if isinstance(node, Symbol) else node)


def _plain(x: Scalar) -> Scalar:
    return x.short if isinstance(x, Short) else x


def _free_prefix(setting: Setting) -> str:
    """A letter for intermediate variables that no symbol of the arm begins with."""
    taken = {name[0] for name in (*setting.eq.arm.defaults, *setting.names)}
    return next(letter for letter in "vuwbefhknptxyz" if letter not in taken) if len(taken) < 14 else "v_"


def _properties(setting: Setting) -> Step:
    eq = setting.eq
    skew = is_skew(setting, eq.C.values)
    power = sum((v * f for v, f in zip(eq.exact.qd, eq.euler_lagrange.values, strict=True)), start=0)
    energy = is_exactly_zero(eq.time_derivative(eq.H.value) - power)
    rows: tuple[tuple[str | Node, ...], ...] = (
        (Sum((Symbol("M", 1), _TWICE_C)), "is skew-symmetric", "proven" if skew else "FAILED"),
        (Symbol("H", 1), "is the power of the generalised forces, friction apart", "proven" if energy else "FAILED"),
    )
    return Step(
        "Identities",
        ("Each was computed with all symbols: the difference of both sides has no terms.",),
        tables=(Table(("", "identity", "verdict"), rows),),
        code="eq.M_dot",
    )
