"""Motions over time: saved runs, the torques that a motion needs, its limits, and the fastest motion within them."""

from leverarm.simulation.trajectories import load_trajectory as load
from leverarm.simulation.trajectories.limits import check_limits
from leverarm.simulation.trajectories.minimum_time import fastest_along
from leverarm.simulation.trajectories.time_scaling import fit_to_limits
from leverarm.simulation.trajectories.torques import torques_along

__all__ = ["check_limits", "fastest_along", "fit_to_limits", "load", "torques_along"]
