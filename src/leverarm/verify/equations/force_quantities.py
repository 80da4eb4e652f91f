"""The quantities of the equations of motion by the letters of books: M or D, C or V_m, c or V, g or G, tau, h."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations

from leverarm.notation.tree import Name
from leverarm.quantities.table import BOOK_LETTERS, BY_NAME
from leverarm.scalars import Scalar
from leverarm.verify.equations.algebra import (
    Meaning,
    Value,
    column,
    multiplied,
    plain,
    shown,
    spelled,
    subtracted,
    table,
)
from leverarm.verify.equations.arm_values import ArmValues

MASS_MATRIX, CORIOLIS_MATRIX, CORIOLIS, BIAS = "mass_matrix", "coriolis_matrix", "coriolis_torques", "bias"
ONLY_FORCE = "the only force"
INPUTS = ("the input of the first joint", "the input of the second joint")
"""What a force without a number can be, of an arm of which the text drives one joint."""
TORQUES, MOMENTUM = "inverse_dynamics", "generalised_momentum"


def _of_shape(shape: str) -> dict[str, tuple[str, ...]]:
    """What the letters of books stand for among the quantities of a shape, most likely first."""
    found = {
        letter: tuple(name for name in names if BY_NAME[name].shape == shape) for letter, names in BOOK_LETTERS.items()
    }
    return {letter: names for letter, names in found.items() if names}


MATRICES, VECTORS = _of_shape("n x n"), _of_shape("n")
ENTRIES = dict.fromkeys("MmDdHhBbA", MASS_MATRIX) | dict.fromkeys(("C", "c", "Vm"), CORIOLIS_MATRIX)
PLAIN = {"M", "C", "tau", "c", "g", "G", "Vm"}
"""Letters that say what they are: who writes them means it."""


_ALL = "(?:tot|total|sys|system|all|sum|mech|mechanical)"
_GRAVITY, _VELOCITY = "(?:g|G|grav|gravity|weight)", "(?:c|C|cor|coriolis|Cor|Coriolis|cc|vel)"
_TOOL = "(e|ee|E|EE|t|tip|tool|T|end|tcp)"


@dataclass(frozen=True, slots=True)
class Common:
    """A common spelling: names of this pattern, as letter_index, are read as another name of the same quantity.

    `dots` are those that the other name has in addition: v_x is the speed of x. Some hold only where the text
    has the word `said`.
    """

    pattern: str
    letter: str
    index: str = ""
    dots: int = 0
    said: str = ""


COMMON = (
    Common(rf"(?:K|T|KE|Ek|Ekin)_(?:kin_?)?{_ALL}", "K"),
    Common(rf"(?:K_E|E_(?:k|K|kin|kinetic|cin)){_ALL}?([1-9]?)", "K", r"\1"),
    Common(rf"(?:P|U|V|PE|Ep|Epot)_(?:pot)?{_ALL}", "P"),
    Common(rf"(?:P_E|E_(?:p|P|pot|potential)){_ALL}?([1-9]?)", "P", r"\1"),
    Common(rf"[UV]_{_GRAVITY}([1-9]?)", "Pg", r"\1"),
    Common(rf"[EH]_{_ALL}", "E"),
    Common("Lagrangian|Lag", "L"),
    Common("Hamiltonian", "E"),
    Common(rf"(?:tau|Q)_{_GRAVITY}([1-9]?)", "G", r"\1"),
    Common(rf"tau_([1-9]){_GRAVITY}", "G", r"\1"),
    Common(rf"(?:tau|Q)_{_VELOCITY}([1-9]?)", "c", r"\1"),
    Common(r"(?:tau|Q)_(?:f|F|fric|friction)([1-9]?)", "F", r"\1"),
    Common(r"k_([1-9])", "K", r"\1", said="kinetic"),
    Common(r"u_([1-9])", "P", r"\1", said="potential"),
    Common(r"([xyzKTVUP])([a-z])", r"\1", r"\2"),
    Common(rf"[proPX]_{_TOOL}?([xyz])", r"\2", r"\1"),
    Common(rf"[prPX]_([xyz]){_TOOL}", r"\1", r"\2"),
    Common(r"[pr]_(c?[1-9])([xyz])", r"\2", r"\1"),
    Common(r"[pr]_([xyz])(c?[1-9])", r"\1", r"\2"),
    Common(rf"v_({_TOOL}?|c?[1-9])([xyz])", r"\3", r"\1", 1),
    Common(rf"v_([xyz])({_TOOL}?|c?[1-9])", r"\1", r"\2", 1),
    Common(rf"a_({_TOOL}?|c?[1-9])([xyz])", r"\3", r"\1", 2),
)
"""Common spellings of the arm's own quantities. A new one is one entry."""


