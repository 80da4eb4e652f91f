"""What ran: every choice of an identification, in words and figures."""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.identification.fitting.methods import METHODS
from leverarm.identification.modelling.drives import Coupling, DriveModel
from leverarm.identification.modelling.modelled_arm import couplings_of
from leverarm.identification.preparing import Prepared
from leverarm.logs.log import Log
from leverarm.model import Arm, bind

TAKEN = {"q": "positions", "qd": "positions, speeds", "qdd": "positions, speeds, accelerations"}


def settings(
    logs: Sequence[Log], ready: Prepared, arm: Arm, drives: DriveModel, pull: float, method: str
) -> dict[str, str | float]:
    """The choices by name, in the order in which they were made."""
    joints, motion = arm.joint_names, ready.motion
    return {
        "logs": ", ".join(log.name for log in logs),
        "samples": float(sum(map(len, logs))),
        "rate [Hz]": ready.rate,
        "cut-off [Hz]": ready.chosen.cut_off,
        "filters tried": float(len(ready.tried)),
        "taken from the log": TAKEN[ready.filtering.taken],
        "samples fitted": float(len(motion)),
        "rate fitted [Hz]": motion.rate,
        "lag [ms]": 1000 * ready.filtering.lag,
        "dead zone": ", ".join(f"{zone:.3g}" for zone in ready.checks.dead_zone),
        "gravity [m/s^2]": ", ".join(f"{float(x):.4g}" for x in bind(arm).gravity),
        "friction": "; ".join(f"{joint}: {model}" for joint, model in zip(joints, drives.joints, strict=True)),
        "couplings": "; ".join(_words(coupling, joints) for coupling in couplings_of(arm)) or "none",
        "estimator": f"{METHODS[method]}; bodies positive definite",
        "pull to the given bodies": pull,
    }


def _words(coupling: Coupling, joints: tuple[str, ...]) -> str:
    return f"motor of {joints[coupling.motor]} turns with {joints[coupling.also]}"
