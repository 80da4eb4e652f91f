"""Exported C as a shared library whose functions are called with arrays, for the tests."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import numpy as np

from leverarm.runtime.export.c_files import header, source


def run(command, folder):
    """What a command prints; it must succeed."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=3600)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


class Library:
    """A shared library of exported functions, called with arrays."""

    def __init__(self, bundle, path):
        self.functions = {f.request.quantity: f for f in bundle.functions}
        self.real = bundle.real
        self.dtype = np.float64 if bundle.real == "double" else np.float32
        self.loaded = ctypes.CDLL(str(path))

    def __call__(self, quantity, arguments):
        """The results, flattened into one array."""
        function = self.functions[quantity]
        signature = function.signature(self.real)
        called = getattr(self.loaded, function.symbol)
        kind = ctypes.c_double if self.real == "double" else ctypes.c_float
        called.restype = kind if signature.returned else None
        arrays = [np.ascontiguousarray(a, self.dtype).ravel() for a in arguments]
        results = [np.full(p.array.size, np.nan, self.dtype) for p in signature.results]
        passed = [
            kind(a[0]) if p.is_number else ctypes.c_void_p(a.ctypes.data)
            for p, a in zip(signature.parameters, arrays + results, strict=True)
        ]
        returned = called(*passed)
        return np.array([returned], self.dtype) if signature.returned else np.concatenate(results)


def built(bundle, folder, *flags):
    """The bundle's header and source in the folder, compiled without a warning and loaded."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{bundle.name}.h").write_text(header(bundle, ""))
    (folder / f"{bundle.name}.c").write_text(source(bundle))
    strict = ["-std=c99", "-Wall", "-Wextra", "-Werror"]
    run(["gcc", *strict, "-O1", "-shared", "-fPIC", *flags, f"{bundle.name}.c", "-lm", "-o", "arm.so"], folder)
    return Library(bundle, folder / "arm.so")
