"""What a check says: how it read an equation and what it proved of it, and all that it found as a document.

The document has each equation with its verdict, the difference, the correction and a state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from leverarm.closed_form.formula import Formula, Formulas
from leverarm.documents.document import (
    Block,
    Document,
    Equations,
    Items,
    Level,
    Mark,
    Paragraph,
    Section,
    Shown,
    Tone,
    Words,
)
from leverarm.documents.document import Verdict as Decision
from leverarm.errors import LeverarmError
from leverarm.notation.reading import Statement
from leverarm.notation.tree import Name, Node
from leverarm.notation.vocabulary import Writing
from leverarm.verify.equations.algebra import Value, every, is_table, shown, spelled
from leverarm.verify.equations.evaluation import value_of
from leverarm.verify.equations.indices import letters_of
from leverarm.verify.equations.scope import Scope
from leverarm.verify.equations.verdict import DEFINED, Status, Verdict, Verdicts, WrittenError, where_of

TONES: dict[Status, Tone] = {
    "equal": "good",
    "equal by convention": "good",
    DEFINED: "plain",
    "different": "bad",
    "unreadable": "fair",
}
DIFFERENCE = "Written minus true is "
LONG = 160
"""Characters of a user's equation that are shown."""


def report(verdicts: Verdicts) -> Document:
    """A section for each equation."""
    differences = (verdict.difference for verdict in verdicts if verdict.difference is not None)
    writing = next((each.notation.writing for each in differences), Writing())
    sentences = (_counted(verdicts), *([f"Read {', '.join(verdicts.readings)}."] if verdicts.readings else ()))
    summary = tuple(Paragraph((sentence,)) for sentence in sentences)
    sections = tuple(Section(_title(verdict), tuple(_blocks(verdict)), _explained(verdict)) for verdict in verdicts)
    data = {"arm": verdicts.arm, "verdicts": [verdict.facts() for verdict in verdicts]}
    return Document(f"Equations checked against {verdicts.arm}", summary, sections, writing, data=data, layout="report")


def _counted(verdicts: Verdicts) -> str:
    return f"{len(verdicts)} equation{'s' * (len(verdicts) != 1)}: {verdicts.counted}."


def _title(verdict: Verdict) -> str:
    about = f": {verdict.about}" if verdict.about else ""
    return f"{str(verdict.where).capitalize()}{about}"


def _blocks(verdict: Verdict) -> Iterator[Block]:
    lines = verdict.message.splitlines()
    if verdict.status == "unreadable":
        yield Paragraph(_pointed(lines[0], lines[1].index("^"))) if len(lines) > 2 else Paragraph(_code(verdict.text))
        yield Decision((f"{verdict.status}: {lines[-1]}" if lines else verdict.status,), TONES[verdict.status])
        return
    yield Paragraph(_code(verdict.text))
    yield Decision((f"{verdict.status}.",), TONES[verdict.status])
    for line in lines:
        if line.startswith(DIFFERENCE) and verdict.difference is not None:
            yield Paragraph((DIFFERENCE.rstrip(),))
            yield Equations((Shown(verdict.difference.tree),))
        else:
            yield Paragraph((line,))


def _explained(verdict: Verdict) -> tuple[Section, ...]:
    """How the equation was read, for those who ask for every line."""
    items = tuple((sentence,) for sentence in verdict.explain())
    return (Section("How it was read", (Items(items),), level=Level.EVERY_LINE),) if items else ()


def _code(text: str) -> Words:
    """The user's own line, as it is written."""
    line = " ".join(text.split()).replace("`", "'")
    return (f"`{line if len(line) <= LONG else f'{line[: LONG - 3]}...'}`",)


def _pointed(line: str, at: int) -> Words:
    """A line with a mark before the place that could not be read."""
    before, behind = (_code(part) if part.strip() else () for part in (line[:at], line[at:]))
    return (*before, " ", Mark("here", "fair"), " ", *behind)


# How an equation was read

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
