"""Rivals run one by one in fresh processes, each stage cut off after a while."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

BENCH = Path(__file__).resolve().parents[1]
STAGES = ("raw", "simplified")
PATIENCE = 120.0
"""Seconds for what is not timed: starting, importing, counting, checking."""


@dataclass(frozen=True, slots=True)
class Stage:
    """CPU seconds of one stage, or why there are none; the size of its result and its error at a random motion."""

    rival: str
    arm: str
    stage: str
    seconds: float | None = None
    operations: int | None = None
    deviation: float | None = None
    note: str = ""


def run_rival(rival: str, arm: str, cut_off: float) -> Iterator[Stage]:
    """Every stage that a rival reaches on an arm, and the one it was cut off in."""
    path = os.pathsep.join([str(BENCH), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-m", "derive_rivals.worker", rival, arm]
    environment = {**os.environ, "PYTHONPATH": path}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=_forward, args=(process, lines), daemon=True).start()
        try:
            yield from _stages(rival, arm, cut_off, lines)
        finally:
            process.kill()


def _forward(process: subprocess.Popen[str], lines: queue.Queue[str | None]) -> None:
    for line in process.stdout or ():
        lines.put(line)
    lines.put(None)


def _stages(rival: str, arm: str, cut_off: float, lines: queue.Queue[str | None]) -> Iterator[Stage]:
    opening = lines.get(timeout=PATIENCE)
    skipped = "the process died" if opening is None else json.loads(opening).get("skipped")
    if skipped:
        yield Stage(rival, arm, STAGES[0], note=f"left out: {skipped}")
        return
    for stage in STAGES:
        try:
            timed = lines.get(timeout=cut_off)
        except queue.Empty:
            yield Stage(rival, arm, stage, note=f"> {cut_off:g} s")
            return
        if timed is None:
            if stage == STAGES[0]:
                yield Stage(rival, arm, stage, note="left out: the process died")
            return
        measured = json.loads(timed)
        try:
            measured |= json.loads(lines.get(timeout=PATIENCE) or "{}")
        except queue.Empty:
            yield Stage(rival, arm, stage, note="not checked in time", **measured)
            return
        yield Stage(rival, arm, stage, **measured)
