"""Everything `eval` can compute: one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import leverarm as la
from leverarm.cli.answers import AXES, Answer, at_frame, by_joint, forces, joint_matrix, joint_stack, poses
from leverarm.errors import InputError, unknown_name


@dataclass(frozen=True, slots=True)
class State:
    """An arm and what was asked for on the command line; coordinates that were not given are zero."""

    arm: la.Arm
    q: Sequence[float]
    qd: Sequence[float]
    qdd: Sequence[float]
    tau: Sequence[float]
    frame: str | None = None
    axes: Sequence[str] | None = None
    wrenches: Mapping[str, Sequence[float]] = field(default_factory=dict)
    disturbance: Sequence[float] | None = None
    singular: str = "raise"
    damping: float = 0.0
    factorisation: str = "recursive"

    @property
    def task(self) -> tuple[str, ...]:
        """The axes of an operational quantity."""
        return tuple(self.axes) if self.axes is not None else la.task_axes(self.arm, self.frame)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity by its long name and its letter: what it means, what it depends on, and how it is found."""

    name: str
    letter: str
    meaning: str
    needs: tuple[str, ...]
    answer: Callable[[State], Answer]
    options: tuple[str, ...] = ()
    """Options besides the state that make a difference."""


LOADS = ("wrench", "disturbance")
FRAME = ("frame",)
TASK = ("frame", "axes")
POLICY = (*TASK, "singular", "damping")

QUANTITIES = (
    Quantity("mass-matrix", "M", "mass matrix M(q), by composite bodies", ("q",),
             lambda s: joint_matrix(s.arm, la.mass_matrix(s.arm, s.q))),
    Quantity("coriolis-matrix", "C", "Coriolis matrix C(q, qd), with Mdot - 2 C skew-symmetric", ("q", "qd"),
             lambda s: joint_matrix(s.arm, la.coriolis_matrix(s.arm, s.q, s.qd, s.factorisation), "/s"),
             ("factorisation",)),
    Quantity("christoffel", "Gamma", "Christoffel symbols Gamma_ijk(q) of the first kind, one matrix per i", ("q",),
             lambda s: joint_stack(s.arm, la.christoffel(s.arm, s.q))),
    Quantity("velocity-forces", "c", "Coriolis and centripetal forces c = C qd", ("q", "qd"),
             lambda s: forces(s.arm, la.coriolis_torques(s.arm, s.q, s.qd))),
    Quantity("gravity", "g", "forces g(q) that hold the arm against its weight", ("q",),
             lambda s: forces(s.arm, la.gravity(s.arm, s.q))),
    Quantity("friction", "F", "friction F(qd)", ("qd",),
             lambda s: forces(s.arm, la.friction(s.arm, s.qd))),
    Quantity("bias", "N", "all forces without acceleration, C qd + F(qd) + g", ("q", "qd"),
             lambda s: forces(s.arm, la.bias(s.arm, s.q, s.qd))),
    Quantity("inverse-dynamics", "tau", "forces tau for an acceleration, by Newton-Euler", ("q", "qd", "qdd"),
             lambda s: forces(s.arm, la.inverse_dynamics(
                 s.arm, s.q, s.qd, s.qdd, wrenches=s.wrenches, disturbance=s.disturbance)),
             LOADS),
    Quantity("forward-dynamics", "qdd", "acceleration qdd under forces tau, by articulated bodies", ("q", "qd", "tau"),
             lambda s: _accelerations(s), LOADS),
    Quantity("static-torque", "hold", "forces that hold the arm still against weight and wrenches", ("q",),
             lambda s: forces(s.arm, la.static_torque(s.arm, s.q, s.wrenches)), ("wrench",)),
    Quantity("kinetic-energy", "K", "kinetic energy", ("q", "qd"),
             lambda s: Answer(la.kinetic_energy(s.arm, s.q, s.qd), "J")),
    Quantity("potential-energy", "P", "potential energy", ("q",),
             lambda s: Answer(la.potential_energy(s.arm, s.q), "J")),
    Quantity("lagrangian", "L", "Lagrangian K - P", ("q", "qd"),
             lambda s: Answer(la.lagrangian(s.arm, s.q, s.qd), "J")),
    Quantity("hamiltonian", "H", "total energy K + P", ("q", "qd"),
             lambda s: Answer(la.hamiltonian(s.arm, s.q, s.qd), "J")),
    Quantity("link-energies", "KP", "kinetic and potential energy of each link", ("q", "qd"),
             lambda s: _link_energies(s)),
    Quantity("momentum", "h", "momentum of the arm about the world's origin", ("q", "qd"),
             lambda s: at_frame(la.momentum(s.arm, s.q, s.qd), AXES, "N m s", "N s")),
    Quantity("forward-kinematics", "pose", "poses in the world, of one --frame or of all", ("q",),
             lambda s: poses(s.arm, s.q, s.frame), FRAME),
    Quantity("jacobian", "J", "Jacobian of a frame: [w; v] = J qd, world axes", ("q",),
             lambda s: _jacobian(s, la.jacobian(s.arm, s.q, s.frame), ""), FRAME),
    Quantity("jacobian-dot", "Jdot", "time derivative of the Jacobian", ("q", "qd"),
             lambda s: _jacobian(s, la.jacobian_dot(s.arm, s.q, s.qd, s.frame), " and second"), FRAME),
    Quantity("velocity", "v", "velocity of a frame, world axes", ("q", "qd"),
             lambda s: at_frame(la.velocity(s.arm, s.q, s.qd, s.frame), AXES, "rad/s", "m/s"), FRAME),
    Quantity("acceleration", "a", "acceleration of a frame, split by cause", ("q", "qd", "qdd"),
             lambda s: _acceleration(s), FRAME),
    Quantity("operational-inertia", "Lambda", "inertia felt at a frame, (J M^-1 J^T)^-1", ("q",),
             lambda s: Answer(la.operational_inertia(s.arm, s.q, s.frame, s.axes, s.singular, s.damping).tolist(),
                              "kg, kg m or kg m^2", s.task, s.task), POLICY),
    Quantity("mobility", "Lambda^-1", "acceleration of a frame per force on it, J M^-1 J^T", ("q",),
             lambda s: Answer(la.mobility(s.arm, s.q, s.frame, s.axes).tolist(),
                              "1/kg, 1/(kg m) or 1/(kg m^2)", s.task, s.task), TASK),
    Quantity("operational-bias", "mu", "Coriolis and centripetal forces felt at a frame", ("q", "qd"),
             lambda s: at_frame(
                 la.operational_bias(s.arm, s.q, s.qd, s.frame, s.axes, s.singular, s.damping), s.task, "N m", "N"),
             POLICY),
    Quantity("operational-gravity", "p", "weight felt at a frame", ("q",),
             lambda s: at_frame(
                 la.operational_gravity(s.arm, s.q, s.frame, s.axes, s.singular, s.damping), s.task, "N m", "N"),
             POLICY),
    Quantity("regressor", "W", "regressor: W parameters = tau", ("q", "qd", "qdd"),
             lambda s: Answer(la.regressor(s.arm, s.q, s.qd, s.qdd).tolist(), "force per unit of each parameter",
                              s.arm.joint_names, la.parameter_names(s.arm))),
    Quantity("parameters", "phi", "the numbers in which the robot equation is linear", (),
             lambda s: Answer(la.parameters(s.arm).tolist(), "SI", la.parameter_names(s.arm))),
    Quantity("kinetic-energy-regressor", "wK", "row w with w parameters = K of the links", ("q", "qd"),
             lambda s: Answer(la.kinetic_energy_regressor(s.arm, s.q, s.qd).tolist(), "J per unit of each parameter",
                              la.parameter_names(s.arm, ["inertial"]))),
    Quantity("potential-energy-regressor", "wP", "row w with w parameters = P", ("q",),
             lambda s: Answer(la.potential_energy_regressor(s.arm, s.q).tolist(), "J per unit of each parameter",
                              la.parameter_names(s.arm, ["inertial"]))),
)  # fmt: skip


