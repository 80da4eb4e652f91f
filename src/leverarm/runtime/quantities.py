"""What can be compiled: each quantity with its arguments, its results and the algorithms that compute it.

Where several algorithms give the same numbers, the compiler traces each and takes the one with the fewest operations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from leverarm import mechanics
from leverarm.compiler import Array
from leverarm.mechanics import ROWS
from leverarm.model import Arm, Mechanism
from leverarm.model.units import Units
from leverarm.runtime.stepping import STEPS
from leverarm.scalars import Scalar
from leverarm.spatial import Force, Vec3


@dataclass(frozen=True, slots=True)
class Choices:
    """What is fixed when a quantity is compiled: a frame, rows of its Jacobian, kinds of parameters, a method."""

    frame: str
    axes: tuple[str, ...] = ROWS
    kinds: tuple[str, ...] = ()
    method: str = "semi-implicit"


Arguments = Mapping[str, Sequence[Scalar]]
"""The scalars of each argument, flattened."""

Wrenches = Mapping[str, Force]

Route = Callable[[Mechanism, Choices, Arguments], Sequence[Any]]
"""One algorithm: from a mechanism and scalars to one (nested) list of scalars per result."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A function of the state: its arguments, those it may also take, its results, its algorithms.

    `groupings` says which forms of the arm it may be traced on: as it is (False), or with regrouped inertias (True),
    which torques and accelerations cannot tell from the real ones.
    """

    name: str
    meaning: str
    arguments: tuple[str, ...]
    results: Callable[[Arm, Mechanism, Choices], tuple[Array, ...]]
    routes: tuple[Route, ...]
    optional: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    groupings: tuple[bool, ...] = (True,)


def argument(arm: Arm, name: str) -> Array:
    """An argument of an arm's quantities by name."""
    units = Units.of(arm)
    known = {
        "q": Array("q", (arm.dof,), "positions", units.per_coordinate("rad", "m")),
        "qd": Array("qd", (arm.dof,), "velocities", units.per_coordinate("rad/s", "m/s")),
        "qdd": Array("qdd", (arm.dof,), "accelerations", units.per_coordinate("rad/s^2", "m/s^2")),
        "tau": Array("tau", (arm.dof,), "forces", units.forces),
        "disturbance": Array("disturbance", (arm.dof,), "disturbing forces tau_d", units.forces),
        "wrench": Array("wrench", (6,), "outside wrench on the frame, world axes", _SIX_FORCES),
        "dt": Array("dt", (), "time step [s]"),
    }
    return known[name]


_SIX_FORCES = ("mx [N m]", "my [N m]", "mz [N m]", "fx [N]", "fy [N]", "fz [N]")


def _forces(name: str, meaning: str) -> Callable[[Arm, Mechanism, Choices], tuple[Array, ...]]:
    return lambda arm, m, c: (Array(name, (arm.dof,), meaning, Units.of(arm).forces),)


def _square(*named: tuple[str, str]) -> Callable[[Arm, Mechanism, Choices], tuple[Array, ...]]:
    return lambda arm, m, c: tuple(Array(name, (arm.dof, arm.dof), meaning) for name, meaning in named)


def _energy(name: str, meaning: str) -> Callable[[Arm, Mechanism, Choices], tuple[Array, ...]]:
    return lambda arm, m, c: (Array(name, (), meaning),)


def _wrenches(choices: Choices, a: Arguments) -> Wrenches | None:
    if "wrench" not in a:
        return None
    w = a["wrench"]
    return {choices.frame: Force(Vec3(*w[:3]), Vec3(*w[3:]))}


def _pose(m: Mechanism, c: Choices, a: Arguments) -> list[Any]:
    pose = mechanics.forward_kinematics(m, a["q"])[c.frame]
    rows = [[*row, p] for row, p in zip(pose.rotation.rows(), pose.position, strict=True)]
    return [[*rows, [0, 0, 0, 1]]]


def _rows(c: Choices) -> list[int]:
    return [ROWS.index(axis) for axis in c.axes]


def _loads(c: Choices, a: Arguments) -> tuple[Wrenches | None, Sequence[Scalar] | None]:
    return _wrenches(c, a), a.get("disturbance")


