"""The entries of a closed form by name: M11, Gamma112, link2.Izz; and which of them are the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from leverarm.closed_form.base_parameters import BaseParameters, base_values
from leverarm.closed_form.exact_equations import Equations
from leverarm.closed_form.formula import Formula, Formulas, symbols_in
from leverarm.notation.tree import Indexed, Inverse, Node, Sum, Symbol
from leverarm.quantities.table import BY_ROUTE, Choices, Quantity


@dataclass(frozen=True, slots=True)
class Entry:
    """One formula of a quantity. Indices count from 1; a scalar has none."""

    index: tuple[int, ...]
    label: str
    symbol: Node
    formula: Formula


@dataclass(frozen=True, slots=True)
class Item:
    """A quantity of a sheet: its entries, row by row."""

    quantity: Quantity
    shape: tuple[int, ...]
    entries: tuple[Entry, ...]
    names: tuple[str, ...]
    frame: str | None

    @property
    def title(self) -> str:
        """M(q): mass matrix. In one line, whatever the frame is called: it stands in comments."""
        title = self.quantity.title
        return " ".join((title.replace("a frame", f"frame {self.frame}") if self.frame else title).split())

    @property
    def head(self) -> Node:
        """What stands before the indices of an entry: the letter, a dot for a time derivative."""
        letter = self.quantity.letter
        return Symbol(letter[:-3], 1) if letter.endswith("dot") else HEADS.get(letter, Symbol(letter))

    @property
    def stem(self) -> str:
        """The same in ASCII. An entry c1 would read as a cosine, so it is c_1."""
        letter = self.quantity.letter
        return {"c": "c_", "Ki": "K", "Pi": "P", "M_inverse": "Minv"}.get(letter, letter)


HEADS = {
    "Ki": Symbol("K"), "Pi": Symbol("P"), "base": Symbol("beta"), "qdd": Symbol("q", 2),
    "M_inverse": Inverse(Symbol("M")), "Fv": Symbol("F_v"), "Fd": Symbol("F_d"),
}  # fmt: skip
"""Letters of the table that are written otherwise in formulas."""


def item(eq: Equations, quantity: Quantity, frame: str | None) -> Item:
    """A quantity of the arm, computed."""
    value, names = _closed_form(eq, quantity, frame)
    where = (frame or eq.arm.tool) if "frame" in quantity.options else None
    found = Item(quantity.of_arm(eq.arm), () if isinstance(value, Formula) else value.shape, (), names, where)
    if isinstance(value, Formula):
        return replace(found, entries=(Entry((), quantity.letter, found.head, value),))
    apart = "," if max(value.shape) > 9 else ""
    entries = []
    for at in value.indices():
        index = tuple(i + 1 for i in at)
        digits = apart.join(map(str, index))
        label = names[at[0]] if names else f"{found.stem}{digits}"
        entries.append(Entry(index, label, Indexed(found.head, digits), value[at]))
    return replace(found, entries=tuple(entries))


def _closed_form(eq: Equations, quantity: Quantity, frame: str | None) -> tuple[Formula | Formulas, tuple[str, ...]]:
    """The value, and names of the entries of a vector where numbers would say too little."""
    if quantity.closed_form == BY_ROUTE:
        state = {"q": eq.exact.q, "qd": eq.exact.qd, "qdd": eq.exact.qdd}
        (value,) = quantity.computed(0, eq.exact.mechanism, Choices(frame or eq.arm.tool), state)
        return (eq.formulas(value) if quantity.shape else eq.formula(value)), ()
    found = getattr(eq, quantity.closed_form)
    if isinstance(found, dict):
        return eq.formulas([entry.value for entry in found.values()]), tuple(found)
    if isinstance(found, BaseParameters):
        values = {name: entry.value for name, entry in eq.parameters.items()}
        return eq.formulas(base_values(found, values)), _regroupings(eq)
    if "frame" in quantity.options:
        return found(frame), ("x", "y", "z") if quantity.shape == "3" else ()
    return found, ()


def _regroupings(eq: Equations) -> tuple[str, ...]:
    """Each base parameter by what is gathered in it: link1.Izz + a1^2 link2.m."""
    rows = [entry.regrouping for entry in eq.base_parameters.entries]
    texts = (" + ".join(_factor(eq.formula(x)) + name for x, name in row) for row in rows)
    return tuple(text.replace("+ -", "- ") for text in texts)


def _factor(coefficient: Formula) -> str:
    """A coefficient before a name; nothing for 1, a minus alone for -1."""
    text = coefficient.text()
    return {"1": "", "-1": "-"}.get(text, f"({text}) " if isinstance(coefficient.tree, Sum) else f"{text} ")


def grouped(entries: tuple[Entry, ...]) -> tuple[list[list[Entry]], list[Entry]]:
    """Entries that are the same formula together, in order; and those that are zero."""
    groups: list[list[Entry]] = []
    seen: dict[int, list[list[Entry]]] = {}
    zeros = [entry for entry in entries if entry.formula.is_zero]
    for entry in entries:
        if entry.formula.is_zero:
            continue
        alike = seen.setdefault(entry.formula.terms, [])
        group = next((g for g in alike if g[0].formula == entry.formula), None)
        if group is None:
            group = []
            alike.append(group)
            groups.append(group)
        group.append(entry)
    return groups, zeros


def symbols_of(eq: Equations, items: Sequence[Item]) -> dict[str, float]:
    """The symbols that the formulas of the items hold, with numbers for them."""
    return symbols_in((entry.formula.value for each in items for entry in each.entries), eq.notation)
