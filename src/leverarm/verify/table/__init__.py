"""The properties of the equations of motion for the arm at hand: bounds with certificates, identities with proofs."""

from leverarm.verify.table.gathering import properties
from leverarm.verify.table.property import Bound, Properties, Property

__all__ = ["Bound", "Properties", "Property", "properties", "save_properties"]

save_properties = Properties.save
"""Its name before 0.2.0."""
