"""Runs that were not simulated: every joint swings with a frequency of its own."""

from __future__ import annotations

import numpy as np

import leverarm as la
from leverarm.simulation.trajectories import Records, Trajectory


def swing(arm, rows=61, until=2.0, torque=0.0, **more):
    """A run in which joint k swings about 0.3 with its own frequency; energies are invented, and do not balance."""
    arm = la.load(arm) if isinstance(arm, str) else arm
    t = np.linspace(0.0, until, rows)
    w = 1.0 + 0.4 * np.arange(arm.dof)
    phase = np.outer(t, w)
    q, qd, qdd = 0.3 + 0.5 * np.sin(phase), 0.5 * w * np.cos(phase), -0.5 * w**2 * np.sin(phase)
    works = {"torque": torque * t, "friction": -0.1 * t} if torque else {}
    still = np.zeros((rows, arm.dof), bool)
    records = Records(t, q, qd, qdd, np.full(q.shape, torque), 2 + np.sin(3 * t), 1 - np.sin(3 * t), works, still)
    return Trajectory(arm, records, {"method": "rk4", "step": 0.001}, **more)