def _step(solve: Callable[..., list[Scalar]]) -> Route:
    """A step in time with the accelerations by one algorithm."""

    def step(m: Mechanism, c: Choices, a: Arguments) -> list[Any]:
        def accelerations(q: Sequence[Scalar], qd: Sequence[Scalar]) -> list[Scalar]:
            return solve(m, q, qd, a["tau"], *_loads(c, a))

        return list(STEPS[c.method](accelerations, a["q"], a["qd"], a["dt"][0]))

    return step


_ALL = (
    Quantity(
        "inverse_dynamics",
        "tau = M qdd + C qd + F(qd) + g + tau_d - J^T w",
        ("q", "qd", "qdd"),
        _forces("tau", "forces"),
        (
            lambda m, c, a: [mechanics.inverse_dynamics(m, a["q"], a["qd"], a["qdd"], *_loads(c, a))],
            lambda m, c, a: [mechanics.classical_inverse_dynamics(m, a["q"], a["qd"], a["qdd"], *_loads(c, a))],
        ),
        optional=("wrench", "disturbance"),
        choices=("frame",),
    ),
    Quantity(
        "forward_dynamics",
        "qdd = M^-1 (tau + J^T w - C qd - F(qd) - g - tau_d)",
        ("q", "qd", "tau"),
        lambda arm, m, c: (argument(arm, "qdd"),),
        (
            lambda m, c, a: [mechanics.forward_dynamics(m, a["q"], a["qd"], a["tau"], *_loads(c, a))],
            lambda m, c, a: [mechanics.classical_forward_dynamics(m, a["q"], a["qd"], a["tau"], *_loads(c, a))],
            lambda m, c, a: [mechanics.forward_dynamics_from_rest(m, a["q"], a["qd"], a["tau"], *_loads(c, a))],
        ),
        optional=("wrench", "disturbance"),
        choices=("frame",),
    ),
    Quantity(
        "mass_matrix",
        "M(q), rotors included",
        ("q",),
        _square(("M", "mass matrix [kg m^2, kg m, kg]")),
        (
            lambda m, c, a: [mechanics.mass_matrix(m, a["q"])],
            lambda m, c, a: [mechanics.classical_mass_matrix(m, a["q"])],
        ),
    ),
    Quantity(
        "coriolis_matrix",
        "C(q, qd) with Mdot - 2 C skew-symmetric",
        ("q", "qd"),
        _square(("C", "Coriolis matrix [N m s, N s, N s/m]")),
        (
            lambda m, c, a: [mechanics.coriolis_matrix(m, a["q"], a["qd"])],
            lambda m, c, a: [mechanics.classical_coriolis_matrix(m, a["q"], a["qd"])],
        ),
    ),
    Quantity(
        "gravity",
        "g(q), the forces that hold the arm against its weight",
        ("q",),
        _forces("g", "forces against the weight"),
        (lambda m, c, a: [mechanics.gravity_forces(m, a["q"])],),
    ),
    Quantity(
        "bias",
        "N(q, qd) = C qd + F(qd) + g - J^T w",
        ("q", "qd"),
        _forces("bias", "forces without acceleration"),
        (
            lambda m, c, a: [mechanics.bias(m, a["q"], a["qd"], _wrenches(c, a))],
            lambda m, c, a: [mechanics.classical_bias(m, a["q"], a["qd"], _wrenches(c, a))],
        ),
        optional=("wrench",),
        choices=("frame",),
    ),
    Quantity(
        "kinetic_energy",
        "K(q, qd) of links and rotors",
        ("q", "qd"),
        _energy("K", "kinetic energy [J]"),
        (lambda m, c, a: [mechanics.kinetic_energy(m, a["q"], a["qd"])],),
    ),
    Quantity(
        "potential_energy",
        "P(q), zero where the weight is at the world's origin",
        ("q",),
        _energy("P", "potential energy [J]"),
        (lambda m, c, a: [mechanics.potential_energy(m, a["q"])],),
        groupings=(False,),
    ),
    Quantity(
        "pose",
        "world_from_frame, 4 x 4",
        ("q",),
        lambda arm, m, c: (Array("pose", (4, 4), f"pose of {c.frame} in the world, position in m"),),
        (_pose,),
        choices=("frame",),
        groupings=(True, False),
    ),
    Quantity(
        "jacobian",
        "J(q), 6 x n, angular rows first: [w; v] = J qd at the frame's origin, world axes",
        ("q",),
        lambda arm, m, c: (Array("J", (6, arm.dof), f"Jacobian of {c.frame}"),),
        (lambda m, c, a: [mechanics.jacobian(m, a["q"], c.frame)],),
        choices=("frame",),
        groupings=(True, False),
    ),
    Quantity(
        "jacobian_dot",
        "dJ/dt along qd, 6 x n",
        ("q", "qd"),
        lambda arm, m, c: (Array("J_dot", (6, arm.dof), f"rate of the Jacobian of {c.frame}"),),
        (lambda m, c, a: [mechanics.jacobian_dot(m, a["q"], a["qd"], c.frame)],),
        choices=("frame",),
        groupings=(True, False),
    ),
    Quantity(
        "operational_inertia",
        "Lambda(q) = (J M^-1 J^T)^-1 for the chosen axes of the frame",
        ("q",),
        lambda arm, m, c: (
            Array("Lambda", (len(c.axes), len(c.axes)), f"effective mass at {c.frame} along {' '.join(c.axes)}"),
        ),
        (lambda m, c, a: [mechanics.operational_inertia(m, a["q"], c.frame, _rows(c))],),
        choices=("frame", "axes"),
        groupings=(True, False),
    ),
    Quantity(
        "regressor",
        "W(q, qd, qdd) with tau = W phi",
        ("q", "qd", "qdd"),
        lambda arm, m, c: (
            Array(
                "W",
                (arm.dof, len(mechanics.parameters(m, c.kinds or None))),
                "columns: " + ", ".join(p.name for p in mechanics.parameters(m, c.kinds or None)),
            ),
        ),
        (lambda m, c, a: [mechanics.regressor(m, a["q"], a["qd"], a["qdd"], c.kinds or None)],),
        choices=("kinds",),
        groupings=(False,),
    ),
    Quantity(
        "inverse_dynamics_derivatives",
        "d tau/d q, d tau/d qd and d tau/d qdd = M",
        ("q", "qd", "qdd"),
        _square(("dtau_dq", "d tau_i/d q_j"), ("dtau_dqd", "d tau_i/d qd_j"), ("M", "d tau_i/d qdd_j")),
        (lambda m, c, a: mechanics.inverse_dynamics_derivatives(m, a["q"], a["qd"], a["qdd"], _wrenches(c, a)),),
        optional=("wrench",),
        choices=("frame",),
    ),
    Quantity(
        "forward_dynamics_derivatives",
        "d qdd/d q, d qdd/d qd and d qdd/d tau = M^-1",
        ("q", "qd", "tau"),
        _square(("dqdd_dq", "d qdd_i/d q_j"), ("dqdd_dqd", "d qdd_i/d qd_j"), ("M_inverse", "d qdd_i/d tau_j")),
        (lambda m, c, a: mechanics.forward_dynamics_derivatives(m, a["q"], a["qd"], a["tau"], _wrenches(c, a)),),
        optional=("wrench",),
        choices=("frame",),
    ),
    Quantity(
        "mass_matrix_inverse",
        "M(q)^-1",
        ("q",),
        _square(("M_inverse", "inverse of the mass matrix")),
        (lambda m, c, a: [mechanics.mass_matrix_inverse(m, a["q"])],),
    ),
    Quantity(
        "step",
        "q and qd one time step later, the forces held constant",
        ("q", "qd", "tau", "dt"),
        lambda arm, m, c: (argument(arm, "q"), argument(arm, "qd")),
        (
            _step(mechanics.forward_dynamics),
            _step(mechanics.classical_forward_dynamics),
            _step(mechanics.forward_dynamics_from_rest),
        ),
        optional=("wrench", "disturbance"),
        choices=("frame", "method"),
    ),
)

QUANTITIES = {quantity.name: quantity for quantity in _ALL}
