"""Animations of a run."""

from leverarm.simulation.trajectories.animation.video import animate
