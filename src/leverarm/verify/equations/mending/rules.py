"""The mistakes that people make in formulas, as rules: which parts, what change, its kind, its words and its cost.

To add a correction, add one entry to `RULES`, or to `SOLVED` where the change is found by solving for it, and its test
in `tests/verify/equations/test_corrections.py`. An entry has the kind of the mistake ("a sign"), the sentence that says
it ({} is what the change puts in), its cost, the node it applies to, where that must stand (`changes.Place`), and a
function that yields the changes of such a node: parts of the tree with what they become, and the same as splices of the
text (`changes.Edit`). Whatever a rule yields is tried in floats, ranked by its cost, and shown only after the changed
text was read again and found exactly right: a rule can miss a mistake, but it cannot say anything wrong.

Costs: a single mark is about 1, a letter 1.5, a term 2. The cheapest change that repairs an equation is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import inf
from typing import Any

from leverarm.notation.tree import Call, Matrix, Name, Node, Number, Power, Product, Sum
from leverarm.verify.equations.mending import changes, solving
from leverarm.verify.equations.mending.changes import Edit, Page, Place


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of mistake. A rule is not tried where a correction is known that costs no more than `spare`."""

    what: str
    how: str
    cost: float
    part: type[Node]
    at: Place
    change: Callable[[Any, Page], Iterable[Edit]]
    spare: float = -inf


LETTERS = (
    ("a dot", "a dot is missing", 1.0, "dots +1"),
    ("a dot", "two dots are missing", 1.3, "dots +2"),
    ("a dot", "an extra dot", 1.0, "dots -1"),
    ("a dot", "two extra dots", 1.3, "dots -2"),
    ("sine for cosine", "should be a cosine", 1.0, "cosine"),
    ("sine for cosine", "should be a sine", 1.0, "sine"),
    ("an index", "wrong index", 1.0, "index"),
    ("a letter", "wrong letter", 1.7, "letter"),
)
"""How one letter is mistaken for another: at one place, or for a little more at all its places."""
EVERYWHERE = 0.45

RULES = (
    Rule("a sign", "wrong sign", 1.0, Sum, "outside angles", changes.turned_term),
    Rule("an angle", "wrong sign", 1.3, Sum, "in angles", changes.turned_term),
    Rule("a sign", "wrong sign", 1.0, Node, "whole or entry", changes.turned),
    Rule("an extra term", "an extra term", 1.6, Sum, "outside angles", changes.left_out),
    Rule("an angle", "an extra angle", 1.2, Sum, "in angles", changes.left_out),
    Rule("sine for cosine", "should be a sine", 1.0, Call, "anywhere", changes.function_for("cos", "sin")),
    Rule("sine for cosine", "should be a cosine", 1.0, Call, "anywhere", changes.function_for("sin", "cos")),
    Rule("an angle", "should be the double angle", 1.2, Call, "anywhere", changes.doubled_angle),
    Rule("an angle", "should be the single angle", 1.2, Call, "anywhere", changes.single_angle),
    Rule("an angle", "{}", 1.2, Call, "anywhere", changes.other_angle),
    Rule("a power", "a square is missing", 1.2, Node, "outside angles", changes.squared),
    Rule("a power", "not squared", 1.2, Power, "outside angles", changes.to_power(1)),
    Rule("a power", "power 2", 1.2, Power, "outside angles", changes.to_power(2)),
    Rule("a power", "power 3", 1.3, Power, "outside angles", changes.to_power(3)),
    Rule("a power", "the sum of the squares is meant", 1.4, Power, "outside angles", changes.sum_of_squares),
    Rule("a sign", "a sum is meant, not a product", 1.4, Product, "outside angles", changes.as_sum),
    Rule("a sign", "a product is meant, not a sum", 1.4, Sum, "outside angles", changes.as_product),
    Rule("an extra factor", "an extra factor", 1.5, Product, "outside angles", changes.without_one_factor),
    Rule("swapped", "rows and columns are swapped", 1.3, Matrix, "anywhere", changes.transposed),
    Rule("swapped", "two entries are swapped", 1.3, Matrix, "anywhere", changes.exchanged_entries),
    Rule("swapped", "the two are swapped", 1.75, Node, "whole", changes.exchanged_letters),
    *(Rule(what, how, cost, Name, "anywhere", changes.letter(kind)) for what, how, cost, kind in LETTERS),
    Rule("an index", "wrong indices", 1.7, Product, "anywhere", changes.two_indices),
    *(
        Rule(what, f"{how}, in {{}} places", cost + EVERYWHERE, Node, "whole", changes.letter_everywhere(kind))
        for what, how, cost, kind in LETTERS
    ),
)
"""Changes that are tried one by one."""

UNLIKELY = 1.3
"""What a correction costs at least that makes it worth looking for missing and replaced terms."""

SOLVED = (
    Rule("a factor", "{}", 1.1, Node, "term", solving.by_number),
    Rule("a missing factor", "the factor {} is missing", 1.5, Node, "term", solving.by_letters(1)),
    Rule("a missing factor", "the factors {} are missing", 2.3, Node, "term", solving.by_letters(2)),
    Rule("a missing term", "{} is missing", 1.75, Name, "outside angles", solving.with_letter_added),
    Rule("a number", "wrong number", 1.05, Number, "anywhere", solving.other_decimal, spare=inf),
    Rule("an index", "wrong index", 1.0, Node, "whole", solving.in_sum(solving.other_index)),
    Rule("an index", "wrong summation index", 1.0, Node, "whole", solving.in_sum(solving.other_summation_index)),
    Rule("a missing term", "it is missing", 1.9, Node, "sum", solving.missing, spare=UNLIKELY),
    Rule("a term", "{}", 1.6, Node, "term", solving.other_product, spare=UNLIKELY),
    Rule("of the other side", "{}", 0.0, Node, "whole", solving.of_other_side, spare=1.55),
    Rule("two mistakes", "{}", 0.0, Node, "whole", solving.two_mistakes, spare=inf),
    Rule("an entry", "wrong entry", 2.5, Node, "whole", solving.other_entry, spare=inf),
)
"""Changes that are solved for, in the order in which they are looked for."""

OTHER_SUBJECT = 1.95
"""A change that costs more is not shown of a formula that is that of another quantity."""


def edits(rules: Iterable[Rule], page: Page) -> Iterator[Edit]:
    """What rules make of the parts of a formula."""
    for rule in rules:
        for node in page.parts(rule.part, rule.at):
            for edit in rule.change(node, page):
                how, cost = rule.how.format(edit.how), rule.cost + edit.cost
                yield Edit(edit.changes, edit.splices, how, cost, edit.what or rule.what, edit.both, edit.case)
