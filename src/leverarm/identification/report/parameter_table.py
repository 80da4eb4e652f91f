"""The table of base parameters: value, standard error, interval, nominal value, and whether it is identifiable.

Each interval is also drawn, on an axis of its own that includes zero. Names are written as mathematics: link2.Ixx as I
with index xx,2, joint3.viscous as F with index v,3.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from itertools import takewhile
from typing import TYPE_CHECKING

from leverarm.identification.report.formatting import percent, short, unit_text, value_and_error
from leverarm.model import LAWS, SHAFT_LAWS
from leverarm.notation.mathml import to_mathml
from leverarm.notation.tree import Indexed, Node, Number, Product, Symbol

if TYPE_CHECKING:
    from leverarm.identification.result import Estimate, Identified


WIDTH, HEIGHT = 400, 40
MIDDLE = HEIGHT // 2
MARGIN = 0.05
"""Free space at both ends, as a fraction of the range."""


def interval_bar(estimate: Estimate) -> str:
    """Estimate, interval, the value given and the consistent one: short and far from zero is well identified."""
    low, high = estimate.interval
    value, given, consistent = estimate.value, estimate.cad, estimate.consistent
    marks = [x for x in (0.0, value, low, high, given, consistent) if math.isfinite(x)]
    begin, end = min(marks), max(marks)
    room = MARGIN * (end - begin) or 1.0

    def at(x: float) -> int:
        """Position along the bar; an end that is not finite is at its edge."""
        inside = min(max(x, begin - room), end + room)
        return round((inside - begin + room) / (end - begin + 2 * room) * WIDTH)

    drawn = [f'<path class="origin" d="M{at(0.0)} 0v{HEIGHT}"/>']
    if not math.isnan(low) and not math.isnan(high):
        drawn.append(f'<path class="interval" d="M{at(low)} {MIDDLE}H{at(high)}"/>')
    if math.isfinite(given):
        drawn.append(f'<path class="given" d="M{at(given)} 6v{HEIGHT - 12}"/>')
    drawn += [
        f'<path class="{kind}" d="M{at(x)} {MIDDLE}h0"/>'
        for kind, x in (("consistent", consistent), ("estimate", value))
        if math.isfinite(x)
    ]
    title = f"{estimate.name}: {short(value)}, interval {short(low)} to {short(high)}, nominal {short(given)}"
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" role="img">'
        f"<title>{escape(title)}</title>{''.join(drawn)}</svg>"
    )


LETTERS = {
    "m": ("m", ""), "hx": ("h", "x"), "hy": ("h", "y"), "hz": ("h", "z"),
    "Ixx": ("I", "xx"), "Ixy": ("I", "xy"), "Iyy": ("I", "yy"), "Ixz": ("I", "xz"), "Iyz": ("I", "yz"),
    "Izz": ("I", "zz"),
    **{name: (law.letter[0], law.letter[1:] + "-" * (name != law.name)) for law in LAWS for name in law.fields},
    **{f"motor_{law.name}": (law.letter[0], f"{law.letter[1:]}m") for law in SHAFT_LAWS}, "rotor": ("J", ""),
}  # fmt: skip
"""The letter and index of each kind of parameter; that of its link or joint follows."""
OF_LINKS = ("m", "hx", "hy", "hz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz")
DIGITS = 4
"""Significant digits of a coefficient."""
NO_BREAK = "\u00a0"
_NUMBERED = re.compile(r".*?(\d+)")

Combination = Sequence[tuple[float, str]]


@dataclass(frozen=True, slots=True)
class Indices:
    """The index of each link and each joint: its number where it is unique, else its name."""

    of_owner: dict[str, str]

    @staticmethod
    def among(names: Iterable[str]) -> Indices:
        """Of all links and joints that these parameters belong to."""
        owners: dict[bool, dict[str, None]] = {True: {}, False: {}}
        for name in names:
            owner, dot, what = name.rpartition(".")
            if dot:
                owners[what in OF_LINKS][owner] = None
        found: dict[str, str] = {}
        for group in owners.values():
            shown = dict(zip(group, shortened(tuple(group)), strict=True))
            numbers = {owner: match[1] for owner in group if (match := _NUMBERED.fullmatch(owner))}
            once = {owner for owner, number in numbers.items() if list(numbers.values()).count(number) == 1}
            found |= {owner: numbers[owner] if owner in once else shown[owner] for owner in group}
        return Indices(found)

    def symbol(self, name: str) -> Node:
        """The parameter as a letter with an index; as its own name where it is of no known kind."""
        owner, _, what = name.rpartition(".")
        if what not in LETTERS or owner not in self.of_owner:
            return Symbol(name)
        letter, index = LETTERS[what]
        behind = self.of_owner[owner].replace("_", NO_BREAK)
        return Indexed(Symbol(letter), lower=",".join(part for part in (index, behind) if part))


def name_as_mathml(name: str, indices: Indices) -> str:
    """One parameter as a formula."""
    return to_mathml(indices.symbol(name), display="inline")


def combination_as_mathml(combination: Combination, indices: Indices) -> str:
    """A sum of parameters. Each term is a formula of its own, so that a long sum goes over several lines."""
    terms = []
    for k, (factor, name) in enumerate(combination):
        sign = "−" if factor < 0 else "+" if k else ""
        term = to_mathml(_term(abs(factor), indices.symbol(name)), display="inline")
        terms.append(f'<span class="term">{sign}{NO_BREAK if sign else ""}{term}</span>')
    return " ".join(terms)


def combination_as_text(combination: Combination) -> str:
    """A sum of parameters in one line of plain text: link2.Ixx - link2.Iyy + 0.1 link3.m."""
    text = ""
    for k, (factor, name) in enumerate(combination):
        sign = ("-" if factor < 0 else "") if not k else (" - " if factor < 0 else " + ")
        number = f"{abs(factor):.{DIGITS}g}"
        text += sign + ("" if number == "1" else f"{number} ") + name
    return text


def shortened(names: Sequence[str]) -> tuple[str, ...]:
    """Names without the words that all of them begin or end with: shoulder_pan for shoulder_pan_joint."""
    words = [name.split("_") for name in names]
    if len(names) < 2 or min(map(len, words)) < 2:
        return tuple(names)
    before = _shared(words)
    behind = _shared([each[::-1] for each in words])
    cut = [each[before : len(each) - behind] for each in words]
    shown = tuple("_".join(each) for each in cut)
    return shown if all(shown) and len(set(shown)) == len(shown) else tuple(names)


def _shared(words: list[list[str]]) -> int:
    """The number of words that all lists begin with."""
    return sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, zip(*words, strict=False)))


def _term(factor: float, symbol: Node) -> Node:
    number = Fraction(f"{factor:.{DIGITS}g}") if math.isfinite(factor) else Fraction(0)
    return symbol if number == 1 else Product((Number(number), symbol))


HEADS = ("parameter", "value ± standard error", "95 % interval", "nominal", "consistent", "± in %", "identifiable")
KEY = (
    '<p class="legend"><span class="key estimate">estimate</span> <span class="key interval">interval</span> '
    '<span class="key given">nominal</span> <span class="key consistent">physically consistent</span> '
    '<span class="key origin">zero</span></p>'
)


def parameter_table(result: Identified) -> str:
    """A line per base parameter, inertial ones first, then those of friction and drives."""
    estimates = tuple(result.parameters)
    indices = Indices.among([name for each in estimates for name in (each.name, *(n for _, n in each.combination))])
    heads = "".join(f'<th scope="col">{name}</th>' for name in HEADS)
    columns = "".join(
        f'<col class="{name}">' for name in ("name", "value", "bar", "cad", "fit", "percent", "identifiable")
    )
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


def reason_not_identifiable(estimate: Estimate) -> str:
    """Why a parameter is not identifiable; "" where it is."""
    if estimate.identifiable:
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
    badge = "yes" if estimate.identifiable else "no"
    why = f"<small>{reason_not_identifiable(estimate)}</small>" if not estimate.identifiable else ""
    cells = (
        f'<th scope="row"><span class="symbol">{name_as_mathml(estimate.name, indices)}</span>{name}{sum_}</th>',
        f'<td class="number">{number}{unit}</td>',
        f'<td class="bar">{interval_bar(estimate)}</td>',
        f'<td class="number" data-head="{HEADS[3]}">{short(estimate.cad)}</td>',
        f'<td class="number" data-head="{HEADS[4]}">{short(estimate.consistent)}</td>',
        f'<td class="number" data-head="{HEADS[5]}">{percent(estimate.percent)}</td>',
        f'<td class="identifiable"><span class="badge {badge}">{badge}</span>{why}</td>',
    )
    return f"<tr{'' if estimate.identifiable else ' class=unidentifiable'}>{''.join(cells)}</tr>"