def in_common(name: Name, text: str) -> Iterator[Name]:
    """The names that a name is a common spelling of."""
    word = f"{name.letter}_{plain(name.lower)}{name.upper}" if name.lower or name.upper else name.letter
    for each in COMMON:
        if each.said in text.casefold() and (match := re.fullmatch(each.pattern, word)) is not None:
            letter, index = (match.expand(part) for part in (each.letter, each.index))
            yield replace(name, letter=letter, lower=index, upper="", dots=name.dots + each.dots)


def _words(what: str) -> str:
    """The mass matrix."""
    return f"the {BY_NAME[what].noun}" + (", c + g" if what == BIAS else "")


def force_meanings(name: Name, values: ArmValues) -> Iterator[Meaning]:
    """The matrices, vectors and entries of the equations of motion that a name can stand for."""
    if name.upper:
        return
    yield from _own_forces(name, values)
    letter, index = name.letter, plain(name.lower)
    if letter in "VC" and index.startswith("m"):
        letter, index = f"{letter}m", index[1:]
    if letter == "tau" and index == "d":
        yield Meaning("disturbance", "tau_d, a disturbance", lambda: 0, "zero: the arm has no disturbance")
        return
    numbers = _numbers(index, values)
    if not index:
        yield from _whole(letter, values)
        yield from _only_force(letter, values)
    elif numbers and len(numbers) == 1:
        yield from _vector_entries(letter, numbers[0], values)
    elif numbers and len(numbers) == 2 and letter in ENTRIES:
        what, (i, j) = ENTRIES[letter], numbers
        about = f"{name.letter}_{index}, entry {index[0]}, {index[1]} of {_words(what)}"
        is_loose = letter == "m"  # a sum of masses as well: m_23 = m_2 + m_3
        yield Meaning(what, about, lambda: _matrix(what, values)[i][j], _read_as(letter, what), is_loose)
    elif numbers and len(numbers) == 3 and letter in ("c", "C", "Gamma", "h", "b"):
        yield from _christoffel(name.letter, index, numbers, values)


def _own_forces(name: Name, values: ArmValues) -> Iterator[Meaning]:
    """A generalised force by the name the arm gives it, or by the name of its coordinate: n, f, tau_theta, F_r, p_r."""
    for i, own in enumerate(values.forces):
        is_of_it = plain(name.lower) in (plain(values.printed(i)), f"q{i + 1}", f"theta{i + 1}", f"phi{i + 1}")
        if spelled(name) == plain(own) or (is_of_it and name.letter in ("tau", "f", "F", "Q", "u")):
            yield Meaning(TORQUES, _force(shown(name), i, values), partial(_entry, TORQUES, i, values))
            return
        if is_of_it and name.letter == "p":
            about = f"{shown(name)}, the momentum of joint {values.printed(i)}"
            yield Meaning(MOMENTUM, about, partial(_entry, MOMENTUM, i, values))
            return


def _only_force(letter: str, values: ArmValues) -> Iterator[Meaning]:
    """A force without a number: of the only joint that slides or turns, or the input of the first or second joint."""
    turns = [i for i in range(values.n) if values.turns(i)]
    slides = [i for i in range(values.n) if i not in turns]
    joints = {"f": slides, "F": slides, "tau": turns, "T": turns}.get(letter, [])
    if values.n > 1 and len(joints) == 1:
        yield _single_force(ONLY_FORCE, letter, joints[0], values)
    elif values.n > 1 and letter in ("u", "tau", "T"):
        yield from (_single_force(kind, letter, i, values) for i, kind in enumerate(INPUTS))


def _single_force(kind: str, letter: str, i: int, values: ArmValues) -> Meaning:
    about = _force(letter, i, values)
    return Meaning(kind, about, partial(_entry, TORQUES, i, values), about, True)


def _whole(letter: str, values: ArmValues) -> Iterator[Meaning]:
    eq = values.eq
    if letter in MATRICES:
        yield from _whole_matrix(letter, MATRICES[letter][0], values)
    for what in VECTORS.get(letter, ()):
        loose = letter not in PLAIN
        yield Meaning(what, f"{letter}, {_words(what)}", partial(_column, what, values), _read_as(letter, what), loose)
    if letter in ("S", "N"):
        what = "Mdot - 2 C"
        yield Meaning(what, f"{letter}, {what}", partial(_mdot_minus_2c, values), what, True)
    if letter == "g":
        yield Meaning(
            "upward", "g, minus the free-fall acceleration", values.upward, "minus the free-fall acceleration"
        )
        yield Meaning(
            "free fall",
            "g, the free-fall acceleration",
            lambda: column(list(eq.exact.mechanism.gravity)),
            "the free-fall acceleration",
        )


