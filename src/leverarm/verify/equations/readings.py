"""How an equation is read: its subject, its names with several readings, and the case of a side that is wrong.

Readings are tried with the likeliest first; the first in which the equation holds is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product

from leverarm.notation import tree
from leverarm.notation.reading import Statement
from leverarm.notation.tree import Name, Node
from leverarm.scalars import Scalar
from leverarm.scalars.exact import Application, is_exactly_zero, numerator_and_denominator, substitute
from leverarm.verify.equations import algebra
from leverarm.verify.equations.algebra import Family, Meaning, Value
from leverarm.verify.equations.arm_names import head_of
from leverarm.verify.equations.evaluation import value_of
from leverarm.verify.equations.indices import free_indices, indexed, totals, written_out
from leverarm.verify.equations.motion_quantities import BY_MASS
from leverarm.verify.equations.scope import LETTERS_OF_THE_ARM, Scope
from leverarm.verify.equations.verdict import WrittenError


@dataclass(frozen=True, slots=True)
class Case:
    """A side of an equation that differs from what it should be.

    `written` is the user's formula with the exact `value`, `wanted` what it should be; `about` says of what it speaks.
    Where the text sets coordinates, all values are those under these `conditions`, by the letters of the ring; an angle
    is given as its turn.
    """

    statement: Statement
    scope: Scope
    written: Node
    wanted: Value
    value: Value
    about: str
    conditions: Mapping[str, Scalar] = field(default_factory=dict)

    def worth(self, node: Node) -> Value:
        """The exact value of a formula under the conditions. Raises WrittenError where it has none."""
        return under(value_of(node, self.scope), self.conditions)

    def is_worth(self, node: Node, value: Value) -> bool:
        """Whether a formula has exactly this value under the conditions."""
        try:
            return algebra.equal(self.worth(node), value)
        except WrittenError:
            return False


def under(value: Value, conditions: Mapping[str, Scalar]) -> Value:
    """A value where the conditions hold; friction of a speed that is zero is zero."""
    if not conditions:
        return value
    return algebra.mapped(value, lambda x: substitute(x, {**_without_friction(x, conditions), **conditions}))


def _without_friction(x: Scalar, conditions: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """The signs of speeds that the conditions set to zero: sgn(0) = 0."""
    rings = [part.ring for part in numerator_and_denominator(x) if algebra.is_polynomial(part)]
    found = {}
    for generator in (each for ring in rings for each in ring.generators):
        match generator:
            case Application(argument=argument) if is_exactly_zero(substitute(argument, conditions)):
                found[generator.name] = 0
    return found


def subject_of(statement: Statement) -> int:
    """The side that says what the equation is about: a quantity alone, else the shortest."""
    for i, side in enumerate(statement.sides):
        if is_quantity(side):
            return i
    sizes = [sum(1 for _ in tree.walk(side)) for side in statement.sides]
    return sizes.index(min(sizes))


def is_quantity(node: Node) -> bool:
    """Whether a side is nothing but a named quantity, its derivative, or a vector of such."""
    match node:
        case Name():
            return True
        case (
            tree.Of(head=of)
            | tree.Power(base=of)
            | tree.Transposed(of=of)
            | tree.Inverse(of=of)
            | tree.TimeDerivative(of=of)
        ):
            return is_quantity(of)
        case tree.PartialDerivative(of=of):
            return is_quantity(of)
        case tree.Matrix(rows=rows):
            return all(is_quantity(entry) for row in rows for entry in row)
        case _:
            return False


def about(node: Node, scope: Scope) -> str:
    """What a side speaks of, in words: "tau_1, the torque of joint theta1"; its text where it has no name."""
    match node:
        case Name():
            try:
                return scope.meaning(node).about
            except WrittenError:
                return scope.written(node)
        case tree.Of(head=head) if is_quantity(head):
            return about(head, scope)
        case tree.Number():
            return "an equation for zero" if node.value == 0 else "a number"
        case _:
            return scope.written(node)


def case_of(read: Read) -> Case:
    """The first side that differs from the one that says what the equation is about; where none does, any other."""
    return cases_of(read)[0]


def cases_of(read: Read) -> list[Case]:
    """The sides that differ from the one that says what the equation is about; where none does, the others."""
    statement, scope, n = read.statement, read.scope, read.scope.values.n
    subject = subject_of(statement)
    others = [i for i in range(len(read.sides)) if i != subject]
    wanted = read.sides[subject]
    off = [i for i in others if not algebra.equal(read.sides[i], wanted)]
    about_it = about(statement.sides[subject], scope)
    return [
        Case(statement, scope, written_out(statement.sides[i], n), wanted, read.sides[i], about_it)
        for i in off or others
    ]


MAX_WAYS = 160
"""The most ways in which one equation is read."""
MAX_INSTANCES = 64
"""The most numbers that the open indices of one equation are tried with."""
MAX_DEFINITIONS = 12
"""The most definitions that are read in several ways together with an equation."""


@dataclass(frozen=True, slots=True)
class Read:
    """An equation in one reading: the scope that settles its names, and the value of each side.

    `problem` is set where a side could not be read or compared: the statement is without that side then.
    """

    statement: Statement
    scope: Scope
    sides: tuple[Value, ...]
    problem: WrittenError | None = None

    @property
    def holds(self) -> bool:
        return all(algebra.equal(self.sides[0], value) for value in self.sides[1:])

    @property
    def off(self) -> int:
        """The terms by which sides differ from the first."""
        return sum(algebra.size(algebra.subtracted(self.sides[0], value)) for value in self.sides[1:])


def read_statement(statement: Statement, scope: Scope, preferred: Mapping[Family, str]) -> Read:
    """The first reading in which an equation holds; where none does, the first in which it makes sense.

    Raises WrittenError where there is none.
    """
    read = _likeliest(statement, scope, preferred)
    if read.problem is not None:
        raise read.problem
    return read


def holds(statement: Statement, scope: Scope) -> bool:
    """Whether an equation is exactly true for the arm of the scope."""
    try:
        reads = [read_statement(each, scope, {}) for each in instances(statement, scope)]
    except WrittenError:
        return False
    return all(each.problem is None and each.holds for each in reads)


def instances(statement: Statement, scope: Scope) -> list[Statement]:
    """The equation for all numbers that its open indices stand for."""
    letters, n = free_indices(statement, lambda name: bool(scope.meanings(name))), scope.values.n
    if not letters or n ** len(letters) > MAX_INSTANCES:
        return [statement]
    return [
        indexed(statement, dict(zip(letters, numbers, strict=True)))
        for numbers in product(range(1, n + 1), repeat=len(letters))
    ]


def read_sides(statement: Statement, scope: Scope, preferred: Mapping[Family, str]) -> Read:
    """The same; but where an equation is wrong without a side that makes no sense, it is read without that side."""
    read = _likeliest(statement, scope, preferred)
    if read.problem is not None and (len(read.sides) < 2 or read.holds):
        raise read.problem
    return read


def _likeliest(statement: Statement, scope: Scope, preferred: Mapping[Family, str]) -> Read:
    families = [_families(side, scope) for side in statement.sides]
    known: dict[tuple[object, ...], Value | WrittenError] = {}
    sensible: Read | None = None
    for chosen in islice(_ways(families, preferred), MAX_WAYS):
        chosen_scope = replace(scope, chosen=chosen)
        values = []
        for i, side in enumerate(statement.sides):
            key = (i, *(chosen.get(family) for family in families[i]))
            if key not in known:
                known[key] = _value(side, chosen_scope)
            values.append(known[key])
        read = _compared(statement, chosen_scope, values)
        if read.problem is None and read.holds:
            return read
        if sensible is None or _makes_more_sense(read, sensible):
            sensible = read
    assert sensible is not None
    return sensible


def _makes_more_sense(read: Read, other: Read) -> bool:
    """Whether more sides can be compared in one reading, or as many and they are equal or differ by fewer terms."""
    if len(read.sides) != len(other.sides):
        return len(read.sides) > len(other.sides)
    if read.problem is not None:
        return read.holds and not other.holds
    return _parts_in_cosines(read.scope, other.scope) and read.off < other.off


def _parts_in_cosines(scope: Scope, other: Scope) -> bool:
    """Whether two readings differ only in what is a cosine, or all coordinates, in the other, or of another body."""
    kept = {family: kind for family, kind in other.chosen.items() if kind not in ("cosine", "coordinates")}
    own = {family: kind.replace(BY_MASS, "") for family, kind in scope.chosen.items()}
    return all(own.get(family) == kind.replace(BY_MASS, "") for family, kind in kept.items())


def _compared(statement: Statement, scope: Scope, values: Sequence[Value | WrittenError]) -> Read:
    """The sides of an equation that can be compared with the first; none where some side has no value."""
    failed = [value for value in values if isinstance(value, WrittenError)]
    if failed:
        return Read(statement, scope, (), failed[0])
    kept = [i for i, value in enumerate(values) if algebra.fits(values[0], value)]
    if len(kept) == len(values):
        return Read(statement, scope, tuple(values))
    unfit = next(i for i in range(len(values)) if i not in kept)
    what = f"sets {algebra.described(values[0])} equal to {algebra.described(values[unfit])}"
    problem = WrittenError(statement.sides[unfit].span, f"the equation {what}.")
    rest = replace(statement, sides=tuple(statement.sides[i] for i in kept))
    return Read(rest, scope, tuple(values[i] for i in kept), problem)


def readings_of(statement: Statement, scope: Scope) -> tuple[str, ...]:
    """The names that were not taken by their own spelling: "L_1 as a1"."""
    found = {}
    for side in statement.sides:
        for name in _names(side, scope):
            if scope.meanings(name) and (taken := scope.meaning(name).read_as):
                found[algebra.shown(replace(name, dots=0))] = taken
    return tuple(f"{name} as {taken}" for name, taken in found.items())


def free_names(node: Node, scope: Scope) -> list[Name]:
    """The names of a formula that are taken as letters of their own, each once."""
    found = {
        algebra.spelled(name): name for name in reversed([*_names(node, scope)]) if algebra.spelled(name) in scope.free
    }
    return list(reversed(found.values()))


def loose_names(statement: Statement, scope: Scope) -> list[Name]:
    """The names of an equation that only have readings that are no more than a guess."""
    names = [name for side in statement.sides for name in _names(side, scope)]
    return [name for name in names if _is_loose(scope.meanings(name))]


def _is_loose(meanings: Sequence[Meaning]) -> bool:
    quantities = [each.is_loose and each.kind not in LETTERS_OF_THE_ARM for each in meanings]
    return bool(quantities) and all(quantities)


def unknown_names(statement: Statement, scope: Scope) -> list[Name]:
    """The names of an equation that mean nothing, each once."""
    found: dict[tuple[str, str], Name] = {}
    for side in statement.sides:
        for name in _names(side, scope):
            if not scope.meanings(name):
                found.setdefault((name.letter, name.lower), name)
    return list(found.values())


def _is_letter(name: Name, scope: Scope) -> bool:
    """Whether a name is most likely a letter of the arm."""
    return any(each.kind in LETTERS_OF_THE_ARM for each in scope.meanings(name)[:1])


def _is_bare(name: Name) -> bool:
    """Whether a letter stands without an index, dots or marks, as vectors do: g."""
    return not (name.lower or name.upper or name.dots) and name.letter in "gG"


def _value(side: Node, scope: Scope) -> Value | WrittenError:
    try:
        return value_of(side, scope)
    except WrittenError as problem:
        return problem


def _families(side: Node, scope: Scope) -> dict[Family, list[str]]:
    """The families of a side's names that have several readings, each with its readings in order."""
    found: dict[Family, list[str]] = {}
    for name in _with_definitions(side, scope):
        kinds = found.setdefault(scope.family(name), [])
        kinds += [each.kind for each in scope.meanings(name) if each.kind not in kinds]
    return {family: kinds for family, kinds in found.items() if len(kinds) > 1}


