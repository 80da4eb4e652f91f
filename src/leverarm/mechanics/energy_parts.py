"""Kinetic energy and mass matrix in two parts: translation of the centres of mass, and rotation about them (König).

K = sum of m v_c . v_c / 2 + sum of w . I_c w / 2. The mass matrix is linear in the ten numbers of each link, so its
parts are the mass matrices of two arms: one of point masses at the centres of mass, one of bodies without mass that
only turn. Rotors turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from leverarm.mechanics.composite_body import mass_matrix
from leverarm.mechanics.energy import kinetic_energy
from leverarm.mechanics.matrices import Matrix
from leverarm.model import Mechanism
from leverarm.scalars import Scalar, divide, is_zero
from leverarm.spatial import NO_INERTIA, ORIGIN, Inertia, Vec3, point_inertia


def translating(arm: Mechanism) -> Mechanism:
    """The arm with each link's mass in its centre of mass, and no rotors. Field."""
    return replace(arm, rotors=(), links=tuple(replace(link, inertia=_as_point(link.inertia)) for link in arm.links))


def turning(arm: Mechanism) -> Mechanism:
    """The arm with nothing but the inertia of each link about its centre of mass, and its rotors. Field."""
    return replace(arm, links=tuple(replace(link, inertia=_about_com(link.inertia)) for link in arm.links))


def translational_kinetic_energy(arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar]) -> Scalar:
    """The sum of m v_c . v_c / 2 over the links [J]. Field, O(n)."""
    return kinetic_energy(translating(arm), q, qd)


def rotational_kinetic_energy(arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar]) -> Scalar:
    """The sum of w . I_c w / 2 over the links, and the energy of the rotors [J]. Field, O(n)."""
    return kinetic_energy(turning(arm), q, qd)


def translational_mass_matrix(arm: Mechanism, q: Sequence[Scalar]) -> Matrix:
    """The sum of m J_v^T J_v over the links, J_v at the centre of mass, n x n. Field."""
    return mass_matrix(translating(arm), q)


def rotational_mass_matrix(arm: Mechanism, q: Sequence[Scalar]) -> Matrix:
    """The sum of J_w^T R I_c R^T J_w over the links, and the rotors, n x n. Field."""
    return mass_matrix(turning(arm), q)


def _as_point(body: Inertia) -> Inertia:
    if is_zero(body.m):
        return NO_INERTIA
    com = Vec3(*(divide(part, body.m) for part in body.h))
    return Inertia(body.m, body.h, point_inertia(com) * body.m)


def _about_com(body: Inertia) -> Inertia:
    return Inertia(0, ORIGIN, body.I - _as_point(body).I)
