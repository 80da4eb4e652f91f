"""What the log says about each parameter: value, standard error, interval, the value given, and whether it is told."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from leverarm.identification.report.interval_bar import interval_bar
from leverarm.identification.report.numbers import percent, short, unit_text, value_and_error
from leverarm.identification.report.parameter_names import (
    OF_LINKS,
    Indices,
    combination_as_mathml,
    combination_as_text,
    name_as_mathml,
)

if TYPE_CHECKING:
    from leverarm.identification.result import Estimate, Identified

HEADS = ("parameter", "value ± standard error", "95 % interval", "as given", "consistent", "± in %", "told?")
KEY = (
    '<p class="legend"><span class="key estimate">estimate</span> <span class="key interval">interval</span> '
    '<span class="key given">as given</span> <span class="key consistent">physically consistent</span> '
    '<span class="key origin">zero</span></p>'
)


def parameter_table(result: Identified) -> str:
    """A line per base parameter, inertial ones first, then those of friction and drives."""
    estimates = tuple(result.parameters)
    indices = Indices.among([name for each in estimates for name in (each.name, *(n for _, n in each.combination))])
    heads = "".join(f'<th scope="col">{name}</th>' for name in HEADS)
    columns = "".join(f'<col class="{name}">' for name in ("name", "value", "bar", "cad", "fit", "percent", "told"))
    bodies = [
        f'<tbody class="section"><tr><th scope="rowgroup" colspan="{len(HEADS)}">{title}</th></tr></tbody>\n<tbody>'
        + "\n".join(_row(each, indices) for each in group)
        + "</tbody>"
        for title, group in _sections(estimates)
        if group
    ]
    inside = "\n".join(bodies)
    return (
        f'{KEY}<table class="parameters"><colgroup>{columns}</colgroup>'
        f"<thead><tr>{heads}</tr></thead>\n{inside}\n</table>"
    )


def reason_not_told(estimate: Estimate) -> str:
    """Why the data do not tell a parameter; "" where they do."""
    if estimate.told:
        return ""
    low, high = estimate.interval
    if not math.isfinite(estimate.standard_error):
        return "the motion does not excite it"
    if low <= 0 <= high:
        return "the interval holds zero"
    return f"standard error {percent(estimate.percent)} % of the value"


def _sections(estimates: Sequence[Estimate]) -> tuple[tuple[str, list[Estimate]], ...]:
    is_inertial = [each.name.rpartition(".")[2] in OF_LINKS for each in estimates]
    links = [each for each, inertial in zip(estimates, is_inertial, strict=True) if inertial]
    joints = [each for each, inertial in zip(estimates, is_inertial, strict=True) if not inertial]
    return ("Links", links), ("Joints and drives", joints)


def _row(estimate: Estimate, indices: Indices) -> str:
    value, error, power = value_and_error(estimate.value, estimate.standard_error)
    number = f"{value} ± {error}" if not power else f"({value} ± {error}){power}"
    alone = len(estimate.combination) < 2
    sum_ = "" if alone else f'<span class="sum">= {combination_as_mathml(estimate.combination, indices)}</span>'
    name = f'<code title="{escape(combination_as_text(estimate.combination))}">{escape(estimate.name)}</code>'
    unit = f" <small>{escape(unit_text(estimate.unit))}</small>" if estimate.unit else ""
    badge = "yes" if estimate.told else "no"
    why = f"<small>{reason_not_told(estimate)}</small>" if not estimate.told else ""
    cells = (
        f'<th scope="row"><span class="symbol">{name_as_mathml(estimate.name, indices)}</span>{name}{sum_}</th>',
        f'<td class="number">{number}{unit}</td>',
        f'<td class="bar">{interval_bar(estimate)}</td>',
        f'<td class="number" data-head="{HEADS[3]}">{short(estimate.cad)}</td>',
        f'<td class="number" data-head="{HEADS[4]}">{short(estimate.consistent)}</td>',
        f'<td class="number" data-head="{HEADS[5]}">{percent(estimate.percent)}</td>',
        f'<td class="told"><span class="badge {badge}">{"told" if estimate.told else "not told"}</span>{why}</td>',
    )
    return f"<tr{'' if estimate.told else ' class=untold'}>{''.join(cells)}</tr>"
