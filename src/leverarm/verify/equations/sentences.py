"""What the sentences of a text set for the equations in them: coordinates, joints that are locked, an arm at rest."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from leverarm.notation.reading import Found, Statement
from leverarm.notation.tree import Name, Node, Number, mapped
from leverarm.scalars import Scalar
from leverarm.verify.equations.algebra import every, plain
from leverarm.verify.equations.evaluation import value_of
from leverarm.verify.equations.force_quantities import TORQUES
from leverarm.verify.equations.indices import letters_of
from leverarm.verify.equations.readings import is_quantity
from leverarm.verify.equations.scope import Scope
from leverarm.verify.equations.settings import at_rest, conditions_of, gives_number
from leverarm.verify.equations.verdict import WrittenError

NEAR = 60
"""Characters between a line that sets coordinates and an equation that it is meant for, at most."""
LOCKED = re.compile(r"(?i)\b(?:locked|braked|clamped|blocked|held fixed)\b")
"""Words that say of the coordinates which their sentence sets that they stay there."""
SPEEDS, ACCELERATIONS = ".d", ".dd"
STANDING = (
    (
        r"at rest|in rest|still|stationary|static(?:s|ally)?|to hold|holding|(?:no|without) motion",
        (SPEEDS, ACCELERATIONS),
    ),
    (r"standstill|no speeds?|without speed", (SPEEDS,)),
    (
        r"(?:no|without|zero|vanishing) accelerations?|uniform(?:ly)?(?: \w+)? (?:motion|rotat\w+|mov\w+)"
        r"|(?:constant|steady|uniform)(?: (?:joint|angular|these))? (?:speed|velocit|rate|motion|rotation)\w*",
        (ACCELERATIONS,),
    ),
)
"""Words that set all speeds, all accelerations or both to zero for the equations of their sentence."""
CONSTANT = r"(?:(?:is|stays|remains|held|kept) )*(?:constant|fixed|locked|braked|clamped|blocked|still)\b"
"""Words that say it of the coordinate before them."""
ENDS = re.compile(r"(?<!\n\d)\.\s|\n\s*\n")
"""Where a sentence ends, and with it what was set for the equations in it; not behind the number of a list."""
IN_GENERAL = re.compile(r"(?i)\bin (?:the )?general\b|\bgeneral(?:ly)? (?:case|motion|equation)")
"""Words that end what was set."""
Conditions = Mapping[str, Scalar]


def _constant(words: str, scope: Scope) -> list[str]:
    """The coordinates that words call constant, or locked: "theta1 constant", "q_2 is held fixed"."""
    bare, values = re.sub(r"[\\\\${}_]", "", words), scope.values
    return [
        name
        for i, name in enumerate(values.exact.coordinates)
        if re.search(rf"\b{re.escape(plain(values.printed(i)))}\W{{1,3}}{CONSTANT}", bare)
    ]


def _resting(words: str, scope: Scope) -> dict[str, Scalar]:
    """The speeds and accelerations that words set to zero: of the coordinates that they name, or of all."""
    if named := _constant(words, scope):
        return at_rest(scope, named)
    depths = {dots for said, found in STANDING if re.search(rf"(?i)\b(?:{said})\b", words) for dots in found}
    return {letter: x for letter, x in at_rest(scope).items() if letter.endswith((*depths,))}


@dataclass(frozen=True, slots=True)
class Before:
    """What the text before a line sets for it: `conditions` by lines and `resting` by words of the same sentence.

    `state` is all that lines of the text have set; results in numbers are meant there, sentences later too. `between`
    are the words since the last line; `is_used` says whether an equation came after what was set.
    """

    conditions: Conditions = field(default_factory=dict)
    resting: Conditions = field(default_factory=dict)
    state: Conditions = field(default_factory=dict)
    between: str = ""
    end: int = 0
    is_used: bool = False

    def reaching(self, piece: Found, scope: Scope) -> Before:
        """The same when the next line is reached: what was set is forgotten at the end of a sentence."""
        between = scope.text[self.end : piece.span[0]]
        if IN_GENERAL.search(between):
            return Before(between=between, end=piece.span[1])
        is_over = len(between) > NEAR or (self.is_used and ENDS.search(between))
        kept = replace(self, conditions={}, resting={}) if is_over else self
        words = ENDS.split(between)[-1]
        resting = _resting(words, scope)
        state = {**self.state, **resting} if resting else self.state
        return replace(kept, resting={**kept.resting, **resting}, state=state, between=between, end=piece.span[1])

    def setting(self, line: Statement, scope: Scope) -> Before:
        """The same behind a line that sets something. Coordinates that are set anew after an equation replace all."""
        new = conditions_of(line, scope)
        conditions = new if self.is_used and new else {**self.conditions, **new}
        locked = at_rest(scope, new) if LOCKED.search(self.between) else {}
        state, resting = {**self.state, **new}, {**self.resting, **locked}
        is_used = self.is_used and not new
        return replace(self, conditions=conditions, resting=resting, state=state, is_used=is_used)

    def conditions_for(self, line: Statement, scope: Scope) -> Conditions:
        """The conditions for an equation. Words set nothing that it has written: they excuse no slip in it."""
        is_zero = all(side == Number(Fraction(0)) for side in line.sides[1:])  # holds at many states
        given = {**self.state, **self.conditions} if gives_number(line) and not is_zero else self.conditions
        words = {letter: x for letter, x in self.resting.items() if letter not in given}
        try:
            formulas = [value_of(_torques_apart(side, scope), scope) for side in line.sides if not is_quantity(side)]
        except WrittenError:
            return given
        written = {_depth(letter) for value in formulas for letter in {*letters_of(value)} & {*words}}
        return {**given, **{letter: x for letter, x in words.items() if _depth(letter) not in written}}

    def unsaid_for(self, line: Statement, scope: Scope) -> Conditions:
        """The speeds, or accelerations, of which the text gives none where it works out numbers: tau_1 = 2*9.81 = 19.6.

        They are zero there, which is said.
        """
        given = self.conditions_for(line, scope)
        if not given or not gives_number(line) or not any(map(_is_worked_out, line.sides[1:])):
            return {}
        depths = {_depth(letter) for letter in given}
        return {letter: x for letter, x in at_rest(scope).items() if _depth(letter) not in depths}


def _torques_apart(side: Node, scope: Scope) -> Node:
    """A formula without the torques in it, which are at the same state: tau_1 = tau_2 + m_1 g l_1."""

    def without(part: Node) -> Node:
        match part:
            case Name() if any(each.kind == TORQUES for each in scope.meanings(part)[:1]):
                return Number(Fraction(0), span=part.span)
        return part

    return mapped(side, without)


def _depth(letter: str) -> str:
    """The dots of a letter of the state."""
    return letter.partition(".")[2]


def _is_worked_out(side: Node) -> bool:
    """Whether a side is a sum or a product of numbers."""
    return not any(True for _ in every(Name, side)) and len([*every(Number, side)]) > 1
