"""A run that leverarm streamed to a folder: its parts, one table after another."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from leverarm.errors import FormatError
from leverarm.logs.files.table import Table

RUN_FILE = "_run.json"
_PART = re.compile(r"part-\d{6,}\.\w+")


def read(folder: Path, read_part: Callable[[Path], Table]) -> Table:
    """The columns of all parts, in order. Raises FormatError if there is none yet."""
    parts = [read_part(path) for path in sorted(folder.iterdir()) if _PART.fullmatch(path.name)]
    if not parts:
        raise FormatError("holds no complete part of a run yet.", str(folder))
    columns = {name: np.concatenate([part.columns[name] for part in parts]) for name in parts[0].columns}
    rows = np.arange(1, len(columns["t"]) + 1, dtype=np.int64)
    return replace(parts[0], name=folder.name, columns=columns, rows=rows)
