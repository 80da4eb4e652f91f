"""Kinetic and potential energy, per link and in total, and what follows from them."""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.mechanics.composite_body import mass_matrix
from leverarm.mechanics.kinematics import outward_motion, still, world_from_links
from leverarm.mechanics.matrices import apply
from leverarm.mechanics.rotors import rotor_speed
from leverarm.mechanics.springs import spring_energies
from leverarm.model import Mechanism
from leverarm.scalars import Scalar, half
from leverarm.spatial import NO_FORCE, Force, Inertia, Motion, Pose, Vec3


def link_kinetic_energies(arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar]) -> list[Scalar]:
    """K_i = v_i^T I_i v_i / 2 of each link [J]; about the centre of mass, m v.v/2 + w.I w/2. Ring, O(n)."""
    motion = outward_motion(arm, q, qd, still(arm))
    return [_kinetic_energy(link.inertia, m.v) for link, m in zip(arm.links, motion[:-1], strict=True)]


def _kinetic_energy(body: Inertia, motion: Motion) -> Scalar:
    """(m v . v + w . I w) / 2 + v . (w x h): the two equal products of v, w and h once."""
    v, w = motion.linear, motion.angular
    return half(body.m * (v @ v) + w @ (body.I @ w)) + v @ w.cross(body.h)


def rotor_kinetic_energies(arm: Mechanism, qd: Sequence[Scalar]) -> list[Scalar]:
    """J (N qd)^2 / 2 of each rotor [J]. Ring."""
    speeds = [rotor_speed(rotor, qd) for rotor in arm.rotors]
    return [half(rotor.inertia * speed * speed) for rotor, speed in zip(arm.rotors, speeds, strict=True)]


def kinetic_energy(arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar]) -> Scalar:
    """K of the links and rotors together [J]. Ring, O(n)."""
    return sum(link_kinetic_energies(arm, q, qd), start=0) + sum(rotor_kinetic_energies(arm, qd), start=0)


def link_potential_energies(arm: Mechanism, q: Sequence[Scalar]) -> list[Scalar]:
    """P_i = -m_i gravity . r_i of each link [J], zero at the world's origin. Ring, O(n)."""
    energies = []
    for link, pose in zip(arm.links, world_from_links(arm, q)[:-1], strict=True):
        energies.append(-(arm.gravity @ first_moment(link.inertia, pose)))
    return energies


def first_moment(body: Inertia, world_from_link: Pose) -> Vec3:
    """m r of a body's centre of mass in the world [kg m]."""
    at_origin: Vec3 = world_from_link.position * body.m
    return world_from_link.rotation @ body.h + at_origin


def potential_energy(arm: Mechanism, q: Sequence[Scalar]) -> Scalar:
    """P of all links and springs [J]; g(q) is its gradient. Ring, O(n)."""
    return sum(link_potential_energies(arm, q), start=0) + sum(spring_energies(arm, q), start=0)


def lagrangian(arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar]) -> Scalar:
    """L = K - P [J]."""
    return kinetic_energy(arm, q, qd) - potential_energy(arm, q)


def hamiltonian(arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar]) -> Scalar:
    """H = K + P, the total energy [J]."""
    return kinetic_energy(arm, q, qd) + potential_energy(arm, q)


def momentum(arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar]) -> Force:
    """Momentum of all links in world axes: angular about the world's origin [N m s], linear [N s]. Ring, O(n)."""
    motion = outward_motion(arm, q, qd, still(arm))
    total = NO_FORCE
    for link, pose, m in zip(arm.links, world_from_links(arm, q)[:-1], motion[:-1], strict=True):
        total = total + pose.force_into_parent(link.inertia @ m.v)
    return total


def generalised_momentum(arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar]) -> list[Scalar]:
    """p = dL/dqd = M qd [N m s or N s]. Ring, O(n depth)."""
    return apply(mass_matrix(arm, q), qd)
