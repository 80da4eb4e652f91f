"""Every quantity of the equations of motion as one plain function: arrays of floats in, arrays out.

The reference evaluation: slow, plain, checked. n is the number of coordinates, the order that of `arm.joint_names`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import ArrayLike

from leverarm import mechanics
from leverarm.arrays import Array
from leverarm.errors import InputError, SingularError, require_known, unknown_name
from leverarm.mechanics import FACTORISATIONS
from leverarm.model import DRY_LAWS, VISCOUS_LAWS, Arm
from leverarm.quantities.arrays import array, attachment, coordinates, frame_name, matrix4, number, over_floats
from leverarm.quantities.arrays import wrenches as read_wrenches

SINGULAR_MASS = 1e-13
"""The smallest eigenvalue of M, scaled to a unit diagonal, at which it is called singular: no digit would be left."""


def mass_matrix(arm: Arm, q: ArrayLike) -> Array:
    """M(q), n x n, symmetric, rotor inertias included [kg m^2, kg m or kg]. By composite bodies."""
    return array(mechanics.mass_matrix(over_floats(arm), coordinates(arm, "q", q)))


def christoffel(arm: Arm, q: ArrayLike) -> Array:
    """Gamma[i, j, k], Christoffel symbols of the first kind of M, n x n x n [kg m^2, kg m or kg]; C = Gamma @ qd."""
    return array(mechanics.christoffel(over_floats(arm), coordinates(arm, "q", q)))


def coriolis_matrix(arm: Arm, q: ArrayLike, qd: ArrayLike, factorisation: str = "recursive") -> Array:
    """C(q, qd), n x n [N m s, N s or N s/m], with Mdot - 2 C skew-symmetric. By Echeandia and Wensing's recursion.

    `factorisation` names another matrix A with A qd = C qd: "upper" and "lagrange" are not skew; "christoffel" is the
    same C from the symbols.
    """
    a, b, c = over_floats(arm), coordinates(arm, "q", q), coordinates(arm, "qd", qd)
    if factorisation == "recursive":
        return array(mechanics.coriolis_matrix(a, b, c))
    if factorisation not in FACTORISATIONS:
        raise InputError(unknown_name("factorisation", str(factorisation), ("recursive", *FACTORISATIONS)))
    return array(FACTORISATIONS[factorisation](a, b, c))


def coriolis_torques(arm: Arm, q: ArrayLike, qd: ArrayLike) -> Array:
    """c(q, qd) = C qd: Coriolis and centrifugal torques, n [N m or N]."""
    return array(mechanics.coriolis_torques(over_floats(arm), coordinates(arm, "q", q), coordinates(arm, "qd", qd)))


def gravity(arm: Arm, q: ArrayLike) -> Array:
    """g(q) = dP/dq: torques that hold the arm against its weight, and against its springs, n [N m or N]."""
    return array(mechanics.gravity_forces(over_floats(arm), coordinates(arm, "q", q)))


def friction(arm: Arm, qd: ArrayLike, *, load: ArrayLike | None = None) -> Array:
    """F(qd): viscous and dry friction and constant offsets, n [N m or N].

    `load` is what each joint transmits, as `joint_loads` finds it; it is needed where friction grows with it.
    """
    mechanism = over_floats(arm)
    return array(mechanics.friction(mechanism, coordinates(arm, "qd", qd), load=_load(load)))


def viscous_friction(arm: Arm, qd: ArrayLike) -> Array:
    """F_v qd: the part of F(qd) that grows with the speeds, n [N m or N]."""
    return array(mechanics.friction(over_floats(arm), coordinates(arm, "qd", qd), laws=VISCOUS_LAWS))


def dry_friction(arm: Arm, qd: ArrayLike, *, load: ArrayLike | None = None) -> Array:
    """F_d(qd) = F(qd) - F_v qd: Coulomb friction, what grows with the load, and constant offsets, n [N m or N]."""
    mechanism = over_floats(arm)
    return array(mechanics.friction(mechanism, coordinates(arm, "qd", qd), load=_load(load), laws=DRY_LAWS))


def joint_loads(arm: Arm, q: ArrayLike, qd: ArrayLike, *, wrenches: Mapping[str, ArrayLike] | None = None) -> Array:
    """What each joint transmits along its axis without acceleration: weight, springs, Coriolis torques, -J^T w.

    One number per joint that moves, in the order of the links, couplings apart [N m or N]. `wrenches` as for
    `inverse_dynamics`.
    """
    at, rate = coordinates(arm, "q", q), coordinates(arm, "qd", qd)
    return array(mechanics.joint_loads(over_floats(arm), at, rate, read_wrenches(arm, wrenches)))


def _load(load: ArrayLike | None) -> list[float] | None:
    return None if load is None else [float(x) for x in np.asarray(load, dtype=np.float64).ravel()]


def bias(arm: Arm, q: ArrayLike, qd: ArrayLike, *, wrenches: Mapping[str, ArrayLike] | None = None) -> Array:
    """N(q, qd) = C qd + F(qd) + g - J^T w, n: all of tau that is there without acceleration [N m or N].

    `wrenches` as for `inverse_dynamics`.
    """
    at, rate = coordinates(arm, "q", q), coordinates(arm, "qd", qd)
    return array(mechanics.bias(over_floats(arm), at, rate, read_wrenches(arm, wrenches)))


def inverse_dynamics(
    arm: Arm,
    q: ArrayLike,
    qd: ArrayLike,
    qdd: ArrayLike,
    *,
    wrenches: Mapping[str, ArrayLike] | None = None,
    disturbance: ArrayLike | None = None,
) -> Array:
    """tau = M qdd + C qd + F(qd) + g + tau_d - J^T w, n [N m or N]. By Newton-Euler.

    `wrenches` maps frames to outside wrenches on the arm: moment, then force, in world axes at the frame's origin.
    `disturbance` is tau_d.
    """
    state = coordinates(arm, "q", q), coordinates(arm, "qd", qd), coordinates(arm, "qdd", qdd)
    tau_d = None if disturbance is None else coordinates(arm, "disturbance", disturbance)
    return array(mechanics.inverse_dynamics(over_floats(arm), *state, read_wrenches(arm, wrenches), tau_d))


def forward_dynamics(
    arm: Arm,
    q: ArrayLike,
    qd: ArrayLike,
    tau: ArrayLike,
    *,
    wrenches: Mapping[str, ArrayLike] | None = None,
    disturbance: ArrayLike | None = None,
) -> Array:
    """qdd = M^-1 (tau + J^T w - C qd - F(qd) - g - tau_d), n [rad/s^2 or m/s^2].

    By articulated bodies; by factorising M where joints or rotors are coupled. Raises SingularError where a direction
    has no inertia.
    """
    mechanism = over_floats(arm)
    state = coordinates(arm, "q", q), coordinates(arm, "qd", qd), coordinates(arm, "tau", tau)
    tau_d = None if disturbance is None else coordinates(arm, "disturbance", disturbance)
    require_regular_mass(arm, mass_matrix(arm, q))
    return array(mechanics.forward_dynamics(mechanism, *state, read_wrenches(arm, wrenches), tau_d))


def require_regular_mass(arm: Arm, M: Array) -> None:
    """Raises SingularError unless every direction of motion has inertia, whatever the units of the coordinates."""
    scale = np.sqrt(np.abs(np.diag(M)))
    scale[scale == 0] = 1.0
    eigenvalues, vectors = np.linalg.eigh(M / np.outer(scale, scale))
    if eigenvalues[0] <= SINGULAR_MASS * eigenvalues[-1]:
        rates = vectors[:, 0] / scale
        rates = rates / rates[np.abs(rates).argmax()]
        direction = ", ".join(
            f"{part:.3g} {name}" for name, part in zip(arm.joint_names, rates, strict=True) if abs(part) > 1e-3
        )
        raise SingularError(
            f"the mass matrix of arm {arm.name!r} is singular here: nothing resists acceleration along ({direction}). "
            "Give the bodies there mass or inertia, or their motors a rotor inertia; `leverarm lint` says which are "
            "missing."
        )


def static_torque(arm: Arm, q: ArrayLike, wrenches: Mapping[str, ArrayLike]) -> Array:
    """The torques that hold the arm still against weight, springs and outside wrenches, g - J^T w, n [N m or N]."""
    at = coordinates(arm, "q", q)
    return array(mechanics.static_forces(over_floats(arm), at, read_wrenches(arm, wrenches)))


def kinetic_energy(arm: Arm, q: ArrayLike, qd: ArrayLike) -> float:
    """K(q, qd) of links and rotors [J]."""
    at, rate = coordinates(arm, "q", q), coordinates(arm, "qd", qd)
    return number(mechanics.kinetic_energy(over_floats(arm), at, rate))


def potential_energy(arm: Arm, q: ArrayLike) -> float:
    """P(q) [J]: of weight, zero where that is at the world's origin, and of springs, zero at rest."""
    return number(mechanics.potential_energy(over_floats(arm), coordinates(arm, "q", q)))


