"""Logs as Parquet files, through pyarrow (the extra `parquet`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leverarm.errors import FormatError
from leverarm.logs.files.arrays import table_from_arrays
from leverarm.logs.files.extras import installed
from leverarm.logs.files.table import Table


def read(path: Path) -> Table:
    """The columns of a Parquet file; a column of lists of n numbers is n columns.

    Raises MissingExtraError, FormatError.
    """
    pq = installed("pyarrow.parquet", "Parquet files", "Run: pip install 'leverarm[parquet]'; or give the log as .csv.")
    try:
        with pq.ParquetFile(path) as opened:
            table = opened.read()
    except (OSError, ValueError) as problem:
        reason = (str(problem) or type(problem).__name__).splitlines()[0][:200]
        raise FormatError(
            f"cannot be read as Parquet ({reason}); it is damaged or something else.", str(path)
        ) from None
    flat = table.flatten()
    return table_from_arrays(path.name, {name: _array(flat.column(name)) for name in flat.column_names}, str(path))


def _array(column: Any) -> NDArray[Any]:
    values = np.asarray(column.to_numpy())
    if values.dtype != object or not len(values):
        return values
    try:
        if isinstance(values[0], np.ndarray | list):
            return np.stack(list(values))
        return values.astype(np.float64)
    except (TypeError, ValueError):
        return values
