"""How a check read an equation: what each name was taken for, what each side is, and how far that is a proof."""

from __future__ import annotations

from collections.abc import Iterable

from leverarm.closed_form.formula import Formula, Formulas
from leverarm.errors import LeverarmError
from leverarm.notation.reading import Statement
from leverarm.notation.tree import Name, Node
from leverarm.verify.equations.algebra import Value, every, is_table, shown, spelled
from leverarm.verify.equations.evaluation import value_of
from leverarm.verify.equations.indices import letters_of
from leverarm.verify.equations.scope import Scope
from leverarm.verify.equations.verdict import Status, WrittenError, where_of

READABLE_TERMS = 30
"""A formula of more terms than this is not printed."""
PROOFS: dict[Status, str] = {
    "equal": "The difference of the sides is zero as a polynomial in {letters}: it is for all their values.",
    "equal by convention": "With what is said above, the difference of the sides is zero as a polynomial, not only at "
    "some values.",
    "different": "The difference of the sides is a polynomial that is not zero.",
}


def formula_of(value: Value, scope: Scope) -> Formula | Formulas:
    """An exact value in the letters of the arm."""
    if is_table(value):
        return scope.equations.formulas([list(row) for row in value.rows])
    return scope.equations.formula(value)


def explanation(statement: Statement, scope: Scope, status: Status) -> tuple[str, ...]:
    """What each name was read as, what each side is in the arm's letters, and what was proven; a sentence each."""
    names = dict.fromkeys(every(Name, *statement.sides))
    meant = [sentence for name in names if (sentence := _meaning(name, scope))]
    values = [_value(side, scope) for side in statement.sides]
    known = [(side, value) for side, value in zip(statement.sides, values, strict=True) if value is not None]
    sides = [_side(side, value, scope) for side, value in known]
    letters = sorted({letter for _, value in known for letter in letters_of(value)})
    proof = PROOFS.get(status, "").format(letters=_listed(_printed(letter, scope) for letter in letters) or "no letter")
    return (*meant, *sides, *((proof,) if proof else ()))


def _meaning(name: Name, scope: Scope) -> str:
    """What a name was taken for, and what else it could have been; nothing of one that stands for nothing."""
    try:
        taken = scope.meaning(name)
    except WrittenError:
        return ""
    if taken.kind == "definition" and (formula := scope.definitions.get(spelled(name))) is not None:
        place = where_of(scope.text, formula.span[0])
        return f"{shown(name)} is what the text defines in line {place.line}: `{scope.written(formula)}`."
    if taken.kind == "unknown":
        return f"{shown(name)} is a letter of the text's own."
    others = list(dict.fromkeys(each.about for each in scope.meanings(name) if not each.is_loose))
    others = [each for each in others if each != taken.about]
    rest = f" (it could also be {_listed(others[:2], 'or')})" if others else ""
    words = (taken.read_as or taken.about).removeprefix(f"{shown(name)}, ")
    is_plain = words == shown(name) or (taken.kind == "symbol" and not taken.read_as)
    return "" if is_plain else f"{shown(name)} is {words}{rest}."


def _value(side: Node, scope: Scope) -> Value | None:
    try:
        return value_of(side, scope)
    except LeverarmError:
        return None


def _side(side: Node, value: Value, scope: Scope) -> str:
    formula = formula_of(value, scope)
    large = f"an expression of {formula.terms} terms"
    return f"`{scope.written(side)}` is {formula.text() if formula.terms <= READABLE_TERMS else large}."


def _printed(letter: str, scope: Scope) -> str:
    name, _, dots = letter.partition(".")
    return f"{scope.equations.notation.vocabulary.printed.get(name, name)}{chr(39) * len(dots)}"


def _listed(words: Iterable[str], last: str = "and") -> str:
    listed = list(words)
    return f" {last} ".join([", ".join(listed[:-1]), listed[-1]] if len(listed) > 1 else listed)
