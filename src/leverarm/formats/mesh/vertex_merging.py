"""Vertices at the same place become one, so that triangles that touch share their edges."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


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
