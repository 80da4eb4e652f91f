"""Solids bounded by faces, and the files they come in."""

from __future__ import annotations

import math
import struct
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from leverarm.errors import FormatError, InputError
from leverarm.formats import mesh as mesh_reader
from leverarm.formats.mesh import inertia_of_mesh, read_mesh
from leverarm.model import symbol, to_float
from leverarm.model.inertias.algebra import moved
from leverarm.model.inertias.polyhedron import inertia_of_polyhedron
from leverarm.model.inertias.shapes import inertia_of_box, inertia_of_sphere
from leverarm.spatial import IDENTITY, Pose, Vec3
from tests.support.python_calls import python_calls

BOX = [(x, y, z) for x, y, z in product((1, 2), (0, 2), (-3, 0))]
QUADS = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
TRIANGLES = [t for a, b, c, d in QUADS for t in ((a, b, c), (a, c, d))]
CENTRE = Pose(IDENTITY, Vec3(Fraction(3, 2), 1, Fraction(-3, 2)))
EXACT = moved(inertia_of_box(1, 2, 3, density=2), CENTRE)


def ball(n):
    """A tessellated unit ball: vertices and triangles."""
    rings = [(math.pi * i / n, 2 * math.pi * j / (2 * n)) for i in range(1, n) for j in range(2 * n)]
    vertices = [(0.0, 0.0, 1.0), (0.0, 0.0, -1.0)]
    vertices += [(math.sin(a) * math.cos(b), math.sin(a) * math.sin(b), math.cos(a)) for a, b in rings]

    def at(i, j):
        return 2 + (i - 1) * 2 * n + j % (2 * n)

    faces = []
    for j in range(2 * n):
        faces += [(0, at(1, j), at(1, j + 1)), (1, at(n - 1, j + 1), at(n - 1, j))]
        for i in range(1, n - 1):
            a, b, c, d = at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)
            faces += [(a, b, c), (a, c, d)]
    return vertices, faces


