"""A bundle as a Python module of functions over arrays: numpy, jax.numpy or torch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from leverarm.compiler.array_code import array_module
from leverarm.runtime.export.bundle import Bundle
from leverarm.runtime.export.description import about


def python_files(library: str) -> Callable[[Bundle], dict[str, str]]:
    """The module as a file."""
    return lambda bundle: {f"{bundle.name}_{library}.py": _text(bundle, library)}


def python_text(library: str) -> Callable[[Bundle], str]:
    return lambda bundle: _text(bundle, library)


def _text(bundle: Bundle, library: str) -> str:
    programs = [replace(f.program, name=f.request.quantity) for f in bundle.functions]
    return array_module(programs, library, "\n".join(about(bundle)))