def lagrangian(arm: Arm, q: ArrayLike, qd: ArrayLike) -> float:
    """L = K - P [J]."""
    at, rate = coordinates(arm, "q", q), coordinates(arm, "qd", qd)
    return number(mechanics.lagrangian(over_floats(arm), at, rate))


def hamiltonian(arm: Arm, q: ArrayLike, qd: ArrayLike) -> float:
    """H = K + P, the total energy [J]."""
    at, rate = coordinates(arm, "q", q), coordinates(arm, "qd", qd)
    return number(mechanics.hamiltonian(over_floats(arm), at, rate))


def link_energies(arm: Arm, q: ArrayLike, qd: ArrayLike) -> dict[str, tuple[float, float]]:
    """Kinetic and potential energy of each moving link [J]."""
    mechanism, at, rate = over_floats(arm), coordinates(arm, "q", q), coordinates(arm, "qd", qd)
    kinetic = mechanics.link_kinetic_energies(mechanism, at, rate)
    potential = mechanics.link_potential_energies(mechanism, at)
    return {link.name: (number(K), number(P)) for link, K, P in zip(mechanism.links, kinetic, potential, strict=True)}


def momentum(arm: Arm, q: ArrayLike, qd: ArrayLike) -> Array:
    """Momentum of the whole arm in world axes: angular about the world's origin [N m s], linear [N s]."""
    total = mechanics.momentum(over_floats(arm), coordinates(arm, "q", q), coordinates(arm, "qd", qd))
    return array([*total.moment, *total.force])


