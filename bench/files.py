"""How long leverarm is busy with large files and pictures: python bench/files.py; the least of several runs each."""

from __future__ import annotations

import os
import platform
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

import leverarm as la
from leverarm.formats.mesh import inertia_of_mesh
from leverarm.identification.logs.files import read_table
from leverarm.model import Placement
from leverarm.pictures import scene_of
from leverarm.pictures.drawing import lay_out
from leverarm.pictures.svg import PAGE
from leverarm.runtime.cache import About, Cache
from leverarm.spatial import Vec3

Work = Callable[[], object]


def tasks(folder: Path, size: float = 1.0) -> Iterator[tuple[str, Work, float]]:
    """What is done, and the most seconds it may take; with less `size`, of less, such as a tenth of it."""
    yield "a compiled function of 30 kB from the cache", cached(folder / "cache"), 1e-3
    rows = int(20_000 * size)
    yield f"a log of {rows:,} x 22 numbers as CSV", long_log(folder / "log.csv", rows), 1.0
    rings = int(230 * size**0.5)
    yield f"the inertia of {2 * rings * rings:,} triangles as STL", fine_mesh(folder / "mesh.stl", rings), 3.0
    links = int(200 * size)
    yield f"a picture of {links} links", snake(links), 5.0


def cached(folder: Path) -> Work:
    """With as much text about it as a large arm has."""
    cache, parts, code = Cache(folder, 10**6), {"description": "x" * 10_000}, os.urandom(30_000)
    cache.store(parts, code, About("panda", "mass_matrix", "float64", "any"))
    assert cache.load(parts) == code
    return lambda: cache.load(parts)


def long_log(path: Path, rows: int) -> Work:
    np.savetxt(path, np.random.default_rng(3).normal(size=(rows, 22)), delimiter=",", fmt="%.7g")
    return lambda: read_table(path)


def fine_mesh(path: Path, rings: int) -> Work:
    """A torus of rings x rings squares, each cut in two."""
    turn = 2 * np.pi * np.arange(rings) / rings
    u, v = np.meshgrid(turn, turn, indexing="ij")
    away = 2 + np.cos(v)
    points = np.stack([away * np.cos(u), away * np.sin(u), np.sin(v)], axis=-1).astype("<f4")
    a, b = points, np.roll(points, -1, axis=0)
    c, d = np.roll(b, -1, axis=1), np.roll(a, -1, axis=1)
    corners = np.concatenate([np.stack(each, axis=2).reshape(-1, 9) for each in ((a, b, c), (a, c, d))])
    records = np.zeros(len(corners), [("normal", "<f4", 3), ("corners", "<f4", 9), ("extra", "<u2")])
    records["corners"] = corners
    path.write_bytes(bytes(80) + np.uint32(len(records)).tobytes() + records.tobytes())
    return lambda: inertia_of_mesh(path, density=1.0)


def snake(links: int) -> Work:
    arm = la.load("rr")
    link, bodies = arm.bodies[1], [arm.bodies[0]]
    for k in range(links):
        joint = replace(link.joint, name=f"j{k}", placement=Placement(Vec3(0.1, 0, 0)))
        bodies.append(replace(link, name=f"b{k}", parent=bodies[-1].name, joint=joint))
    long = replace(arm, bodies=tuple(bodies), named_frames=(), coordinates=())
    return lambda: lay_out(scene_of(long), PAGE)


def seconds(work: Work, runs: int) -> float:
    """The least wall time of several runs."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    print(f"{platform.machine()}, Python {platform.python_version()}, the least of several runs")
    with tempfile.TemporaryDirectory() as folder:
        for title, work, bound in tasks(Path(folder)):
            taken = seconds(work, 50 if bound < 0.1 else 3)
            verdict = "met" if taken < bound else "MISSED"
            print(f"{title:46} {1e3 * taken:8.2f} ms   bound {1e3 * bound:.0f} ms: {verdict}")


if __name__ == "__main__":
    main()
