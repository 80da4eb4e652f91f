"""What a run gives: its rows, its energy ledger, its files, plots and animations."""

from leverarm.trajectories.files.loading import load_trajectory
from leverarm.trajectories.files.stream import Resumed, Stream, open_stream, resume_stream
from leverarm.trajectories.ledger import EnergyLedger
from leverarm.trajectories.records import Event, Records, concatenated
from leverarm.trajectories.sink import Memory, Sink
from leverarm.trajectories.trajectory import State, Trajectory

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
