"""A run as a moving picture."""

from leverarm.simulation.trajectories.animation.animating import animate

__all__ = ["animate"]