def _whole_matrix(letter: str, what: str, values: ArmValues) -> Iterator[Meaning]:
    loose = letter not in PLAIN
    yield Meaning(
        what, f"{letter}, {_words(what)}", lambda: table(_matrix(what, values)), _read_as(letter, what), loose
    )
    if letter in ("B", "C") and values.n > 1:
        kind, factors = ("Coriolis", "products") if letter == "B" else ("centrifugal", "squares")
        read_as = f"the coefficients of the {factors} of speeds"
        about = f"{letter}, the {kind} coefficients"
        yield Meaning(f"{kind} coefficients", about, partial(_coefficients, letter, values), read_as, True)


def _vector_entries(letter: str, i: int, values: ArmValues) -> Iterator[Meaning]:
    is_without = not any(values.eq.friction.values)
    vectors = VECTORS.get(letter, ()) if letter != "v" else ()  # v_1 is a velocity
    for what in sorted(vectors, key=lambda each: is_without and each == "friction"):
        about = f"{letter}_{i + 1}, entry {i + 1} of {_words(what)}"
        if what == TORQUES:
            about = _force(f"{letter}_{i + 1}", i, values)
        loose = letter not in PLAIN
        yield Meaning(what, about, partial(_entry, what, i, values), _read_as(letter, what), loose)
    if letter == "M":
        about = f"M_{i + 1}, entry {i + 1}, {i + 1} of the mass matrix"
        yield Meaning("diagonal", about, lambda: values.eq.M.values[i][i], f"M_{i + 1}{i + 1}", True)


def _force(word: str, i: int, values: ArmValues) -> str:
    what = "torque" if values.turns(i) else "force"
    return f"{word}, the {what} of joint {values.printed(i)}"


def _christoffel(letter: str, index: str, numbers: list[int], values: ArmValues) -> Iterator[Meaning]:
    i, j, k = numbers
    gamma = values.eq.christoffel
    row_first = Meaning(
        "row first", f"{letter}_{index}, a Christoffel symbol (its first index is the row)",
        lambda: gamma.values[i][j][k],
    )  # fmt: skip
    row_last = Meaning(
        "row last", f"{letter}_{index}, a Christoffel symbol (its last index is the row)",
        lambda: gamma.values[k][i][j], "a Christoffel symbol whose last index is the row",
    )  # fmt: skip
    yield from (row_last, row_first) if letter == "c" else (row_first, row_last)


def _matrix(what: str, values: ArmValues) -> Sequence[Sequence[Scalar]]:
    return getattr(values.eq, BY_NAME[what].closed_form).values  # type: ignore[no-any-return]


def _column(what: str, values: ArmValues) -> Value:
    return column(_vector(what, values))


def _vector(what: str, values: ArmValues) -> Sequence[Scalar]:
    return values.bias if what == BIAS else getattr(values.eq, BY_NAME[what].closed_form).values


def _coefficients(letter: str, values: ArmValues) -> Value:
    """c = B (q1d q2d, q1d q3d, ...) + C (q1d^2, q2d^2, ...), as in Craig, Introduction to Robotics, 6.8."""
    n, gamma = values.n, values.eq.christoffel.values
    if letter == "C":
        return table([[gamma[i][j][j] for j in range(n)] for i in range(n)])
    return table([[2 * gamma[i][j][k] for j, k in combinations(range(n), 2)] for i in range(n)])


def _entry(what: str, i: int, values: ArmValues) -> Scalar:
    return _vector(what, values)[i]


def _read_as(letter: str, what: str) -> str:
    """How it is written here, where that is by another letter."""
    if what == BIAS:
        return "c + g"
    ours = BY_NAME[what].letter
    return "" if ours.casefold() == letter.casefold() else f"{ours}, {_words(what)}"


def _numbers(index: str, values: ArmValues) -> list[int]:
    """An index of digits as numbers from 0; empty where it is none of the arm."""
    if not index.isdigit() or any(not 1 <= int(d) <= values.n for d in index):
        return []
    return [int(d) - 1 for d in index]


def _mdot_minus_2c(values: ArmValues) -> Value:
    return subtracted(table(values.eq.M_dot.values), multiplied(2, table(values.eq.C.values)))
