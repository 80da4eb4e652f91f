"""`la.lagrange`: Lagrange's equations of a Lagrangian of one's own, term by term, in closed form."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from leverarm import mechanics as me
from leverarm.closed_form.arm_letters import acceleration, speed
from leverarm.closed_form.formula import Formula, Formulas, Notation
from leverarm.closed_form.lagrangian.calculus import at, derivative, functions_in, simplified
from leverarm.closed_form.lagrangian.reading import CONSTANTS, TIME, Written, read_system
from leverarm.errors import InputError, SingularError, require_known
from leverarm.late_import import late
from leverarm.mechanics.matrices import apply
from leverarm.notation.elements import over
from leverarm.notation.names import dotted
from leverarm.notation.vocabulary import Writing
from leverarm.scalars import Scalar
from leverarm.scalars.exact import free_symbol, is_exactly_zero, symbol

MOST_SOLVED = 4
"""Up to this many coordinates the accelerations are shown in closed form."""


def lagrange(
    L: str,
    coordinates: Sequence[str] | str,
    *,
    forces: Mapping[str, str] | None = None,
    let: Mapping[str, str] | None = None,
    dissipation: str | None = None,
    values: Mapping[str, float] | None = None,
    inputs: Sequence[str] | None = None,
    name: str = "system",
) -> LagrangianSystem:
    """Lagrange's equations d/dt dL/dqd - dL/dq = Q of any Lagrangian.

    Everything is text: xd is the speed of x, thetad1 that of theta1; t is time, pi a number, every other letter a
    constant. `forces` are generalised forces by coordinate; `let` eliminates coordinates, {"x": "l sin(theta)"};
    `dissipation` is Rayleigh's function R, whose forces are -dR/dqd. `values` are numbers of constants, for what is
    numeric. `inputs` are the letters of the forces that are controlled: by default those without a value that stand
    nowhere else and that the forces are linear in, with factors that have no speed: u of u - b xd.
    Raises InputError and ExpressionError.

    >>> import leverarm as la
    >>> system = la.lagrange("1/2 m xd^2 - 1/2 k x^2", ["x"])
    >>> print(system.text())
    m xdd + k x = 0
    """
    options = {"forces": forces, "let": let, "dissipation": dissipation, "values": values, "inputs": inputs}
    for what in ("forces", "let", "values"):
        if not isinstance(options[what], Mapping | None):
            raise InputError(f"{what}: {options[what]!r} was given; it takes values by name, such as {{'x': 'u'}}.")
    written = read_system(L, coordinates, forces or {}, let or {}, dissipation or "0")
    if all(is_exactly_zero(derivative(written.lagrangian, speed(q), written.vocabulary)) for q in written.coordinates):
        names = ", ".join(dotted(q, 1) for q in written.coordinates)
        raise InputError(
            f"L: {L!r} has no speed of a coordinate, so nothing moves by it. The speeds are written {names}; its "
            "kinetic energy has them."
        )
    numbers = _numbers(values or {}, written.constants)
    free = [letter for letter in written.of_forces if letter not in numbers and _is_driven(written, letter)]
    open_letters = free if inputs is None else inputs
    for letter in open_letters:
        require_known("letter of the forces", letter, written.of_forces, "inputs")
    given = "".join(f", {what}={option!r}" for what, option in options.items() if option)
    call = f"la.lagrange({L!r}, {list(written.coordinates)!r}{given}, name={str(name)!r})"
    return LagrangianSystem(str(name), written, numbers, tuple(open_letters), call)


def _is_driven(written: Written, letter: str) -> bool:
    """Whether the forces are linear in a letter, with factors that have no speed: u of u - b xd, and not b."""
    factors = [derivative(force, letter, written.vocabulary) for force in written.forces]
    others = (letter, *map(speed, written.coordinates))
    return all(is_exactly_zero(derivative(x, name, written.vocabulary)) for x in factors for name in others)


def _numbers(values: Mapping[str, float], constants: Sequence[str]) -> dict[str, float]:
    numbers = {}
    for name, value in values.items():
        require_known("constant", name, constants, "values")
        try:
            numbers[name] = float(value)
        except (TypeError, ValueError):
            numbers[name] = math.nan
        if not math.isfinite(numbers[name]):
            raise InputError(f"values: {name}={value!r} is not a finite number.")
    return numbers


@dataclass(frozen=True, repr=False)
class LagrangianSystem:
    """M(q) qdd + C(q, qd) qd + g(q) = Q of a Lagrangian of one's own, and what follows from it.

    Closed forms are `Formula` and `Formulas`, computed when they are first asked for; indices start at 0. Where L is
    not quadratic in the speeds, M depends on them and there are no C and g; the rest is there.
    """

    name: str
    written: Written
    values: Mapping[str, float]
    inputs: tuple[str, ...]
    call: str
    """Python that makes it."""

    @property
    def coordinates(self) -> tuple[str, ...]:
        return self.written.coordinates

    @property
    def constants(self) -> tuple[str, ...]:
        """The letters that were read as constants, in the order of the texts."""
        return self.written.constants

    @cached_property
    def notation(self) -> Notation:
        """How the formulas are written, and the numbers of the constants: not a number where none was given."""
        numbers = {name: self.values.get(name, math.nan) for name in self.constants}
        return Notation(self.written.vocabulary, Writing("expanded"), {**numbers, **CONSTANTS})

    def formula(self, value: Scalar) -> Formula:
        """An exact value in this system's notation."""
        return Formula(simplified(value, self.written.vocabulary), self.notation)

    def formulas(self, values: Sequence[Any]) -> Formulas:
        """Exact values, nested as a vector or matrix, in this system's notation."""
        return Formulas(values, self.notation)

    def diff(self, value: Scalar, name: str) -> Scalar:
        """The partial derivative of an exact value by a letter of the ring."""
        return derivative(value, name, self.written.vocabulary)

    def at(self, value: Scalar, values: Mapping[str, Scalar]) -> Scalar:
        """An exact value with others in place of letters of the ring."""
        return at(value, values, self.written.vocabulary)

    def time_derivative(self, value: Scalar) -> Scalar:
        """d/dt of an exact value along the motion."""
        return sum((self.diff(value, name) * rate for name, rate in self.written.rates.items()), start=0)

    @property
    def qd(self) -> list[Scalar]:
        return [free_symbol(symbol(speed(name))) for name in self.coordinates]

    @property
    def qdd(self) -> list[Scalar]:
        return [free_symbol(symbol(acceleration(name))) for name in self.coordinates]

    @cached_property
    def _at_rest(self) -> dict[str, Scalar]:
        return dict.fromkeys(map(speed, self.coordinates), 0)

    @cached_property
    def functions(self) -> tuple[str, ...]:
        """Functions beyond sines and cosines of angles, through which derivatives are SymPy's; none where all is exact.

        With them equal formulas may have different terms, and only what has none is known to be zero.
        """
        parts = (self.written.lagrangian, self.written.dissipation, *self.written.forces)
        return tuple(dict.fromkeys(each.function for part in parts for each in functions_in(part)))

    @property
    def L(self) -> Formula:
        """The Lagrangian in the coordinates that are left."""
        return self.formula(self.written.lagrangian)

    @cached_property
    def P(self) -> Formula:
        """The potential energy: minus what is left of L at rest."""
        return self.formula(-self.at(self.written.lagrangian, self._at_rest))

    @cached_property
    def K(self) -> Formula:
        """The kinetic energy H - P."""
        return self.formula(self.H.value - self.P.value)

    @cached_property
    def is_natural(self) -> bool:
        """Whether L = K - P with K quadratic in the speeds: it has no terms linear in them."""
        return self.is_quadratic and self.formula(self.K.value - self.P.value - self.L.value).is_zero

    @cached_property
    def H(self) -> Formula:
        """The energy sum qd dL/dqd - L, which is K + P where L = K - P with K quadratic in the speeds."""
        return self.formula(
            sum((v * p for v, p in zip(self.qd, self.momentum.values, strict=True)), start=0) - self.written.lagrangian
        )

    @cached_property
    def momentum(self) -> Formulas:
        """p = dL/dqd."""
        return self.formulas([self.diff(self.written.lagrangian, speed(q)) for q in self.coordinates])

    @cached_property
    def momentum_rate(self) -> Formulas:
        """d/dt dL/dqd."""
        return self.formulas([self.time_derivative(p) for p in self.momentum.values])

    @cached_property
    def by_position(self) -> Formulas:
        """dL/dq."""
        return self.formulas([self.diff(self.written.lagrangian, q) for q in self.coordinates])

    @cached_property
    def euler_lagrange(self) -> Formulas:
        """d/dt dL/dqd - dL/dq."""
        pairs = zip(self.momentum_rate.values, self.by_position.values, strict=True)
        return self.formulas([self.formula(a - b).value for a, b in pairs])

    @cached_property
    def damping(self) -> Formulas:
        """dR/dqd, the forces that dissipation takes."""
        return self.formulas([self.diff(self.written.dissipation, speed(q)) for q in self.coordinates])

    @cached_property
    def forces(self) -> Formulas:
        """Q: the generalised forces, those of dissipation included."""
        return self.formulas([f - d for f, d in zip(self.written.forces, self.damping.values, strict=True)])

    @cached_property
    def M(self) -> Formulas:
        """The mass matrix d^2 L/dqd dqd."""
        return self.formulas([[self.diff(p, speed(q)) for q in self.coordinates] for p in self.momentum.values])

    @cached_property
    def is_quadratic(self) -> bool:
        """Whether L is quadratic in the speeds, so that M depends on the positions (and time) only."""
        return all(is_exactly_zero(self.diff(x.value, speed(q))) for x in self.M for q in self.coordinates)

    @cached_property
    def christoffel(self) -> Formulas:
        """Gamma_ijk = (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i)/2."""
        self._require_quadratic("Christoffel symbols")
        by = [[[self.diff(x, q) for x in row] for row in self.M.values] for q in self.coordinates]
        return self.formulas(me.christoffel_of(by))

    @cached_property
    def C(self) -> Formulas:
        """The Coriolis matrix from the Christoffel symbols, for which Mdot - 2 C is skew-symmetric."""
        return self.formulas([apply(plane, self.qd) for plane in self.christoffel.values])

    @cached_property
    def c(self) -> Formulas:
        """Coriolis and centrifugal forces C qd."""
        return self.formulas(apply(self.C.values, self.qd))

    @cached_property
    def bias(self) -> Formulas:
        """What the left side has besides M qdd: the change of p at constant speeds, minus dL/dq."""
        moving = [(name, rate) for name, rate in self.written.rates.items() if name in (*self.coordinates, TIME)]
        change = [sum((self.diff(p, name) * rate for name, rate in moving), start=0) for p in self.momentum.values]
        return self.formulas([a - b for a, b in zip(change, self.by_position.values, strict=True)])

    @cached_property
    def g(self) -> Formulas:
        """g: what is left of the left side at rest, dP/dq where nothing depends on time."""
        self._require_quadratic("a part g(q)")
        return self.formulas([self.at(x, self._at_rest) for x in self.bias.values])

    @cached_property
    def gyroscopic(self) -> Formulas:
        """What is neither M qdd nor C qd nor g: of terms of L linear in the speeds, and of a mass that changes."""
        rows = zip(self.bias.values, self.c.values, self.g.values, strict=True)
        return self.formulas([self.formula(h - c - g).value for h, c, g in rows])

    @cached_property
    def accelerations(self) -> Formulas:
        """qdd = M^-1 (Q - C qd - g), exactly."""
        self.require_invertible()
        if len(self.coordinates) > MOST_SOLVED:
            raise InputError(
                f"the accelerations of {len(self.coordinates)} coordinates fill pages; up to {MOST_SOLVED} are solved "
                "in closed form. `simulate` and `c_code` solve for them in numbers."
            )
        rest = [q - h for q, h in zip(self.forces.values, self.bias.values, strict=True)]
        return self.formulas([over(x, self.determinant) for x in apply(me.adjugate(self.M.values), rest)])

    @cached_property
    def determinant(self) -> Scalar:
        """det M."""
        return me.determinant(self.M.values)

    @property
    def is_singular(self) -> bool:
        """Whether the mass matrix has no inverse, whatever the state."""
        return is_exactly_zero(self.determinant)

    def require_invertible(self) -> None:
        """Raises SingularError where the accelerations are not determined."""
        if self.is_singular:
            idle = [q for q, p in zip(self.coordinates, self.momentum.values, strict=True) if is_exactly_zero(p)]
            why = f"no speed of {', '.join(idle)} is in L" if idle else "some combination of the speeds is not in L"
            raise SingularError(
                f"the mass matrix of {self.name!r} has no inverse ({why}), so the accelerations are not determined. "
                "Give each coordinate a kinetic energy of its own, or eliminate one by let. The equations hold as they "
                "are."
            )

    def _require_quadratic(self, what: str) -> None:
        if not self.is_quadratic:
            raise InputError(
                f"L of {self.name!r} is not quadratic in the speeds, so there are no {what}. There are "
                "`euler_lagrange`, M (which depends on the speeds), H, `accelerations` and `simulate`."
            )

    @cached_property
    def equilibria(self) -> tuple[Any, ...]:
        """The states of rest without inputs, `Equilibrium`: exact where they follow one by one, else numeric."""
        found: tuple[Any, ...] = late("closed_form.lagrangian.equilibria:equilibria")(self)
        return found

    def text(self) -> str:
        """The equations of motion, one in each line."""
        return "\n".join(f"{a.text()} = {b.text()}" for a, b in zip(self.euler_lagrange, self.forces, strict=True))

    @cached_property
    def derivation(self) -> Any:
        """The derivation with every step shown, as `la.derive` gives it: `.text()`, `.save("x.html")`."""
        return late("derivation.own_lagrangian:derivation_of")(self)

    def save(self, path: str | os.PathLike[str], level: str = "full") -> None:
        """Writes the derivation as .html, .md, .tex, .ipynb or .txt, or C99 code as .c."""
        if os.fspath(path).endswith(".c"):
            late("atomic_write:atomic_write")(self.c_code(), path)
        else:
            self.derivation.save(path, level)

    def c_code(self) -> str:
        """C99 functions of M, the bias and the accelerations, in one text that needs only <math.h>."""
        written: str = late("closed_form.lagrangian.programs:c_code")(self)
        return written

    def simulate(self, q0: Any, qd0: Any = None, **options: Any) -> Any:
        """The motion from (q0, qd0), with its energy balance; see `simulation/own_lagrangian.py`."""
        return late("simulation.own_lagrangian:simulate")(self, q0, qd0, **options)

    @property
    def missing_values(self) -> tuple[str, ...]:
        """The constants that have no number; inputs need none."""
        return tuple(n for n in self.constants if n not in self.values and n not in self.inputs)

    def require_values(self, what: str) -> None:
        """Raises InputError where a constant has no number."""
        if missing := self.missing_values:
            raise InputError(
                f"{what}: no number was given for {', '.join(missing)} of {self.name!r}. Give one for each, by "
                f"values={{{missing[0]!r}: 1.0}}, on the command line --set {missing[0]}=1.0."
            )

    def __repr__(self) -> str:
        return f"<LagrangianSystem {self.name!r} in {', '.join(self.coordinates)}>"

    def _repr_markdown_(self) -> str:
        written: str = self.derivation._repr_markdown_()
        return written
