"""Logs of arms whose every number is known: random Fourier motions, friction, rotors, coloured noise of the torques."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

import leverarm as la
from leverarm.identification.writing_back import with_parameters

Array = NDArray[np.float64]
Colour = Literal["mixed", "white", "slow"]

PERIOD, HARMONICS = 10.0, 5
"""Of the motion [s], and how many sines and cosines each joint has."""
MARGIN = 0.9
"""Part of the limits that a motion uses."""
WIDEST = 3.0
"""Greatest distance from the middle of a joint's range [rad], where its limits are wider or not known."""
TOGETHER = 0.3
"""Correlation of what drives the noise of two joints."""
SETTLING = 5.0
"""Noise runs for this long [s] before a log begins."""


@dataclass(frozen=True, slots=True)
class Machine:
    """An arm as it is described, the same arm as it really is, and the real one's parameters by name."""

    described: la.Arm
    real: la.Arm
    truth: dict[str, float]

    def true_value(self, entry: la.types.Estimate) -> float:
        """What a base parameter really is; friction is the same both ways."""
        return sum(f * self.truth.get(n.replace("_negative", ""), 0.0) for f, n in entry.combination)


def machine(name: str, random: np.random.Generator) -> Machine:
    """An arm of the catalog whose bodies are up to 10 % heavier or lighter than described, with rotors and friction."""
    described = la.load(name)
    names = la.quantities.parameter_names(described)
    numbers = dict(zip(names, la.parameters(described).tolist(), strict=True))
    factors = {owner: 1 + 0.1 * random.uniform(-1, 1) for owner in {n.rpartition(".")[0] for n in names}}
    truth = {n: x * factors[n.rpartition(".")[0]] for n, x in numbers.items()}
    for joint in described.joint_names:
        truth |= {
            f"{joint}.viscous": random.uniform(0.2, 2.0),
            f"{joint}.coulomb": random.uniform(0.2, 2.0),
            f"{joint}.offset": random.uniform(-0.5, 0.5),
            f"{joint}.rotor": random.uniform(0.02, 0.2),
        }
    return Machine(described, with_parameters(described, truth), truth)


def log_of(arm: la.Arm, random: np.random.Generator, seconds: float, rate: float) -> dict[str, Array]:
    """t, q, qd, qdd, tau of a random periodic motion inside the limits of positions and speeds, without noise."""
    lower, upper, fastest = _limits(arm)
    sines, cosines = random.normal(size=(2, HARMONICS, arm.dof))
    still = np.zeros(arm.dof)
    whole = la.signals.fourier(1 / PERIOD, still, sines, cosines).at(np.linspace(0, PERIOD, 2000))
    reach, speed = np.abs(whole.value).max(axis=0), np.abs(whole.rate).max(axis=0)
    size = MARGIN * np.minimum((upper - lower) / 2 / reach, fastest / speed)
    t = np.arange(round(seconds * rate)) / rate
    motion = la.signals.fourier(1 / PERIOD, (lower + upper) / 2, size * sines, size * cosines).at(t)
    q, qd, qdd = motion.value, motion.rate, motion.acceleration
    tau = np.asarray(la.compile(arm, "inverse_dynamics").inverse_dynamics(q, qd, qdd))
    return {"t": t, "q": q, "qd": qd, "qdd": qdd, "tau": tau}


def noisy(
    log: dict[str, Array], random: np.random.Generator, colour: Colour = "mixed", size: float = 0.02
) -> dict[str, Array]:
    """The log with noise on its torques, `size` of each joint's root mean square."""
    rate = 1 / (log["t"][1] - log["t"][0])
    tau = log["tau"]
    return log | {"tau": tau + size * np.sqrt(np.mean(tau**2, axis=0)) * coloured(random, *tau.shape, rate, colour)}


def coloured(random: np.random.Generator, count: int, joints: int, rate: float, colour: Colour) -> Array:
    """Noise (count, joints) of variance 1.

    "mixed" are autoregressive processes of first or second order, other ones in each joint: corners of 1 to 30 Hz, or
    resonances at 2 to 20 Hz. "slow" are corners of 1 Hz in all.
    """
    together = np.linalg.cholesky(TOGETHER + (1 - TOGETHER) * np.eye(joints))
    before = int(SETTLING * rate)
    new = random.normal(size=(before + count, joints)) @ together.T
    if colour == "white":
        return np.asarray(new[before:])
    first, second = _recursion(random, joints, rate, colour)
    x = np.zeros_like(new)
    for k in range(2, len(x)):
        x[k] = first * x[k - 1] + second * x[k - 2] + new[k]
    variance = (1 - second) / ((1 + second) * ((1 - second) ** 2 - first**2))
    return np.asarray(x[before:] / np.sqrt(variance))


def _recursion(random: np.random.Generator, joints: int, rate: float, colour: Colour) -> tuple[Array, Array]:
    """Factors (joints,) of the last value and of the one before."""
    corner = np.ones(joints) if colour == "slow" else 10 ** random.uniform(0.0, 1.5, joints)
    resonance = 10 ** random.uniform(0.3, 1.3, joints)
    memory = np.exp(-2 * np.pi * corner / rate)
    damped = np.exp(-2 * np.pi * 0.3 * resonance / rate)
    rings = (random.random(joints) < 0.5) & (colour == "mixed")
    swing = 2 * damped * np.cos(2 * np.pi * resonance / rate)
    return np.where(rings, swing, memory), np.where(rings, -(damped**2), 0.0)


def _limits(arm: la.Arm) -> tuple[Array, Array, Array]:
    """Positions and speeds that a motion may reach."""
    found = []
    for body in arm.bodies:
        if body.joint.name in arm.joint_names:
            limits = body.joint.limits
            sides = [None if x is None else la.model.to_float(x, arm.defaults) for x in (limits.lower, limits.upper)]
            speed = 2.0 if limits.velocity is None else la.model.to_float(limits.velocity, arm.defaults)
            lower, upper = -WIDEST if sides[0] is None else sides[0], WIDEST if sides[1] is None else sides[1]
            found.append((max(lower, -WIDEST), min(upper, WIDEST), speed))
    lower, upper, fastest = np.array(found).T
    return lower, upper, fastest
