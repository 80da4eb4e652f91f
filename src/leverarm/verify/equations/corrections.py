"""What to change in a wrong equation: the smallest change of the user's own text that makes it true.

The mistakes that are looked for are the rules of `mending.rules`. Here they are tried, ranked, checked and put in
words: a correction is shown only after the corrected text was read again and found exactly right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice, pairwise

from leverarm.notation.reading import Statement, expanded, read
from leverarm.notation.tree import Matrix, Name, Node, Ratio, Span, Total, Transposed, mapped, walk
from leverarm.scalars.exact import quotient
from leverarm.verify.equations.algebra import Value, aligned, equal, every, is_polynomial, is_table, is_zero, size
from leverarm.verify.equations.arm_names import uses_of
from leverarm.verify.equations.document import with_words_apart
from leverarm.verify.equations.evaluation import value_of
from leverarm.verify.equations.mending.changes import Edit, Page, added_parts, angle_parts, together
from leverarm.verify.equations.mending.rules import OTHER_SUBJECT, RULES, SOLVED, edits
from leverarm.verify.equations.mending.sampling import SampleError, same
from leverarm.verify.equations.mending.spelling import Spelling, other_indices, with_index
from leverarm.verify.equations.mending.splicing import covering, spliced
from leverarm.verify.equations.near_equalities import to_written_digits
from leverarm.verify.equations.readings import Case, instances, subject_of, under
from leverarm.verify.equations.scope import Scope
from leverarm.verify.equations.units import check_units
from leverarm.verify.equations.verdict import Correction, WrittenError, where_of

MOST_READ = 12
"""Changes whose text is read again, at most."""
MOST_TRIED_EXACTLY = 300
"""Changes that are tried with exact values, where floats cannot follow the formula."""
MOST_PARTS, MOST_TERMS = 2000, 5000
"""Parts of a formula, and terms of its value, beyond which no correction is looked for."""
MOST_ENTRIES = 4
"""Wrong entries of a matrix that are corrected together."""
MOST_SIDES = 2
"""Wrong sides of an equation that are corrected together; in a longer chain they follow from the first."""


def corrections(case: Case) -> Iterator[Correction]:
    """Changes of the user's text, each of which makes the formula what it should be, the likeliest first."""
    if is_too_large(case):
        return
    spelling = Spelling(case.scope, case.statement)
    found = _of_matrix(case, spelling) or _of_formula(case, spelling)
    if found and found[0].cost > OTHER_SUBJECT and hint(case):
        return
    others = _other_wrong_sides(case)
    for side in others if len(others) < MOST_SIDES else ():
        with suppress(WrittenError):  # what has no value is not corrected
            other = replace(case, written=side, value=case.worth(side))
            firsts = (edit for edit in _of_formula(other, spelling) if any(_right_words(edit, other, spelling)))
            if (first := next(firsts, None)) is not None:
                found = [together([edit, first]) for edit in found if edit.case is None] or found
    for edit in found[:MOST_READ]:
        yield from islice(_right_words(edit, edit.case or case, spelling), 1)


def _right_words(edit: Edit, case: Case, spelling: Spelling) -> Iterator[Correction]:
    return (each for each in _in_words(edit, case, spelling) if is_right(each, case))


def _other_wrong_sides(case: Case) -> list[Node]:
    """The other sides of an equation, as in a formula = its number, that are not what they should be either."""
    seen = {case.written.span, case.statement.sides[subject_of(case.statement)].span}
    return [side for side in case.statement.sides if side.span not in seen and not case.is_worth(side, case.wanted)]


def is_too_large(case: Case) -> bool:
    """Whether a formula is so large that thousands of changes of it would take long to try."""
    return size(case.value) > MOST_TERMS or sum(1 for _ in walk(case.written)) > MOST_PARTS


def _of_formula(case: Case, spelling: Spelling) -> list[Edit]:
    """What repairs a formula, as far as floats can say, the likeliest first."""
    page = Page(case, spelling, small_edits)
    found = small_edits(page)
    for rule in SOLVED:
        if not any(edit.cost <= rule.spare for edit in found):
            found += edits([rule], page)
    if case.conditions:  # where much is zero, units tell more than values
        found = [edit for edit in found if _has_units(changed_tree(case.written, edit), case)] or found
    return ranked(found, case) or [edit for below in _below(case) for edit in _of_formula(below, spelling)]


