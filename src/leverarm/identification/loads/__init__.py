"""Loads: what a tool carries, from logs with it and without; drive gains, from a load that is known."""

from leverarm.identification.loads.drive_gains import Gains, identify_gains
from leverarm.identification.loads.payload_result import PayloadEstimate, payload_json
from leverarm.identification.loads.payloads import identify_payload

__all__ = ["Gains", "PayloadEstimate", "identify_gains", "identify_payload", "payload_json"]
