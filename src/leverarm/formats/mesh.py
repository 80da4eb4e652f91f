"""Triangle meshes from STL and OBJ files, and the inertia of the solid they enclose.

STL is a list of triangles, binary (80 bytes of header, a count, 50 bytes each) or text. Of Wavefront OBJ the lines
`v x y z` and `f 1 2 3`, `f 1/1/1 2/2/1 ...`, `f -3 -2 -1` are read, and everything else is skipped. Vertices at the
same place are merged, so that triangles that touch share their edges.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from leverarm.errors import FormatError, InputError, LeverarmError, path_text
from leverarm.model.inertias.polyhedron import SolidMoments, check_edges, inertia_of_solid
from leverarm.model.inertias.shapes import mass_of
from leverarm.scalars import Scalar
from leverarm.spatial import Inertia, Symmetric3, Vec3

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
        raise FormatError("the mesh has no faces; a solid needs at least four. Export it again.", file)
    faces = np.array(triangles, dtype=np.int64)
    beyond = np.flatnonzero((faces >= len(vertices)).any(axis=1))
    if len(beyond):
        raise FormatError(
            f"a face refers to vertex {faces[beyond[0]].max() + 1}; the file has {len(vertices)}. Export it again.",
            file,
            lines[beyond[0]],
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


def merged_vertices(
    vertices: NDArray[np.float64], triangles: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The distinct vertices, exactly equal (0 and -0 are), in sorted order, and the triangles over them."""
    import numpy as np

    order = np.lexsort(vertices.T)
    ordered = vertices[order]
    is_new = np.ones(len(vertices), dtype=bool)
    is_new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    index = np.empty(len(vertices), dtype=np.int64)
    index[order] = np.cumsum(is_new) - 1
    return ordered[is_new], index[triangles]


HEADER, RECORD = 84, 50
STRUCTURE = ("solid", "endsolid", "outer", "endloop", "endfacet")


def stl_triangles(data: bytes, file: str) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Vertices, merged where equal to the last bit, and triangles."""
    import numpy as np

    corners = _binary_corners(data, file) if _is_binary(data) else _text_corners(data, file)
    if len(corners) == 0:
        raise FormatError("the mesh has no triangles; a solid needs at least four. Export it again.", file)
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


if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Mesh = tuple[NDArray[np.float64], NDArray[np.int64]]

MAX_BYTES = 200_000_000
READERS = {".stl": stl_triangles, ".obj": obj_triangles}


def read_mesh(path: str | Path) -> Mesh:
    """The vertices (n, 3) and triangles (t, 3) of an STL or OBJ file, in the file's unit of length.

    Vertices of an STL that are equal to the last bit are one; polygons of an OBJ are cut into triangles. Raises
    FormatError, with the line where there is one, for a file that cannot be read.
    """
    file = Path(path_text(path, "link1.stl"))
    reader = READERS.get(file.suffix.lower())
    if reader is None:
        raise FormatError(
            f"the ending of {file.name!r} is no mesh format. Valid: {', '.join(READERS)}. Export it as one of them.",
            str(file),
        )
    try:
        size = file.stat().st_size
        if size > MAX_BYTES:
            raise FormatError(
                f"has {size / 1e6:.0f} MB; meshes up to {MAX_BYTES / 1e6:.0f} MB are read. Simplify it first.",
                str(file),
            )
        data = file.read_bytes()
    except OSError as problem:
        _unreadable(file, problem)
    return reader(data, str(file))


def inertia_of_mesh(
    path: str | Path, *, density: Scalar | None = None, mass: Scalar | None = None, scale: float = 1
) -> Inertia:
    """The inertia of the solid inside a watertight mesh, about the frame its vertices are given in.

    `scale` is the file's unit of length in metres (0.001 for millimetres). Raises FormatError for an unreadable file or
    a surface that is open, inconsistently oriented or flat.
    """
    if not 0 < scale < float("inf"):
        raise InputError(f"scale is {scale}; it must be a positive number, such as 0.001 for a mesh in millimetres.")
    mass_of("mesh", 1, mass, density)
    vertices, triangles = merged_vertices(*read_mesh(path))
    try:
        check_edges(*_edge_defects(triangles))
        return inertia_of_solid(_moments(vertices * scale, triangles), density, mass)
    except LeverarmError as problem:
        raise FormatError(str(problem), str(path)) from None


def _unreadable(file: Path, problem: OSError) -> NoReturn:
    raise FormatError(f"cannot be read: {problem.strerror or problem}. Check the path.", str(file)) from None


def _edge_defects(triangles: NDArray[np.int64]) -> tuple[int, int]:
    """As for polyhedra: open edges, and edges used unevenly in the two directions."""
    import numpy as np

    a, b = triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()
    real = a != b
    a, b = a[real], b[real]
    low, high = np.minimum(a, b), np.maximum(a, b)
    keys = low * (int(triangles.max()) + 1) + high
    order = np.argsort(keys)
    starts = np.flatnonzero(np.diff(keys[order], prepend=-1))
    uses = np.diff(starts, append=len(keys))
    balance = np.add.reduceat(np.where(a < b, 1, -1)[order], starts)
    is_open = uses % 2 == 1
    return int(is_open.sum()), int(((balance != 0) & ~is_open).sum())


def _moments(vertices: NDArray[np.float64], triangles: NDArray[np.int64]) -> SolidMoments:
    """The sums of model/polyhedron.py over arrays; see there for the formula."""
    import numpy as np

    corner = vertices[triangles[0, 0]]
    a, b, c = (vertices[triangles[:, k]] - corner for k in range(3))
    s = a + b + c
    six_volumes = np.einsum("ij,ij->i", a, np.cross(b, c))
    second = sum(np.einsum("i,ij,ik->jk", six_volumes, v, v) for v in (a, b, c, s)) / 120
    return SolidMoments(
        volume=float(six_volumes.sum()) / 6,
        first=Vec3(*(float(x) for x in six_volumes @ s / 24)),
        second=Symmetric3(*(float(second[i, j]) for i, j in ((0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)))),
        corner=Vec3(*map(float, corner)),
        size=float(np.ptp(vertices, axis=0).max()),
    )
