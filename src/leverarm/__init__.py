"""leverarm: equations of motion of robot arms that you can read, trust and run.

An arm comes from the catalog, a file or a builder; every quantity of its equations of motion

    M(q) qdd + C(q, qd) qd + F(qd) + g(q) + tau_d = tau + J^T w

is one plain function of it.

>>> import leverarm as la
>>> arm = la.load("elbow")
>>> la.mass_matrix(arm, [0, 0])
array([[5., 2.],
       [2., 1.]])

`__init__.pyi` lists the public names, each once. Further names are in groups: `la.inertia.box(...)`,
`la.control.pd(...)`, `la.signals.quintic(...)`, `la.cache.clear()`; the classes of results in `la.types`.
"""

from leverarm.late_import import public_names

__all__, __getattr__, __dir__ = public_names(__name__)
