"""What can be changed in a written formula and in its text alike; each change undoes a mistake that people make.

Here are the changes that are tried one by one: signs, powers, entries of matrices, functions, angles, factors, letters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations, islice, pairwise
from typing import Any, Literal, TypeVar

from leverarm.notation import tree
from leverarm.notation.tree import Call, Matrix, Name, Negative, Node, Number, Power, Product, Sum, walk
from leverarm.verify.equations.algebra import Value, aligned, every, is_zero, pattern
from leverarm.verify.equations.dimensions import Dimension, dimension_of, units_of
from leverarm.verify.equations.mending import splicing
from leverarm.verify.equations.mending.sampling import Sample, SampleError, State, same
from leverarm.verify.equations.mending.spelling import Spelled, Spelling
from leverarm.verify.equations.mending.splicing import Splice, bare
from leverarm.verify.equations.readings import Case

Place = Literal["anywhere", "outside angles", "in angles", "whole", "whole or entry", "sum", "term"]
"""Where a part stands: "term" is what is added to others, the whole formula too, "sum" what terms can be added to."""
ODD, RARE, OTHER_DIMENSION, OTHER_KIND_OF_INDEX, OTHER = 0.2, 0.2, 0.6, 0.1, 0.3
"""What a change costs more: where brackets are needed, for a letter that the document has nowhere, for one of another
dimension, for an index of another kind, for an angle that lacks what is written."""
EACH_TERM = 0.01
DERIVED, LIKELY = (tree.PartialDerivative, tree.TimeDerivative, tree.Total), 0.25
"""Within a derivative, where exact values are needed to try a change, only the likeliest are tried."""
N = TypeVar("N", bound=Node)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Edit:
    """Parts of a formula exchanged for others, and the same in the text.

    `how` says the mistake, or is what the sentence of its rule needs; `cost` is small for likely mistakes, or what this
    one costs more than its rule says; `what` is the kind of mistake, where it is not that of the rule. `both` are the
    edits that it is made of, where a formula has several mistakes. `case` is the side that it changes, where that is
    not the one that was looked at.
    """

    changes: tuple[tuple[Node, Node], ...]
    splices: tuple[Splice, ...]
    how: str = ""
    cost: float = 0.0
    what: str = ""
    both: tuple[Edit, ...] = ()
    case: Case | None = None


def together(edits: Sequence[Edit]) -> Edit:
    """Several edits as one, in the order of the page."""
    edits = sorted(edits, key=lambda edit: edit.splices[0].start)
    return Edit(
        tuple(change for edit in edits for change in edit.changes),
        tuple(splice for edit in edits for splice in edit.splices),
        ", ".join(edit.how for edit in edits),
        sum(edit.cost for edit in edits),
        " and ".join(dict.fromkeys(edit.what for edit in edits)),
        tuple(edits),
    )


class Page:
    """A wrong formula where it stands: its parts, its letters and their writing, and its number at a random state."""

    def __init__(self, case: Case, spelling: Spelling, small_edits: Callable[[Page], list[Edit]]) -> None:
        self.case, self.root = case, case.written
        self.spelling, self.text = spelling, spelling.text
        self.small_edits = small_edits
        """Finds the changes, tried one by one, that repair the formula of a page."""
        self._known: dict[tuple[object, int], Any] = {}
        self.tried: list[Edit] = []
        """The changes that were tried one by one."""

    def parts(self, kind: type[N], place: Place) -> tuple[N, ...]:
        """The parts of one kind at one place, outermost first."""
        nodes = every(kind, self.root)
        return self.once((kind, place), self.root, lambda: tuple(node for node in nodes if id(node) in self._at[place]))

    def once(self, what: object, node: Node, find: Callable[[], T]) -> T:
        """What was found out about a part; found out when it is asked for first."""
        if (what, id(node)) not in self._known:
            self._known[what, id(node)] = find()
        found: T = self._known[what, id(node)]
        return found

    @cached_property
    def _at(self) -> dict[Place, set[int]]:
        """The identities of the parts at each place."""
        everything = {id(part) for part in walk(self.root)}
        angles = angle_parts(self.root)
        entries = {id(entry) for matrix in every(Matrix, self.root) for row in matrix.rows for entry in row}
        sums = {id(total) for total in every(Sum, self.root)} - angles
        added = [part for node in walk(self.root) if id(node) not in angles for part in added_parts(node)]
        return {
            "anywhere": everything,
            "outside angles": everything - angles,
            "in angles": angles,
            "whole": {id(self.root)},
            "whole or entry": {id(self.root), *entries},
            "sum": {id(self.root), *sums, *entries},
            "term": {id(bare(self.root)), *(id(bare(part)) for part in added)},
        }

    @cached_property
    def bases(self) -> set[int]:
        """The identities of what has a power on it."""
        return {id(power.base) for power in every(Power, self.root)}

    @cached_property
    def below(self) -> set[int]:
        """The identities of what is divided by."""
        return {id(part) for ratio in every(tree.Ratio, self.root) for part in walk(ratio.below)}

    @cached_property
    def writing(self) -> splicing.WritingOut:
        return splicing.WritingOut(self.spelling, self.case.scope.equations.notation)

    # The formula in numbers

    @cached_property
    def at_state(self) -> tuple[Sample, Value] | None:
        """The formula at a random state, and the number it should have; None where floats cannot follow it."""
        case = self.case
        try:
            sample = Sample(self.root, case.scope, State("corrections", case.conditions))
            goal = sample.state.numbers(aligned(case.wanted, case.value))
            is_faithful = same(sample.value, sample.state.numbers(case.value))
        except (SampleError, ZeroDivisionError, OverflowError):
            return None
        return (sample, goal) if is_faithful else None

    # The letters of the formula, and those that could stand there

    @cached_property
    def letters(self) -> dict[Name, tuple[Spelled, list[Name]]]:
        """The names of the formula that are scalars, with their places. A sum's index is left alone."""
        fixed = {id(name) for total in every(tree.Total, self.root) for name in total.index}
        for called in every(tree.Of, self.root):
            fixed |= {id(part) for part in walk(called.head) if not self.spelling.is_product(called)}
        found: dict[Name, tuple[Spelled, list[Name]]] = {}
        for name in every(Name, self.root):
            if id(name) not in fixed and (value := self.spelling.value(name)) is not None:
                spelled = Spelled(name, self.spelling.source(name), value, is_written=True)
                found.setdefault(name, (spelled, []))[1].append(name)
        return found

    @cached_property
    def _derived(self) -> set[int]:
        return {id(part) for kind in DERIVED for node in every(kind, self.root) for part in walk(node)}

    def others(self, name: Name, relation: str) -> Iterator[tuple[Spelled, float]]:
        """The letters in one relation to that of a name that could stand in its place, and what that costs more."""
        for new, more in self.related(name, relation):
            is_angle = id(name) not in self._at["in angles"] or new.letter in self.spelling.coordinates
            if is_angle and (id(name) not in self._derived or (more <= LIKELY and relation != "letter")):
                yield new, more

    def related(self, name: Name, relation: str) -> list[tuple[Spelled, float]]:
        """The letters in one relation to another that somebody would write."""
        if name not in self.letters:
            return []
        old, _ = self.letters[name]
        found = self.once("related", old.name, lambda: [(new, self._relation(old, new)) for new in self.spelling.all])
        return [(new, how[1]) for new, how in found if how is not None and how[0] == relation]

    def _relation(self, old: Spelled, new: Spelled) -> tuple[str, float] | None:
        """How one letter was mistaken for another, with what it costs more; None where both say the same."""
        first, second, a, b = old.name, new.name, old.letter, new.letter
        is_same = new.value is old.value or first == second or (a is not None and a == b) or is_zero(new.value)
        usual = None if b is None else self.spelling.of_letter(b)
        if is_same or not (usual is None or usual.name == second or second.letter == first.letter):
            return None  # nobody writes the letter so
        if a and b and a.split(".")[0] == b.split(".")[0] and old.has_open_index == new.has_open_index:
            return f"dots {len(b.partition('.')[2]) - len(a.partition('.')[2]):+d}", 0.0
        if old.has_open_index or new.has_open_index:
            return None  # q_k has its own index
        rare = 0.0 if new.is_written else RARE
        if old.is_trig and new.is_trig:
            if first.lower == second.lower:
                return ("cosine" if second.letter in "cC" else "sine"), 0.0
            return ("index", 0.0) if first.letter == second.letter else None
        if replace(first, lower="") == replace(second, lower=""):
            return "index", OTHER_KIND_OF_INDEX * (pattern(first.lower) != pattern(second.lower)) + rare
        return "letter", OTHER_DIMENSION * (self._dimension(old) != self._dimension(new)) + rare

    def _dimension(self, spelled: Spelled) -> Dimension | None:
        units = units_of(self.case.scope.arm)
        return self.once("dimension", spelled.name, lambda: dimension_of(spelled.value, units))


