"""Trajectories as Parquet files, through pyarrow (the extra `parquet`)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from leverarm.errors import FormatError
from leverarm.late_import import installed
from leverarm.model import Arm
from leverarm.simulation.trajectories.files.columns import columns_of, first_fault, records_from, units_of, used_names
from leverarm.simulation.trajectories.files.header import KEY, Header, header_from, header_text
from leverarm.simulation.trajectories.records import Records


def arrow(module: str = "pyarrow") -> Any:
    """A module of pyarrow. Raises MissingExtraError, with the command that installs it."""
    remedy = "Run: pip install 'leverarm[parquet]'; or write .npz or .csv, which need nothing."
    return installed(module, "Parquet files need", remedy)


def write(stream: BinaryIO, records: Records, arm: Arm, header: Header) -> None:
    """Writes Parquet. Smooth motions differ in their last bytes: byte-stream splitting saves a quarter of the space."""
    pa, pq = arrow(), arrow("pyarrow.parquet")
    columns, units = columns_of(records, arm), units_of(arm, records.works)
    arrays = [pa.array(np.ascontiguousarray(values)) for values in columns.values()]
    fields = [
        pa.field(name, array.type, nullable=False, metadata={"unit": units[name]} if units[name] else None)
        for name, array in zip(columns, arrays, strict=True)
    ]
    schema = pa.schema(fields, metadata={KEY: header_text(header, arm, records.works)})
    numbers = [field.name for field in fields if field.type == pa.float64()]
    pq.write_table(
        pa.Table.from_arrays(arrays, schema=schema),
        stream,
        compression="zstd",
        compression_level=1,
        use_dictionary=False,
        use_byte_stream_split=numbers,
    )


def read_header(path: Path) -> Header | None:
    pq = arrow("pyarrow.parquet")
    try:
        schema = pq.read_schema(path)
    except (OSError, ValueError) as problem:
        raise _damage(path, problem) from None
    return _header(schema, path)


def read(path: Path) -> tuple[Header | None, Callable[[Arm], Records]]:
    """The header, if there is one, and the records for an arm."""
    pq = arrow("pyarrow.parquet")
    try:
        with pq.ParquetFile(path) as opened:
            table = opened.read()
    except (OSError, ValueError) as problem:
        raise _damage(path, problem) from None
    header = _header(table.schema, path)

    def records(arm: Arm) -> Records:
        used = used_names(table.column_names, arm, header is None, str(path))
        columns = {name: _numbers(table, name, path) for name in used}
        if fault := first_fault(columns):
            raise FormatError(f"row {fault.row}: {fault.message}", str(path))
        return records_from(columns, arm)

    return header, records


def _numbers(table: Any, name: str, path: Path) -> NDArray[Any]:
    column = table.column(name)
    if column.null_count:
        row = next(row for row, is_valid in enumerate(column.is_valid().to_pylist()) if not is_valid)
        raise FormatError(f"row {row}: {name} is empty; every row needs a number.", str(path))
    values = np.asarray(column.to_numpy())
    if values.dtype.kind not in "biuf":
        raise FormatError(f"column {name} holds {column.type}; it must hold numbers.", str(path))
    return values


def _header(schema: Any, path: Path) -> Header | None:
    text = (schema.metadata or {}).get(KEY.encode())
    return header_from(text.decode("utf-8", "replace"), str(path)) if text is not None else None


def _damage(path: Path, problem: Exception) -> FormatError:
    reason = str(problem).splitlines()[0][:200] if str(problem) else type(problem).__name__
    return FormatError(f"cannot be read as Parquet ({reason}); it is damaged or something else.", str(path))
