"""Wavefront OBJ: lines `v x y z` and faces `f 1 2 3`, `f 1/1/1 2/2/1 ...`, `f -3 -2 -1`. Everything else is skipped."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from leverarm.errors import FormatError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


MAX_VERTICES = 10**9


def obj_triangles(data: bytes, file: str) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Vertices and triangles; a polygon becomes a fan around its first vertex."""
    import numpy as np

    vertices: list[list[float]] = []
    triangles: list[tuple[int, int, int]] = []
    lines: list[int] = []
    text = data.decode("utf-8", errors="replace")
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith(("v ", "v\t")):
            vertices.append(_vertex(line, file, number))
        elif line.startswith(("f ", "f\t")):
            if line.rstrip().endswith("\\"):
                raise FormatError("a face continues on the next line; write it on one line.", file, number)
            face = [_index(word, len(vertices), file, number) for word in line.split("#")[0].split()[1:]]
            if len(face) < 3:
                raise FormatError(f"a face has {len(face)} vertices; it needs at least 3.", file, number)
            triangles += [(face[0], face[k], face[k + 1]) for k in range(1, len(face) - 1)]
            lines += [number] * (len(face) - 2)
    if not triangles:
        raise FormatError("the mesh holds no faces.", file)
    faces = np.array(triangles, dtype=np.int64)
    beyond = np.flatnonzero((faces >= len(vertices)).any(axis=1))
    if len(beyond):
        raise FormatError(
            f"a face refers to vertex {faces[beyond[0]].max() + 1}; there are {len(vertices)}.", file, lines[beyond[0]]
        )
    return np.array(vertices, dtype=np.float64), faces


def _vertex(line: str, file: str, number: int) -> list[float]:
    try:
        x, y, z = (float(word) for word in line.split()[1:4])
    except ValueError:
        raise FormatError(f"{line.strip()!r} is not 'v' and three numbers.", file, number) from None
    if not (math.isfinite(x) and math.isfinite(y) and math.isfinite(z)):
        raise FormatError(f"{line.strip()!r}: a vertex must be finite.", file, number)
    return [x, y, z]


def _index(word: str, count: int, file: str, number: int) -> int:
    """From the file's counting (from 1, or backwards from -1) to counting from 0."""
    try:
        given = int(word.split("/", 1)[0])
    except ValueError:
        raise FormatError(f"{word!r} is not a vertex number.", file, number) from None
    if given == 0 or -given > count or given > MAX_VERTICES:
        raise FormatError(f"vertex number {given} does not exist; they count from 1, or back from -1.", file, number)
    return given - 1 if given > 0 else count + given