def angle_parts(root: Node) -> set[int]:
    """The identities of all parts that stand inside a sine, a cosine or a tangent."""
    circular = (call for call in every(Call, root) if call.function in ("sin", "cos", "tan"))
    return {id(part) for call in circular for part in walk(call.argument)}


def added_parts(node: Node) -> tuple[Node, ...]:
    """The terms of a sum, the entries of a matrix; nothing of any other formula."""
    match node:
        case Sum(terms=terms):
            return terms
        case Matrix(rows=rows):
            return tuple(entry for row in rows for entry in row)
    return ()


# Signs and terms


def turned_term(total: Sum, page: Page) -> Iterator[Edit]:
    """A term with the other sign."""
    for i, term in enumerate(total.terms):
        turned = bare(term) if bare(term) is not term else Negative(term, span=term.span)
        yield Edit(((term, turned),), (splicing.turned_sign(page.text, total, i),))


def left_out(total: Sum, page: Page) -> Iterator[Edit]:
    """A sum without one of its terms."""
    for i in range(len(total.terms)):
        rest = total.terms[:i] + total.terms[i + 1 :]
        smaller = rest[0] if len(rest) == 1 else Sum(rest, span=total.span)
        splice = splicing.without_term(page.text, total, i)
        yield Edit(((total, smaller),), (splice,), cost=EACH_TERM * len(total.terms))