def parameters(arm: Arm, kinds: Sequence[str] | None = None) -> Array:
    """phi, p [SI]: the parameters in which the equations of motion are linear, in the order of the regressor's columns.

    Ten per moving link (m, hx, hy, hz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz about the link origin), then friction, offset,
    rotor and spring constants where the arm has them. `kinds` selects among `leverarm.mechanics.KINDS`.
    """
    return array([p.value for p in mechanics.parameters(over_floats(arm), _kinds(kinds))])


def parameter_names(arm: Arm, kinds: Sequence[str] | None = None) -> tuple[str, ...]:
    """The names of `parameters`, such as "link2.Ixy" or "joint3.viscous"."""
    return tuple(p.name for p in mechanics.parameters(over_floats(arm), _kinds(kinds)))


def regressor(
    arm: Arm,
    q: ArrayLike,
    qd: ArrayLike,
    qdd: ArrayLike,
    kinds: Sequence[str] | None = None,
    *,
    load: ArrayLike | None = None,
) -> Array:
    """W(q, qd, qdd), n x p: W @ parameters(arm) are the torques of inverse dynamics [N m or N].

    Where friction grows with the load, the torques are linear in the parameters only at a given `load`, what each
    joint transmits, as `joint_loads` finds it. InputError where it is needed and missing.
    """
    state = coordinates(arm, "q", q), coordinates(arm, "qd", qd), coordinates(arm, "qdd", qdd)
    return array(mechanics.regressor(over_floats(arm), *state, _kinds(kinds), _load(load)))