def _below(case: Case) -> Iterator[Case]:
    """What stands below the line of a quotient, as if only that were wrong."""
    match case.written:
        case Ratio(above=above, below=below) if not is_table(case.wanted) and not is_zero(case.wanted):
            wanted = quotient(case.worth(above), case.wanted)
            if is_polynomial(wanted):
                yield replace(case, written=below, wanted=wanted, value=case.worth(below))


def _of_matrix(case: Case, spelling: Spelling) -> list[Edit]:
    """What repairs a matrix of formulas: a change of all of it, or the likeliest of each entry that is wrong."""
    wrong = list(_wrong_entries(case))
    if not wrong:
        return []
    lists = [_of_formula(entry, spelling) for entry in wrong[:MOST_ENTRIES]]
    if len(wrong) == 1:
        return lists[0]
    whole = ranked(small_edits(Page(case, spelling, small_edits)), case)
    is_mended = len(lists) == len(wrong) and all(lists)
    if is_mended and len(wrong) == len(added_parts(case.written)):  # else nothing that is written agrees
        is_mended = any(found[0].what != "an entry" for found in lists)
    return [*whole, *([together([found[0] for found in lists])] if is_mended else [])]


def _wrong_entries(case: Case) -> Iterator[Case]:
    """The entries of a matrix that are not what they should be."""
    if not is_table(case.wanted) or not is_table(case.value):
        return
    wanted, value = aligned(case.wanted, case.value), case.value
    match case.written:
        case Matrix(rows=rows) if wanted.shape == value.shape == (len(rows), len(rows[0])):
            for i, row in enumerate(rows):
                for j, entry in enumerate(row):
                    mirrored = rows[j][i] if len(rows) == len(row) else entry  # a mark for it is mended where it stands
                    if entry != Transposed(mirrored) and not equal(value.rows[i][j], wanted.rows[i][j]):
                        yield replace(case, written=entry, wanted=wanted.rows[i][j], value=value.rows[i][j])


def _has_units(node: Node, case: Case) -> bool:
    try:
        check_units(node, case.scope)
    except WrittenError:
        return False
    return True


# Trying


def small_edits(page: Page) -> list[Edit]:
    """The changes, tried one by one, that repair a formula, as far as floats can say."""
    summed = [total.of.span for total in every(Total, page.case.statement)]  # what stands under a sum is written once
    spans = (([(s.start, s.end) for s in edit.splices], edit) for edit in edits(RULES, page))
    page.tried = [edit for own, edit in spans if not any(_lies_in(span, of) for of in summed for span in own)]
    return agreeing(page.tried, page)


def slip_of(case: Case) -> Correction | None:
    """The single sign, or sine for cosine, that is all that is wrong with a formula; None of other formulas."""
    spelling = Spelling(case.scope, case.statement)
    page = Page(case, spelling, small_edits)
    rules = [rule for rule in RULES if rule.what in ("a sign", "sine for cosine") and rule.at != "whole"]
    found = (e for e in agreeing(edits(rules, page), page) if case.is_worth(changed_tree(page.root, e), case.wanted))
    return next((words for edit in found for words in _in_words(edit, case, spelling)), None)


def agreeing(tried: Iterable[Edit], page: Page) -> list[Edit]:
    """The changes that could repair the formula, cheapest first: by floats, where these can follow it."""
    likeliest, case = sorted(tried, key=lambda edit: edit.cost), page.case
    if page.at_state is not None:
        return [edit for edit in likeliest if _agrees(edit, page)]
    exact = likeliest[:MOST_TRIED_EXACTLY]
    return [edit for edit in exact if case.is_worth(changed_tree(case.written, edit), case.wanted)]


