"""Logs of arms that carry something: Fourier motions, friction, rotors, and torque noise that lasts from row to row."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import leverarm as la
from leverarm.identification.loads.load_body import ten_numbers, with_body
from leverarm.model import Arm, Friction, Motor

MASS = 2.0
COM = np.array([0.03, -0.02, 0.08])
INERTIA = np.array([[0.012, 0.001, -0.002], [0.001, 0.015, 0.0015], [-0.002, 0.0015, 0.009]])
TRUTH = np.array([MASS, *COM, 0.012, 0.001, 0.015, -0.002, 0.0015, 0.009])
"""Mass, centre, and xx, xy, yy, xz, yz, zz about it."""


def driven(arm: Arm, friction: float = 1.0) -> Arm:
    """The arm with rotors and friction, the latter times a factor: colder or warmer."""
    bodies, count = [], 0
    for body in arm.bodies:
        if body.joint.is_fixed:
            bodies.append(body)
            continue
        size = 1.0 if count < 3 else 0.2
        rubs = Friction(6 * size * friction, 4 * size * friction, offset=0.3 * size)
        bodies.append(replace(body, joint=replace(body.joint, friction=rubs, motor=Motor(inertia=0.3 * size))))
        count += 1
    return replace(arm, bodies=tuple(bodies))


def carrying(arm: Arm, mass=MASS, com=COM, inertia=INERTIA, frame: str | None = None) -> Arm:
    """The arm with a load welded to its tool."""
    return with_body(arm, frame or arm.tool, ten_numbers(mass, com, inertia))


def log_of(
    arm: Arm, seed: int, noise: float = 0.01, seconds: float = 12.0, rate: float = 100.0
) -> dict[str, np.ndarray]:
    """t, q, qd, tau of a random periodic motion; noise as a part of each joint's torque, with a memory of 10 rows."""
    random = np.random.default_rng(seed)
    t = np.arange(int(seconds * rate)) / rate
    waves = 2 * np.pi / 6 * np.arange(1, 6)
    cosines, sines = np.cos(np.outer(t, waves)), np.sin(np.outer(t, waves))
    a, b = random.normal(size=(2, 5, arm.dof))
    qd = cosines @ a + sines @ b
    size = 1.5 / np.abs(qd).max(axis=0)
    q = size * (sines @ (a / waves[:, None]) - cosines @ (b / waves[:, None])) + random.uniform(-0.5, 0.5, arm.dof)
    qdd = size * (cosines @ (b * waves[:, None]) - sines @ (a * waves[:, None]))
    qd = size * qd
    tau = np.asarray(la.compile(arm, "inverse_dynamics").inverse_dynamics(q, qd, qdd))
    coloured = np.zeros_like(tau)
    coloured[0] = random.normal(size=arm.dof)
    for k, fresh in enumerate(random.normal(size=(len(t) - 1, arm.dof)), start=1):
        coloured[k] = 0.9 * coloured[k - 1] + 0.19**0.5 * fresh
    return {"t": t, "q": q, "qd": qd, "tau": tau + noise * np.sqrt(np.mean(tau**2, axis=0)) * coloured}
