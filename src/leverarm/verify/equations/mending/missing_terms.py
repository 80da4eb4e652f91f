"""Terms that a formula lacks or has wrong: what must be added to a sum, or which terms are wrong, found exactly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from leverarm.notation import tree
from leverarm.notation.textbook import PrintingError
from leverarm.notation.tree import Matrix, Name, Node, Number, Span, Sum, replaced
from leverarm.scalars import Scalar
from leverarm.scalars.exact import Cosine, Polynomial, Quotient, Sine, is_exactly_zero, monomials, quotient
from leverarm.verify.equations.algebra import Table, aligned, entries, every, fits, subtracted
from leverarm.verify.equations.mending.edits import Edit, added_parts, angle_nodes, terms_of
from leverarm.verify.equations.mending.sampling import Sample, SampleError
from leverarm.verify.equations.mending.spelling import Spelling
from leverarm.verify.equations.mending.splicing import Splice, WritingOut, covering, sign_place, size
from leverarm.verify.equations.readings import Case
from leverarm.verify.equations.verdict import Correction, WrittenError, where_of

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
        yield Edit(((term, term),), (Splice(*term.span, text),), "a term", "wrong term", cost)


def _sums(root: Node) -> list[Node]:
    """What terms can be added to: sums, entries of matrices, the whole."""
    inside = angle_nodes(root)
    found = [root]
    found += [node for node in every(Sum, root) if id(node) not in inside]
    found += [entry for matrix in every(Matrix, root) for entry in added_parts(matrix)]
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
        if isinstance(sample.of(place), Table):
            return None
        sample.linear(place)
        larger = replaced(case.written, place, Sum((place, Number(Fraction(1), span=place.span)), span=place.span))
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


LONGEST_SHOWN = 80
"""Operations of a formula that is still worth showing instead of the one that is written."""

Key = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class _Cluster:
    """Terms that speak of the same masses, lengths, speeds: what they add up to, and what they should."""

    terms: tuple[int, ...]
    written: Scalar
    wanted: Scalar


def localised(case: Case, spelling: Spelling, writing: WritingOut) -> list[Correction]:
    """The terms that are off with what they should be, those that agree left out.

    Terms are compared by their letters other than sines and cosines, so that no identity of angles hides an agreement.
    """
    if isinstance(case.wanted, Table) or isinstance(case.value, Table):
        return []
    try:
        clusters = _clusters(case)
        off = [cluster for cluster in clusters if cluster.written != cluster.wanted]
        if len(off) == 2 and not off[-1].terms:
            off = [_Cluster(off[0].terms, off[0].written, off[0].wanted + off[-1].wanted)]
        if isinstance(case.written, Sum) and len(off) < len(clusters):
            return [_correction_of(cluster, len(off), case.written, spelling, writing) for cluster in off]
        return _whole(case, spelling, writing)
    except (PrintingError, WrittenError):
        return []


def _clusters(case: Case) -> list[_Cluster]:
    """The terms in groups that share no monomial, each with its part of what is wanted; what is missing comes last."""
    terms = case.written.terms if isinstance(case.written, Sum) else (case.written,)
    values = [case.worth(term) for term in terms]
    if not all(isinstance(x, Polynomial | int) for x in (*values, case.wanted)):
        return [_Cluster(tuple(range(len(terms))), case.value, case.wanted)]
    groups: list[tuple[set[int], set[Key]]] = []
    for i, value in enumerate(values):
        members, keys = {i}, set(_by_key(value))
        apart = []
        for others, theirs in groups:
            if theirs & keys:
                members, keys = members | others, keys | theirs
            else:
                apart.append((others, theirs))
        groups = [*apart, (members, keys)]
    wanted = _by_key(case.wanted)
    clusters = []
    for members, keys in groups:
        written = sum((values[i] for i in sorted(members)), start=0)
        clusters.append(_Cluster(tuple(sorted(members)), written, sum((wanted.pop(k, 0) for k in keys), start=0)))
    if wanted:
        clusters.append(_Cluster((), 0, sum(wanted.values(), start=0)))
    return sorted(clusters, key=lambda cluster: (not cluster.terms, len(cluster.terms), cluster.terms))


def _by_key(value: Scalar) -> dict[Key, Scalar]:
    """A value in parts by their letters other than sines and cosines."""
    found: dict[Key, Scalar] = {}
    for part in monomials(value):
        key: Key = ()
        if isinstance(part, Polynomial):
            letters, _ = next(part.terms())
            key = tuple((g.name, e) for g, e in letters if not isinstance(g, Sine | Cosine))
        found[key] = found.get(key, 0) + part
    return {key: part for key, part in found.items() if not is_exactly_zero(part)}


def _correction_of(cluster: _Cluster, off: int, total: Sum, spelling: Spelling, writing: WritingOut) -> Correction:
    others = "the other terms agree" if off == 1 else "other terms are wrong too"
    true = "" if is_exactly_zero(cluster.wanted) else writing.added(writing.grouped(cluster.wanted))
    if not cluster.terms:
        end = total.span[1]
        where = where_of(spelling.text, end)
        return Correction("", true, "a missing term", (end, end), where, f"{where}: `{true}` is missing; {others}.")
    first, last = cluster.terms[0], cluster.terms[-1]
    span = (_stretch(total, first, spelling)[0], total.terms[last].span[1])
    between = [_text(total, i, spelling) for i in range(first, last + 1) if i not in cluster.terms]
    meant = " ".join(part for part in (true, *between) if part)
    where, written = where_of(spelling.text, span[0]), spelling.text[slice(*span)]
    shown = " ".join(_text(total, i, spelling) for i in cluster.terms)
    if not true:
        sentence = f"{where}: `{shown}` should not be there; {others}."
    else:
        together = "together " if len(cluster.terms) > 1 else ""
        sentence = f"{where}: `{shown}` should {together}be `{true}`; {others}."
    return Correction(written, meant, "a term" if len(cluster.terms) == 1 else "terms", span, where, sentence)


def _stretch(total: Sum, i: int, spelling: Spelling) -> Span:
    """A term with its sign."""
    return covering(total.terms[i].span, [Splice(*sign_place(spelling.text, total, i), "")])


def _text(total: Sum, i: int, spelling: Spelling) -> str:
    return " ".join(spelling.text[slice(*_stretch(total, i, spelling))].split())


def _whole(case: Case, spelling: Spelling, writing: WritingOut) -> list[Correction]:
    """Nothing agrees: the formula that should stand there."""
    if isinstance(case.written, Name) or any(spelled.has_open_index for spelled in spelling.written):
        return []
    node = writing.grouped(case.wanted)
    if size(node) > LONGEST_SHOWN:
        return []
    written, meant = spelling.source(case.written), writing.text(node)
    if any(meant == spelling.source(side) for side in case.statement.sides):
        return []
    where = where_of(spelling.text, case.written.span[0])
    sentence = f"{where}: `{' '.join(written.split())}` should be `{meant}`."
    return [Correction(written, meant, "the formula", case.written.span, where, sentence)]
