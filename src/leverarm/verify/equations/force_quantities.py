"""The quantities of the robot equation by the letters of books: M or D, C or V_m, c or V, g or G, tau, h."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations

from leverarm.notation.reading.as_written import Name
from leverarm.scalars import Scalar
from leverarm.verify.equations.arm_values import ArmValues
from leverarm.verify.equations.values import Meaning, Value, column, plain, shown, spelled, table

MASS_MATRIX, CORIOLIS_MATRIX = "the mass matrix", "the Coriolis matrix"
CORIOLIS, GRAVITY = "the Coriolis and centripetal forces", "the gravity forces"
FORCES, BIAS = "the generalised forces", "the forces without acceleration, c + g"

MATRICES = {
    "M": MASS_MATRIX, "D": MASS_MATRIX, "H": MASS_MATRIX, "B": MASS_MATRIX, "A": MASS_MATRIX,
    "C": CORIOLIS_MATRIX, "Vm": CORIOLIS_MATRIX, "Cm": CORIOLIS_MATRIX,
}  # fmt: skip
ENTRIES = {
    "M": MASS_MATRIX, "m": MASS_MATRIX, "D": MASS_MATRIX, "d": MASS_MATRIX, "H": MASS_MATRIX, "h": MASS_MATRIX,
    "B": MASS_MATRIX, "b": MASS_MATRIX, "C": CORIOLIS_MATRIX, "c": CORIOLIS_MATRIX, "Vm": CORIOLIS_MATRIX,
}  # fmt: skip
VECTORS: dict[str, tuple[str, ...]] = {
    "tau": (FORCES,), "u": (FORCES,), "Q": (FORCES,), "T": (FORCES,), "f": (FORCES,),
    "F": ("the friction forces", FORCES), "Gamma": (FORCES,),
    "c": (CORIOLIS,), "V": (CORIOLIS, BIAS), "v": (CORIOLIS,), "C": (CORIOLIS,), "b": (CORIOLIS, BIAS),
    "g": (GRAVITY,), "G": (GRAVITY,), "phi": (GRAVITY,), "varphi": (GRAVITY,),
    "h": (BIAS, CORIOLIS), "n": (BIAS, CORIOLIS, FORCES), "N": (BIAS, CORIOLIS, GRAVITY), "mu": (CORIOLIS, BIAS),
    "p": ("the generalised momenta",),
}  # fmt: skip
PLAIN = {"M", "C", "tau", "c", "g", "G", "Vm"}
"""Letters that say what they are: who writes them means it."""
LETTERS = {MASS_MATRIX: "M", CORIOLIS_MATRIX: "C", CORIOLIS: "c", GRAVITY: "g", FORCES: "tau", BIAS: "c + g"}


def force_meanings(name: Name, values: ArmValues) -> Iterator[Meaning]:
    """The matrices, vectors and entries of the robot equation that a name can stand for."""
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
        about = f"{name.letter}_{index}, entry {index[0]}, {index[1]} of {what}"
        yield Meaning(what, about, lambda: _matrix(what, values)[i][j], _said(letter, what))
    elif numbers and len(numbers) == 3 and letter in ("c", "C", "Gamma", "h", "b"):
        yield from _christoffel(name.letter, index, numbers, values)


def _own_forces(name: Name, values: ArmValues) -> Iterator[Meaning]:
    """A generalised force by the name the arm gives it, or by the name of its coordinate: n, f, tau_theta, F_r."""
    word = spelled(name)
    for i, own in enumerate(values.forces):
        by_coordinate = name.letter in ("tau", "f", "F", "Q", "u") and plain(name.lower) == plain(values.printed(i))
        if word == plain(own) or by_coordinate:
            yield Meaning(FORCES, _force(shown(name), i, values), partial(_entry, FORCES, i, values))
            return


def _only_force(letter: str, values: ArmValues) -> Iterator[Meaning]:
    """A force without a number: of the only joint that slides, or the input u of the first joint."""
    slides = [i for i in range(values.n) if not values.turns(i)]
    joints = {"f": slides, "F": slides, "u": [0]}.get(letter, [])
    if len(joints) == 1 and values.n > 1:
        about = _force(letter, joints[0], values)
        yield Meaning("the only force", about, partial(_entry, FORCES, joints[0], values), about, True)


def _whole(letter: str, values: ArmValues) -> Iterator[Meaning]:
    eq = values.eq
    if letter in MATRICES:
        yield from _whole_matrix(letter, MATRICES[letter], values)
    for what in VECTORS.get(letter, ()):
        loose = letter not in PLAIN
        yield Meaning(what, f"{letter}, {what}", partial(_column, what, values), _said(letter, what), loose)
    if letter in ("S", "N"):
        what = "Mdot - 2 C"
        yield Meaning(what, f"{letter}, {what}", lambda: table(_skew(values)), what, True)
    if letter == "g":
        yield Meaning("upward", "g, minus the free fall", values.upward, "minus the free-fall acceleration")
        yield Meaning(
            "free fall", "g, the free fall", lambda: column(list(eq.exact.mechanism.gravity)), "the free fall"
        )


def _whole_matrix(letter: str, what: str, values: ArmValues) -> Iterator[Meaning]:
    loose = letter not in PLAIN
    yield Meaning(what, f"{letter}, {what}", lambda: table(_matrix(what, values)), _said(letter, what), loose)
    if letter in ("B", "C") and values.n > 1:
        kind, factors = ("Coriolis", "products") if letter == "B" else ("centrifugal", "squares")
        said = f"the coefficients of the {factors} of speeds"
        about = f"{letter}, the {kind} coefficients"
        yield Meaning(f"{kind} coefficients", about, partial(_coefficients, letter, values), said, True)


def _vector_entries(letter: str, i: int, values: ArmValues) -> Iterator[Meaning]:
    for what in VECTORS.get(letter, ()):
        about = f"{letter}_{i + 1}, entry {i + 1} of {what}"
        if what == FORCES:
            about = _force(f"{letter}_{i + 1}", i, values)
        loose = letter not in PLAIN
        yield Meaning(what, about, partial(_entry, what, i, values), _said(letter, what), loose)
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
    return values.eq.M.values if what == MASS_MATRIX else values.eq.C.values  # type: ignore[no-any-return]


def _vector(what: str, values: ArmValues) -> Sequence[Scalar]:
    eq = values.eq
    found: dict[str, Callable[[], Sequence[Scalar]]] = {
        FORCES: lambda: eq.tau.values,
        CORIOLIS: lambda: eq.c.values,
        GRAVITY: lambda: eq.g.values,
        BIAS: lambda: values.bias,
        "the friction forces": lambda: eq.friction.values,
        "the generalised momenta": lambda: eq.momentum.values,
    }
    return found[what]()


def _coefficients(letter: str, values: ArmValues) -> Value:
    """c = B (q1d q2d, q1d q3d, ...) + C (q1d^2, q2d^2, ...), as in Craig, Introduction to Robotics, 6.8."""
    n, gamma = values.n, values.eq.christoffel.values
    if letter == "C":
        return table([[gamma[i][j][j] for j in range(n)] for i in range(n)])
    return table([[2 * gamma[i][j][k] for j, k in combinations(range(n), 2)] for i in range(n)])


def _column(what: str, values: ArmValues) -> Value:
    return column(_vector(what, values))


def _entry(what: str, i: int, values: ArmValues) -> Scalar:
    return _vector(what, values)[i]


def _skew(values: ArmValues) -> list[list[Scalar]]:
    pairs = zip(values.eq.M_dot.values, values.eq.C.values, strict=True)
    return [[m - 2 * c for m, c in zip(row, other, strict=True)] for row, other in pairs]


def _said(letter: str, what: str) -> str:
    ours = LETTERS.get(what, "")
    return "" if ours.casefold() == letter.casefold() or not ours else f"{ours}, {what}" if ours != "c + g" else ours


def _numbers(index: str, values: ArmValues) -> list[int]:
    """An index of digits as numbers from 0; empty where it is none of the arm."""
    if not index.isdigit() or any(not 1 <= int(d) <= values.n for d in index):
        return []
    return [int(d) - 1 for d in index]
