"""The order of the table, which lines stand under which heading (as in Table 3.3.1 of the sources), and its notes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from leverarm.verify.table.property import Property

ROBOT_EQUATION = r"M(q)\ddot{q} + V(q, \dot{q}) + F(\dot{q}) + G(q) + \tau_d = \tau"


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the keys of the lines below it, in order."""

    title: str
    keys: tuple[str, ...]


SECTIONS = (
    Section("Inertia matrix", ("symmetric", "positive_definite", "mu1", "mu2", "m1", "m2", "growth")),
    Section("Coriolis and centripetal vector", ("quadratic", "v_b", "factorised", "skew", "at_rest", "velocity_terms")),
    Section("Friction", ("v", "k")),
    Section("Gravity vector", ("g_b",)),
    Section("Disturbance", ("d",)),
    Section("Passivity", ("passivity", "energy", "dissipation")),
    Section("Linearity in the parameters", ("linear", "base_parameters")),
    Section("Effective mass at the tip", ("lambda1", "lambda2")),
)
OTHERS = "Further properties"
SHARED, LONG = 3, 80
"""How many lines must say the same for it to be said only once; two, if it has more characters than this."""


def in_sections(rows: Iterable[Property]) -> tuple[tuple[str, tuple[Property, ...]], ...]:
    """The headings that have lines, each with its lines in the order of the table."""
    by_key = {row.key: row for row in rows}
    found = [(section.title, tuple(by_key.pop(key) for key in section.keys if key in by_key)) for section in SECTIONS]
    found.append((OTHERS, tuple(by_key.values())))
    return tuple((title, lines) for title, lines in found if lines)


def in_order(rows: Iterable[Property]) -> tuple[Property, ...]:
    """The lines in the order of the table."""
    return tuple(row for _, lines in in_sections(rows) for row in lines)


@dataclass(frozen=True, slots=True)
class Notes:
    """Sentences about the lines: those that many lines share are told once, below the table, and numbered from 1."""

    shared: tuple[str, ...]

    @staticmethod
    def of(rows: Iterable[Property]) -> Notes:
        """What several lines say in the same words."""
        counts = Counter(sentence for row in rows for sentence in dict.fromkeys(row.detail))
        repeated = ((sentence, count) for sentence, count in counts.items() if count > 1)
        return Notes(tuple(said for said, count in repeated if count >= SHARED or len(said) > LONG))

    def own(self, row: Property) -> tuple[str, ...]:
        """What only this line says, or few others do."""
        return tuple(capitalised(said) for said in dict.fromkeys(row.detail) if said not in self.shared)

    def numbers(self, row: Property) -> str:
        """Which of the shared sentences are about this line: "note 1", "notes 1, 2" or nothing."""
        found = [str(k) for k, said in enumerate(self.shared, 1) if said in row.detail]
        return f"note{'s' * (len(found) > 1)} {', '.join(found)}" if found else ""

    def told(self) -> tuple[str, ...]:
        """The shared sentences with their numbers."""
        return tuple(f"Note {k}: {capitalised(said)}" for k, said in enumerate(self.shared, 1))


def capitalised(sentence: str) -> str:
    """With a capital where it begins with a word; a name or a formula stays as it is."""
    word = sentence.split(" ", 1)[0].rstrip(",:;.")
    is_word = len(word) > 1 and word.isalpha() and word not in ("det", "diag", "rank", "qd", "qdd")
    return sentence[0].upper() + sentence[1:] if is_word else sentence
