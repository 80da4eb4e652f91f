"""The words that names of columns are made of."""

from __future__ import annotations

import re
from typing import Literal

Role = Literal["t", "q", "qd", "qdd", "tau"]
ROLES: tuple[Role, ...] = ("t", "q", "qd", "qdd", "tau")

Source = Literal["measured", "plain", "other", "filtered", "secondary", "wanted"]
SOURCES: tuple[Source, ...] = ("measured", "plain", "other", "filtered", "secondary", "wanted")
"""Where values come from, in the order in which they are preferred."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


ROLE_WORDS: dict[str, Role] = {
    **dict.fromkeys(_set("q pos position positions angle angles ang theta phi encoder"), "q"),
    **dict.fromkeys(_set("qd dq qdot vel velocity velocities speed speeds omega qp dtheta thetadot"), "qd"),
    **dict.fromkeys(_set("qdd ddq qddot acc accel acceleration accelerations qpp ddtheta"), "qdd"),
    **dict.fromkeys(_set("tau torque torques trq effort efforts eff moment moments force u"), "tau"),
}
CURRENTS = _set("current currents curr amps i iq")
"""Torques where no other word says what is meant; beside one ("current_position") they mean "now"."""
TIMES = _set("t time times timestamp timestamps stamp clock elapsed zeit temps tempo tiempo")
DURATIONS = _set("delta cycle duration period exec execution compute computation lag delay")
"""Words beside "time" in columns that say how long something took, not when."""

MEASURED = _set("m msr mot motor actual act meas measured mes fbk feedback real read") | CURRENTS
WANTED = _set("ref reference des desired target cmd command commanded setpoint goal nominal u")
SECONDARY = _set("se sec secondary second load link output")
DERIVED = _set("ext external est estimated hat filtered filt gravity grav friction coriolis") | _set(
    "model expected simulated sim predicted disturbance"
)
PLAIN = _set("joint joints jnt axis j a robot arm state states field data header msg log servo actuator drive")
VOID = _set("tcp ee eef tool cart cartesian pose temp temperature voltage mode status error err limit limits") | _set(
    "min max gripper finger wrench imu std seq id"
)
"""Words of columns that are none of an arm's joint signals, whatever else their name says."""

JOINED = re.compile(r"^(q|dq|ddq|qd|qdd|tau|pos|vel|acc|torque|theta)(ref|des|cmd|act|actual|meas|mot|m|j)$")
"""Two words that are often written as one: qref, taum."""

PER_SECOND = {"deg": "deg/s", "rad": "rad/s", "mrad": "mrad/s", "rev": "rev/s", "mm": "mm/s"}
SECONDS = _set("s sec second")
UNITS = {
    **dict.fromkeys(_set("deg degs degree degrees"), "deg"),
    **dict.fromkeys(_set("rad rads radian radians"), "rad"),
    **dict.fromkeys(_set("nsec nsecs nanosec nanosecs nanoseconds"), "ns"),
    **dict.fromkeys(_set("secs seconds"), "s"),
    **{word: word for word in _set("mrad rev mm rpm mnm knm ncm ma ms us ns")},
    "nm": "Nm",
    "dps": "deg/s",
    "msec": "ms",
    "usec": "us",
    "amps": "A",
}
