"""Joint states recorded by ROS: folders of rosbag2, .mcap, .db3 and .bag files, through rosbags (extra `rosbag`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from leverarm.arrays import Array
from leverarm.errors import FormatError
from leverarm.identification.logs.files.table import Table, damaged, table_of
from leverarm.late_import import installed

QUANTITIES = ("position", "velocity", "effort")
_REMEDY = "Run: pip install 'leverarm[rosbag]'; or export the joint states as .csv."
_TYPES = ("sensor_msgs/msg/JointState", "sensor_msgs/JointState")


class _State(NamedTuple):
    """One message: its time [s], the joints it names, and their numbers, by quantity; what it lacks is empty."""

    t: float
    joints: tuple[str, ...]
    numbers: tuple[Array, ...]


def read(path: Path) -> Table:
    """Columns t [s], position.<joint>, velocity.<joint>, effort.<joint> of the topic with the most joint states.

    A row is a message that names the most joints; joints that come in other messages get the numbers nearest in time,
    not further away than half the time between rows, else NaN. Raises MissingExtraError, FormatError.
    """
    highlevel = installed("rosbags.highlevel", "Recordings of ROS need", _REMEDY)
    typesys = installed("rosbags.typesys", "Recordings of ROS need", _REMEDY)
    try:
        store = typesys.get_typestore(typesys.Stores.ROS2_HUMBLE)
        with highlevel.AnyReader([path], default_typestore=store) as reader:
            states, notes = _states(reader, str(path))
    except FormatError:
        raise
    except Exception as problem:  # readers raise anything for damaged files
        raise damaged(path, "as a recording of ROS", problem) from None
    if not any(state.joints for state in states):
        raise FormatError("holds no joint state that names a joint.", str(path))
    return _merged(path.name, states, notes)


def _states(reader: Any, file: str) -> tuple[list[_State], tuple[str, ...]]:
    topics = defaultdict(list)
    for connection in reader.connections:
        if connection.msgtype in _TYPES:
            topics[connection.topic].append(connection)
    counts = {topic: sum(each.msgcount for each in found) for topic, found in topics.items()}
    if not any(counts.values()):
        types = ", ".join(sorted({connection.msgtype for connection in reader.connections})[:8]) or "nothing"
        raise FormatError(f"holds no message of type sensor_msgs/JointState; it holds {types}.", file)
    topic = max(counts, key=lambda name: (counts[name], name.endswith("joint_states")))
    others = ", ".join(name for name in topics if name != topic)
    notes = (f"The joint states of {topic} were read, and not those of {others}.",) if others else ()
    found = []
    for connection, received, raw in reader.messages(connections=topics[topic]):
        message = reader.deserialize(raw, connection.msgtype)
        stamp = message.header.stamp
        t = stamp.sec + stamp.nanosec * 1e-9 or received * 1e-9
        numbers = tuple(np.asarray(getattr(message, quantity), dtype=np.float64) for quantity in QUANTITIES)
        found.append(_State(t, tuple(message.name), numbers))
    return found, notes


def _merged(name: str, states: list[_State], notes: tuple[str, ...]) -> Table:
    kinds: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for place, state in enumerate(states):
        kinds[state.joints].append(place)
    widest = max(kinds, key=lambda joints: (len(joints), len(kinds[joints])))
    t = np.array([states[place].t for place in kinds[widest]])
    reach = 0.5 * float(np.median(np.abs(np.diff(t)))) if len(t) > 1 else 0.0
    columns = {"t": t}
    for place, quantity in enumerate(QUANTITIES):
        for joint, (times, values) in _series(states, kinds, place).items():
            columns[f"{quantity}.{joint}"] = _nearest(times, values, t, reach)
    return table_of(name, columns, np.array(kinds[widest], dtype=np.int64) + 1, notes=notes)


def _series(states: list[_State], kinds: Mapping[tuple[str, ...], list[int]], quantity: int) -> dict[str, Array]:
    """Times and numbers (2, k) of each joint, in the order of time; lists of other lengths have no number."""
    found: dict[str, list[Array]] = {}
    for joints in sorted(kinds, key=len, reverse=True):
        full = [states[place] for place in kinds[joints] if len(states[place].numbers[quantity]) == len(joints)]
        if full and joints:
            times = np.array([state.t for state in full])
            values = np.stack([state.numbers[quantity] for state in full])
            for joint, column in zip(joints, values.T, strict=True):
                found.setdefault(joint, []).append(np.stack([times, column]))
    series = {joint: np.concatenate(parts, axis=1) for joint, parts in found.items()}
    return {joint: x[:, np.argsort(x[0], kind="stable")] for joint, x in series.items()}


def _nearest(times: Array, values: Array, t: Array, reach: float) -> Array:
    after = np.clip(np.searchsorted(times, t), 0, len(times) - 1)
    before = np.maximum(after - 1, 0)
    best = np.where(np.abs(times[before] - t) < np.abs(times[after] - t), before, after)
    return np.where(np.abs(times[best] - t) <= reach, values[best], np.nan)
