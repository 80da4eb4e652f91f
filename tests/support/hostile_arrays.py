"""NPZ and NPY files that claim more than they hold, as somebody who means harm would make them."""

from __future__ import annotations

import io
import zipfile

import numpy as np


def npy(header: str, data: bytes = bytes(80), version: int = 1) -> bytes:
    """An .npy file with any header."""
    text = header.encode() + b"\n"
    length = len(text).to_bytes(2 if version == 1 else 4, "little")
    return b"\x93NUMPY" + bytes([version, 0]) + length + text + data


def claim(shape: str, kind: str = "<f8") -> str:
    return f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}}}"


def npz(member: bytes, compression: int = zipfile.ZIP_STORED) -> bytes:
    """An .npz file with the array t and this member as q."""
    stream, times = io.BytesIO(), io.BytesIO()
    np.save(times, np.arange(10.0))
    with zipfile.ZipFile(stream, "w", compression) as archive:
        archive.writestr("t.npy", times.getvalue())
        archive.writestr("q.npy", member)
    return stream.getvalue()


def lying(content: bytes, size: int) -> bytes:
    """The file, whose list of contents says that the last member has this many bytes."""
    at = content.rindex(b"PK\x01\x02")
    return content[: at + 24] + size.to_bytes(4, "little") + content[at + 28 :]


TERABYTES = npy(claim("(1000000000000,)"))
MEMBERS = {
    "rows": TERABYTES,
    "rows and columns": npy(claim("(1000000, 1000000, 3)")),
    "version 2": npy(claim("(1000000000000,)"), version=2),
    "version 3": npy(claim("(1000000000000,)"), version=3),
    "negative": npy(claim("(-1,)")),
    "twice negative": npy(claim("(-1000000, -1000000)")),
    "overflow": npy(claim("(4294967296, 4294967296)")),
    "overflow to nothing": npy(claim("(9223372036854775808, 2)")),
    "long number": npy(claim(f"({'9' * 4000},)")),
    "no bytes each": npy(claim("(1000000000000,)", "<U0")),
    "long texts": npy(claim("(2,)", "<U500000000")),
    "not a shape": npy(claim("7")),
    "cut in the header": npy(claim("(10,)"))[:30],
    "cut in the data": npy(claim("(10,)"), bytes(79)),
}
PACKED = {
    **{name: npz(member) for name, member in MEMBERS.items()},
    "deflated": npz(TERABYTES, zipfile.ZIP_DEFLATED),
    "bzip2": npz(TERABYTES, zipfile.ZIP_BZIP2),
    "lzma": npz(TERABYTES, zipfile.ZIP_LZMA),
    "zip bomb that is none": lying(npz(npy(claim("(500000000,)")), zipfile.ZIP_DEFLATED), 4_000_000_080),
    "cut zip": npz(TERABYTES)[:-30],
    "half a zip": npz(TERABYTES)[:200],
}