def turned(node: Node, page: Page) -> Iterator[Edit]:
    """A whole formula with the other sign."""
    if (of := bare(node)) is not node:
        yield Edit(((node, of),), (Splice(node.span[0], of.span[0], ""),))
    else:
        splices = splicing.in_brackets(node, "-", page.spelling)
        yield Edit(((node, Negative(node, span=node.span)),), splices, cost=ODD)


# Powers


def squared(node: Node, page: Page) -> Iterator[Edit]:
    """A square put on a factor."""
    if id(node) not in page.bases and splicing.is_factor(node, page.text):
        yield Edit(((node, Power(node, 2, span=node.span)),), (splicing.raised(node, 2, page.spelling),))


def to_power(exponent: int) -> Callable[[Power, Page], Iterator[Edit]]:
    """A power made another."""

    def change(node: Power, page: Page) -> Iterator[Edit]:
        splice = splicing.other_exponent(node, exponent, page.spelling) if exponent != node.exponent else None
        if splice is not None:
            new = node.base if exponent == 1 else Power(node.base, exponent, span=node.span)
            yield Edit(((node, new),), (splice,))

    return change


def sum_of_squares(node: Power, page: Page) -> Iterator[Edit]:
    """The sum of the squares in place of the square of a sum."""
    match node:
        case Power(base=Sum(terms=terms) as total, exponent=2):
            squares = tuple(Power(bare(term), 2, span=term.span) for term in terms)
            text = " + ".join(splicing.squared(bare(term), page.spelling) for term in terms)
            start, _ = splicing.with_brackets(page.text, total)
            is_term = any(node is part for part in page.parts(Power, "term"))
            splice = Splice(start, node.span[1], text if is_term else f"({text})")
            yield Edit(((node, Sum(squares, span=node.span)),), (splice,))


# Products and sums


def as_sum(node: Product, page: Page) -> Iterator[Edit]:
    """Two factors of a product that should be added: m_1 m_2 for m_1 + m_2."""
    for i, (first, second) in enumerate(pairwise(node.factors)):
        match first, second:
            case (Name(), Name()):
                total = Sum((first, second), span=(first.span[0], second.span[1]))
                rest = (*node.factors[:i], total, *node.factors[i + 2 :])
                text = f"{page.spelling.source(first)} + {page.spelling.source(second)}"
                is_whole = len(rest) == 1 and splicing.with_brackets(page.text, total) != total.span
                splice = Splice(*total.span, text if is_whole else f"({text})")
                yield Edit(((node, total if len(rest) == 1 else replace(node, factors=rest)),), (splice,))


def as_product(total: Sum, page: Page) -> Iterator[Edit]:
    """Two terms of a sum that should be multiplied."""
    for i, (first, second) in enumerate(pairwise(total.terms)):
        if bare(second) is second and bare(first) is first:
            whole = Product((*tree.factors_of(first), *tree.factors_of(second)), span=(first.span[0], second.span[1]))
            rest = (*total.terms[:i], whole, *total.terms[i + 2 :])
            splice = Splice(first.span[1], second.span[0], page.spelling.times)
            yield Edit(((total, whole if len(rest) == 1 else replace(total, terms=rest)),), (splice,))


# Matrices


def transposed(node: Matrix, page: Page) -> Iterator[Edit]:
    """A square matrix with its rows as columns."""
    size = len(node.rows)
    if size == len(node.rows[0]) > 1:
        pairs = [(node.rows[i][j], node.rows[j][i]) for i, j in combinations(range(size), 2)]
        splices = tuple(splice for pair in pairs for splice in _exchanged(*pair, page.spelling))
        yield Edit(((node, tree.Transposed(node, span=node.span)),), splices)


def exchanged_entries(node: Matrix, page: Page) -> Iterator[Edit]:
    """Two entries of a matrix exchanged."""
    entries, columns = added_parts(node), len(node.rows[0])
    for a, b in combinations(range(len(entries)), 2):
        order = list(entries)
        order[a], order[b] = order[b], order[a]
        rows = tuple(tuple(order[i : i + columns]) for i in range(0, len(order), columns))
        splices = _exchanged(entries[a], entries[b], page.spelling)
        yield Edit(((node, Matrix(rows, span=node.span)),), splices)


