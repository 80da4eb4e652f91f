"""The file formats by file name extension."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

from leverarm.errors import FormatError, path_text
from leverarm.model import Arm
from leverarm.simulation.trajectories.files.header import Header
from leverarm.simulation.trajectories.records import Records

ENDINGS = {".parquet": "parquet", ".npz": "npz", ".csv": "csv"}
"""Endings and the modules that read and write them, imported when first used."""


@dataclass(frozen=True, slots=True)
class Codec:
    """How one format is written and read. `read` gives None for an arm or records that there are not."""

    ending: str
    write: Callable[[BinaryIO, Records, Arm, Header], None]
    read: Callable[[Path, Arm | None], tuple[Header | None, Arm | None, Records | None]]
    read_header: Callable[[Path], Header | None]


def codec_of(path: str | os.PathLike[str]) -> Codec:
    """The format that the ending of a name means. Raises MissingExtraError where it needs what is not installed."""
    ending = Path(path_text(path, "run.npz")).suffix.lower()
    if ending not in ENDINGS:
        raise FormatError(f"the ending of {Path(path).name!r} names no format of trajectories. Valid: {_valid()}.")
    module: Any = import_module(f"leverarm.simulation.trajectories.files.{ENDINGS[ending]}")
    if ending == ".parquet":
        module.arrow()
    return Codec(ending, module.write, module.read, module.read_header)


def _valid() -> str:
    return ", ".join(ENDINGS)
