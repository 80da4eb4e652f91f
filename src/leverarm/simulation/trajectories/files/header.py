"""The metadata of a trajectory file, as JSON: the arm, how the run was made, its events, the units. Also the
file formats by file name extension.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import numpy as np

from leverarm._version import __version__
from leverarm.errors import FormatError, InputError, LeverarmError, path_text
from leverarm.formats.native import arm_from_toml, toml_from_arm
from leverarm.model import Arm
from leverarm.simulation.trajectories.files.columns import units_of
from leverarm.simulation.trajectories.records import Event, Records

KEY = "leverarm"
"""The name of the header among a file's metadata."""
FORMAT = 1

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Part:
    """Which part of a streamed run a file is: its number, the run's rows before it, the checkpoint after it.

    `run` identifies the run that the part belongs to; `span` is the time of the first and the last row [s].
    """

    run: str
    number: int
    first_row: int
    span: tuple[float, float] | None
    checkpoint: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a file. The arm stays text until it is needed: a run of many parts reads it once."""

    arm_text: str
    joints: tuple[str, ...]
    about: Mapping[str, Any]
    events: tuple[Event, ...]
    rows: int
    part: Part | None = None

    def arm(self, file: str) -> Arm:
        return arm_from(self.arm_text, file)


def text_of_arm(arm: Arm) -> str:
    return toml_from_arm(arm)


def arm_from(text: str, file: str) -> Arm:
    try:
        return arm_from_toml(text)
    except LeverarmError as problem:
        raise FormatError(f"the arm in it cannot be read: {problem}", file) from None


def header_text(header: Header, arm: Arm, accounts: Mapping[str, Any]) -> str:
    """The header as JSON with one entry per line; numbers are written so that they come back bit for bit."""
    part = header.part
    values = {
        KEY: "trajectory",
        "format": FORMAT,
        "version": __version__,
        "rows": header.rows,
        "joints": list(header.joints),
        "units": units_of(arm, accounts),
        "about": dict(header.about),
        "events": [list(event) for event in header.events],
        "part": {name: getattr(part, name) for name in Part.__slots__} if part else None,
        "arm": header.arm_text.splitlines(),
    }
    return json_text({name: value for name, value in values.items() if value is not None})


def header_from(text: str, file: str) -> Header:
    """The header that JSON text holds. Raises FormatError, never anything else, whatever the text is."""
    values = json_values(text, "trajectory", file)

    def build() -> Header:
        part = values.get("part")
        return Header(
            arm_text="\n".join(values["arm"]) + "\n",
            joints=tuple(str(name) for name in values["joints"]),
            about=dict(values["about"]),
            events=tuple(Event(float(t), joint, str(what)) for t, joint, what in values["events"]),
            rows=int(values["rows"]),
            part=_part(part) if part is not None else None,
        )

    return built(build, file)


def _part(values: Mapping[str, Any]) -> Part:
    span = values["span"]
    return Part(
        str(values["run"]),
        int(values["number"]),
        int(values["first_row"]),
        (float(span[0]), float(span[1])) if span is not None else None,
        dict(values["checkpoint"]),
    )


def json_text(values: Mapping[str, Any]) -> str:
    """JSON with one line for each entry, and for each line of a text that was given as a list of lines."""
    try:
        lines = [f"{json.dumps(name)}: {_entry(value)}" for name, value in values.items()]
    except (TypeError, ValueError) as problem:
        raise InputError(
            f"the metadata of a run cannot be written: {problem}. Give plain values: numbers, texts, lists, dicts."
        ) from None
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _entry(value: Any) -> str:
    if isinstance(value, list) and value and all(isinstance(line, str) for line in value):
        return "[\n" + ",\n".join(json.dumps(line) for line in value) + "\n]"
    return json.dumps(value, default=_plain)


def _plain(value: Any) -> Any:
    """NumPy's numbers and arrays as Python's."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} {value!r}")


def json_values(text: str, kind: str, file: str) -> dict[str, Any]:
    """The entries of a JSON header, checked to be of this kind and of a supported format."""
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise FormatError(f"its header is not JSON ({problem}); the file is damaged.", file) from None
    if not isinstance(values, dict) or values.get(KEY) != kind:
        raise FormatError(f"its header is not that of a {kind} of leverarm.", file)
    if values.get("format") != FORMAT:
        raise FormatError(
            f"is of format {values.get('format')!r} and was written by leverarm {values.get('version')!r}; this one "
            f"reads format {FORMAT}. Install the version that wrote it, or a newer one.",
            file,
        )
    return values


def built(build: Callable[[], T], file: str) -> T:
    """What `build` makes of the entries of a header, some of which may be missing or of another kind."""
    try:
        return build()
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as problem:
        raise FormatError(f"its header is damaged: {problem!r}.", file) from None


ENDINGS = {".parquet": "parquet", ".npz": "npz", ".csv": "csv"}
"""Endings and the modules that read and write them, imported when first used."""


@dataclass(frozen=True, slots=True)
class Codec:
    """How one format is written and read: `read` gives the header, if there is one, and the records for an arm."""

    ending: str
    write: Callable[[BinaryIO, Records, Arm, Header], None]
    read: Callable[[Path], tuple[Header | None, Callable[[Arm], Records]]]
    read_header: Callable[[Path], Header | None]


def codec_of(path: str | os.PathLike[str]) -> Codec:
    """The format that the ending of a name means. Raises MissingExtraError where it needs what is not installed."""
    ending = Path(path_text(path, "run.npz")).suffix.lower()
    if ending not in ENDINGS:
        raise FormatError(
            f"the ending of {Path(path).name!r} names no format of trajectories. Valid: {', '.join(ENDINGS)}."
        )
    module: Any = import_module(f"leverarm.simulation.trajectories.files.{ENDINGS[ending]}")
    if ending == ".parquet":
        module.arrow()
    return Codec(ending, module.write, module.read, module.read_header)