def _exchanged(a: Node, b: Node, spelling: Spelling) -> tuple[Splice, ...]:
    return Splice(*a.span, spelling.source(b)), Splice(*b.span, spelling.source(a))


# Sines, cosines and their angles


def function_for(old: str, new: str) -> Callable[[Call, Page], Iterator[Edit]]:
    """One function of an angle for another."""

    def change(node: Call, page: Page) -> Iterator[Edit]:
        at = page.text.find(old, *node.span) if node.function == old else -1
        if at >= 0:
            yield Edit(((node, replace(node, function=new)),), (Splice(at, at + len(old), new),))

    return change


def _with_angle(node: Call, terms: tuple[Node, ...], text: str, page: Page) -> Edit:
    angle = terms[0] if len(terms) == 1 else Sum(terms, span=node.argument.span)
    return Edit(((node.argument, angle),), splicing.with_argument(node, text, page.spelling))


def doubled_angle(node: Call, page: Page) -> Iterator[Edit]:
    """The sine of twice the angle."""
    match node:
        case Call(function="sin" | "cos", argument=Name() as angle):
            double = Product((Number(Fraction(2), span=angle.span), angle), span=angle.span)
            between = "" if page.spelling.is_latex else page.spelling.times
            yield _with_angle(node, (double,), f"2{between}{page.spelling.source(angle)}", page)


def single_angle(node: Call, page: Page) -> Iterator[Edit]:
    """The sine of an angle instead of twice the angle."""
    match node:
        case Call(function="sin" | "cos", argument=Product(factors=(Number(), angle))):
            yield _with_angle(node, (angle,), page.spelling.source(angle), page)


def other_angle(node: Call, page: Page) -> Iterator[Edit]:
    """Another sum of angles. It is likelier that one was forgotten."""
    names = page.spelling.coordinates if node.function in ("sin", "cos") else ()
    angles = [spelled for name in names if (spelled := page.spelling.of_letter(name)) is not None]
    written = set(tree.terms_of(node.argument))
    for chosen in (each for count in range(1, len(angles) + 1) for each in combinations(angles, count)):
        terms = tuple(replace(angle.name, span=node.argument.span) for angle in chosen)
        new = _with_angle(node, terms, " + ".join(angle.text for angle in chosen), page)
        is_longer = written < set(terms)
        yield replace(new, how="an angle is missing" if is_longer else "wrong angle", cost=0 if is_longer else OTHER)


# Factors and letters


def without_one_factor(node: Product, page: Page) -> Iterator[Edit]:
    """A product without one of its factors; numbers are looked at elsewhere."""
    for i, factor in enumerate(node.factors):
        match factor:
            case Number():
                continue
        rest = node.factors[:i] + node.factors[i + 1 :]
        smaller = rest[0] if len(rest) == 1 else Product(rest, span=node.span)
        yield Edit(((node, smaller),), (splicing.without_factor(node, i, page.text),))


def _put(pairs: list[tuple[Name, Spelled]], words: str = "", more: float = 0.0) -> Edit:
    """Letters put in the place of others."""
    changes = tuple((name, replace(new.name, span=name.span)) for name, new in pairs)
    return Edit(changes, tuple(Splice(*name.span, new.text) for name, new in pairs), words, more)


def letter(relation: str) -> Callable[[Name, Page], Iterator[Edit]]:
    """One letter for another at one place."""
    return lambda name, page: (_put([(name, other)], more=more) for other, more in page.others(name, relation))


def letter_everywhere(relation: str) -> Callable[[Node, Page], Iterator[Edit]]:
    """One letter for another at all its places."""

    def change(_: Node, page: Page) -> Iterator[Edit]:
        for key, (_spelled, names) in page.letters.items():
            for new, more in page.related(key, relation) if len(names) > 1 else ():
                yield _put([(name, new) for name in names], str(len(names)), more)

    return change


def two_indices(node: Product, page: Page) -> Iterator[Edit]:
    """Another index of two factors of a product: l_3 s_23 for l_2 s_2."""
    heads = [name for factor in node.factors for name in islice(every(Name, factor), 1)]
    for first, second in combinations(heads, 2):
        for one, more in page.others(first, "index"):
            yield from (_put([(first, one), (second, two)], more=more + m) for two, m in page.others(second, "index"))


def exchanged_letters(_: Node, page: Page) -> Iterator[Edit]:
    """Two letters that differ in their index, each at the places of the other."""
    for first, second in combinations(page.letters.values(), 2):
        if any(new.name == second[0].name for new, _ in page.related(first[0].name, "index")):
            there = [(name, second[0]) for name in first[1]]
            yield _put([*there, *((name, first[0]) for name in second[1])])
