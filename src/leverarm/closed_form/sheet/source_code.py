"""Formulas as lines of Python: long sums in parts, cosines computed once, lines of a readable length."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass, field

from leverarm.notation import tree
from leverarm.notation.code import to_python
from leverarm.notation.names import short_index
from leverarm.notation.tree import Node
from leverarm.notation.vocabulary import Writing

LONGEST_SUM = 40
"""Of terms in one expression: Python's compiler cannot nest without end."""
WIDTH = 100


@dataclass(slots=True)
class SourceCode:
    """Assignments collected on the way from trees to expressions; names that are taken are not used again."""

    module: str
    taken: set[str]
    writing: Writing
    lines: list[str] = field(default_factory=list)
    cosines: dict[tree.Trig, str] = field(default_factory=dict)

    def expression(self, node: Node) -> str:
        """The formula as source; parts of long sums are assigned before."""
        return to_python(self._shortened(node), self.module)

    def assign(self, name: str, source: str) -> None:
        self.lines += wrapped(f"{name} = ", source)

    def free_name(self, wanted: str) -> str:
        """The name, or with _ behind it where it is taken; taken from now on."""
        while wanted in self.taken:
            wanted += "_"
        self.taken.add(wanted)
        return wanted

    def with_cosines_named(self, nodes: Iterable[Node]) -> list[Node]:
        """The formulas with c12 for np.cos(theta1 + theta2), which is assigned."""
        return [tree.mapped(node, self._named_cosine) for node in nodes]

    def _named_cosine(self, node: Node) -> Node:
        if not isinstance(node, tree.Trig):
            return node
        if node not in self.cosines:
            digits = short_index(node.angle, self.writing)
            wanted = f"{node.function[0]}{digits}" if digits else f"{node.function}_{len(self.cosines) + 1}"
            self.cosines[node] = self.free_name(wanted)
            self.assign(self.cosines[node], to_python(node, self.module))
        return tree.Symbol(self.cosines[node])

    def _shortened(self, node: Node) -> Node:
        return tree.mapped(node, self._short_sum)

    def _short_sum(self, node: Node) -> Node:
        while isinstance(node, tree.Sum) and len(node.terms) > LONGEST_SUM:
            parts: list[Node] = []
            for k in range(0, len(node.terms), LONGEST_SUM):
                name = self.free_name(f"part{len(self.taken)}")
                self.assign(name, to_python(tree.Sum(node.terms[k : k + LONGEST_SUM]), self.module))
                parts.append(tree.Symbol(name))
            node = tree.Sum(tuple(parts))
        return node


def wrapped(start: str, source: str, end: str = "") -> list[str]:
    """`start source end` as one line, or the source in brackets over several, broken between terms where it can be."""
    if len(start + source + end) <= WIDTH:
        return [start + source + end]
    lines = [""]
    for term in _terms(source):
        if len(lines[-1] + term) >= WIDTH - 4:
            lines.append("")
        lines[-1] += f" {term}" if lines[-1] else term
    inside = [part for line in lines if line for part in textwrap.wrap(line, WIDTH - 4, break_long_words=False)]
    return [f"{start}(", *(f"    {line}" for line in inside), f"){end}"]


def _terms(source: str) -> list[str]:
    """The terms of a sum, each with its sign before it; inside brackets nothing is split."""
    terms, depth, begin = [], 0, 0
    for i, character in enumerate(source):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(character, 0)
        if depth == 0 and character == " " and source[i + 1] in "+-":
            terms.append(source[begin:i])
            begin = i + 1
    return [*terms, source[begin:]]


def listed(start: str, names: Iterable[str], end: str) -> list[str]:
    """A list of names in brackets, over several lines where it is long."""
    line = start + ", ".join(names) + end
    inside = textwrap.wrap(line.removeprefix(start).removesuffix(end), WIDTH - 4, break_long_words=False)
    return [line] if len(line) <= WIDTH else [start, *(f"    {part}" for part in inside), end]
