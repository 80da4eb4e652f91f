"""Arms by name and by file: what is no path, or names nothing, is one error that says what to give."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import leverarm as la
from leverarm.errors import FormatError
from leverarm.formats.mesh import read_mesh
from leverarm.simulation.trajectories import load_trajectory, open_stream, resume_stream

ARM = la.load("elbow")
NO_PATHS = [None, 3, [], {}, b"arm.urdf", "", "  ", np.zeros(3)]


class BytesPath:
    def __fspath__(self):
        return b"arm.urdf"

    def __repr__(self):
        return "BytesPath()"


@pytest.mark.parametrize("given", [*NO_PATHS, BytesPath()], ids=repr)
@pytest.mark.parametrize(
    ("use", "example"),
    [
        (la.load, "'elbow' or 'arm.urdf'"),
        (lambda given: la.save(ARM, given), "'arm.urdf'"),
        (load_trajectory, "'run.npz'"),
        (resume_stream, "'run.npz'"),
        (lambda given: open_stream(given, ARM, {}), "'run.npz'"),
        (read_mesh, "'link1.stl'"),
    ],
    ids=["load", "save", "load_trajectory", "resume", "stream", "mesh"],
)
def test_what_is_no_path_is_one_error(use, example, given):
    with pytest.raises(FormatError) as caught:
        use(given)
    message = str(caught.value)
    assert message == f"{given!r} was given as a path; a path is text or a pathlib.Path. Give one such as {example}."


@pytest.mark.parametrize("given", [None, 3, [], b"log.csv", "", [None], ["log.csv", None], [""]], ids=repr)
def test_a_log_that_is_no_path_is_one_error(given):
    with pytest.raises(la.LeverarmError, match=r"given as .*(valid: a file|Give one such as 'log.csv')"):
        la.read_log(given, ARM)


def test_long_values_are_cut():
    with pytest.raises(FormatError, match=r"^\[0, 1, .{50,60}\.\.\. was given"):
        la.load(list(range(10_000)))


@pytest.mark.parametrize("use", [la.load, lambda path: la.save(ARM, path), load_trajectory, read_mesh])
@pytest.mark.parametrize("path", [Path(), Path("/")], ids=str)
def test_a_folder_is_no_file(use, path):
    with pytest.raises(FormatError, match=r"is not a file|names no format|is no mesh format"):
        use(path)


def test_names_that_no_file_can_have():
    for name in ("\0", "a" * 5000, "a/" * 5000, "\ud800"):
        with pytest.raises(FormatError, match=r"no such file|there is no arm"):
            la.load(name)