def binary_stl(vertices, faces):
    corners = np.asarray(vertices, dtype="<f4")[np.asarray(faces)]
    records = np.zeros(len(faces), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    records["corners"] = corners
    return b"solid, but binary".ljust(80, b"\0") + struct.pack("<I", len(faces)) + records.tobytes()


def text_stl(vertices, faces):
    lines = ["solid box"]
    for face in faces:
        lines += ["facet normal 0 0 0", " outer loop"]
        lines += [f"  vertex {' '.join(f'{x:.17g}' for x in vertices[i])}" for i in face]
        lines += [" endloop", "endfacet"]
    return "\n".join([*lines, "endsolid box"]).encode()


def obj(vertices, faces, face_text):
    lines = ["# a box", "o box", *(f"v {x} {y} {z}" for x, y, z in vertices), "vn 0 0 1", "s off"]
    return "\n".join([*lines, *(f"f {' '.join(face_text(i) for i in face)}" for face in faces)]).encode()


@pytest.mark.parametrize("faces", [QUADS, TRIANGLES, [face[::-1] for face in QUADS]])
def test_a_box_is_exact_over_fractions_whichever_way_round(faces):
    assert inertia_of_polyhedron(BOX, faces, density=2) == EXACT
    assert inertia_of_polyhedron(BOX, faces, mass=12) == EXACT
    assert all(type(number) is not float for number in inertia_of_polyhedron(BOX, faces, mass=12).numbers())


def test_a_hollow_and_a_concave_face():
    inner = [
        (Fraction(3, 2) + (x - Fraction(3, 2)) / 2, 1 + Fraction(y - 1, 2), z / Fraction(2) - Fraction(3, 4))
        for x, y, z in BOX
    ]
    hollow = inertia_of_polyhedron(BOX + inner, QUADS + [tuple(8 + i for i in face[::-1]) for face in QUADS], density=2)
    core = moved(inertia_of_box(Fraction(1, 2), 1, Fraction(3, 2), density=2), CENTRE)
    assert tuple(a + b for a, b in zip(hollow.numbers(), core.numbers(), strict=True)) == EXACT.numbers()
    floor = [(0, 0), (2, 0), (2, 2), (1, 1), (0, 2)]  # a notch that a fan around vertex 1 steps out of
    prism = [(x, y, 0) for x, y in floor] + [(x, y, 1) for x, y in floor]
    sides = [(i, (i + 1) % 5, 5 + (i + 1) % 5, 5 + i) for i in range(5)]
    notched = inertia_of_polyhedron(prism, [(1, 0, 4, 3, 2), (6, 7, 8, 9, 5), *sides], density=1)
    assert notched.m == 3
    assert notched.h.x == 3  # symmetric about x = 1


def test_density_may_be_a_symbol():
    body = inertia_of_polyhedron(BOX, QUADS, density=symbol("rho"))
    assert [to_float(x, {"rho": 2}) for x in body.numbers()] == [float(x) for x in EXACT.numbers()]


def test_a_ball_converges_with_the_square_of_its_edges():
    exact = inertia_of_sphere(1, density=1.0)
    coarse, fine = (inertia_of_polyhedron(*ball(n), density=1.0) for n in (8, 16))
    for get in (lambda body: body.m, lambda body: body.I.xx, lambda body: body.I.zz):
        assert 3.8 < (get(exact) - get(coarse)) / (get(exact) - get(fine)) < 4.2
    assert abs(fine.h.x) < 1e-14


def test_far_from_the_origin_few_digits_are_lost():
    """Tetrahedra from the origin would be 10^8 times as large as the box, and cancel to nothing of worth."""
    far = [(0.1 * x + 1e5, 0.1 * y + 1e5, 0.1 * z + 1e5) for x, y, z in BOX]
    body = inertia_of_polyhedron(far, TRIANGLES, density=1.0)
    assert body.m == pytest.approx(0.006, rel=1e-8)  # the vertices themselves are rounded to 1e-11 of a metre


@pytest.mark.parametrize(
    ("vertices", "faces", "message"),
    [
        (BOX, QUADS[1:], "4 edges belong to an odd number"),
        (BOX, TRIANGLES[1:], "3 edges belong to an odd number"),
        (BOX, [QUADS[0][::-1], *QUADS[1:]], "4 edges are used twice in one direction"),
        (BOX, [*QUADS[1:], (0, 1)], "face 5 has 2 vertices"),
        (BOX, [*QUADS[1:], (0, 1, 8)], "face 5 refers to vertex 8; valid are 0 to 7"),
        ([(x, y, 0) for x, y, _ in BOX], QUADS, "encloses no volume"),
        ([(x, y, math.nan) for x, y, _ in BOX], QUADS, "vertex 0 is"),
        ([], [], "no vertices"),
    ],
)
def test_surfaces_that_bound_no_solid(vertices, faces, message):
    with pytest.raises(InputError, match=message):
        inertia_of_polyhedron(vertices, faces, density=1)


FILES = {
    "binary.stl": binary_stl(BOX, TRIANGLES),
    "text.STL": text_stl(BOX, TRIANGLES),
    "shout.stl": text_stl(BOX, TRIANGLES).upper(),
    "plain.obj": obj(BOX, TRIANGLES, lambda i: str(i + 1)),
    "quads.obj": obj(BOX, QUADS, lambda i: f"{i + 1}/1/1"),
    "normals.obj": obj(BOX, QUADS, lambda i: f"{i + 1}//1"),
    "backwards.obj": obj(BOX, QUADS, lambda i: str(i - 8)),
    "zeros.obj": obj(BOX, QUADS, lambda i: str(i + 1)).replace(b" 0\nvn", b" -0.0\nvn"),
    "split.obj": obj(
        [BOX[i] for face in QUADS for i in face], [range(4 * k, 4 * k + 4) for k in range(6)], lambda i: str(i + 1)
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_every_kind_of_file_gives_the_same_box(name, tmp_path):
    path = tmp_path / name
    path.write_bytes(FILES[name])
    assert inertia_of_mesh(path, density=2).numbers() == pytest.approx([float(x) for x in EXACT.numbers()], rel=1e-14)
    scaled = inertia_of_mesh(path, mass=12, scale=0.001)
    assert scaled.I.zz == pytest.approx(float(EXACT.I.zz) * 1e-6, rel=1e-13)
    assert len(read_mesh(path)[1]) == 12


def test_stl_corners_become_shared_vertices(tmp_path):
    path = tmp_path / "box.stl"
    path.write_bytes(binary_stl(BOX, TRIANGLES))
    vertices, faces = read_mesh(path)
    assert vertices.shape == (8, 3)
    assert sorted(map(tuple, vertices.tolist())) == sorted(BOX)
    assert faces.shape == (12, 3)


def test_the_array_path_equals_the_plain_one(tmp_path):
    vertices, faces = ball(12)
    path = tmp_path / "ball.stl"
    path.write_bytes(text_stl(vertices, faces))
    plain = inertia_of_polyhedron(vertices, faces, density=3.0)
    assert inertia_of_mesh(path, density=3.0).numbers() == pytest.approx(plain.numbers(), rel=1e-13, abs=1e-13)


def test_a_hundred_thousand_triangles_are_no_work_for_python(tmp_path):
    """All of them at once in NumPy, none by itself."""
    vertices, faces = ball(160)
    assert len(faces) > 100_000
    path = tmp_path / "fine.stl"
    path.write_bytes(binary_stl(vertices, faces))
    found = []
    assert python_calls(lambda: found.append(inertia_of_mesh(path, density=1.0))) < len(faces) / 100
    assert found[0].m == pytest.approx(4 / 3 * math.pi, rel=1e-3)


GOOD = binary_stl(BOX, TRIANGLES)


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.stl", GOOD[:-60], r"a\.stl: a binary STL that is truncated: 12 triangles promised, 10\.8 found"),
        ("a.stl", GOOD + b"\0" * 50, r"longer than its count says: 12 triangles promised, 13 found"),
        ("a.stl", b"", "has no triangles"),
        ("a.stl", b"solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0\n", r"a\.stl:4: 'vertex 0 0' is not"),
        (
            "a.stl",
            b"solid x\nfacet normal 0 0 1\nvertex 0 0 0\nvertex 1 0 0\nendfacet\n",
            r"a\.stl:5: a facet has 2 vertices",
        ),
        ("a.stl", b"solid x\nfacet normal 0 0 1\nvertex 0 0 0\n", r"ends within a facet"),
        ("a.stl", b"solid x\nvertix 0 0 0\n", r"a\.stl:2: 'vertix' does not belong"),
        ("a.stl", text_stl([(0, 0, math.inf)] * 3, [(0, 1, 2)]), "triangle 0 has a corner that is not finite"),
        ("a.stl", binary_stl(BOX, TRIANGLES[1:]), r"a\.stl: the surface is not closed: 3 edges"),
        ("a.stl", binary_stl(BOX, [TRIANGLES[0][::-1], *TRIANGLES[1:]]), "3 edges are used twice"),
        ("a.obj", b"v 0 0 0\nv 1 0 x\n", r"a\.obj:2: 'v 1 0 x' is not"),
        ("a.obj", b"v 0 0 0\nv 1 0 nan\n", r"a\.obj:2: .* must be finite"),
        ("a.obj", b"v 0 0 0\nf 1 1\n", r"a\.obj:2: a face has 2 vertices"),
        ("a.obj", b"v 0 0 0\nf 1 2 3\n", r"a\.obj:2: a face refers to vertex 3; the file has 1"),
        ("a.obj", b"v 0 0 0\nf 1 -2 1\n", r"a\.obj:2: vertex number -2 does not exist"),
        ("a.obj", b"v 0 0 0\nf 0 1 1\n", r"a\.obj:2: vertex number 0 does not exist"),
        ("a.obj", b"v 0 0 0\nf 1 1 99999999999999999999\n", r"a\.obj:2: vertex number 9+ does not exist"),
        ("a.obj", b"v 0 0 0\nf 1 a 1\n", r"a\.obj:2: 'a' is not a vertex number"),
        ("a.obj", b"v 0 0 0\nf 1 1 \\\n 1\n", r"a\.obj:2: a face continues"),
        ("a.obj", b"v 0 0 0\n", "has no faces"),
        ("a.ply", b"ply", r"the ending of 'a\.ply' is no mesh format\. Valid: \.stl, \.obj"),
    ],
)
def test_files_that_are_no_mesh(name, data, message, tmp_path):
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(FormatError, match=message):
        inertia_of_mesh(path, density=1)


def test_missing_large_and_misused(tmp_path, monkeypatch):
    with pytest.raises(FormatError, match="cannot be read: "):
        read_mesh(tmp_path / "none.stl")
    (tmp_path / "dir.stl").mkdir()
    with pytest.raises(FormatError, match="cannot be read: "):
        read_mesh(tmp_path / "dir.stl")
    path = tmp_path / "box.stl"
    path.write_bytes(GOOD)
    with pytest.raises(InputError, match="scale is 0"):
        inertia_of_mesh(path, density=1, scale=0)
    with pytest.raises(InputError, match="both of mass and density"):
        inertia_of_mesh(path, density=1, mass=1)
    monkeypatch.setattr(mesh_reader, "MAX_BYTES", 100)
    with pytest.raises(FormatError, match="meshes up to"):
        read_mesh(path)
