"""The entries of a closed form by name: M11, Gamma112, link2.Izz; and which of them are the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leverarm.closed_form.formula import Formula, symbols_in
from leverarm.closed_form.robot_equation import Equations
from leverarm.closed_form.sheet.quantities import ClosedForm
from leverarm.notation.tree import Indexed, Node


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

    quantity: ClosedForm
    shape: tuple[int, ...]
    entries: tuple[Entry, ...]
    names: tuple[str, ...]
    frame: str | None

    @property
    def title(self) -> str:
        """M(q): mass matrix. In one line, whatever the frame is called: it stands in comments."""
        q = self.quantity
        state = f"({', '.join(q.needs)})" if q.needs else ""
        meaning = q.meaning.replace("a frame", f"frame {self.frame}") if self.frame else q.meaning
        return " ".join(f"{q.letter}{state}: {meaning}".split())


def item(eq: Equations, quantity: ClosedForm, frame: str | None) -> Item:
    """A quantity of the arm, computed."""
    value = quantity.value(eq, frame)
    where = (frame or eq.arm.tool) if quantity.has_frame else None
    head = quantity.head
    if isinstance(value, Formula):
        return Item(quantity, (), (Entry((), quantity.letter, head, value),), (), where)
    names = quantity.row_names(eq) if quantity.row_names else ()
    apart = "," if max(value.shape) > 9 else ""
    entries = []
    for at in value.indices():
        index = tuple(i + 1 for i in at)
        digits = apart.join(map(str, index))
        label = names[at[0]] if names else f"{quantity.stem}{digits}"
        entries.append(Entry(index, label, Indexed(head, digits), value[at]))
    return Item(quantity, value.shape, tuple(entries), names, where)


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
