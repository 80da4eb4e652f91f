"""The folder of a streamed run: its complete parts, and `_run.json`, which describes the run.

Programs that read a folder of Parquet files as one table skip names that begin with `_` or `.`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from leverarm._version import __version__
from leverarm.atomic_write import atomic_file
from leverarm.errors import FormatError
from leverarm.simulation.trajectories.files.header import (
    FORMAT,
    KEY,
    Codec,
    Header,
    Part,
    built,
    codec_of,
    json_text,
    json_values,
)

RUN_FILE = "_run.json"
_PART = re.compile(r"part-(\d{6,})")
_TEMPORARY = re.compile(r"\.(part-\d{6,}\.\w+|_run\.json)\.\w+")


@dataclass(frozen=True, slots=True)
class Run:
    """What `_run.json` says; `rows` is how many there are of a complete run.

    `token` is in every part too, so that parts of a run that was here before are not taken for this one's.
    """

    folder: Path
    token: str
    rows: int | None
    arm_text: str
    about: Mapping[str, Any]

    @property
    def is_complete(self) -> bool:
        return self.rows is not None

    @property
    def codec(self) -> Codec:
        return codec_of(self.folder)

    def part_path(self, number: int) -> Path:
        return self.folder / f"part-{number:06d}{self.folder.suffix.lower()}"


class PartFile(NamedTuple):
    """A complete part: its file, its header, and which part it is."""

    path: Path
    header: Header
    part: Part


def is_run(path: Path) -> bool:
    """Whether there is the folder of a run."""
    return (path / RUN_FILE).is_file()


def write_run(run: Run) -> None:
    """Writes `_run.json`; from then on the folder is this run."""
    text = json_text(
        {
            KEY: "run",
            "format": FORMAT,
            "version": __version__,
            "token": run.token,
            "complete": run.is_complete,
            "rows": run.rows,
            "about": dict(run.about),
            "arm": run.arm_text.splitlines(),
        }
    )
    with atomic_file(run.folder / RUN_FILE) as stream:
        stream.write(text.encode())


def read_run(folder: Path) -> Run:
    path = folder / RUN_FILE
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise FormatError(f"is a folder without {RUN_FILE}; no run was written there.", str(folder)) from None
    except (OSError, UnicodeError) as problem:
        raise FormatError(f"cannot be read: {problem}.", str(path)) from None
    values = json_values(text, "run", str(path))

    def build() -> Run:
        rows = int(values["rows"]) if values["complete"] else None
        return Run(folder, str(values["token"]), rows, "\n".join(values["arm"]) + "\n", dict(values["about"]))

    return built(build, str(path))


def parts_of(run: Run) -> tuple[PartFile, ...]:
    """The complete parts, in order, without a gap between them. Raises FormatError if one is lost or damaged.

    The last part of a run that is not complete may be damaged by a failure of the machine: it was never complete.
    """
    found: list[PartFile] = []
    paths = _part_paths(run)
    rows = 0
    for path in paths:
        try:
            header = run.codec.read_header(path)
        except FormatError:
            if path == paths[-1] and not run.is_complete:
                break
            raise
        part = header.part if header else None
        if header is None or part is None or part.run != run.token:
            continue
        if (part.number, part.first_row) != (len(found), rows) or path != run.part_path(part.number):
            raise FormatError(
                f"holds part {part.number} from row {part.first_row}; part {len(found)} from row {rows} should come "
                "next. A part is missing or was renamed; put it back.",
                str(path),
            )
        found.append(PartFile(path, header, part))
        rows += header.rows
    if run.is_complete and rows != run.rows:
        raise FormatError(f"holds {rows} rows of {run.rows}; a part is missing. Put it back.", str(run.folder))
    return tuple(found)


def leftovers(run: Run, parts: tuple[PartFile, ...]) -> list[Path]:
    """Files that killed processes left: temporary ones, and parts that are not of this run."""
    temporary = [path for path in run.folder.iterdir() if _TEMPORARY.fullmatch(path.name)]
    kept = {part.path for part in parts}
    return temporary + [path for path in _part_paths(run) if path not in kept]


def _part_paths(run: Run) -> list[Path]:
    """Every file that is named as a part, by its number."""
    ending = run.folder.suffix.lower()
    named = [path for path in run.folder.iterdir() if path.suffix == ending and _PART.fullmatch(path.stem)]
    return sorted(named, key=lambda path: int(path.stem.removeprefix("part-")))
