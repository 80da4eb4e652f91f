"""Nine numbers of any scalar type: a rotation, or any other linear map of three-space."""

from __future__ import annotations

from dataclasses import dataclass

from leverarm.scalars import Scalar
from leverarm.spatial.vec3 import Vec3


@dataclass(frozen=True, slots=True)
class Matrix3:
    """A 3 x 3 matrix held by its rows. `A @ v` applies it to a vector, `A * B` composes."""

    r0: Vec3
    r1: Vec3
    r2: Vec3

    def __matmul__(self, v: Vec3) -> Vec3:
        return Vec3(self.r0 @ v, self.r1 @ v, self.r2 @ v)

    def __mul__(self, other: Matrix3) -> Matrix3:
        columns = other.transposed()
        return Matrix3(columns @ self.r0, columns @ self.r1, columns @ self.r2)

    def __add__(self, other: Matrix3) -> Matrix3:
        return Matrix3(self.r0 + other.r0, self.r1 + other.r1, self.r2 + other.r2)

    def __sub__(self, other: Matrix3) -> Matrix3:
        return Matrix3(self.r0 - other.r0, self.r1 - other.r1, self.r2 - other.r2)

    def transposed(self) -> Matrix3:
        a, b, c = self.r0, self.r1, self.r2
        return Matrix3(Vec3(a.x, b.x, c.x), Vec3(a.y, b.y, c.y), Vec3(a.z, b.z, c.z))

    def transpose_apply(self, v: Vec3) -> Vec3:
        """The transposed matrix times v, without forming the transpose."""
        a, b, c = self.r0, self.r1, self.r2
        return Vec3(
            a.x * v.x + b.x * v.y + c.x * v.z,
            a.y * v.x + b.y * v.y + c.y * v.z,
            a.z * v.x + b.z * v.y + c.z * v.z,
        )

    def turned_about(self, k: int, c: Scalar, s: Scalar) -> Matrix3:
        """R A R^T, where R turns about coordinate k by the angle with cosine c and sine s.

        With i, j, k in cyclic order and u = s (A_ii - A_jj) + c (A_ij + A_ji), the plane across k becomes A_ii - s u,
        A_jj + s u, c u - A_ji, c u - A_ij: 11 operations in place of 24.
        """
        i, j, A = (k + 1) % 3, (k + 2) % 3, self.rows()
        u = s * (A[i][i] - A[j][j]) + c * (A[i][j] + A[j][i])
        B = [list(row) for row in A]
        B[i][i], B[j][j] = A[i][i] - s * u, A[j][j] + s * u
        B[i][j], B[j][i] = c * u - A[j][i], c * u - A[i][j]
        B[i][k], B[j][k] = c * A[i][k] - s * A[j][k], s * A[i][k] + c * A[j][k]
        B[k][i], B[k][j] = c * A[k][i] - s * A[k][j], s * A[k][i] + c * A[k][j]
        return Matrix3(*(Vec3(*row) for row in B))

    def rows(self) -> tuple[tuple[Scalar, ...], ...]:
        return (tuple(self.r0), tuple(self.r1), tuple(self.r2))


IDENTITY = Matrix3(Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1))


def skew(v: Vec3) -> Matrix3:
    """S(v), the matrix with S(v) u = v x u."""
    return Matrix3(Vec3(0, -v.z, v.y), Vec3(v.z, 0, -v.x), Vec3(-v.y, v.x, 0))


def outer(u: Vec3, v: Vec3) -> Matrix3:
    """u v^T."""
    return Matrix3(v * u.x, v * u.y, v * u.z)


def rotation_about(axis: Vec3, cos: Scalar, sin: Scalar) -> Matrix3:
    """The rotation by an angle, given as its cosine and sine, about a unit axis.

    Rodrigues: R = cos 1 + sin S(a) + (1 - cos) a a^T. For an axis along a coordinate, given as the
    ints 0, 1, -1, the zeros stay literal. Ring.
    """
    x, y, z = axis
    if type(x) is type(y) is type(z) is int:  # along a coordinate; written out, so that 1 - cos is never formed
        along = sin if x + y + z > 0 else -sin
        if z:
            return Matrix3(Vec3(cos, -along, 0), Vec3(along, cos, 0), Vec3(0, 0, 1))
        if y:
            return Matrix3(Vec3(cos, 0, along), Vec3(0, 1, 0), Vec3(-along, 0, cos))
        return Matrix3(Vec3(1, 0, 0), Vec3(0, cos, -along), Vec3(0, along, cos))
    diagonal = Matrix3(Vec3(cos, 0, 0), Vec3(0, cos, 0), Vec3(0, 0, cos))
    return diagonal + skew(axis * sin) + outer(axis * (1 - cos), axis)


def rotation_from_rpy(roll: tuple[Scalar, Scalar], pitch: tuple[Scalar, Scalar], yaw: tuple[Scalar, Scalar]) -> Matrix3:
    """Fixed-axis roll, pitch, yaw, each as (cos, sin): R = Rz(yaw) Ry(pitch) Rx(roll), as in URDF."""
    about_x = rotation_about(Vec3(1, 0, 0), *roll)
    about_y = rotation_about(Vec3(0, 1, 0), *pitch)
    about_z = rotation_about(Vec3(0, 0, 1), *yaw)
    return about_z * about_y * about_x
