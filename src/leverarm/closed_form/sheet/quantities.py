"""Everything that can be written out of an arm's closed forms: one table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from leverarm.closed_form.base_parameters import base_values
from leverarm.closed_form.formula import Formula, Formulas
from leverarm.closed_form.robot_equation import Equations
from leverarm.errors import InputError, unknown_name
from leverarm.notation.tree import Sum, Symbol

Value = Callable[[Equations, str | None], "Formula | Formulas"]
RowNames = Callable[[Equations], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class ClosedForm:
    """A quantity by its long name and its letter: what it means, what it depends on, and where it is found."""

    name: str
    letter: str
    meaning: str
    needs: tuple[str, ...]
    value: Value
    has_frame: bool = False
    symbol: Symbol | None = None
    """How its entries are written, where that is not by the letter."""
    row_names: RowNames | None = None
    """Names of the entries of a vector, where numbers would say too little."""

    @property
    def head(self) -> Symbol:
        """What stands before the indices of an entry."""
        return self.symbol or Symbol(self.letter)

    @property
    def stem(self) -> str:
        """The same in ASCII. An entry c1 would read as a cosine, so it is c_1."""
        return {"c": "c_", "Ki": "K", "Pi": "P"}.get(self.letter, self.letter)


QUANTITIES = (
    ClosedForm("mass-matrix", "M", "mass matrix, rotors included", ("q",), lambda eq, _: eq.M),
    ClosedForm("coriolis-matrix", "C", "Coriolis matrix of the Christoffel symbols", ("q", "qd"), lambda eq, _: eq.C),
    ClosedForm("christoffel", "Gamma", "Christoffel symbols of the first kind", ("q",), lambda eq, _: eq.christoffel),
    ClosedForm("velocity-forces", "c", "Coriolis and centripetal forces", ("q", "qd"), lambda eq, _: eq.c),
    ClosedForm("gravity", "g", "forces that hold the weight", ("q",), lambda eq, _: eq.g),
    ClosedForm("friction", "F", "friction forces", ("qd",), lambda eq, _: eq.friction),
    ClosedForm("inverse-dynamics", "tau", "forces of a motion", ("q", "qd", "qdd"), lambda eq, _: eq.tau),
    ClosedForm("kinetic-energy", "K", "kinetic energy", ("q", "qd"), lambda eq, _: eq.K),
    ClosedForm("potential-energy", "P", "potential energy", ("q",), lambda eq, _: eq.P),
    ClosedForm("lagrangian", "L", "Lagrangian K - P", ("q", "qd"), lambda eq, _: eq.L),
    ClosedForm("hamiltonian", "H", "total energy K + P", ("q", "qd"), lambda eq, _: eq.H),
    ClosedForm("link-kinetic-energies", "Ki", "kinetic energy of each link", ("q", "qd"),
               lambda eq, _: eq.link_kinetic_energies, symbol=Symbol("K")),
    ClosedForm("link-potential-energies", "Pi", "potential energy of each link", ("q",),
               lambda eq, _: eq.link_potential_energies, symbol=Symbol("P")),
    ClosedForm("generalised-momentum", "p", "momentum dL/dqd = M qd", ("q", "qd"), lambda eq, _: eq.momentum),
    ClosedForm("mass-matrix-dot", "Mdot", "rate of the mass matrix", ("q", "qd"), lambda eq, _: eq.M_dot,
               symbol=Symbol("M", 1)),
    ClosedForm("euler-lagrange", "EL", "d/dt dL/dqd - dL/dq", ("q", "qd", "qdd"), lambda eq, _: eq.euler_lagrange),
    ClosedForm("rotors", "tau_r", "forces that accelerate the rotors", ("qdd",), lambda eq, _: eq.rotors),
    ClosedForm("position", "x", "position of a frame", ("q",), lambda eq, frame: eq.position(frame), has_frame=True,
               row_names=lambda _: ("x", "y", "z")),
    ClosedForm("rotation", "R", "rotation of a frame", ("q",), lambda eq, frame: eq.rotation(frame), has_frame=True),
    ClosedForm("jacobian", "J", "Jacobian of a frame, angular rows first", ("q",),
               lambda eq, frame: eq.jacobian(frame), has_frame=True),
    ClosedForm("jacobian-dot", "Jdot", "rate of the Jacobian of a frame", ("q", "qd"),
               lambda eq, frame: _rate(eq, eq.jacobian(frame)), has_frame=True, symbol=Symbol("J", 1)),
    ClosedForm("operational-inertia", "Lambda", "mass felt at a frame", ("q",),
               lambda eq, frame: eq.operational_inertia(frame), has_frame=True),
    ClosedForm("wrench-forces", "JTw", "forces J^T w of a wrench (n, f) on a frame", ("q",),
               lambda eq, frame: eq.wrench_forces(frame), has_frame=True),
    ClosedForm("regressor", "W", "regressor, W phi = tau", ("q", "qd", "qdd"), lambda eq, _: eq.regressor),
    ClosedForm("parameters", "phi", "parameters that tau is linear in", (),
               lambda eq, _: eq.formulas([entry.value for entry in eq.parameters.values()]),
               row_names=lambda eq: tuple(eq.parameters)),
    ClosedForm("base-parameters", "base", "fewest combinations of link numbers in tau", (), lambda eq, _: _base(eq),
               symbol=Symbol("beta"), row_names=lambda eq: _regroupings(eq)),
)  # fmt: skip


def closed_form_named(given: str) -> ClosedForm:
    """By letter (C and c differ) or by name, with - or _."""
    for quantity in QUANTITIES:
        if given == quantity.letter or str(given).lower().replace("_", "-") == quantity.name:
            return quantity
    letters = ", ".join(quantity.letter for quantity in QUANTITIES)
    message = unknown_name("quantity", given, [quantity.name for quantity in QUANTITIES])
    raise InputError(f"{message} Or by letter: {letters}.")


def _rate(eq: Equations, formulas: Formulas) -> Formulas:
    values: Any = formulas.values
    return eq.formulas([[eq.time_derivative(x) for x in row] for row in values])


def _regroupings(eq: Equations) -> tuple[str, ...]:
    """Each base parameter by what is gathered in it: link1.Izz + a1^2 link2.m."""
    rows = [entry.regrouping for entry in eq.base_parameters.entries]
    texts = (" + ".join(_factor(eq.formula(x)) + name for x, name in row) for row in rows)
    return tuple(text.replace("+ -", "- ") for text in texts)


def _factor(coefficient: Formula) -> str:
    """A coefficient before a name; nothing for 1, a minus alone for -1."""
    text = coefficient.text()
    return {"1": "", "-1": "-"}.get(text, f"({text}) " if isinstance(coefficient.tree, Sum) else f"{text} ")


def _base(eq: Equations) -> Formulas:
    values = {name: entry.value for name, entry in eq.parameters.items()}
    return eq.formulas(base_values(eq.base_parameters, values))
