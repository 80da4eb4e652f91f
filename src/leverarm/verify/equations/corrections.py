"""What to change in a wrong equation: the smallest change of the user's own text that makes it true."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from leverarm.notation.tree import Matrix, Name, Node, Number, Total
from leverarm.verify.equations.algebra import Table, aligned, equal, every
from leverarm.verify.equations.dimensions import Units, units_of
from leverarm.verify.equations.mending.edits import (
    Edit,
    index_edits,
    matrix_edits,
    number_edits,
    paired,
    power_edits,
    sign_edits,
    whole_sign_edits,
)
from leverarm.verify.equations.mending.factor_edits import extra_factor_edits, factor_edits, sum_edits
from leverarm.verify.equations.mending.missing_terms import localised, missing_term_edits, replaced_term_edits
from leverarm.verify.equations.mending.name_edits import function_edits, name_edits, name_edits_everywhere
from leverarm.verify.equations.mending.proving import agreeing, changed_tree, correction_of, proven, ranked, sampled
from leverarm.verify.equations.mending.spelling import Spelling, key_of, with_index
from leverarm.verify.equations.mending.splicing import Splice, WritingOut
from leverarm.verify.equations.readings import Case
from leverarm.verify.equations.units import check_units
from leverarm.verify.equations.verdict import Correction, WrittenError

OTHER_SIDE, OTHER_SUBJECT, SURE = 0.8, 1.95, 1.3
"""What it costs to doubt the other side of the equation rather than the formula; and what is so likely that other terms
need not be looked for."""


def corrections(case: Case) -> tuple[Correction, ...]:
    """Changes of the user's text, each of which makes the equation true (proven exactly), the likeliest first.

    Where no single change does, two changes together are tried; failing that, the terms that are off are named.
    """
    found = _entry_by_entry(case) if _is_matrix(case) else None
    return tuple(found if found is not None else _of_formula(case))


def _is_matrix(case: Case) -> bool:
    return isinstance(case.written, Matrix) and isinstance(case.wanted, Table) and isinstance(case.value, Table)


def _entry_by_entry(case: Case) -> list[Correction] | None:
    """Corrections of a matrix: of all of it at once, or the best for each entry that is wrong."""
    assert isinstance(case.written, Matrix)
    wanted = aligned(case.wanted, case.value)
    if wanted.shape != case.value.shape or wanted.shape != (len(case.written.rows), len(case.written.rows[0])):
        return None
    wrong = []
    for i, row in enumerate(case.written.rows):
        for j, entry in enumerate(row):
            true, value = wanted.rows[i][j], case.value.rows[i][j]
            if not equal(value, true):
                about = f"entry {i + 1}, {j + 1} of {case.about}"
                wrong.append(replace(case, written=entry, wanted=true, value=value, about=about))
    whole: list[Correction] = []
    if len(wrong) > 1:
        spelling = Spelling(case.scope, case.statement)
        edits = [*whole_sign_edits(case.written, spelling), *matrix_edits(case.written, spelling)]
        whole = [correction_of(edit, case, spelling) for edit in proven(edits, case)][:2]
    lists = [_of_formula(entry) for entry in wrong]
    first = [found[0] for found in lists if found]
    return [*whole, *first, *(correction for found in lists for correction in found[1:])]


def _of_formula(case: Case) -> list[Correction]:
    spelling = Spelling(case.scope, case.statement)
    writing = WritingOut(spelling, case.scope.equations.notation)
    units = units_of(case.scope.arm)
    if case.conditions and (found := _by_units(case, spelling, units)):
        return found
    if isinstance(case.written, Number):
        return localised(case, spelling, writing)
    cheap = list(_small_edits(case.written, spelling, units))
    at = sampled(case)
    likely = agreeing(cheap, at)
    if at is not None:
        likely += [*factor_edits(*at, spelling), *sum_edits(*at, spelling)]
    repairs = proven(sorted(likely, key=lambda edit: edit.cost), case) or list(number_edits(case))
    repairs += index_edits(case, spelling)
    if at is not None and not any(edit.cost <= SURE for edit in repairs):
        repairs += missing_term_edits(case, at[0], writing)
        repairs += replaced_term_edits(case, at[0], writing)
    repairs += _other_subjects(case, spelling)
    if not repairs or min(edit.cost for edit in repairs) > OTHER_SUBJECT:
        repairs += _other_sides(case, spelling, units)
    if not repairs and at is not None:
        repairs = proven(paired(cheap, at[0], case), case)
    if repairs:
        return [correction_of(edit, case, spelling) for edit in ranked(repairs, case)]
    return localised(case, spelling, writing)


def _by_units(case: Case, spelling: Spelling, units: Units) -> list[Correction]:
    """Of a formula at one place, where much is zero: changes of its dots that make its units fit."""
    if _has_units(case.written, case):
        return []
    edits = [edit for edit in name_edits(case.written, spelling, units) if edit.what == "a dot"]
    fitting = [edit for edit in edits if _has_units(changed_tree(case.written, edit), case)]
    return [correction_of(edit, case, spelling) for edit in ranked(fitting, case)]


def _has_units(node: Node, case: Case) -> bool:
    try:
        check_units(node, case.scope)
    except WrittenError:
        return False
    return True


def _small_edits(root: Node, spelling: Spelling, units: Units) -> Iterator[Edit]:
    """Every small change of a formula. What stands under a sum over an index is left alone: it is written once."""
    edits = chain(
        sign_edits(root, spelling),
        function_edits(root, spelling),
        name_edits(root, spelling, units),
        power_edits(root, spelling),
        extra_factor_edits(root, spelling),
        name_edits_everywhere(root, spelling, units),
        matrix_edits(root, spelling),
    )
    totals = [node.of.span for node in every(Total, spelling.statement)]
    subjects = {key_of(side) for side in spelling.statement.sides if isinstance(side, Name)}
    for edit in edits:
        is_under_sum = any(a <= s.start and s.end <= b for s in edit.splices for a, b in totals)
        is_subject = any(isinstance(new, Name) and key_of(new) in subjects for _, new in edit.changes)
        if not is_under_sum and not is_subject:
            yield edit


def _other_subjects(case: Case, spelling: Spelling) -> Iterator[Edit]:
    """The formula is right, of something else: tau_2 is written where the formula is that of tau_1."""
    for left in case.statement.sides:
        if not isinstance(left, Name) or left.span == case.written.span:
            continue
        for lower in _other_indices(left.lower, len(spelling.coordinates)):
            text, other = with_index(spelling.source(left), left.lower, lower), replace(left, lower=lower)
            if text and case.is_worth(other, case.value):
                how = "the formula is that of the other quantity"
                yield Edit(((left, other),), (Splice(*left.span, text),), "an index", how, OTHER_SUBJECT)


def _other_indices(lower: str, n: int) -> Iterator[str]:
    for i, digit in enumerate(lower):
        if digit.isdigit():
            yield from (lower[:i] + str(k) + lower[i + 1 :] for k in range(1, n + 1) if str(k) != digit)


def _other_sides(case: Case, spelling: Spelling, units: Units) -> Iterator[Edit]:
    """The formula is right, and a mistake is on the other side: d/dt dL/dq where d/dt dL/dqd is meant."""
    for side in case.statement.sides:
        if side.span == case.written.span or isinstance(side, Name) or not case.is_worth(side, case.wanted):
            continue
        other = replace(case, written=side, wanted=case.value, value=case.wanted)
        edits = agreeing(list(_small_edits(side, spelling, units)), sampled(other))
        yield from (replace(edit, cost=edit.cost + OTHER_SIDE) for edit in proven(edits, other))
