"""Runs of the adaptive method put together by hand, below `la.simulate`: what its tests look into."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from leverarm import mechanics
from leverarm.model import Arm, Body, Friction, Joint, JointKind, MassProperties, bind
from leverarm.simulation.acting.feeds import Rows, aligned, aligned_copy, feeds_for_steps
from leverarm.simulation.adaptive.attempts import CompiledStages
from leverarm.simulation.adaptive.step_control import Tolerance
from leverarm.simulation.adaptive.stepping import Adaptive
from leverarm.simulation.compiled_system import CompiledSystem
from leverarm.simulation.contacts.event_location import Sweeper, first_marks
from leverarm.spatial import Vec3


def slider(mass=2.0, gravity=-3.0, friction=None):
    """A block on a rail: one prismatic joint along x, and the part of gravity along the rail [m/s^2]."""
    joint = Joint("s", JointKind.PRISMATIC, axis=Vec3(1, 0, 0), friction=friction)
    return Arm("slider", (Body("block", "base", joint, MassProperties(mass)),), gravity=Vec3(gravity, 0, 0))


def with_friction(arm: Arm, friction: Friction | None) -> Arm:
    """The arm with the same friction in every joint that moves."""
    return replace(arm, bodies=tuple(replace(b, joint=replace(b.joint, friction=friction)) for b in arm.bodies))


def stops(lower, upper, restitution, rest_speed=1e-3):
    """The sources of the data of stops, in their order."""
    return [Rows.constant(np.atleast_1d(x)) for x in (lower, upper, restitution, rest_speed)]


@dataclass
class Ran:
    """What a run did: its steps, its events by (time, joint, what), and the run itself at the end."""

    adaptive: Adaptive
    steps: list
    events: list

    @property
    def state(self):
        return self.adaptive.state

    def times(self, what):
        return [event.t for event in self.events if event.what == what]


def adaptive(system, sources, q0, qd0, rtol=1e-10, atol=1e-12):
    compiled = CompiledSystem(system)
    rates = CompiledStages(compiled, sources)
    sweeper = Sweeper(compiled.jump(), rates.layout, system) if system.marks else None
    state = np.concatenate([q0, qd0, np.zeros(rates.layout.sums), first_marks(system, qd0)])
    return Adaptive(rates, sweeper, Tolerance(rtol, atol), system.arm.joint_names, 0.0, state)


def ran(system, sources, q0, qd0, until, **tolerances):
    run = adaptive(system, sources, q0, qd0, **tolerances)
    steps = list(run.steps(until))
    events = [event for step in steps for event in step.events]
    return Ran(run, steps, [*events, *run.settle()])


def imbalance(system, before, after):
    """The energy that no account explains, as a part of the largest that moved."""
    n, arm = system.arm.dof, bind(system.arm)

    def energy(state):
        q, qd = state[:n].tolist(), state[n : 2 * n].tolist()
        return mechanics.kinetic_energy(arm, q, qd) + mechanics.potential_energy(arm, q)

    works = after[2 * n : 2 * n + len(system.accounts)]
    gained = energy(after) - energy(np.concatenate(before))
    return abs(gained - works.sum()) / max(abs(gained), np.abs(works).max())


def marched(system, sources, tableau, q0, qd0, h, steps, lanes=1):
    """The states (lanes, entries) after some steps of the compiled loop, from (lanes, n) positions and velocities."""
    compiled = CompiledSystem(system)
    march, layout = compiled.march(tableau, lanes), compiled.layout
    q0, qd0 = np.atleast_2d(q0), np.atleast_2d(qd0)
    first = np.concatenate([q0, qd0, np.zeros((len(q0), layout.sums)), first_marks(system, qd0)], axis=1)
    state, rows = aligned_copy(first.T), aligned((1, layout.record, lanes))
    (feeds,) = feeds_for_steps(sources, h * np.arange(steps), h, lanes=lanes)
    march(state.ctypes.data, feeds.address, rows.ctypes.data, 0, steps, steps, 0.0, h)
    return state.T.copy()