def _agrees(edit: Edit, page: Page) -> bool:
    """Whether the changed formula has the right number at the sampled state."""
    assert page.at_state is not None
    sample, wanted = page.at_state
    try:
        if len(edit.changes) == 1:
            old, new = edit.changes[0]
            return same(sample.changed(old, sample.of(new), new), wanted)
        return same(sample.of(changed_tree(sample.root, edit)), wanted)
    except SampleError:
        return False


def changed_tree(root: Node, edit: Edit) -> Node:
    """The formula with the changes made."""
    put = {id(old): new for old, new in edit.changes}
    return mapped(root, lambda node: put.get(id(node), node))


def ranked(found: Sequence[Edit], case: Case) -> list[Edit]:
    """The cheapest first: one mark before one letter, a change within a term before a new term. Each text once.

    Of equally likely ones, the one that leaves the formula in better order, then the last on the page.
    """

    def key(edit: Edit) -> tuple[float, int, int]:
        return edit.cost, disorder(changed_tree(case.written, edit)), -max(s.start for s in edit.splices)

    dearest_first = sorted(found, key=key, reverse=True)
    unique = {tuple((s.start, s.end, s.text) for s in edit.splices): edit for edit in dearest_first}
    return sorted(unique.values(), key=key)


def disorder(formula: Node) -> int:
    """How often an index, or a number of dots, stands before a smaller one of the same letter.

    Of a_1 a_2 and a_2 a_1, of r \\dot r and \\dot r r, people write the first.
    """
    written = [(name.letter, (name.lower, name.dots)) for name in every(Name, formula)]
    return sum(1 for (a, first), (b, second) in pairwise(written) if a == b and first > second)


# Reading again


def is_right(correction: Correction, case: Case) -> bool:
    """Whether the corrected text, read again in its document as before, says exactly what is true."""
    old = next(each for each in case.scope.statements if each.span == case.statement.span)
    side = next(i for i, each in enumerate(old.sides) if _lies_in(case.written.span, each.span))
    try:
        statement, scope = _read_again(correction, old, case.scope)
        says_itself = side != (subject := subject_of(old)) and statement.sides[side] == statement.sides[subject]
        instances = _instances(statement, side, scope, case)
        return not says_itself and all(_is_worth(each.sides[side], wanted, scope, case) for each, wanted in instances)
    except (WrittenError, LookupError):
        return False


