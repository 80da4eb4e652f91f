"""Ways to write an arm down, and from each to the one description."""

from leverarm.formats.dh.builder import from_dh
from leverarm.formats.dh.export import to_dh
from leverarm.formats.loading import catalog_names, load, save
from leverarm.formats.mesh import inertia_of_mesh
from leverarm.formats.planar import planar
from leverarm.formats.screws.builder import from_screws
from leverarm.formats.screws.files import to_screws
