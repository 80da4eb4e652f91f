"""The classes of what leverarm returns: `la.types.Trajectory`, `la.types.Properties` and so on.

They are for annotations and for `isinstance`; nothing has to be built from them. `types.pyi` lists them.
"""

from leverarm.late_import import public_names

__all__, __getattr__, __dir__ = public_names(__name__)
