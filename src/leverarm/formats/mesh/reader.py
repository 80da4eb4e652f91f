"""Triangle meshes from STL (binary and text) and OBJ files, and the inertia of the solid they enclose."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from leverarm.errors import FormatError, InputError, LeverarmError
from leverarm.formats.mesh.obj import obj_triangles
from leverarm.formats.mesh.stl import stl_triangles
from leverarm.formats.mesh.vertex_merging import merged_vertices
from leverarm.model.inertias.mass_or_density import mass_of
from leverarm.model.inertias.polyhedron import SolidMoments, check_edges, inertia_of_solid
from leverarm.scalars import Scalar
from leverarm.spatial import Inertia, Symmetric3, Vec3

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
    file = Path(path)
    reader = READERS.get(file.suffix.lower())
    if reader is None:
        raise FormatError(f"suffix {file.suffix!r}; meshes are read from {' and '.join(READERS)} files.", str(file))
    try:
        size = file.stat().st_size
        if size > MAX_BYTES:
            raise FormatError(
                f"{size / 1e6:.0f} MB; meshes up to {MAX_BYTES / 1e6:.0f} MB are read. Simplify it first.", str(file)
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
    raise FormatError(f"cannot read the mesh ({problem.strerror or problem}); check the path.", str(file)) from None


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