def _ways(
    families: Sequence[Mapping[Family, list[str]]], preferred: Mapping[Family, str]
) -> Iterator[dict[Family, str]]:
    """Every choice of readings, by how far down their lists they lie together."""
    kinds: dict[Family, list[str]] = {}
    for side in families:
        for family, listed in side.items():
            kinds[family] = [*kinds.get(family, []), *(k for k in listed if k not in kinds.get(family, []))]
    for family, listed in list(kinds.items()):
        first = preferred.get(family)
        if first in listed:
            kinds[family] = [first, *(kind for kind in listed if kind != first)]
    lists = list(kinds.items())
    for depth in range(sum(len(listed) - 1 for _, listed in lists) + 1):
        for ranks in _ranks([len(listed) for _, listed in lists], depth):
            yield {family: listed[rank] for (family, listed), rank in zip(lists, ranks, strict=True)}


def _ranks(sizes: Sequence[int], total: int) -> Iterator[tuple[int, ...]]:
    """The tuples of ranks below these sizes with this sum."""
    if not sizes:
        if total == 0:
            yield ()
        return
    for rank in range(min(sizes[0] - 1, total) + 1):
        for rest in _ranks(sizes[1:], total - rank):
            yield rank, *rest


def _with_definitions(node: Node, scope: Scope) -> Iterator[Name]:
    """The names of a formula, and those of the definitions it needs that are no letters of the arm."""
    waiting, defined = [*_names(node, scope)], set[str]()
    yield from waiting
    while waiting and len(defined) < MAX_DEFINITIONS:
        word = algebra.spelled(waiting.pop(0))
        if word in scope.definitions and word not in defined:
            defined.add(word)
            inside = list(_names(scope.definitions[word], scope))
            yield from (name for name in inside if not _is_letter(name, scope) or _is_bare(name))
            waiting += inside


def _names(node: Node, scope: Scope) -> Iterator[Name]:
    """The names of a formula; of a sum over an index those of all its terms, of a quantity not its arguments."""
    match node:
        case Name():
            yield node
        case tree.Of() if (head := head_of(node)) and scope.uses.get(head.span, "part") != "part":
            yield head
        case tree.Total():
            for term in totals(node, scope.values.n):
                yield from _names(term, scope)
        case _:
            for part in tree.parts(node):
                yield from _names(part, scope)
