"""Ways to write an arm down, and from each to the one description."""

from leverarm.formats.loading import catalog_names, load, save
from leverarm.formats.planar import planar

__all__ = ["catalog_names", "load", "planar", "save"]
