"""Simulation: forward dynamics integrated in time, with a complete energy balance."""

from leverarm.simulation.acting.payloads import Payload, payload
from leverarm.simulation.methods import METHODS
from leverarm.simulation.rollout import Rollout, rollout
from leverarm.simulation.running import EnergyWarning
from leverarm.simulation.simulate import simulate

__all__ = ["METHODS", "EnergyWarning", "Payload", "Rollout", "payload", "rollout", "simulate"]