def _lies_in(inner: Span, outer: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _read_again(correction: Correction, old: Statement, scope: Scope) -> tuple[Statement, Scope]:
    """The statement in the corrected document, and its scope: with the readings and definitions as they were."""
    before = expanded(scope.text)
    start, end = before.origin(correction.span)
    text = expanded(before.source[:start] + correction.meant + before.source[end:])
    read_anew = replace(scope, text=text, cache={})
    statements = tuple(with_words_apart(piece, read_anew) for piece in read(text) if isinstance(piece, Statement))
    if [len(each.sides) for each in statements] != [len(each.sides) for each in scope.statements]:
        raise LookupError("another number of equations")
    new = next(b for a, b in zip(scope.statements, statements, strict=True) if a is old)
    pairs = zip(scope.statements, statements, strict=True)
    same = {id(a): b for one, two in pairs for a, b in zip(one.sides, two.sides, strict=True)}
    definitions = {name: same.get(id(formula), formula) for name, formula in scope.definitions.items()}
    uses = uses_of(statements, scope.values)
    return new, replace(scope, text=text, statements=statements, definitions=definitions, uses=uses, cache={})


def _instances(statement: Statement, own: int, scope: Scope, case: Case) -> Iterator[tuple[Statement, Value]]:
    """The equation for all numbers of its open indices, with what the corrected side should be."""
    every_one, subject = instances(statement, scope), subject_of(case.statement)
    subject = subject if subject != own else int(own == 0)
    for each in every_one:
        is_alone = len(every_one) == 1
        yield each, case.wanted if is_alone else under(value_of(each.sides[subject], scope), case.conditions)


def _is_worth(side: Node, wanted: Value, scope: Scope, case: Case) -> bool:
    """Whether a corrected side is what it should be, exactly or to the digits that are written."""
    value = under(value_of(side, scope), case.conditions)
    there = replace(case, scope=scope, written=side, wanted=wanted, value=value)
    return equal(value, wanted) or to_written_digits(there) is not None


# In words

SHOWN = 60
"""Characters of a term beyond which only the changed factor of it is shown."""


def _in_words(edit: Edit, case: Case, spelling: Spelling) -> Iterator[Correction]:
    """The change with the term in which it is; of a text with macros, which are whole, with more and more of it."""
    if edit.both:
        yield _of_both(edit, case, spelling)
        return
    start, end = covering((edit.splices[0].start, edit.splices[0].end), edit.splices)
    stretches = [(start, end)]
    if edit.changes and edit.what != "an extra term":
        stretches = list(_stretches(edit, case, spelling))
    for stretch in stretches if expanded(spelling.text).source != spelling.text else stretches[:1]:
        yield _sentence(edit, covering(stretch, edit.splices), spelling)


def _sentence(edit: Edit, span: Span, spelling: Spelling) -> Correction:
    text = spelling.text
    written = text[slice(*span)]
    meant = spliced(text, span, edit.splices).strip()
    start = span[0] + len(written) - len(written.lstrip())
    written = written.strip()
    where = where_of(text, start)
    shown, better = (" ".join(part.split()) for part in (written, meant))
    apart = {(text[s.start : s.end], s.text): None for s in edit.splices}
    if len(edit.splices) > 1 and len(shown) > SHOWN and all(old and new for old, new in apart):
        changes = (f"`{' '.join(old.split())}` should be `{' '.join(new.split())}`" for old, new in apart)
        sentence = f"{where}: {' and '.join(changes)} ({edit.how})."
    elif not written:
        sentence = f"{where}: `{better}` is missing."
    elif not meant:
        sentence = f"{where}: `{shown}` should not be there ({edit.how})."
    else:
        sentence = f"{where}: `{shown}` should be `{better}` ({edit.how})."
    return Correction(written, meant, edit.what, (start, start + len(written)), where, sentence)


def _of_both(edit: Edit, case: Case, spelling: Spelling) -> Correction:
    """Several changes: one stretch of text that holds them all, and a sentence for each."""
    each = [next(_in_words(part, case, spelling)) for part in edit.both]
    span = min(one.span[0] for one in each), max(one.span[1] for one in each)
    meant = spliced(spelling.text, span, edit.splices)
    sentence = "; and ".join(one.sentence.removesuffix(".") for one in each)
    return Correction(spelling.text[slice(*span)], meant, edit.what, span, each[0].where, f"{sentence}.")


def _stretches(edit: Edit, case: Case, spelling: Spelling) -> Iterator[Span]:
    """The term in which the change is, where that is long the largest part of it that is not; then what holds it."""
    old = edit.changes[0][0]
    every_part = ([*walk(root)] for root in (case.written, *case.statement.sides))
    found = next((found for found in every_part if any(part is old for part in found)), [old])
    path = [part for part in reversed(found) if _lies_in(old.span, part.span)]
    at, inside = 0, angle_parts(case.written)
    for part, whole in pairwise(path) if len(edit.changes) == 1 else ():
        is_term = id(part) not in inside and any(each is part for each in added_parts(whole))
        if is_term or len(spelling.source(whole)) > SHOWN:
            break
        at += 1
    yield from (part.span for part in path[at:])


# Hints


def hint(case: Case, found: Correction | None = None) -> str:
    """What a correction does not say: a formula is too large, is that of something else, or is not all that is off."""
    if is_too_large(case):
        return "No correction was looked for: the formula is too large."
    spelling = Spelling(case.scope, case.statement)
    digits = [str(i) for i in range(1, len(spelling.coordinates) + 1)]
    for left in every(Name, *case.statement.sides):
        for lower in other_indices(left.lower, digits) if left in case.statement.sides else ():
            text = with_index(spelling.source(left), left.lower, lower)
            if text and left.span != case.written.span and case.is_worth(replace(left, lower=lower), case.value):
                return f"The formula is that of `{text}`."
    still = (side for side in _other_wrong_sides(case) if found is None or not _lies_in(side.span, found.span))
    return "Another side of the equation is wrong as well." if any(still) else ""
