"""The results of a run: trajectories with their energy balance, files, plots and animations."""

from leverarm.simulation.trajectories.files.loading import load_trajectory
from leverarm.simulation.trajectories.files.stream import Stream, open_stream, resume_stream
from leverarm.simulation.trajectories.records import EnergyLedger, Event, Records, concatenated
from leverarm.simulation.trajectories.trajectory import Trajectory
