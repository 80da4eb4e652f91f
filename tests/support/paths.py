"""Where the project's files are, and the logs of real robots beside it."""

from pathlib import Path

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
PACKAGE = ROOT / "src" / "leverarm"
BENCH = ROOT / "bench"
GOLDEN = TESTS / "golden"
DATA = ROOT.parent / "shared" / "data"  # logs of real robots; tests that read them are skipped where they are absent
