"""Streaming a long run to disk in parts; each is written atomically, with the checkpoint to resume from."""

from __future__ import annotations

import math
import os
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from leverarm.atomic_write import atomic_file
from leverarm.errors import FormatError, InputError
from leverarm.model import Arm
from leverarm.simulation.trajectories.files.header import Header, Part, arm_from, codec_of, text_of_arm
from leverarm.simulation.trajectories.files.layout import Run, is_run, leftovers, parts_of, read_run, write_run
from leverarm.simulation.trajectories.files.loading import check_is_finite
from leverarm.simulation.trajectories.records import Event, Records, concatenated

PART_ROWS = 65_536
PART_SECONDS = 1.0
PART_OF_WORK = 0.01
"""A part is written after so many rows, or after a second or a hundredth of the time that the run has taken.

So a run that is killed loses about a hundredth of its work, and a long one does not write a part each second.
"""


class Stream:
    """Writes a run into a folder `run.parquet/`, `run.npz/` or `run.csv/`, part by part.

    `take` buffers rows until there are enough for a part. `close` writes the rest; `finish` also marks the run as
    complete. If the process is killed, the folder holds every complete part, and the run resumes from the checkpoint
    of the last one.
    """

    def __init__(self, run: Run, arm: Arm, parts: int = 0, rows: int = 0, until: float = -math.inf) -> None:
        self.arm = arm
        self._run = run
        self._parts = parts
        self._rows = rows
        self._waiting: list[Records] = []
        self._events: list[Event] = []
        self._checkpoint: Mapping[str, Any] = {}
        self._accounts: Mapping[str, Any] = {}
        self._until = until
        self._begun = self._written = time.monotonic()

    def __repr__(self) -> str:
        return f"<Stream to {str(self.path)!r}: {self.rows:,} rows>"

    @property
    def path(self) -> Path:
        """The folder of the run."""
        return self._run.folder

    @property
    def rows(self) -> int:
        """How many rows the run has so far, including buffered ones."""
        return self._rows + sum(len(part) for part in self._waiting)

    def take(self, part: Records, checkpoint: Mapping[str, Any], events: Sequence[Event] = ()) -> None:
        """Takes the next rows, possibly none, and the checkpoint after them: plain JSON values.

        The caller must not change the rows afterwards: they are written later.
        """
        self._check(part)
        self._waiting.append(part)
        self._events += [Event(*event) for event in events]
        self._checkpoint = checkpoint
        now = time.monotonic()
        is_late = now - self._written >= max(PART_SECONDS, PART_OF_WORK * (now - self._begun))
        if is_late or sum(len(part) for part in self._waiting) >= PART_ROWS:
            self._write()

    def close(self) -> None:
        """Writes the buffered rows. The run can be resumed."""
        if self._waiting:
            self._write()

    def finish(self, about: Mapping[str, Any] | None = None) -> None:
        """Writes the buffered rows and marks the run as complete, with further entries for `about`."""
        self.close()
        self._run = replace(self._run, rows=self._rows, about={**self._run.about, **(about or {})})
        write_run(self._run)

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def _check(self, part: Records) -> None:
        """What is written must be loaded again: finite rows of this arm, later than those before, the same accounts."""
        check_is_finite(part)
        if part.dof != self.arm.dof:
            raise InputError(f"a part with {part.dof} joints was given; arm {self.arm.name!r} has {self.arm.dof}.")
        if part.works.keys() != (self._accounts or part.works).keys():
            raise InputError(f"a part has the accounts of work {[*part.works]}; those before had {[*self._accounts]}.")
        if len(part) and part.t[0] < self._until:
            raise InputError(f"a part begins at t = {float(part.t[0])!r} s; the run is at {self._until!r} s already.")
        self._accounts = dict.fromkeys(part.works)
        self._until = float(part.t[-1]) if len(part) else self._until

    def _write(self) -> None:
        """One part. A checkpoint without rows is a part too, so that a run that records rarely can resume from it."""
        records = concatenated(self._waiting)
        span = (float(records.t[0]), float(records.t[-1])) if len(records) else None
        part = Part(self._run.token, self._parts, self._rows, span, self._checkpoint)
        run, joints = self._run, self.arm.joint_names
        header = Header(run.arm_text, joints, run.about, tuple(self._events), len(records), part)
        path = self._run.part_path(self._parts)
        if path.exists():
            raise FormatError("is there already: another process writes this run. Let one of them write.", str(path))
        try:
            with atomic_file(path) as stream:
                self._run.codec.write(stream, records, self.arm, header)
        finally:
            if path.exists():  # also where Ctrl-C came right after it took its place
                self._parts += 1
                self._rows += len(records)
                self._waiting, self._events = [], []
                self._written = time.monotonic()


class Resumed(NamedTuple):
    """A run to resume: its stream, its checkpoint (None: the start), its arm, how it is made."""

    stream: Stream
    checkpoint: Mapping[str, Any] | None
    arm: Arm
    about: Mapping[str, Any]


def open_stream(path: str | os.PathLike[str], arm: Arm, about: Mapping[str, Any]) -> Stream:
    """A new run in a folder whose ending names the format of its parts: .parquet, .npz or .csv.

    A complete run that is there is replaced. Raises FormatError if it is not complete or if something else is there.
    """
    codec_of(path)
    folder = Path(path).absolute()
    before = _run_before(folder)
    run = Run(folder, secrets.token_hex(8), None, text_of_arm(arm), dict(about))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        why = problem.strerror or problem
        raise FormatError(f"cannot be made: {why}. Give a folder that you may write to.", str(folder)) from None
    write_run(run)
    if before is not None:
        _remove(leftovers(run, ()))
    return Stream(run, arm)


def resume_stream(path: str | os.PathLike[str]) -> Resumed:
    """An unfinished run to resume after its last complete part. Leftovers of a killed process are removed."""
    codec_of(path)
    folder = Path(path).absolute()
    if not folder.is_dir():
        raise FormatError("there is no folder of a run there; start one.", str(path))
    run = read_run(folder)
    if run.is_complete:
        raise FormatError("is complete; there is nothing to resume. Load it, or start a new run.", str(path))
    parts = parts_of(run)
    _remove(leftovers(run, parts))
    arm = arm_from(run.arm_text, str(folder))
    ends = [part.part.span[1] for part in parts if part.part.span]
    stream = Stream(run, arm, len(parts), sum(part.header.rows for part in parts), max(ends, default=-math.inf))
    return Resumed(stream, parts[-1].part.checkpoint if parts else None, arm, run.about)


def _run_before(folder: Path) -> Run | None:
    """The run that a new one may replace."""
    if is_run(folder):
        run = read_run(folder)
        if run.is_complete or not parts_of(run):
            return run
        raise FormatError("holds a run that is not finished. Resume it, or remove the folder first.", str(folder))
    if folder.is_dir() and not any(folder.iterdir()):
        return None
    if folder.exists():
        kind = "a folder with other things in it" if folder.is_dir() else "a file"
        raise FormatError(f"is {kind} and not a streamed run; it was left unchanged. Give another name.", str(folder))
    return None


def _remove(paths: list[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)
