"""A run as a moving picture."""

from leverarm.simulation.trajectories.animation.video import animate

__all__ = ["animate"]
