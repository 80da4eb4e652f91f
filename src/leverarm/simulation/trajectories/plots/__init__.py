"""A run as curves: joints, torques, energy and its balance, phase portraits."""

from leverarm.simulation.trajectories.plots.plotting import plot

__all__ = ["plot"]
