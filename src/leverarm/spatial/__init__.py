"""The vocabulary of mechanics over any scalar: vectors, rotations, poses, motions, forces, inertias."""

from leverarm.spatial.inertia import NO_INERTIA, NO_SYMMETRIC3, Inertia, Symmetric3, point_inertia, twice_parallel_axis
from leverarm.spatial.mass_moments import NO_MASS, MassMoments, inertia_tensor, point_mass, twice_symmetric_outer
from leverarm.spatial.matrix3 import IDENTITY, Matrix3, outer, rotation_about, rotation_from_rpy, skew
from leverarm.spatial.motion import AT_REST, NO_FORCE, Force, Motion
from leverarm.spatial.pose import HERE, Pose
from leverarm.spatial.vec3 import ORIGIN, Vec3
