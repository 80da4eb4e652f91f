"""STL: a bag of triangles, binary (80 bytes of header, a count, 50 bytes each) or text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leverarm.errors import FormatError
from leverarm.formats.mesh.vertex_merging import merged_vertices

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

HEADER, RECORD = 84, 50
STRUCTURE = ("solid", "endsolid", "outer", "endloop", "endfacet")


def stl_triangles(data: bytes, file: str) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Vertices, merged where equal to the last bit, and triangles."""
    import numpy as np

    corners = _binary_corners(data, file) if _is_binary(data) else _text_corners(data, file)
    if len(corners) == 0:
        raise FormatError("the mesh holds no triangles.", file)
    bad = np.flatnonzero(~np.isfinite(corners).all(axis=1))
    if len(bad):
        raise FormatError(f"triangle {bad[0] // 3} has a corner that is not finite: {corners[bad[0]].tolist()}.", file)
    return merged_vertices(corners, np.arange(len(corners)).reshape(-1, 3))


def _is_binary(data: bytes) -> bool:
    """By the promised length first: many binary files begin with the word "solid" too."""
    promised = HEADER + RECORD * int.from_bytes(data[80:84], "little")
    looks_like_text = data[:512].lstrip().lower().startswith(b"solid") and b"\0" not in data[:512]
    return len(data) >= HEADER and (len(data) == promised or not looks_like_text)


def _binary_corners(data: bytes, file: str) -> NDArray[np.float64]:
    import numpy as np

    count = int.from_bytes(data[80:84], "little")
    found = (len(data) - HEADER) / RECORD
    if found != count:
        state = "truncated" if found < count else "longer than its count says"
        raise FormatError(
            f"a binary STL that is {state}: {count} triangles promised, {found:g} found. Export it again.", file
        )
    layout = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    records = np.frombuffer(data, dtype=layout, count=count, offset=HEADER)
    return records["corners"].reshape(-1, 3).astype(np.float64)


def _text_corners(data: bytes, file: str) -> NDArray[np.float64]:
    import numpy as np

    corners: list[list[float]] = []
    start = 0
    for number, line in enumerate(data.decode("utf-8", errors="replace").splitlines(), start=1):
        words = line.split()
        if not words:
            continue
        keyword = words[0].lower()
        if keyword == "vertex":
            try:
                x, y, z = words[1:]
                corners.append([float(x), float(y), float(z)])
            except ValueError:
                raise FormatError(f"{line.strip()!r} is not 'vertex' and three numbers.", file, number) from None
        elif keyword == "facet":
            start = len(corners)
        elif keyword == "endfacet" and len(corners) != start + 3:
            raise FormatError(f"a facet has {len(corners) - start} vertices; it must have 3.", file, number)
        elif keyword not in STRUCTURE:
            raise FormatError(f"{words[0][:40]!r} does not belong in a text STL.", file, number)
    if len(corners) % 3:
        raise FormatError("the file ends within a facet; it is truncated. Export it again.", file, number)
    return np.array(corners, dtype=np.float64).reshape(-1, 3)
