"""Any log file as a table: its kind is recognised by its first bytes, then by its extension."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from pathlib import Path

from leverarm.errors import FormatError
from leverarm.identification.logs.files import array_files, bags, text
from leverarm.identification.logs.files.table import Table

Reader = Callable[[Path], Table]

BEGINNINGS: tuple[tuple[bytes, Reader], ...] = (
    (b"PK\x03\x04", array_files.read_npz),
    (b"\x93NUMPY", array_files.read_npz),
    (b"PAR1", array_files.read_parquet),
    (b"MATLAB ", array_files.read_matlab),
    (b"\x89MCAP0\r\n", bags.read),
    (b"#ROSBAG V", bags.read),
    (b"SQLite format 3\0", bags.read),
    (text.GZIP, text.read),
)
TEXTS = (".csv", ".tsv", ".txt", ".dat", ".log")
ENDINGS: Mapping[str, Reader] = dict.fromkeys(TEXTS, text.read) | {
    ".npz": array_files.read_npz,
    ".npy": array_files.read_npz,
    ".parquet": array_files.read_parquet,
    ".mat": array_files.read_matlab,
    ".mcap": bags.read,
    ".db3": bags.read,
    ".bag": bags.read,
}
_SHEETS = (".xlsx", ".xls", ".ods")
_VALID = (
    f"A log is text ({', '.join(TEXTS)}, also compressed as .gz), .npz, .npy, .parquet, .mat, or a recording of ROS "
    "(.mcap, .db3, .bag or the folder of a rosbag2)"
)


def read_table(path: Path) -> Table:
    """The numbers of a log file, in its own units, with the rows that were dropped or repaired and why.

    Raises FormatError, with file and line, if there is no such file or no table in it; MissingExtraError, with the
    command that installs it, if reading it needs an optional package.
    """
    file = str(path)
    try:
        if path.is_dir():
            return _folder(path)
        if not path.is_file():
            raise FormatError(f"there is no such file{_nearest(path)}", file[:200])
        with path.open("rb") as stream:
            begin = stream.read(16)
        if not begin:
            raise FormatError(f"is empty. {_VALID}.", file)
        return _reader(path, begin)(path)
    except FileNotFoundError:
        raise FormatError("there is no such file.", file[:200]) from None
    except OSError as problem:
        raise FormatError(f"cannot be read: {problem.strerror or problem}.", file[:200]) from None


def _reader(path: Path, begin: bytes) -> Reader:
    ending = path.suffix.lower()
    if ending in _SHEETS:
        raise FormatError(f"is a spreadsheet, which cannot be read. Save the sheet as .csv. {_VALID}.", str(path))
    found = next((reader for start, reader in BEGINNINGS if begin.startswith(start)), None)
    if found is not None:
        return found
    if ending not in ENDINGS:
        given = f"the ending {ending!r}" if ending else "no ending"
        raise FormatError(f"has {given}, which is no known kind of log. {_VALID}.", str(path))
    return ENDINGS[ending]


def _folder(path: Path) -> Table:
    if (path / array_files.RUN_FILE).is_file():
        return array_files.read_run_folder(path, read_table)
    if (path / "metadata.yaml").is_file():
        return bags.read(path)
    raise FormatError(f"is a folder, and not that of a rosbag2 (it has no metadata.yaml). {_VALID}.", str(path))


def _nearest(path: Path) -> str:
    try:
        near = get_close_matches(path.name, [each.name for each in path.parent.iterdir()], n=2, cutoff=0.7)
    except OSError:
        near = []
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else "."
