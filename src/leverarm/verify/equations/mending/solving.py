"""What a formula lacks or has wrong, solved for: factors, numbers, terms, and two mistakes at once.

What a term must be multiplied by, or what must be added to a sum, is not guessed: the formula is linear in it. Factors
are found in floats at a random state, terms by division of exact values.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, islice
from math import nan, prod

from leverarm.notation import tree
from leverarm.notation.textbook import PrintingError, operations
from leverarm.notation.tree import Name, Negative, Node, Number, Power, Product, Ratio, Sum
from leverarm.notation.vocabulary import Role
from leverarm.scalars import Scalar
from leverarm.scalars.exact import is_exactly_zero, monomials, quotient
from leverarm.verify.equations import algebra
from leverarm.verify.equations.algebra import Value, aligned, entries, every, fits, is_table, letter_of, subtracted
from leverarm.verify.equations.indices import RUNNING
from leverarm.verify.equations.mending import splicing
from leverarm.verify.equations.mending.changes import Edit, Page, together
from leverarm.verify.equations.mending.sampling import RELATIVE, Sample, SampleError, State, close, same
from leverarm.verify.equations.mending.spelling import Spelled, Spelling, is_trig, other_indices, with_index
from leverarm.verify.equations.mending.splicing import Splice, bare
from leverarm.verify.equations.near_equalities import changes, coefficients, digits_behind, half_unit, to_written_digits
from leverarm.verify.equations.readings import Case, is_quantity
from leverarm.verify.equations.verdict import WrittenError

ODD_NUMBER, OTHER_SIGN, UNWRITTEN, UNUSUAL, OTHER_SIDE = 0.4, 0.8, 0.2, 0.3, 0.55
EACH_OPERATION, EACH_FACTOR, OTHERS_AGREE = 0.04, 0.15, 1.3
"""What a change costs more: a factor other than 2, 4 and their inverses, one that turns the sign too, a letter that the
document has nowhere, two letters that it adds nowhere else, a change of the side
that was not doubted; every operation or factor of what is put in, and what only the other terms tell."""
LARGEST = 12
"""Numerators and denominators of numbers that are forgotten or put in by mistake."""


# What a part must be for the formula to be right


def _solved(part: Node, page: Page, of_one: float) -> float | None:
    """x such that the formula is right when the part is x times `of_one`; None where there is none."""
    if page.at_state is None or of_one == 0:
        return None
    sample, wanted = page.at_state
    try:
        pairs = sample.linear(part, of_one)
    except SampleError:
        return None
    goal = list(entries(wanted))
    if len(goal) != len(pairs):
        return None
    slope = max(range(len(pairs)), key=lambda i: abs(pairs[i][1]))
    a, b = pairs[slope]
    if abs(b * of_one) <= 1e-9 * (abs(a) + abs(goal[slope])):
        return None
    x = (goal[slope] - a) / b
    return x / of_one if all(close(a + b * x, y) for (a, b), y in zip(pairs, goal, strict=True)) else None


def _number(part: Node, page: Page) -> float | None:
    """The number of a part; None of a matrix, and of what has none by itself: the t of theta_1(t)."""
    try:
        value = page.at_state[0].of(part) if page.at_state else None
    except SampleError:
        return None
    return None if is_table(value) else value


def _ratio(term: Node, page: Page) -> float | None:
    """What a term must be multiplied by; None where it needs nothing, or nothing helps."""
    own = _number(term, page)
    found = None if own is None else page.once("ratio", term, lambda: _solved(term, page, of_one=own))
    return None if found is None or close(found, 1.0) or close(found, 0.0) else found


# Factors


def by_number(term: Node, page: Page) -> Iterator[Edit]:
    """A term times a number."""
    ratio = _ratio(term, page)
    number = Fraction(ratio).limit_denominator(LARGEST) if ratio is not None and abs(ratio) < 1e6 else Fraction(0)
    if ratio is not None and abs(number.numerator) <= LARGEST and number not in (-1, 0) and close(float(number), ratio):
        splices, words = _number_splices(term, number, page.spelling)
        odd = ODD_NUMBER * (number not in (2, Fraction(1, 2), 4, Fraction(1, 4)))
        if odd and page.case.conditions and _plain_number(term) is None:
            return  # at one state some number always helps
        yield Edit(((term, term),), splices, words, odd + OTHER_SIGN * (number < 0))


def _number_splices(term: Node, number: Fraction, spelling: Spelling) -> tuple[tuple[Splice, ...], str]:
    """The number in front changed, the number below changed, or a new one put in front."""
    first, how = tree.factors_of(term)[0], f"a factor {number} is missing"
    if (own := _plain_number(first)) is not None:
        match term:
            case Product() if own * number == 1:
                return (splicing.without_factor(term, 0, spelling.text),), f"the factor {own} should not be there"
        new, old = spelling.number(abs(own * number)), spelling.number(abs(own))
        return (Splice(*first.span, _signed(own * number, spelling)),), f"the factor is {new}, not {old}"
    match term:
        case Ratio(below=Number(value=b) as below) if number > 0 and b > number and (b / number).denominator == 1:
            return (Splice(*below.span, str(b / number)),), how
    return splicing.in_brackets(term, _signed(number, spelling) + spelling.times, spelling), how


def _plain_number(node: Node) -> Fraction | None:
    match node:
        case Number(value=x):
            return x
        case Ratio(above=Number(value=above), below=Number(value=below)) if below:
            return above / below
    return None


def _signed(number: Fraction, spelling: Spelling) -> str:
    text = spelling.number(abs(number))
    return text if number > 0 else f"-{text}" if spelling.is_latex else f"(-{text})"


def by_letters(count: int) -> Callable[[Node, Page], Iterator[Edit]]:
    """A term times so many letters, which stand where the same page puts them elsewhere."""

    def change(term: Node, page: Page) -> Iterator[Edit]:
        if page.at_state is None or (ratio := _ratio(term, page)) is None:
            return
        number, spelling = page.at_state[0].state.number, page.spelling
        letters = [(s, number(s.value)) for s in spelling.all if s.letter is not None or s.is_trig]
        for chosen in combinations_with_replacement(letters, count):
            if close(prod(value for _, value in chosen), ratio):
                yield _times(term, tuple(spelled for spelled, _ in chosen), spelling)

    return change


def _times(term: Node, letters: tuple[Spelled, ...], spelling: Spelling) -> Edit:
    names = tuple(letter.name for letter in letters)
    new = Product((*tree.factors_of(term), *names), span=term.span)
    text = spelling.times.join(letter.text for letter in letters)
    unwritten = UNWRITTEN * sum(not letter.is_written for letter in letters)
    splices = splicing.in_brackets(term, f"{text}{spelling.times}", spelling)
    if len(splices) == 1:
        splices = (_factor_splice(term, letters[0].name, text, spelling),)
    return Edit(((term, new),), splices, text, unwritten)


def _factor_splice(term: Node, name: Name, text: str, spelling: Spelling) -> Splice:
    """The text of a factor put into a term, before the first factor that textbooks write behind it."""
    own, factors = _place(name, spelling), tree.factors_of(term)
    behind = next((factor for factor in factors if _place(factor, spelling) > own), None)
    if behind is None:
        end = splicing.with_brackets(spelling.text, factors[-1])[1]
        return Splice(end, end, f"{spelling.times}{text}")
    start = splicing.with_brackets(spelling.text, behind)[0]
    return Splice(start, start, f"{text}{spelling.times}")


def _place(factor: Node, spelling: Spelling) -> tuple[int, str]:
    """Where a factor stands in products: numbers first, then what it is made of, then its index."""
    match factor:
        case Number() | Ratio():
            return -1, ""
        case tree.Call():
            return Role.TRIG, ""
        case Name(lower=lower):
            value = spelling.value(factor)
            stem, _, dots = (letter_of(value) or "").partition(".")
            moving = (Role.COORDINATE, Role.SPEED, Role.ACCELERATION)[len(dots)]
            role = spelling.scope.equations.notation.vocabulary.roles.get(stem, Role.OTHER)
            return Role.TRIG if is_trig(value) else moving if stem in spelling.coordinates else role, lower
    return min((_place(name, spelling) for name in every(Name, factor)), default=(Role.OTHER, ""))


def with_letter_added(node: Name, page: Page) -> Iterator[Edit]:
    """A letter to which another one should be added: m_1 + m_2 for m_1."""
    own = None if any(node is part for part in page.parts(Name, "term")) else _number(node, page)
    if own is None or page.at_state is None:
        return
    sample, wanted = page.at_state
    solved = _solved(node, page, of_one=1.0)
    letters = page.spelling.all if solved is not None or id(node) in page.bases | page.below else ()
    for other, sign in ((letter, sign) for letter in letters if letter.letter is not None for sign in "+-"):
        value = own + (1 if sign == "+" else -1) * sample.state.number(other.value)
        with suppress(SampleError):
            if (
                not close(value, 0) and close(value, solved)
                if solved is not None
                else same(sample.changed(node, value), wanted)
            ):
                new = Sum((node, other.name if sign == "+" else Negative(other.name)), span=node.span)
                splice = Splice(*node.span, f"({page.spelling.source(node)} {sign} {other.text})")
                is_usual = solved is None or (sign == "+" and page.spelling.adds(node, other.name))
                yield Edit(((node, new),), (splice,), f"{sign} {other.text}", UNUSUAL * (not is_usual))


# Decimals

MOST_DIGITS = 12


def other_decimal(node: Number, page: Page) -> Iterator[Edit]:
    """Another decimal, with as many digits, with which the formula is right to the digits that are written."""
    case = page.case
    if not fits(case.value, case.wanted) or not 0 < (digits := digits_behind(node, case)) <= MOST_DIGITS:
        return
    try:
        text = f"{_meant(node, case):.{digits}f}"
        new = Number(Fraction(text), span=node.span)
        changed = tree.replaced(case.written, node, new)
        mended = replace(case, written=changed, value=case.worth(changed))
    except (WrittenError, ValueError):
        return
    if new.value != node.value and to_written_digits(mended) is not None:
        start, end = node.span  # with a unit, of which the number stays the number
        written = case.scope.text[start:end].lstrip()
        plain = re.match(r"[\d.]+", written)
        end = start + plain.end() if plain and Fraction(plain[0]) == node.value else end
        yield Edit(((node, new),), (Splice(start, end, text),))


def _meant(node: Number, case: Case) -> float:
    """What a number would have to be, by the coefficient that it changes most; not a number where there is none."""
    step = float(half_unit(node, case) or Fraction(1, 2))
    moved = tree.replaced(case.written, node, Number(node.value + Fraction(step), span=node.span))
    off = subtracted(aligned(case.wanted, case.value), case.value)
    best = (0.0, nan)
    for change, lacking in zip(changes(moved, case), map(coefficients, entries(off)), strict=True):
        if change is None or lacking is None:
            return nan
        slopes = ((by, lacking.get(monomial, 0.0)) for monomial, by in change.items() if by)
        best = max([best, *((abs(by), float(node.value) + step * lack / by) for by, lack in slopes)])
    return best[1]


# Indices under a sum

MOST_INDICES = 60


def in_sum(tried: Callable[[tree.Total, Page], Iterator[Edit]]) -> Callable[[Node, Page], Iterator[Edit]]:
    """What is tried under a sum over an index, which is written once for all its terms."""

    def change(_: Node, page: Page) -> Iterator[Edit]:
        side = _side(page)
        totals = () if side is None else every(tree.Total, side)
        for each in islice((each for total in totals for each in tried(total, page)), MOST_INDICES):
            if side is not None and page.case.is_worth(tree.replaced(side, *each.changes[0]), page.case.wanted):
                yield each

    return change


def _side(page: Page) -> Node | None:
    """The formula as it is written, with its sums over indices."""
    return next((side for side in page.case.statement.sides if side.span == page.root.span), None)


def other_index(total: tree.Total, page: Page) -> Iterator[Edit]:
    """Another index of a letter."""
    digits = [str(i) for i in range(1, len(page.spelling.coordinates) + 1)]
    for name in every(Name, total.of):
        for lower in other_indices(name.lower, digits, [each.letter for each in total.index]):
            if text := with_index(page.spelling.source(name), name.lower, lower):
                yield Edit(((name, replace(name, lower=lower)),), (Splice(*name.span, text),))


def other_summation_index(total: tree.Total, _: Page) -> Iterator[Edit]:
    """Another letter for the index that the sum runs over."""
    for name in total.index:
        for letter in sorted(RUNNING - {each.letter for each in total.index}):
            index = tuple(replace(each, letter=letter) if each is name else each for each in total.index)
            yield Edit(((total, replace(total, index=index)),), (Splice(*name.span, letter),))


# Terms that are missing, or are others

MOST_TERMS, MOST_LACKING, MOST_WORK = 24, 400, 20_000
"""Terms of the normal form of what is missing, beyond which it is not one term of a formula; terms by which a formula
may be wrong; terms and parts that are evaluated, all together, beyond which it is too large for that."""
LONGEST = 18
"""Operations of a term that somebody could have forgotten."""
MOST_FACTORS_CHANGED = 4


def missing(total: Node, page: Page) -> Iterator[Edit]:
    """One product that must be added at the end of a sum, or else several. The shorter it is, the likelier."""
    share, end = _share(total, page), total.span[1]
    node = None if share is None or _undoes(share, total, page.case) else _grouped(share, page.writing)
    is_sum = node is not None and tree.terms_of(node) != (node,)
    if node is not None and (operations(node) < LONGEST or (is_sum and total is page.root)):
        splice = Splice(end, end, f" {page.writing.added(node)}")
        yield Edit((), (splice,), cost=EACH_OPERATION * (operations(node) + 1) + OTHERS_AGREE * is_sum)


def other_product(term: Node, page: Page) -> Iterator[Edit]:
    """One product in place of another. It is likelier where that has most of its factors."""
    share, case = _share(term, page), page.case
    try:
        value = 0 if share is None else case.worth(term)
    except WrittenError:
        return
    new = None if share is None else _grouped(value + share, page.writing)
    match _grouped(value, page.writing), new:
        case (tree.Node() as old, tree.Node() as meant) if tree.terms_of(meant) == (meant,):
            before, after = _factors(old), _factors(meant)
            changed = (before - after).total() + (after - before).total()
            has_sum = any(True for _ in every(Sum, old, *(after - before)))
            is_near = changed <= min(MOST_FACTORS_CHANGED, (before & after).total()) and not has_sum
            if is_near or term is not bare(page.root):  # else nothing that is written agrees
                how, cost = ("wrong term", 0.0) if is_near else ("the other terms agree", OTHERS_AGREE)
                is_signed = not is_near or tree.is_negative(meant)
                splice = _signed_term(term, meant, page) if is_signed else Splice(*term.span, page.writing.text(meant))
                yield Edit(((term, term),), (splice,), how, cost + EACH_FACTOR * changed)


def _signed_term(term: Node, new: Node, page: Page) -> Splice:
    """Another term in the place of one, with its sign."""
    for total in page.parts(Sum, "outside angles"):
        for i, part in enumerate(total.terms):
            if bare(part) is term:
                text = page.writing.added(new if part is term else tree.negated(new))
                start, _ = splicing.sign_place(page.text, total, i)
                return Splice(start, term.span[1], text if i else text.removeprefix("+ "))
    return Splice(*term.span, page.writing.text(new))


def _share(place: Node, page: Page) -> Scalar | None:
    """What must be added at a place for the formula to be right, where something can be."""
    found = page.once("share", place, lambda: _exact_share(place, page))
    return None if found is None or algebra.size(found) > MOST_TERMS else found


def _lacking(page: Page) -> Value | None:
    """What is true minus what is written; None where that has no meaning, or is too large to be a slip."""
    value, wanted = page.case.value, page.case.wanted
    places = len(page.parts(Node, "sum")) + len(page.parts(Node, "term"))
    if not fits(value, wanted) or places * (algebra.size(value) + len(page.parts(Node, "anywhere"))) > MOST_WORK:
        return None
    found = subtracted(aligned(wanted, value), value)
    return found if algebra.size(found) <= MOST_LACKING else None


def _exact_share(place: Node, page: Page) -> Scalar | None:
    case, lacking = page.case, page.once("lacking", page.root, lambda: _lacking(page))
    if page.at_state is None or lacking is None or place is page.root:
        return None if page.at_state is None or is_table(lacking) else lacking
    try:
        if is_table(page.at_state[0].of(place)):
            return None
        page.at_state[0].linear(place)
        larger = tree.replaced(case.written, place, Sum((place, Number(Fraction(1), span=place.span)), span=place.span))
        slopes = list(entries(subtracted(case.worth(larger), case.value)))
    except (SampleError, WrittenError):
        return None
    off = list(entries(lacking))
    if len(slopes) != len(off) or not all(map(_is_polynomial, (*slopes, *off))):
        return None
    at = next((i for i, slope in enumerate(slopes) if not is_exactly_zero(slope)), None)
    share = None if at is None else quotient(off[at], slopes[at])
    if not _is_polynomial(share) or any(share * b != a for a, b in zip(off, slopes, strict=True)):
        return None
    return share


def _is_polynomial(x: Scalar) -> bool:
    return algebra.is_polynomial(x) or algebra.is_number(x)


def _grouped(value: Scalar, writing: splicing.WritingOut) -> Node | None:
    """The value as a textbook would write it; None of nothing, and of what cannot be written."""
    if not _is_polynomial(value) or is_exactly_zero(value):
        return None
    try:
        return writing.grouped(value)
    except PrintingError:
        return None


def _undoes(share: Scalar, total: Node, case: Case) -> bool:
    """Whether what is added takes back what is written, or all there is: then it is no term that was forgotten."""
    try:
        written = case.worth(total)
    except WrittenError:
        return False
    taken = [part for other in monomials(written) for part in (-other, -2 * other)]  # -2 a of a is a wrong sign
    return is_exactly_zero(written) or any(part == other for part in monomials(share) for other in taken)


def _factors(node: Node) -> Counter[Node]:
    """The factors of a product, a square as two. Signs and numbers are one factor."""
    found: Counter[Node] = Counter()
    for factor in tree.factors_of(node):
        match factor:
            case Power(base=base, exponent=exponent):
                found[base] += exponent
            case _:
                found[factor] += 1
    return found


def other_entry(entry: Node, page: Page) -> Iterator[Edit]:
    """Zero for an entry of a matrix, or a short formula for its zero."""
    wanted = page.case.wanted
    if _side(page) is not None or is_table(wanted):
        return
    if is_exactly_zero(wanted):
        yield Edit(((entry, Number(Fraction(0), span=entry.span)),), (Splice(*entry.span, "0"),))
    elif is_exactly_zero(page.case.value) and (node := _grouped(wanted, page.writing)) and operations(node) < LONGEST:
        yield Edit(((entry, node),), (Splice(*entry.span, page.writing.text(node)),))


# The other side


def of_other_side(_: Node, page: Page) -> Iterator[Edit]:
    """The formula is right, and a mistake is on the other side: d/dt dL/dq where d/dt dL/dqd is meant.

    A side that names a quantity says what the equation is about; of a derivative only the dots are doubted.
    """
    case = page.case
    for side in case.statement.sides:
        is_derivative = side in [*every(tree.PartialDerivative, side), *every(tree.TimeDerivative, side)]
        is_doubted = side.span != page.root.span and (is_derivative or not is_quantity(side))
        if is_doubted and case.is_worth(side, case.wanted):
            other = replace(case, written=side, wanted=case.value, value=case.wanted)
            for edit in page.small_edits(Page(other, page.spelling, page.small_edits)):
                if edit.what == "a dot" or not is_quantity(side):
                    yield replace(edit, case=other, cost=edit.cost + OTHER_SIDE)


# Two mistakes

DEAREST = 1.35
"""Only likely mistakes are made twice."""
MOST_EDITS, MOST_PAIRS = 3000, 40


def two_mistakes(_: Node, page: Page) -> Iterator[Edit]:
    """Pairs of changes in different terms that repair the formula at two random states, the likeliest first."""
    if page.at_state is None or is_table((sample := page.at_state[0]).value) or is_table(page.case.wanted):
        return
    likely = sorted((e for e in page.tried if e.cost <= DEAREST and len(e.changes) == 1), key=lambda e: e.cost)
    try:
        other = Sample(page.root, page.case.scope, State("pairs", page.case.conditions))
        goals = [s.state.numbers(page.case.wanted) - s.value for s in (sample, other)]
    except (SampleError, ZeroDivisionError, OverflowError):
        return
    tried = ((_effects(edit, sample, other), edit) for edit in likely[:MOST_EDITS])
    effects = sorted(((effect, edit) for effect, edit in tried if effect), key=lambda item: item[0])
    firsts = [one for (one, _), _ in effects]
    slack = RELATIVE * (1e-3 + abs(goals[0]) + abs(float(sample.value)))
    found = []
    for k, ((one, two), edit) in enumerate(effects):
        first, last = bisect_left(firsts, goals[0] - one - slack), bisect_right(firsts, goals[0] - one + slack)
        for other_effects, second in effects[max(first, k + 1) : last]:
            one_span, other_span = sorted((edit.changes[0][0].span, second.changes[0][0].span))
            if close(two + other_effects[1], goals[1]) and one_span[1] <= other_span[0]:
                found.append(together([edit, second]))
    yield from sorted(found, key=lambda edit: edit.cost)[:MOST_PAIRS]


def _effects(edit: Edit, *samples: Sample) -> tuple[float, ...]:
    """What a change adds to the formula at each state; nothing where that is no number, or zero."""
    old, new = edit.changes[0]
    try:
        values = [(sample.changed(old, sample.of(new), new), sample.value) for sample in samples]
    except SampleError:
        return ()
    if any(is_table(value) for value, _ in values) or values[0][0] == values[0][1]:
        return ()
    return tuple(value - before for value, before in values)
