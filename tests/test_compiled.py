"""One matrix: every quantity, on every arm of the catalog, in both precisions, on every path, gives the reference's numbers.

The reference is the mechanics over plain floats, by the first algorithm of the quantity and without regrouped inertias; how far
a result may be off is bounded by a running error analysis of its own program at that state.
"""

from __future__ import annotations

import numpy as np
import pytest

import leverarm as la
from leverarm.compiler.array_code import array_function
from leverarm.compiler.llvm import machine_named, runnable_machines
from leverarm.compiler.lowering import lower
from leverarm.runtime.building import Builder
from leverarm.runtime.cache import Cache
from leverarm.runtime.export.bundle import Function
from leverarm.runtime.export.samples import samples
from leverarm.runtime.kernel import DTYPE
from leverarm.runtime.quantities import QUANTITIES
from leverarm.runtime.requests import request_for
from leverarm.runtime.tracing import traced
from leverarm.runtime.views import evaluate


def no_cache():
    return Cache(None, 0)


def as_tuple(result):
    return result if isinstance(result, tuple) else (result,)


def states_of(function, real):
    """The samples side by side, repeated to more states than two blocks of the widest vectors."""
    cases = samples(function, real)
    picks = [k % len(cases) for k in range(2 * 16 + 1)]
    arrays = []
    for position, array in enumerate(function.request.arguments):
        rows = np.array([cases[k].arguments[position] for k in picks], DTYPE[real])
        arrays.append(rows.reshape(len(picks), *array.shape))
    return cases, picks, arrays


@pytest.mark.parametrize("name", la.catalog_names())
def test_every_quantity_on_every_path(name):
    arm = la.load(name)
    for quantity in QUANTITIES:
        request = request_for(arm, quantity)
        lowered = lower(traced(request))
        for real in ("double", "float"):
            check_paths(request, lowered, real)


def check_paths(request, lowered, real):
    """One state, batches of every vector width and array code, against the reference and among each other."""
    quantity = request.quantity
    cases, picks, arrays = states_of(Function(quantity, "", request, lowered.program), real)

    def check(path, results):
        for which, result in enumerate(as_tuple(results)):
            assert result.dtype == DTYPE[real], (quantity, path)
            for row, k in zip(result, picks, strict=True):
                expected, allowed = cases[k].expected[which], cases[k].allowed[which]
                off = np.abs(np.ravel(row).astype(float) - expected)
                assert (off <= allowed).all(), (quantity, path, (off / np.maximum(allowed, 1e-300)).max())

    check("array code", array_function(lowered.program, "numpy")(*arrays))
    by_rounding = {}
    for machine in map(machine_named, ["host", *runnable_machines()]):
        kernel = Builder(request, real, machine, no_cache, lowered).kernel()
        together = as_tuple(evaluate(kernel, arrays))
        check(machine.name, together)
        for k in range(3):
            single = as_tuple(evaluate(kernel, [a[k] for a in arrays]))
            for a, b in zip(single, together, strict=True):
                assert np.array_equal(a, b[k]), (quantity, machine.name, "one state and a batch differ")
        same = by_rounding.setdefault(machine.has_fma, together)
        for a, b in zip(same, together, strict=True):
            assert np.array_equal(a, b), (quantity, machine.name, "vector widths differ")
