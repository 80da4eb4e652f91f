"""Which letters of the arm a text writes, where its equations decide: unknown letters, and letters with two meanings.

The letters that a text leaves unexplained are those of the arm with which most of its equations hold, and a letter that
can mean two things, a row first or last, a centre of mass or an end, means one of them throughout.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations, product

from leverarm.notation.reading import Found, Statement
from leverarm.notation.tree import Name, Number
from leverarm.notation.vocabulary import Role
from leverarm.verify.equations.algebra import column, every, letter_of, spelled
from leverarm.verify.equations.arm_names import DISTANCES, INERTIAS, MASSES
from leverarm.verify.equations.document import defined_name, is_definition, scope_of
from leverarm.verify.equations.indices import letters_of
from leverarm.verify.equations.motion_quantities import ALONG
from leverarm.verify.equations.readings import holds
from leverarm.verify.equations.scope import LETTERS_OF_THE_ARM, RIVALS, Scope
from leverarm.verify.equations.settings import setting_of

MAX_FITTED = 4
"""The most unknown letters for which the arm's are looked for."""
_INTRODUCED = re.compile(r"\b(?:[Ll]et|[Pp]ut|[Ww]ith|[Ww]here|[Ww]rite|[Ss]et|[Dd]efine|[Aa]bbreviat\w+)\b[^.;]*$")
"""What says that a name is new, up to the name."""
LETTERS_OF_ROLES = {Role.MASS: MASSES, Role.LENGTH: DISTANCES, Role.INERTIA: INERTIAS}


def with_fitting_letters(scope: Scope, pieces: tuple[Found, ...]) -> Scope:
    """The scope in which unknown masses, lengths and moments of inertia are those of the arm that the text leaves out.

    They are where there are as many, and in one order of them more equations hold than in any other.
    """
    names = [*every(Name, *scope.statements)]
    unknown = {spelled(name): name for name in names if _is_unknown(name, scope)}
    roles = scope.equations.notation.vocabulary.roles
    left = [each for each in scope.arm.defaults if each not in {_symbol_meant(name, scope) for name in names}]
    ways: list[dict[str, str]] = [{}]
    for role, letters in LETTERS_OF_ROLES.items():
        words = [word for word, name in unknown.items() if name.letter in letters]
        symbols = [each for each in left if roles.get(each) is role]
        if 0 < len(words) < len(symbols):
            used = letters_of(column(scope.equations.tau.values))
            symbols = [each for each in symbols if each in used]
        if len(words) == len(symbols):
            ways = [way | dict(zip(words, each, strict=True)) for way in ways for each in permutations(symbols)]
    if not 0 < len(ways[0]) <= MAX_FITTED:
        return scope
    scopes = [_fitted(scope, pieces, way) for way in ways]
    counts = [sum(_is_claim_of(line, {*ways[0]}, each) for line in each.statements) for each in scopes]
    most = max(counts)
    return scopes[counts.index(most)] if most and counts.count(most) == 1 else scope


def _fitted(scope: Scope, pieces: tuple[Found, ...], way: Mapping[str, str]) -> Scope:
    fitted = scope_of(scope.equations, scope.text, pieces, {**scope.names, **way})
    return replace(fitted, fitted=frozenset(way), cache={})


def _is_unknown(name: Name, scope: Scope) -> bool:
    """Whether a name means nothing, or is only given a number."""
    match scope.definitions.get(spelled(name)):
        case Number():
            return not name.dots
    is_free = all(each.is_loose and each.kind not in LETTERS_OF_THE_ARM for each in scope.meanings(name))
    return is_free and not name.dots and scope.lacking(name) is None


def _symbol_meant(name: Name, scope: Scope) -> str | None:
    """The symbol of the arm that a name surely is."""
    meanings = scope.meanings(name)
    if not meanings or any(each.kind != "symbol" and not each.is_loose for each in meanings):
        return None
    return letter_of(meanings[0].find()) if meanings[0].kind == "symbol" else None


def _is_claim_of(line: Statement, words: set[str], scope: Scope) -> bool:
    """Whether an equation with one of these names holds, and is no definition or setting."""
    if len(line.sides) < 2 or words.isdisjoint(map(spelled, every(Name, *line.sides))):
        return False
    return setting_of(line, scope) is None and not is_definition(line, scope) and holds(line, scope)


def rivals(read: Sequence[tuple[str, str]], scope: Scope) -> Iterator[tuple[str, list[str]]]:
    """The letters that were read in two ways of which a text has one only, the way that came first in front."""
    for letter, pair in product(dict.fromkeys(letter for letter, _ in read), RIVALS):
        ways = [kind for other, kind in read if other == letter and kind in pair]
        if len(ways) > 1 and not {(letter, kind) for kind in pair} & scope.ruled_out:
            yield letter, ways


def better(letter: str, pair: Sequence[str], proven: Sequence[Statement], scope: Scope) -> Scope:
    """The scope that reads a letter in that of two ways in which more of the proven equations hold."""
    ways = [replace(scope, ruled_out=scope.ruled_out | {(letter, kind)}, cache={}) for kind in reversed(pair)]
    return max(ways, key=lambda way: sum(holds(line, way) for line in proven))


def with_own_names(wrong: Iterable[Statement], scope: Scope) -> Scope:
    """The scope in which names that the text introduces, "let Z = ...", are its own.

    They are where they may be a coordinate of a point or a guess, and something that uses them holds only then.
    """
    for line in wrong:
        name = defined_name(line)
        if name is None or is_definition(line, scope) or _INTRODUCED.search(scope.text[: name.span[0]]) is None:
            continue
        if all(each.is_loose or each.kind.endswith(ALONG) for each in scope.meanings(name)):
            own = scope.defining_also(name, line.sides[1])
            users = (each for each in scope.statements if each != line and not is_definition(each, own))
            if any(_is_claim_of(each, {spelled(name)}, own) and not holds(each, scope) for each in users):
                scope = own
    return scope
