"""Payloads from logs with and without them; drive gains from a known load."""

from leverarm.identification.loads.drive_gains import Gains, identify_gains
from leverarm.identification.loads.payloads import PayloadEstimate, identify_payload

__all__ = ["Gains", "PayloadEstimate", "identify_gains", "identify_payload"]