def kinetic_energy_regressor(arm: Arm, q: ArrayLike, qd: ArrayLike) -> Array:
    """The row w, 10 per link, with w @ parameters(arm, ["inertial"]) = K of the links [J]."""
    at, rate = coordinates(arm, "q", q), coordinates(arm, "qd", qd)
    return array(mechanics.kinetic_energy_regressor(over_floats(arm), at, rate))


def potential_energy_regressor(arm: Arm, q: ArrayLike) -> Array:
    """The row w, 10 per link, with w @ parameters(arm, ["inertial"]) = P of the links [J]."""
    return array(mechanics.potential_energy_regressor(over_floats(arm), coordinates(arm, "q", q)))


def _kinds(kinds: Sequence[str] | None) -> Sequence[str] | None:
    for kind in kinds or ():
        require_known("kind of parameter", kind, mechanics.KINDS)
    return kinds


@overload
def forward_kinematics(arm: Arm, q: ArrayLike) -> dict[str, Array]: ...
@overload
def forward_kinematics(arm: Arm, q: ArrayLike, frame: str) -> Array: ...
def forward_kinematics(arm: Arm, q: ArrayLike, frame: str | None = None) -> dict[str, Array] | Array:
    """The pose in the world, 4 x 4, of one frame, or of every body and frame by name."""
    poses = mechanics.forward_kinematics(over_floats(arm), coordinates(arm, "q", q))
    if frame is not None:
        return matrix4(poses[frame_name(arm, frame)])
    return {name: matrix4(pose) for name, pose in poses.items()}


def jacobian(arm: Arm, q: ArrayLike, frame: str | None = None, point: ArrayLike | None = None) -> Array:
    """J, 6 x n: [w; v] = J qd with the frame's angular velocity and its origin's velocity in world axes.

    J_w = J[:3], J_v = J[3:]. The frame is the tool unless named; `point` is a point of it, in its own coordinates.
    """
    at = attachment(arm, frame, point)
    return array(mechanics.point_jacobian(over_floats(arm), coordinates(arm, "q", q), at))


def jacobian_dot(
    arm: Arm, q: ArrayLike, qd: ArrayLike, frame: str | None = None, point: ArrayLike | None = None
) -> Array:
    """dJ/dt along qd, 6 x n: the acceleration of the frame (or of a point of it) is J qdd + Jdot qd."""
    at, here, rate = attachment(arm, frame, point), coordinates(arm, "q", q), coordinates(arm, "qd", qd)
    return array(mechanics.point_jacobian_dot(over_floats(arm), here, rate, at))


def velocity(arm: Arm, q: ArrayLike, qd: ArrayLike, frame: str | None = None, point: ArrayLike | None = None) -> Array:
    """Angular velocity of a frame and velocity of its origin (or of a point of it), 6, world axes [rad/s, m/s]."""
    return jacobian(arm, q, frame, point) @ array(coordinates(arm, "qd", qd))


@dataclass(frozen=True, slots=True)
class FrameAcceleration:
    """Six numbers each, angular then linear, in world axes, without gravity; `total` is their sum."""

    joint: Array
    centripetal: Array
    coriolis: Array

    @property
    def total(self) -> Array:
        return self.joint + self.centripetal + self.coriolis


def acceleration(arm: Arm, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, frame: str | None = None) -> FrameAcceleration:
    """The acceleration of a frame split by cause: J qdd, terms with qd_k^2, terms with qd_j qd_k."""
    state = coordinates(arm, "q", q), coordinates(arm, "qd", qd), coordinates(arm, "qdd", qdd)
    parts = mechanics.acceleration(over_floats(arm), *state, frame_name(arm, frame))
    return FrameAcceleration(array(parts.joint), array(parts.centripetal), array(parts.coriolis))
