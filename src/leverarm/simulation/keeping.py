"""Where the rows of a run are stored: in memory, or streamed to disk so that an interrupted run can resume."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from leverarm.errors import InputError, require_known
from leverarm.model import Arm
from leverarm.simulation.acting.scenario import Scenario
from leverarm.simulation.trajectories import (
    Event,
    Records,
    Stream,
    Trajectory,
    concatenated,
    load_trajectory,
    open_stream,
    resume_stream,
)
from leverarm.simulation.trajectories.files.header import codec_of
from leverarm.simulation.trajectories.files.layout import is_run, read_run

EXISTING = ("refuse", "resume", "replace")
ONE_FILE = 1_000_000
"""Most rows of a run that becomes one file when complete; a longer one stays a folder of parts."""


class Keeper(Protocol):
    """Stores the parts of a run, and returns them as a trajectory."""

    def take(self, part: Records, checkpoint: Mapping[str, Any], events: Sequence[Event]) -> None: ...

    def partial(self) -> Trajectory | None:
        """What was recorded of a run that failed; None if nothing was."""
        ...

    def finished(self, is_complete: bool) -> Trajectory | None:
        """The trajectory, complete or interrupted."""
        ...


class InMemory:
    """Keeps a run in memory."""

    def __init__(self, arm: Arm, about: Mapping[str, Any]) -> None:
        self._arm, self._about = arm, about
        self._parts: list[Records] = []
        self._events: list[Event] = []

    def take(self, part: Records, checkpoint: Mapping[str, Any], events: Sequence[Event]) -> None:
        self._parts.append(part)
        self._events += events

    def partial(self) -> Trajectory | None:
        return self.finished(False)

    def finished(self, is_complete: bool) -> Trajectory | None:
        if not any(map(len, self._parts)):
            return None
        return Trajectory(
            self._arm, concatenated(self._parts), {**self._about, "complete": is_complete}, tuple(self._events)
        )


class OnDisk:
    """Streams a run to disk."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    def take(self, part: Records, checkpoint: Mapping[str, Any], events: Sequence[Event]) -> None:
        self._stream.take(part, checkpoint, events)

    def partial(self) -> Trajectory | None:
        self._stream.close()
        return _loaded(self._stream.path, self._stream.rows) if self._stream.rows else None

    def finished(self, is_complete: bool) -> Trajectory | None:
        if not is_complete:
            return self.partial()
        self._stream.finish()
        return _put_away(self._stream.path, self._stream.rows)


def complete_run(mark: str, output: str | os.PathLike[str] | None, existing: str) -> Trajectory | None:
    """The requested run, if it is to be resumed but is complete already."""
    if output is None or existing != "resume":
        return None
    path = _checked(output)
    if not path.exists() and _aside(path).is_dir():
        _aside(path).rename(path)  # it was stopped while it became one file
    if path.is_dir() and is_run(path):
        run = read_run(path)
        if run.is_complete and run.about.get("mark") == mark:
            return _put_away(path, run.rows or 0)
    elif path.is_file():
        trajectory = load_trajectory(path)
        if trajectory.about.get("mark") == mark:
            return trajectory
    return None


def keeper_of(
    arm: Arm, about: Mapping[str, Any], mark: str, output: str | os.PathLike[str] | None, existing: str
) -> tuple[Keeper, Mapping[str, Any] | None]:
    """Where a run is stored, and the checkpoint to resume from, if it was started before.

    `mark` identifies the run: only the same run is resumed.
    """
    require_known("way with what exists", existing, EXISTING)
    if output is None:
        return InMemory(arm, about), None
    path = _checked(output)
    if existing == "resume" and path.is_dir():
        resumed = resume_stream(path)
        if resumed.about.get("mark") != mark:
            raise InputError(
                f"{path} holds another run: its arm, start, forces, method or times differ from those given now. Give "
                'those it was begun with, or another name, or existing="replace".'
            )
        return OnDisk(resumed.stream), resumed.checkpoint
    if path.exists():
        _make_way(path, existing)
    return OnDisk(open_stream(path, arm, {**about, "mark": mark})), None


def _checked(output: str | os.PathLike[str]) -> Path:
    """The path of an output, checked to be writable before anything is replaced."""
    codec_of(output)
    path = Path(output)
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        pass
    except (OSError, ValueError) as problem:
        why = getattr(problem, "strerror", None) or problem
        raise InputError(f"output: {str(path)[:100]!r} cannot be written: {why}. Give another name.") from None
    return path.resolve() if path.is_symlink() else path  # a link stays, what it points at is replaced


def mark_of(scenario: Scenario, start: tuple[Sequence[float], Sequence[float]], about: Mapping[str, Any]) -> str:
    """The identity of a run: the system, its data, the start, the method and the times."""
    digest = sha256(repr((scenario.system, start, sorted(about.items()))).encode())
    for source in scenario.sources:
        for part in ("begins", "rows", "std", "every", "seed"):
            value = getattr(source, part, None)
            digest.update(repr(value).encode() if not isinstance(value, np.ndarray) else value.tobytes())
    if (callback := scenario.callback) is not None:
        digest.update(getattr(callback.function, "__qualname__", "").encode())
        code = getattr(callback.function, "__code__", None)
        digest.update(b"" if code is None else code.co_code + repr(code.co_consts).encode())
    return digest.hexdigest()


def _make_way(path: Path, existing: str) -> None:
    """Removes an earlier run of this name if requested."""
    if existing == "resume" and path.is_file():
        raise InputError(f"{path} is a complete run; there is nothing to resume. Load it, or give another name.")
    if existing == "refuse":
        what = "an unfinished run" if is_run(path) and not read_run(path).is_complete else "there already"
        more = 'Resume it with existing="resume", or' if what == "an unfinished run" else "Give another name, or"
        raise InputError(f'{path} is {what}. {more} replace it with existing="replace".')
    if path.is_dir() and not is_run(path):
        raise InputError(f"{path} is a folder that holds no run; it was left unchanged. Give another name.")
    try:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    except OSError as problem:
        raise InputError(f"{path} cannot be replaced: {problem.strerror or problem}. Give another name.") from None


def _loaded(folder: Path, rows: int) -> Trajectory:
    """A run on disk, or every so many rows of it where it is too long to be held."""
    return load_trajectory(folder, every=max(1, rows // ONE_FILE))


def _put_away(folder: Path, rows: int) -> Trajectory:
    """A complete run: as one file in place of its folder, if it is not too long."""
    trajectory = _loaded(folder, rows)
    if rows > ONE_FILE:
        return trajectory
    beside = folder.with_name(f".{os.getpid()}.{folder.name}")
    try:
        trajectory.save(beside)
        folder.rename(_aside(folder))
        beside.rename(folder)
    finally:
        beside.unlink(missing_ok=True)
    shutil.rmtree(_aside(folder))
    return trajectory


def _aside(folder: Path) -> Path:
    """Temporary place of a run's folder while its file replaces it."""
    return folder.with_name(f".{folder.name}.parts")
