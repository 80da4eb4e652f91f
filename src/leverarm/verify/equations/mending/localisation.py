"""Which terms of a formula are off, where no small change of it is right."""

from __future__ import annotations

from dataclasses import dataclass

from leverarm.notation.reading.as_written import Name, Span, Sum
from leverarm.notation.textbook import PrintingError
from leverarm.scalars import Scalar
from leverarm.scalars.exact import Cosine, Polynomial, Sine, is_exactly_zero, monomials
from leverarm.verify.equations.case import Case
from leverarm.verify.equations.mending.spelling import Spelling
from leverarm.verify.equations.mending.splicing import Splice, WritingOut, covering, sign_place, size
from leverarm.verify.equations.values import Table
from leverarm.verify.equations.verdict import Correction, WrittenError, where_of

LONGEST = 80
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
            return [_told(cluster, len(off), case.written, spelling, writing) for cluster in off]
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


def _told(cluster: _Cluster, off: int, total: Sum, spelling: Spelling, writing: WritingOut) -> Correction:
    others = "the other terms agree" if off == 1 else "other terms are off as well"
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
    if size(node) > LONGEST:
        return []
    written, meant = spelling.source(case.written), writing.text(node)
    if any(meant == spelling.source(side) for side in case.statement.sides):
        return []
    where = where_of(spelling.text, case.written.span[0])
    sentence = f"{where}: `{' '.join(written.split())}` should be `{meant}`."
    return [Correction(written, meant, "the formula", case.written.span, where, sentence)]
