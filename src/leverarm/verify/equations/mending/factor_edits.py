"""Factors: a number that is wrong, a letter that is missing from a product, one that is too many.

What a term must be multiplied by is not guessed: the formula is linear in it, so it is solved for. A forgotten factor
goes where the same page puts it elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise

from leverarm.notation.tree import Call, Name, Negative, Node, Number, Power, Product, Ratio, Sum
from leverarm.verify.equations.algebra import Table, Value, entries, every
from leverarm.verify.equations.mending.edits import Edit, angle_nodes, terms_of
from leverarm.verify.equations.mending.sampling import Sample, SampleError, close, same
from leverarm.verify.equations.mending.spelling import Spelled, Spelling
from leverarm.verify.equations.mending.splicing import Splice, with_brackets


def factor_splice(term: Node, name: Name, text: str, spelling: Spelling) -> Splice:
    """The text of a factor put into a term."""
    between = spelling.between_factors
    factors = term.factors if isinstance(term, Product) else (term,)
    spans = [with_brackets(spelling.text, factor) for factor in factors]
    at = _place(factors, name, spelling)
    if at < len(factors):
        return Splice(spans[at][0], spans[at][0], f"{text}{between}")
    return Splice(spans[-1][1], spans[-1][1], f"{between}{text}")


def _place(factors: tuple[Node, ...], name: Name, spelling: Spelling) -> int:
    """The place that most of the factors are content with; the last of several."""
    order = _habits(spelling)
    wishes = [_wish(factor, name, order) for factor in factors]
    scores = [sum(wishes[:i]) - sum(wishes[i:]) for i in range(len(factors) + 1)]
    return max(range(len(scores)), key=lambda i: (scores[i], i))


def _wish(factor: Node, name: Name, order: dict[tuple[str, str], int]) -> int:
    """1 for a factor that stands before the name, -1 for one that stands after it."""
    if isinstance(factor, Number | Ratio):
        return 3
    family, own = _family(factor), _family(name)
    if family == own:
        base = factor.base if isinstance(factor, Power) else factor
        return 1 if isinstance(base, Name) and base.lower <= name.lower else -1
    seen = order.get((family, own), 0) - order.get((own, family), 0)
    if seen == 0:
        return _rank(name) - _rank(factor)
    return (seen > 0) - (seen < 0)


def _rank(factor: Node) -> int:
    """Letters without dots come first, where the page does not say."""
    base = factor.base if isinstance(factor, Power) else factor
    return 0 if isinstance(base, Name) and not base.dots else 1


def _habits(spelling: Spelling) -> dict[tuple[str, str], int]:
    """How often one kind of factor stands right before or somewhere before another in the document."""
    seen: dict[tuple[str, str], int] = {}
    for product in every(Product, spelling.statement, *spelling.scope.statements):
        families = list(dict.fromkeys(_family(factor) for factor in product.factors))
        for pair in (*combinations(families, 2), *pairwise(families)):
            seen[pair] = seen.get(pair, 0) + 1
    return seen


def _family(node: Node) -> str:
    if isinstance(node, Power):
        return _family(node.base)
    if isinstance(node, Name):
        return f"{node.letter}{chr(39) * node.dots}"
    return "a function" if isinstance(node, Call) else type(node).__name__


FACTOR, ODD_FACTOR, SIGN_TOO, LETTER, TWO_LETTERS, EXTRA_FACTOR, SUM, UNUSUAL = 1.1, 0.4, 0.8, 1.5, 0.8, 1.5, 1.75, 0.45
LARGEST = 12
"""Numerators and denominators of numbers that are forgotten or put in by mistake."""


def factor_edits(sample: Sample, wanted: Value, spelling: Spelling) -> Iterator[Edit]:
    """A term times a number or a letter that makes the formula what it should be."""
    for term in terms_of(sample.root):
        own = _number(sample, term)
        ratio = None if own is None else _solved(sample, term, wanted, of_one=own)
        if ratio is None or close(ratio, 1.0) or close(ratio, 0.0):
            continue
        number = Fraction(ratio).limit_denominator(LARGEST)
        if abs(number.numerator) <= LARGEST and number not in (-1, 0) and close(float(number), ratio):
            yield _times_number(term, number, spelling)
        yield from _times_letters(term, ratio, sample, spelling)


def extra_factor_edits(root: Node, spelling: Spelling) -> Iterator[Edit]:
    """A product without one of its factors."""
    inside = angle_nodes(root)
    for node in every(Product, root):
        if id(node) in inside:
            continue
        for i, factor in enumerate(node.factors):
            if isinstance(factor, Number):
                continue
            rest = node.factors[:i] + node.factors[i + 1 :]
            smaller = rest[0] if len(rest) == 1 else Product(rest, span=node.span)
            splice = _without_factor(node, i, spelling.text)
            yield Edit(((node, smaller),), (splice,), "an extra factor", "an extra factor", EXTRA_FACTOR)


def sum_edits(sample: Sample, wanted: Value, spelling: Spelling) -> Iterator[Edit]:
    """A letter to which another one should be added: m_1 + m_2 for m_1."""
    left_alone = angle_nodes(sample.root) | {id(term) for term in terms_of(sample.root)}
    squared = {id(node.base) for node in every(Power, sample.root)}
    for node in every(Name, sample.root):
        if id(node) in left_alone:
            continue
        own = _number(sample, node)
        if own is None:
            continue
        solved = _solved(sample, node, wanted, of_one=1.0)
        is_squared = solved is None and id(node) in squared
        for other in spelling.all if solved is not None or is_squared else ():
            if other.letter is None:
                continue
            for sign in (1, -1):
                value = own + sign * sample.state.number(other.value)
                if close(value, solved) if solved is not None else _is_right(sample, node, value, wanted):
                    edit = _sum_edit(node, other, sign, spelling)
                    yield replace(edit, cost=SUM) if is_squared else edit


def _number(sample: Sample, node: Node) -> float | None:
    """The number of a part; None of a matrix, and of what has none by itself: the t of theta_1(t)."""
    try:
        value = sample.of(node)
    except SampleError:
        return None
    return None if isinstance(value, Table) else value


def _is_right(sample: Sample, node: Node, value: float, wanted: Value) -> bool:
    try:
        return same(sample.changed(node, value), wanted)
    except SampleError:
        return False


def _sum_edit(node: Name, other: Spelled, sign: int, spelling: Spelling) -> Edit:
    added: Node = other.name
    if sign < 0:
        added = Negative(added, span=node.span)
    mark = "+" if sign > 0 else "-"
    splice = Splice(*node.span, f"({spelling.source(node)} {mark} {other.text})")
    new = Sum((node, added), span=node.span)
    cost = SUM if sign > 0 and spelling.adds(node, other.name) else SUM + UNUSUAL
    return Edit(((node, new),), (splice,), "a missing term", f"{mark} {other.text} is missing", cost)


def _solved(sample: Sample, part: Node, wanted: Value, of_one: float) -> float | None:
    """x such that the formula is right when the part is x times `of_one`; None where there is none."""
    if of_one == 0:
        return None
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


def _times_number(term: Node, number: Fraction, spelling: Spelling) -> Edit:
    new = Product((Number(number, span=term.span), term), span=term.span)
    splices, how = _number_splices(term, number, spelling)
    usual = number in (2, Fraction(1, 2), 4, Fraction(1, 4))
    cost = FACTOR + (0 if usual else ODD_FACTOR) + (SIGN_TOO if number < 0 else 0)
    return Edit(((term, new),), splices, "a factor", how, cost)


def _number_splices(term: Node, number: Fraction, spelling: Spelling) -> tuple[tuple[Splice, ...], str]:
    """The number in front changed, the number below changed, or a new one put in front."""
    first = term.factors[0] if isinstance(term, Product) else term
    own = _plain_number(first)
    if own is not None:
        product = own * number
        if product == 1 and isinstance(term, Product):
            return (_without_factor(term, 0, spelling.text),), f"the factor {own} should not be there"
        return (Splice(*first.span, _signed(product, spelling)),), f"the factor is {product}, not {own}"
    how = f"a factor {number} is missing"
    if isinstance(term, Ratio) and isinstance(term.below, Number) and number > 0:
        below = term.below.value / number
        if below.denominator == 1 and below > 1:
            return (Splice(*term.below.span, str(below)),), how
    text = _signed(number, spelling) + spelling.between_factors
    if isinstance(term, Sum):
        start, end = term.span
        left, right = (r"\left(", r"\right)") if spelling.is_latex else ("(", ")")
        return (Splice(start, start, text + left), Splice(end, end, right)), how
    return (Splice(term.span[0], term.span[0], text),), how


def _plain_number(node: Node) -> Fraction | None:
    if isinstance(node, Number):
        return node.value
    if isinstance(node, Ratio) and isinstance(node.above, Number) and isinstance(node.below, Number):
        return node.above.value / node.below.value if node.below.value else None
    return None


def _signed(number: Fraction, spelling: Spelling) -> str:
    text = spelling.number(abs(number))
    return text if number > 0 else f"-{text}" if spelling.is_latex else f"(-{text})"


def _without_factor(product: Product, i: int, text: str) -> Splice:
    spans = [with_brackets(text, factor) for factor in product.factors]
    if i + 1 < len(spans):
        return Splice(spans[i][0], spans[i + 1][0], "")
    return Splice(spans[i - 1][1], spans[i][1], "")


def _times_letters(term: Node, ratio: float, sample: Sample, spelling: Spelling) -> Iterator[Edit]:
    """The letters, one or two, that a term must be multiplied by."""
    letters = [(s, sample.state.number(s.value)) for s in spelling.all if s.letter is not None or s.is_trig]
    for spelled, value in letters:
        if close(value, ratio):
            yield _times(term, (spelled,), spelling)
    for k, (first, a) in enumerate(letters):
        for second, b in letters[k:]:
            if close(a * b, ratio):
                yield _times(term, (first, second), spelling)


def _times(term: Node, letters: tuple[Spelled, ...], spelling: Spelling) -> Edit:
    names = tuple(letter.name for letter in letters)
    new = Product((*(term.factors if isinstance(term, Product) else (term,)), *names), span=term.span)
    text = spelling.between_factors.join(letter.text for letter in letters)
    unwritten = sum(0.2 for letter in letters if not letter.is_written)
    cost = LETTER + TWO_LETTERS * (len(letters) - 1) + unwritten
    how = f"the factor {text} is missing" if len(letters) == 1 else f"the factors {text} are missing"
    if isinstance(term, Sum):
        start, end = term.span
        left, right = (r"\left(", r"\right)") if spelling.is_latex else ("(", ")")
        splices = (Splice(start, start, f"{text} {left}"), Splice(end, end, right))
        return Edit(((term, new),), splices, "a missing factor", how, cost)
    splice = factor_splice(term, letters[0].name, text, spelling)
    return Edit(((term, new),), (splice,), "a missing factor", how, cost)
