"""Kinetic and potential energy, per link and in total, and what follows from them."""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.mechanics.kinematics import outward_motion, still, world_from_links
from leverarm.mechanics.rotors import rotor_speed
from leverarm.model import Mechanism
from leverarm.scalars import Scalar, half
from leverarm.spatial import Force, Vec3


def link_kinetic_energies(arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar]) -> list[Scalar]:
    """K_i = v_i^T I_i v_i / 2 of each link [J]; about the centre of mass, m v.v/2 + w.I w/2. Ring, O(n)."""
    motion = outward_motion(arm, q, qd, still(arm))
    return [half(m.v @ (link.inertia @ m.v)) for link, m in zip(arm.links, motion[:-1], strict=True)]


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
        first_moment = pose.rotation @ link.inertia.h + pose.position * link.inertia.m
        energies.append(-(arm.gravity @ first_moment))
    return energies


def potential_energy(arm: Mechanism, q: Sequence[Scalar]) -> Scalar:
    """P of all links [J]; g(q) is its gradient. Ring, O(n)."""
    return sum(link_potential_energies(arm, q), start=0)


def lagrangian(arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar]) -> Scalar:
    """L = K - P [J]."""
    return kinetic_energy(arm, q, qd) - potential_energy(arm, q)


def hamiltonian(arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar]) -> Scalar:
    """H = K + P, the total energy [J]."""
    return kinetic_energy(arm, q, qd) + potential_energy(arm, q)


def momentum(arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar]) -> Force:
    """Momentum of all links in world axes: angular about the world's origin [N m s], linear [N s]. Ring, O(n)."""
    motion = outward_motion(arm, q, qd, still(arm))
    total = Force(Vec3(0, 0, 0), Vec3(0, 0, 0))
    for link, pose, m in zip(arm.links, world_from_links(arm, q)[:-1], motion[:-1], strict=True):
        total = total + pose.force_into_parent(link.inertia @ m.v)
    return total


def generalised_momentum(mass_matrix: Sequence[Sequence[Scalar]], qd: Sequence[Scalar]) -> list[Scalar]:
    """p = dL/dqd = M qd."""
    return [sum((m * rate for m, rate in zip(row, qd, strict=True)), start=0) for row in mass_matrix]
