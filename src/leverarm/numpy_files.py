"""Arrays from the .npz and .npy files of NumPy, checked before they are read.

NumPy allocates whatever the header of an array claims. Here the claim is first compared with the bytes that are there,
so that a small file cannot ask for terabytes. Pickled objects are never loaded: that would run code from the file.
"""

from __future__ import annotations

import math
import zipfile
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from leverarm.errors import FormatError

MAGIC = b"\x93NUMPY"
_LARGEST_RATIO = {zipfile.ZIP_STORED: 1, zipfile.ZIP_DEFLATED: 1032}
"""At most so many bytes come out of one byte; of deflate: zlib Technical Details, "Maximum Compression Factor"."""
_CHUNK = 1 << 20


class Arrays(NamedTuple):
    """The arrays of a file by name, that of an .npy file under ""; and the names of those that are pickled."""

    by_name: dict[str, NDArray[Any]]
    pickled: tuple[str, ...]


def read_arrays(path: Path, only: Collection[str] | None = None) -> Arrays:
    """The arrays in an .npz or .npy file, or only those named. Raises FormatError for a file that is damaged."""
    try:
        found = dict(_arrays(path, only))
    except Exception as problem:  # zipfile, zlib and NumPy raise almost anything for a damaged file
        reason = str(problem) or type(problem).__name__
        raise FormatError(
            f"cannot be read as NPZ or NPY ({reason}); it is damaged or something else. Write it with np.savez.",
            str(path),
        ) from None
    arrays = {name: array for name, array in found.items() if array is not None}
    return Arrays(arrays, tuple(name for name in found if name not in arrays))


def _arrays(path: Path, only: Collection[str] | None) -> Iterator[tuple[str, NDArray[Any] | None]]:
    size = path.stat().st_size
    with path.open("rb") as stream:
        if _is_array(stream):
            yield "", _array(stream, size)
            return
        with zipfile.ZipFile(stream) as archive:
            for info in archive.infolist():
                name = info.filename.removesuffix(".npy")
                if only is not None and name not in only:
                    continue
                with archive.open(info) as member:
                    if _is_array(member):
                        yield name, _array(member, _available(archive, info, size))


def _is_array(stream: IO[bytes]) -> bool:
    begin = stream.read(len(MAGIC))
    stream.seek(0)
    return begin == MAGIC


def _available(archive: zipfile.ZipFile, info: zipfile.ZipInfo, file_size: int) -> int:
    """At most how many bytes a member has, whatever the archive says of it."""
    ratio = _LARGEST_RATIO.get(info.compress_type)
    if ratio is not None:
        return min(info.file_size, ratio * min(info.compress_size, file_size))
    with archive.open(info) as member:
        return sum(len(chunk) for chunk in iter(lambda: member.read(_CHUNK), b""))


def _array(stream: IO[bytes], available: int) -> NDArray[Any] | None:
    """The array in a stream of so many bytes; None if it is pickled."""
    version = npy.read_magic(stream)
    # 3.0 is 2.0 with names of fields in UTF-8, which matter to no size
    read_header = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    shape, _, dtype = read_header(stream)
    if dtype.hasobject:
        return None
    needed = stream.tell() + math.prod(shape) * max(dtype.itemsize, 1)
    if min(shape, default=0) < 0 or needed > available:
        raise ValueError(f"it claims an array of {dtype} of shape {str(shape)[:60]}, but has {available:,} bytes")
    stream.seek(0)
    return np.asarray(npy.read_array(stream, allow_pickle=False))