def quantity_named(given: str) -> Quantity:
    """By letter (M and m differ) or by name, with - or _."""
    for quantity in QUANTITIES:
        if given == quantity.letter or given.lower().replace("_", "-") == quantity.name:
            return quantity
    letters = ", ".join(quantity.letter for quantity in QUANTITIES)
    message = unknown_name("quantity", given, [quantity.name for quantity in QUANTITIES])
    raise InputError(f"{message} Or by letter: {letters}.")


def _accelerations(s: State) -> Answer:
    qdd = la.forward_dynamics(s.arm, s.q, s.qd, s.tau, wrenches=s.wrenches, disturbance=s.disturbance)
    return Answer(qdd.tolist(), by_joint(s.arm, "rad/s^2", "m/s^2"), s.arm.joint_names)


def _link_energies(s: State) -> Answer:
    found = la.link_energies(s.arm, s.q, s.qd)
    return Answer([list(pair) for pair in found.values()], "J", tuple(found), ("kinetic", "potential"))


def _jacobian(s: State, value: Any, per: str) -> Answer:
    return Answer(value.tolist(), f"rad, m per unit of each joint{per}", AXES, s.arm.joint_names)


def _acceleration(s: State) -> Answer:
    parts = la.acceleration(s.arm, s.q, s.qd, s.qdd, s.frame)
    columns = (parts.joint, parts.centripetal, parts.coriolis, parts.total)
    rows = [[float(column[i]) for column in columns] for i in range(len(AXES))]
    units = ("rad/s^2",) * 3 + ("m/s^2",) * 3
    return Answer(rows, units, AXES, ("joint", "centripetal", "Coriolis", "total"))
