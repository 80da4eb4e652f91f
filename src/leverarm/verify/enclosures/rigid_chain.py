"""An arm's moving links as arrays of floats: what the bounds of forms are computed from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from leverarm.errors import InputError
from leverarm.model import Arm, Mechanism, bind
from leverarm.quantities import task_axes
from leverarm.spatial import Inertia, Matrix3, Vec3

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True, eq=False)
class LinkNumbers:
    """One moving link: where its joint sits in the parent, how the joint moves, and how its mass is spread.

    `rotation` and `position` place the joint frame in the parent. A turning joint turns about `axis`, and a sliding or
    helical one advances by `slide` along it per unit of its variable. `first` is the integral of r dm, `second` of
    r r^T dm, about the link's origin. `outer` are the links that it carries.
    """

    parent: int
    rotation: Array
    position: Array
    axis: Array
    turns: bool
    slide: float
    mass: float
    first: Array
    second: Array
    outer: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class RigidChain:
    """The links with parents before children, gravity [m/s^2], and what joins joints to coordinates.

    `joints` (links x coordinates) takes the coordinates' speeds to the joints'; `rotors` is the part of the mass matrix
    that rotors make; `springs` are the stiffness of each joint and where it rests; `roots` are the links on the base.
    """

    links: tuple[LinkNumbers, ...]
    gravity: Array
    joints: Array
    rotors: Array
    springs: Array

    @property
    def roots(self) -> tuple[int, ...]:
        return tuple(i for i, link in enumerate(self.links) if link.parent < 0)


def rigid_chain(arm: Arm) -> RigidChain:
    """The arm with its symbols at their defaults."""
    model = bind(arm)
    joints = np.zeros((len(model.links), model.dof))
    for i, row in enumerate(model.couplings):
        for coordinate, ratio in row:
            joints[i, coordinate] += float(ratio)
    rotors = np.zeros((model.dof, model.dof))
    for rotor in model.rotors:
        gears = np.zeros(model.dof)
        for coordinate, ratio in rotor.gears:
            gears[coordinate] += float(ratio)
        rotors += float(rotor.inertia) * np.outer(gears, gears)
    links = tuple(_link(model, i) for i in range(len(model.links)))
    springs = np.array([(float(s.stiffness), float(s.rest)) if s else (0.0, 0.0) for s in model.springs])
    return RigidChain(links, vector(model.gravity), joints, rotors, springs)


def _link(model: Mechanism, i: int) -> LinkNumbers:
    link = model.links[i]
    second = _second_moments(link.inertia)
    return LinkNumbers(
        link.parent, matrix(link.placement.rotation), vector(link.placement.position), vector(link.axis), link.turns,
        float(link.slide), float(link.inertia.m), vector(link.inertia.h), second, _carried(model, i),
    )  # fmt: skip


def _carried(model: Mechanism, i: int) -> tuple[int, ...]:
    carried: list[int] = []
    for j in range(i + 1, len(model.links)):
        if model.links[j].parent == i or model.links[j].parent in carried:
            carried.append(j)
    return tuple(carried)


def _second_moments(inertia: Inertia) -> Array:
    """The integral of r r^T dm: half the trace of the inertia tensor, less the tensor."""
    tensor = matrix(inertia.I.full())
    moments: Array = np.trace(tensor) / 2 * np.eye(3) - tensor
    return moments


def vector(v: Vec3) -> Array:
    """Three numbers as an array."""
    return np.array([float(x) for x in v])


def matrix(m: Matrix3) -> Array:
    """Nine numbers as an array."""
    return np.array([[float(x) for x in row] for row in m.rows()])


def cross(v: Array) -> Array:
    """The matrices of the cross product with vectors (..., 3): cross(v) @ r = v x r."""
    upper = np.zeros((*v.shape, 3))
    upper[..., 0, 1], upper[..., 0, 2], upper[..., 1, 2] = -v[..., 2], v[..., 1], -v[..., 0]
    return np.asarray(upper - np.swapaxes(upper, -1, -2))


def effective_mass_axes(arm: Arm) -> tuple[str, ...]:
    """The world's axes along which the tool can move and feels a mass [kg]: x, y, z or fewer."""
    axes = tuple(axis for axis in task_axes(arm) if axis in ("x", "y", "z"))
    if not axes:
        raise InputError(
            f"arm {arm.name!r}: its tool {arm.tool!r} only turns, so there is no effective mass along x, y or z. Name "
            "a frame `tool` away from the axes."
        )
    return axes
