"""A term that was left out, or is another one altogether: what a sum lacks, found exactly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from leverarm.notation import tree
from leverarm.notation.reading.as_written import Matrix, Node, Number, Sum, replaced, walk
from leverarm.notation.textbook import PrintingError
from leverarm.scalars import Scalar
from leverarm.scalars.exact import Polynomial, Quotient, is_exactly_zero, monomials, quotient
from leverarm.verify.equations.case import Case
from leverarm.verify.equations.mending.edits import Edit, angle_nodes, terms_of
from leverarm.verify.equations.mending.floats import SampleError
from leverarm.verify.equations.mending.sampling import Sample
from leverarm.verify.equations.mending.splicing import Splice, WritingOut, size
from leverarm.verify.equations.values import Table, aligned, entries, fits, subtracted
from leverarm.verify.equations.verdict import WrittenError

MISSING, EACH_OPERATION, REPLACED, EACH_FACTOR = 1.9, 0.04, 1.6, 0.15
"""What a missing term costs: more for a long one. And a term that is replaced: more for each factor that differs."""
MOST_TERMS = 24
"""Terms of the normal form of what is missing, beyond which it is not one term of a formula."""
LONGEST = 18
"""Operations of a term that somebody could have forgotten."""
MOST_FACTORS_CHANGED = 4


def missing_term_edits(case: Case, sample: Sample, writing: WritingOut) -> Iterator[Edit]:
    """One product that must be added at the end of one of the sums; already proven, by division of exact values.

    The shorter it is, the likelier: a_2^2 in a parenthesis rather than the whole product at the end.
    """
    for total, share in _shares(case, sample, _sums(case.written)):
        node = _grouped(share, writing)
        if node is None or isinstance(node, tree.Sum) or size(node) > LONGEST or _undoes(share, total, case):
            continue
        cost = MISSING + EACH_OPERATION * size(node)
        end = total.span[1]
        yield Edit((), (Splice(end, end, f" {writing.added(node)}"),), "a missing term", "it is missing", cost)


def replaced_term_edits(case: Case, sample: Sample, writing: WritingOut) -> Iterator[Edit]:
    """One product in place of another that has most of its factors."""
    for term, share in _shares(case, sample, terms_of(case.written)):
        try:
            value = case.worth(term)
        except WrittenError:
            continue
        old, new = _grouped(value, writing), _grouped(value + share, writing)
        if old is None or new is None or isinstance(old, tree.Sum) or isinstance(new, tree.Sum):
            continue
        before, after = _factors(old), _factors(new)
        changed = (before - after).total() + (after - before).total()
        has_new_sum = any(isinstance(factor, tree.Sum) for factor in after - before)
        if has_new_sum or changed > MOST_FACTORS_CHANGED or changed > (before & after).total():
            continue
        text = writing.text(new)
        if text.startswith("-"):
            text = f"({text})"
        cost = REPLACED + EACH_FACTOR * changed
        yield Edit(((term, term),), (Splice(*term.span, text),), "a term", "it is another term", cost)


def _sums(root: Node) -> list[Node]:
    """What terms can be added to: sums, entries of matrices, the whole."""
    inside = angle_nodes(root)
    found = [root]
    for node in walk(root):
        if isinstance(node, Sum) and id(node) not in inside:
            found.append(node)
        elif isinstance(node, Matrix):
            found += [entry for row in node.rows for entry in row]
    return list({id(node): node for node in found}.values())


def _shares(case: Case, sample: Sample, places: list[Node]) -> Iterator[tuple[Node, Scalar]]:
    """For each place what must be added there for the formula to be right, where something can be."""
    if not fits(case.value, case.wanted):
        return
    lacking = subtracted(aligned(case.wanted, case.value), case.value)
    for place in places:
        if place is case.written:
            share = None if isinstance(lacking, Table) else lacking
        else:
            share = _share(case, place, list(entries(lacking)), sample)
        if share is not None and not (isinstance(share, Polynomial) and len(share) > MOST_TERMS):
            yield place, share


def _share(case: Case, place: Node, lacking: list[Scalar], sample: Sample) -> Scalar | None:
    try:
        if isinstance(sample.of(place), tuple):
            return None
        sample.linear(place)
        larger = replaced(case.written, place, Sum(place.span, (place, Number(place.span, Fraction(1)))))
        slopes = list(entries(subtracted(case.worth(larger), case.value)))
    except (SampleError, WrittenError):
        return None
    if len(slopes) != len(lacking) or any(isinstance(x, Quotient) for x in (*slopes, *lacking)):
        return None
    at = next((i for i, slope in enumerate(slopes) if not is_exactly_zero(slope)), None)
    if at is None:
        return None
    share = quotient(lacking[at], slopes[at])
    if isinstance(share, Quotient) or any(share * b != a for a, b in zip(lacking, slopes, strict=True)):
        return None
    return share


def _grouped(value: Scalar, writing: WritingOut) -> tree.Node | None:
    if not isinstance(value, Polynomial | int | Fraction) or is_exactly_zero(value):
        return None
    try:
        return writing.grouped(value)
    except PrintingError:
        return None


def _undoes(share: Scalar, total: Node, case: Case) -> bool:
    """Whether what is added takes back something that is written: then it is no term that was forgotten."""
    try:
        written = case.worth(total)
    except WrittenError:
        return False
    return any(_takes_back(part, other) for part in monomials(share) for other in monomials(written))


def _takes_back(part: Scalar, other: Scalar) -> bool:
    """Whether one monomial is a negative multiple of another: -2 a where a is written is a wrong sign."""
    return is_exactly_zero(part + other) or is_exactly_zero(part + 2 * other)


def _factors(node: tree.Node) -> Counter[tree.Node]:
    """The factors of a product, a square as two. Signs and numbers are one factor."""
    found: Counter[tree.Node] = Counter()
    for factor in node.factors if isinstance(node, tree.Product) else (node,):
        base, exponent = (factor.base, factor.exponent) if isinstance(factor, tree.Power) else (factor, 1)
        found[base] += exponent
    return found
