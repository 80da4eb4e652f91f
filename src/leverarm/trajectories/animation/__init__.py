"""A run as a moving picture."""

from leverarm.trajectories.animation.animating import animate

__all__ = ["animate"]
