"""The results of a run: trajectories with their energy balance, files, plots and animations."""

from leverarm.simulation.trajectories.files.loading import load_trajectory
from leverarm.simulation.trajectories.files.stream import Resumed, Stream, open_stream, resume_stream
from leverarm.simulation.trajectories.records import EnergyLedger, Event, Memory, Records, Sink, concatenated
from leverarm.simulation.trajectories.trajectory import State, Trajectory

__all__ = [
    "EnergyLedger",
    "Event",
    "Memory",
    "Records",
    "Resumed",
    "Sink",
    "State",
    "Stream",
    "Trajectory",
    "concatenated",
    "load_trajectory",
    "open_stream",
    "resume_stream",
]
