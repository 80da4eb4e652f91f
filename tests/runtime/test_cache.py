"""The disk cache: what it runs is what was stored, whatever happens to its files, its folder and its processes."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

import leverarm as la
from leverarm.cli import cli
from leverarm.runtime.cache import About, Cache, CacheWarning, disk_cache, key_of, trust, user_cache
from leverarm.runtime.cache.file_format import BODY, MAGIC, packed, unpacked
from leverarm.simulation import compiled_system
from tests.support.cache_crowd import ACTIONS, KEYS, KILLED, SURVIVORS, payload, work
from tests.support.killed_writers import MOMENTS
from tests.support.paths import ROOT

DAY = 86_400
PARTS = {"arm": "elbow 1", "quantity": "mass_matrix", "leverarm": "0"}
ABOUT = About("elbow", "mass_matrix", "float64", "x86-64 avx2")
PAYLOAD = bytes(range(256)) + b"\n" * 3

only_root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
only_posix = pytest.mark.skipif(os.name != "posix", reason="owners and modes are POSIX")


@pytest.fixture(autouse=True)
def nothing_said(monkeypatch):
    monkeypatch.setattr(trust, "_said", set())


@pytest.fixture
def cache(tmp_path):
    return Cache(tmp_path / "cache", 10**6)


@pytest.fixture
def stored(cache):
    """The file of one function."""
    cache.store(PARTS, PAYLOAD, ABOUT)
    return file_of(cache, PARTS)


def file_of(cache, parts):
    return cache.folder / f"{key_of(parts)}.compiled"


def sealed(body):
    """A file whose checksum is right."""
    return MAGIC + sha256(body).hexdigest().encode() + b"\n" + body


def refused(cache, parts=PARTS, match=""):
    """Loads what must not be used; the warning names the file, and says so where the program is."""
    with pytest.warns(CacheWarning, match=match) as told:
        assert cache.load(parts) is None
    (record,) = told
    assert record.filename == __file__
    text = str(record.message)
    assert text.startswith(str(file_of(cache, parts))) and text.endswith("the function is compiled again.")
    assert text.count(". ") == 0


# storing and loading -------------------------------------------------------------------------------------------------


def test_what_is_stored_is_loaded(cache, stored):
    assert cache.load(PARTS) == PAYLOAD
    assert cache.load(PARTS | {"leverarm": "1"}) is None
    cache.store(PARTS, b"", ABOUT)
    assert cache.load(PARTS) == b""
    assert [path.name for path in cache.folder.iterdir()] == [stored.name]


def test_nothing_is_made_before_the_first_store(cache):
    assert cache.load(PARTS) is None
    assert cache.entries() == () and cache.size() == 0 and cache.clear() == () and cache.trouble() == ""
    cache.trim()
    assert not cache.folder.exists()


@only_posix
def test_only_the_user_can_see_the_files(cache, stored):
    assert stored.stat().st_mode & 0o777 == 0o600
    assert cache.folder.stat().st_mode & 0o777 == 0o700


def test_a_key_depends_on_every_part_and_not_on_their_order():
    assert key_of(PARTS) == key_of(dict(reversed(PARTS.items())))
    others = [PARTS | {name: text + " "} for name, text in PARTS.items()] + [{"a": "b,c:d"}, {"a": "b", "c": "d"}, {}]
    keys = [key_of(parts) for parts in (PARTS, *others)]
    assert len(set(keys)) == len(keys) and all(len(key) == 64 for key in keys)


def test_the_header_is_text_that_says_what_the_file_is(stored):
    first, second, payload = stored.read_bytes().split(b"\n", 2)
    header = json.loads(second)
    assert first.startswith(b"leverarm compiled function 1 ") and payload == PAYLOAD
    assert header["parts"] == PARTS and header["size"] == len(PAYLOAD)
    assert header["about"] == {"arm": "elbow", "quantity": "mass_matrix", "dtype": "float64", "machine": "x86-64 avx2"}


def test_a_load_reads_one_file_once_and_nothing_else(cache, monkeypatch):
    """However many there are: bench/files.py measures that it takes less than a millisecond."""
    parts, payload = PARTS | {"description": "x" * 10_000}, os.urandom(30_000)
    for each in (parts, PARTS, *({"k": str(k)} for k in range(20))):
        cache.store(each, payload, ABOUT)
    opened, calls = os.open, []
    monkeypatch.setattr(os, "open", lambda path, *rest: calls.append(Path(path)) or opened(path, *rest))
    for name in ("listdir", "scandir"):
        monkeypatch.setattr(os, name, None)
    assert cache.load(parts) == payload
    assert calls == [file_of(cache, parts)]


# damage --------------------------------------------------------------------------------------------------------------


def test_a_change_of_any_byte_is_noticed(cache, stored):
    whole = stored.read_bytes()
    for place in range(len(whole)):
        changed = bytearray(whole)
        changed[place] ^= 1 << place % 8
        stored.write_bytes(changed)
        refused(cache)
        assert not stored.exists()


def test_a_cut_at_any_place_is_noticed(cache, stored):
    whole = stored.read_bytes()
    for length in range(len(whole)):
        stored.write_bytes(whole[:length])
        refused(cache, match="is empty" if length == 0 else "")
        assert not stored.exists()


@pytest.mark.parametrize("extra", [b"\0", b"\n", PAYLOAD])
def test_something_appended_is_noticed(cache, stored, extra):
    stored.write_bytes(stored.read_bytes() + extra)
    refused(cache, match="is damaged")
    assert not stored.exists()


def test_files_that_changed_places_are_noticed(cache, stored):
    others = PARTS | {"quantity": "gravity"}
    cache.store(others, b"other", ABOUT)
    other = file_of(cache, others)
    mine = stored.read_bytes()
    stored.write_bytes(other.read_bytes())
    other.write_bytes(mine)
    assert [entry.trouble for entry in cache.entries()] == ["holds another function than its name says"] * 2
    for parts in (PARTS, others):
        refused(cache, parts, "holds another function than its name says")
    assert cache.entries() == ()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\n",
        b"[]\n",
        b"{}\n",
        b"null\n",
        b"\xff\xfe\n",
        b"[" * 100_000 + b"\n",
        json.dumps({"parts": [], "about": {}, "created": "", "size": 0}).encode() + b"\n",
        json.dumps({"parts": {"a": 1}, "about": {}, "created": "2020-01-01", "size": 0}).encode() + b"\n",
    ],
)
def test_a_foreign_header_with_a_right_checksum_is_noticed(cache, stored, body):
    stored.write_bytes(sealed(body))
    (entry,) = cache.entries()
    assert entry.trouble == "has a header that was not written by this cache"
    refused(cache, match="header")


def test_parts_that_differ_under_the_same_key_are_noticed(cache, stored, monkeypatch):
    """Were two keys ever to collide, the parts in the file would tell."""
    from leverarm.runtime.cache import disk_cache, file_format

    for module in (disk_cache, file_format):
        monkeypatch.setattr(module, "key_of", lambda parts: stored.stem)
    with pytest.warns(CacheWarning, match="another function"):
        assert cache.load({"arm": "panda"}) is None


def test_a_size_in_the_header_that_is_wrong_is_noticed(cache, stored):
    body = stored.read_bytes()[BODY:]
    stored.write_bytes(sealed(body.replace(b'"size":259', b'"size":258')))
    refused(cache, match="header")


def test_a_function_of_another_program_is_removed_and_compiled_again(cache, stored):
    stored.write_bytes(b"\x7fELF" + bytes(1000))
    refused(cache, match="was not written by this cache, so it is removed")
    assert not stored.exists()
    cache.store(PARTS, PAYLOAD, ABOUT)
    assert cache.load(PARTS) == PAYLOAD


# who could have written it -------------------------------------------------------------------------------------------


def in_place_of(path, kind):
    path.unlink()
    if kind == "link":
        target = path.with_name("elsewhere")
        target.write_bytes(b"")
        path.symlink_to(target)
    elif kind == "pipe":
        os.mkfifo(path, 0o600)
    else:
        path.mkdir()


@only_posix
@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_what_is_not_a_plain_file_is_not_read(cache, stored, kind):
    in_place_of(stored, kind)
    refused(cache, match="is a link" if kind == "link" else "is not a plain file")
    assert [entry.trouble for entry in cache.entries()] == ["is a link" if kind == "link" else "is not a plain file"]
    if kind == "folder":
        with pytest.warns(CacheWarning, match=r"cannot be written \(Is a directory\)"):
            cache.store(PARTS, PAYLOAD, ABOUT)
    else:
        cache.store(PARTS, PAYLOAD, ABOUT)
        assert cache.load(PARTS) == PAYLOAD
    assert not any(path.suffix == ".tmp" for path in cache.folder.iterdir())


@only_posix
@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_can_write_is_not_used(cache, stored, mode):
    stored.chmod(mode)
    refused(cache, match="can be written by others")
    cache.store(PARTS, PAYLOAD, ABOUT)
    assert cache.load(PARTS) == PAYLOAD


@only_root
def test_a_file_of_somebody_else_is_not_used(cache, stored):
    os.chown(stored, 12345, -1)
    refused(cache, match="belongs to user 12345 and not to you")


def unused_folder(cache, reason):
    """Nothing is read, nothing is written, and that is said once."""
    before = cache.entries()
    with pytest.warns(CacheWarning) as told:
        assert cache.load(PARTS) is None
        cache.store(PARTS | {"quantity": "gravity"}, PAYLOAD, ABOUT)
        assert cache.load(PARTS) is None
    assert reason in str(told[0].message) and len(told) == 1
    assert "LEVERARM_CACHE" in str(told[0].message)
    assert cache.entries() == before


@only_posix
@pytest.mark.parametrize("mode", [0o770, 0o702, 0o1777])
def test_a_folder_that_others_can_write_is_not_used(cache, stored, mode):
    cache.folder.chmod(mode)
    unused_folder(cache, "can be written by others")
    assert "can be written by others" in cache.trouble()
    cache.folder.chmod(0o700)
    assert cache.load(PARTS) == PAYLOAD


@only_root
def test_a_folder_of_somebody_else_is_not_used(cache, stored):
    os.chown(cache.folder, 12345, -1)
    unused_folder(cache, "belongs to user 12345")


def test_a_file_in_the_place_of_the_folder_is_told(cache):
    cache.folder.write_text("")
    unused_folder(cache, "is not a folder")
    assert cache.trouble() == "is not a folder"


# disks that do not work ----------------------------------------------------------------------------------------------


def test_a_full_disk_stops_nothing_and_is_told_once(cache, monkeypatch):
    write, calls = os.write, []

    def fills_up(descriptor, data):
        calls.append(len(data))
        if len(calls) % 2 == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(descriptor, data[:100])

    monkeypatch.setattr(os, "write", fills_up)
    with pytest.warns(CacheWarning, match="No space left on device") as told:
        for _ in range(3):
            cache.store(PARTS, PAYLOAD, ABOUT)
    assert len(told) == 1 and len(calls) == 6
    assert list(cache.folder.iterdir()) == []


def test_short_writes_are_continued(cache, monkeypatch):
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:7]))
    cache.store(PARTS, PAYLOAD, ABOUT)
    assert cache.load(PARTS) == PAYLOAD


@pytest.mark.parametrize("code", [errno.EROFS, errno.EACCES, errno.EIO, errno.EDQUOT])
def test_a_folder_that_cannot_be_written_stops_nothing(cache, stored, monkeypatch, code):
    opened = os.open

    def only_reads(path, flags, *mode):
        if flags & os.O_CREAT:
            raise OSError(code, os.strerror(code))
        return opened(path, flags, *mode)

    monkeypatch.setattr(os, "open", only_reads)
    with pytest.warns(CacheWarning, match="cannot be written") as told:
        for quantity in ("gravity", "bias"):
            cache.store(PARTS | {"quantity": quantity}, PAYLOAD, ABOUT)
    assert len(told) == 1
    assert cache.load(PARTS) == PAYLOAD


@only_posix
def test_a_folder_without_permission_stops_nothing(cache, stored, tmp_path):
    tmp_path.chmod(0)
    user = os.geteuid()
    try:
        if user == 0:
            os.seteuid(12345)
        unused_folder(cache, "Permission denied")
        assert "Permission denied" in cache.trouble() and cache.size() == 0 and cache.clear() == ()
    finally:
        os.seteuid(user)
        tmp_path.chmod(0o700)


def test_a_folder_that_disappears_is_made_again(cache, stored):
    stored.unlink()
    cache.folder.rmdir()
    assert cache.load(PARTS) is None
    cache.store(PARTS, PAYLOAD, ABOUT)
    assert cache.load(PARTS) == PAYLOAD


def test_a_cache_that_is_off_keeps_nothing():
    off = Cache(None, 10**6)
    off.store(PARTS, PAYLOAD, ABOUT)
    off.trim()
    assert off.load(PARTS) is None and off.entries() == () and off.clear() == () and off.size() == 0


# the limit -----------------------------------------------------------------------------------------------------------


def filled(cache, number, size=10_000):
    """Functions 0, 1, ... of which each was last used a day after the one before."""
    now = time.time()
    for k in range(number):
        cache.store({"k": str(k)}, bytes(size), ABOUT)
        used = now - (number - k) * (DAY + 60)
        os.utime(file_of(cache, {"k": str(k)}), (used, used))


def test_the_least_recently_used_are_removed_over_the_limit(tmp_path):
    filled(Cache(tmp_path, 10**9), 20)
    each = next(iter(tmp_path.iterdir())).stat().st_size
    small = Cache(tmp_path, 15 * each)
    assert small.load({"k": "2"}) is not None  # is now the last used
    small.store({"k": "new"}, bytes(10_000), ABOUT)
    kept = [k for k in [*map(str, range(20)), "new"] if small.load({"k": k}) is not None]
    assert kept == ["2", *map(str, range(9, 20)), "new"]
    assert small.size() <= 0.9 * small.limit
    small.store({"k": "newer"}, bytes(10_000), ABOUT)
    assert len(small.entries()) == len(kept) + 1  # there is room again: not every store removes something


def test_a_load_is_noted_once_a_day(cache, stored):
    for hours, is_noted in ((1, False), (25, True), (-25, True)):
        used = time.time() - 3600 * hours
        os.utime(stored, (used, used))
        assert cache.load(PARTS) == PAYLOAD
        assert (abs(stored.stat().st_mtime - used) > 1) == is_noted


def test_a_function_over_the_limit_is_not_kept(tmp_path):
    cache = Cache(tmp_path, 1000)
    with pytest.warns(CacheWarning, match="over the limit of the cache"):
        cache.store(PARTS, bytes(1000), ABOUT)
    Cache(tmp_path, 0).store(PARTS, b"", ABOUT)
    assert list(tmp_path.iterdir()) == []


def test_what_killed_processes_left_is_removed_when_it_is_old(cache, stored, monkeypatch):
    now = time.time()
    monkeypatch.setattr("leverarm.runtime.cache.disk_cache.time", SimpleNamespace(time=lambda: now))
    young, old = (cache.folder / f"{'0' * 64}.{c * 16}.tmp" for c in "ab")
    for path, age in ((young, 60), (old, 3600)):
        path.write_bytes(b"half")
        os.utime(path, (now - age,) * 2)
    cache.store(PARTS, PAYLOAD, ABOUT)
    assert young.exists() and not old.exists()
    cache.clear()
    assert not young.exists()


def test_other_files_in_the_folder_are_left_alone(cache, stored):
    others = [cache.folder / name for name in ("notes.txt", "a.compiled", "b.tmp", f"{'g' * 64}.compiled")]
    for path in others:
        path.write_text("mine")
        os.utime(path, (0, 0))
    Cache(cache.folder, 1).trim()
    cache.clear()
    assert sorted(cache.folder.iterdir()) == sorted(others)


def test_clearing_chooses_by_arm_and_by_last_use(cache):
    for arm in ("elbow", "panda"):
        for days in (1, 10):
            parts = {"arm": arm, "days": str(days)}
            cache.store(parts, PAYLOAD, About(arm, "gravity", "float64", "any"))
            os.utime(file_of(cache, parts), (time.time() - days * DAY,) * 2)
    (removed,) = cache.clear("elbow", timedelta(days=5))
    assert removed.about.arm == "elbow" and removed.path == file_of(cache, {"arm": "elbow", "days": "10"})
    assert cache.clear("scara") == ()
    assert len(cache.clear(unused_for=timedelta(days=5))) == 1
    assert len(cache.clear("panda")) == 1
    assert [entry.about.arm for entry in cache.entries()] == ["elbow"]


def test_what_cannot_be_removed_is_told(cache, stored):
    in_place_of(stored, "folder")
    with pytest.raises(la.LeverarmError, match="1 of 1 files of the cache cannot be removed"):
        cache.clear()


# settings ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def environment(monkeypatch):
    for name in ("LEVERARM_CACHE", "LEVERARM_CACHE_SIZE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/home/ada")
    return monkeypatch


@pytest.mark.parametrize(
    ("platform", "settings", "folder"),
    [
        ("linux", {}, "/home/ada/.cache/leverarm"),
        ("darwin", {}, "/home/ada/Library/Caches/leverarm"),
        ("win32", {}, "/home/ada/AppData/Local/leverarm/cache"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/leverarm/cache"),
        ("linux", {"XDG_CACHE_HOME": "/var/ada"}, "/var/ada/leverarm"),
        ("linux", {"XDG_CACHE_HOME": "var/ada"}, "/home/ada/.cache/leverarm"),
        ("linux", {"LEVERARM_CACHE": "/fast/disk", "XDG_CACHE_HOME": "/var/ada"}, "/fast/disk"),
        ("linux", {"LEVERARM_CACHE": "~/arms"}, "/home/ada/arms"),
        ("linux", {"LEVERARM_CACHE": " "}, "/home/ada/.cache/leverarm"),
    ],
)
@only_posix
def test_the_folder_is_where_the_platform_has_it(environment, platform, settings, folder):
    with environment.context() as there:
        for name, text in settings.items():
            there.setenv(name, text)
        there.setattr(disk_cache.sys, "platform", platform)
        found = user_cache()
    assert found.folder == Path(folder) and found.limit == 512_000_000


@pytest.mark.parametrize("off", ["off", "OFF", " off "])
def test_the_cache_can_be_turned_off(environment, off):
    environment.setenv("LEVERARM_CACHE", off)
    assert user_cache().folder is None


def test_a_user_without_a_home_has_no_cache_and_is_told_once(environment):
    environment.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError("no home")))
    with pytest.warns(CacheWarning, match="set LEVERARM_CACHE to a folder, or to off") as told:
        for _ in range(2):
            assert user_cache().load(PARTS) is None
    assert len(told) == 1


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("1000", 1000),
        ("300 MB", 3 * 10**8),
        ("2gb", 2 * 10**9),
        ("1.5 GiB", 3 * 2**29),
        ("0", 0),
        ("9" * 400, 2**63 - 1),
    ],
)
def test_a_limit_has_units(environment, text, size):
    environment.setenv("LEVERARM_CACHE_SIZE", text)
    assert user_cache().limit == size


@pytest.mark.parametrize("text", ["much", "-1", "3 TBs", "1e9", "nan"])
def test_a_limit_that_is_no_size_is_told(environment, text):
    environment.setenv("LEVERARM_CACHE_SIZE", text)
    with pytest.warns(CacheWarning, match="is not a size, so the cache may grow to 512 MB"):
        assert user_cache().limit == 512_000_000


# many at once --------------------------------------------------------------------------------------------------------


def intact(folder):
    """Every file that is left is right, and what killed processes left goes with the next trim after it is old."""
    cache = Cache(folder, 10**9)
    for entry in cache.entries():
        assert entry.trouble == ""
    for k in range(KEYS):
        found = cache.load({"k": str(k)})
        assert found is None or found == payload(k)
    for path in folder.iterdir():
        if path.suffix == ".tmp":
            os.utime(path, (0, 0))
    cache.trim()
    assert all(path.suffix == ".compiled" for path in folder.iterdir())


def test_threads_do_not_disturb_each_other(tmp_path):
    begin, done, problems = threading.Barrier(8), [], []

    def run(seed):
        try:
            begin.wait()
            work(tmp_path, seed, range(ACTIONS))
            done.append(seed)
        except BaseException as problem:
            problems.append(problem)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        threads = [threading.Thread(target=run, args=(seed,)) for seed in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert problems == [] and sorted(done) == list(range(8))
    intact(tmp_path)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")
def test_processes_do_not_disturb_each_other_even_when_killed(tmp_path):
    command = [sys.executable, "-m", "tests.support.cache_crowd", str(tmp_path / "cache")]
    setting = os.environ | {"PYTHONPATH": str(ROOT / "src"), "OPENBLAS_NUM_THREADS": "1"}
    run = subprocess.run(command, env=setting, cwd=ROOT, capture_output=True, text=True, timeout=3600)
    assert (run.returncode, run.stderr) == (0, "")
    ends = json.loads(run.stdout)
    survivors = [f"survivor {k}" for k in range(SURVIVORS)]
    assert [ends.pop(name) for name in survivors] == [0] * SURVIVORS
    assert len(ends) == len(MOMENTS) + KILLED and set(ends.values()) == {-signal.SIGKILL}
    intact(tmp_path / "cache")


# the command ---------------------------------------------------------------------------------------------------------


NOW = datetime(2030, 5, 7, 12, tzinfo=UTC)


class Stopped(datetime):
    """A clock that stands still."""

    @classmethod
    def now(cls, tz=None):
        return NOW


@pytest.fixture
def shown(cache, monkeypatch):
    """A cache with three functions, one of which is damaged, and a clock that stands still."""
    monkeypatch.setenv("LEVERARM_CACHE", str(cache.folder))
    monkeypatch.delenv("LEVERARM_CACHE_SIZE", raising=False)
    for arm, quantity, dtype, size, days in (
        ("panda", "inverse_dynamics", "float64", 31_000, 0.02),
        ("panda", "mass_matrix", "float32", 999, 3.1),
        ("elbow", "gravity", "float64", 700, 90),
    ):
        parts = {"arm": arm}
        cache.store(parts | {"quantity": quantity}, bytes(size), About(arm, quantity, dtype, "x86-64 avx512"))
        path = file_of(cache, parts | {"quantity": quantity})
        if arm == "elbow":
            path.write_bytes(path.read_bytes()[:-100])
        os.utime(path, (NOW.timestamp() - days * DAY,) * 2)
    for module in ("leverarm.cli.cache", "leverarm.runtime.cache.disk_cache"):
        monkeypatch.setattr(f"{module}.datetime", Stopped)
    return cache


def run(*args, code=0):
    result = CliRunner().invoke(cli, ["cache", *args], prog_name="leverarm")
    assert result.exit_code == code, result.output
    return result


TABLE = """\
FOLDER: 3 files, 33.5 kB of 512 MB

arm    quantity          dtype    machine             size  last used  trouble
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
panda  inverse_dynamics  float64  x86-64 avx512    31.3 kB     28 min
panda  mass_matrix       float32  x86-64 avx512    1.29 kB        3 d
?                                                879 bytes       12 w  FILE… is damaged (its checksum is wrong)
"""


def test_the_command_shows_what_is_there(shown):
    damaged = key_of({"arm": "elbow", "quantity": "gravity"})[:12]
    text = run().stdout.replace(str(shown.folder), "FOLDER").replace(damaged, "FILE")
    assert [line.replace("─", "") for line in text.splitlines()] == [
        line.replace("─", "") for line in TABLE.splitlines()
    ]


def test_the_command_shows_the_same_as_json(shown):
    found = json.loads(run("--json").stdout)
    assert (found["folder"], found["files"], found["limit"]) == (str(shown.folder), 3, 512_000_000)
    assert found["bytes"] == sum(entry["bytes"] for entry in found["entries"]) == shown.size()
    assert found["trouble"] == ""
    first, _, last = found["entries"]
    assert (first["arm"], first["quantity"], first["dtype"]) == ("panda", "inverse_dynamics", "float64")
    assert (last["arm"], last["trouble"]) == (None, "is damaged (its checksum is wrong)")


def test_the_command_clears_by_arm_and_by_age(shown):
    assert run("clear", "--older-than", "999999w").stdout == "removed 0 files, 0 bytes\n"
    assert run("clear", "--older-than", "7w").stdout == "removed 1 file, 879 bytes\n"
    assert run("clear", "--arm", "panda", "--older-than", "2d").stdout == "removed 1 file, 1.29 kB\n"
    assert run("clear", "--arm", "elbow").stdout == "removed 0 files, 0 bytes\n"
    assert run("clear").stdout == "removed 1 file, 31.3 kB\n"
    assert run().stdout == f"{shown.folder}: 0 files, 0 bytes of 512 MB\n"


@pytest.mark.parametrize("text", ["30", "d", "30 days", "-3d", "", "1e3d", "9999999d"])
def test_an_age_that_is_none_is_a_mistake(shown, text):
    told = run("clear", "--older-than", text, code=2).stderr
    assert (
        told == f"error: --older-than: {text!r} is no age. Give a number and a unit (s, min, h, d, w), such as 30d.\n"
    )
    assert len(shown.entries()) == 3


def test_the_command_prints_the_folder(shown, monkeypatch):
    assert run("path").stdout == f"{shown.folder}\n" == f"{la.cache.folder()}\n"
    monkeypatch.setenv("LEVERARM_CACHE", "off")
    assert run("path", code=1).output == ""
    assert run().stdout.startswith("the cache is off")
    assert json.loads(run("--json").stdout)["folder"] is None


@only_posix
def test_the_command_tells_why_a_folder_is_not_used(shown):
    shown.folder.chmod(0o777)
    assert "not used: it can be written by others" in run().stdout
    assert "can be written by others" in json.loads(run("--json").stdout)["trouble"]


def test_an_unknown_part_of_the_command_is_told_with_the_nearest(shown):
    assert "did you mean 'clear'?" in run("cleer", code=2).stderr


# machine code ----------------------------------------------------------------------------------------------------------

FORGERIES = {
    "empty": lambda payload: b"",
    "no code": lambda payload: payload.partition(b"\n")[0] + b"\n",
    "cut in the notes": lambda payload: payload[:20],
    "cut in the code": lambda payload: payload[:-100],
    "one byte more": lambda payload: payload + b"\0",
    "no notes": lambda payload: b'{"notes":{},"size":3}\nabc',
    "notes that are none": lambda payload: b'{"notes":[1],"size":3}\nabc',
    "not JSON": lambda payload: b"\xff\xfe\n" + payload,
}


def compiled_masses():
    return la.compile(la.load("elbow")).mass_matrix([0.3, 0.4]).tolist()


def simulated_end():
    compiled_system._compiled.cache_clear()
    return la.simulate(la.load("elbow"), until=0.1, step=0.01).q[-1].tolist()


@pytest.mark.parametrize("forge", FORGERIES.values(), ids=FORGERIES)
@pytest.mark.parametrize("result", [compiled_masses, simulated_end])
def test_incomplete_machine_code_with_a_right_checksum_is_compiled_again(result, forge, tmp_path, monkeypatch):
    monkeypatch.setenv("LEVERARM_CACHE", str(tmp_path))
    expected = result()
    files = sorted(tmp_path.glob("*.compiled"))
    assert files
    for file in files:
        contents = unpacked(file.read_bytes())
        file.write_bytes(packed(replace(contents, payload=forge(contents.payload))))
    with pytest.warns(CacheWarning, match=r"holds (no|incomplete) machine code|another function") as told:
        assert result() == expected
    assert all(str(each.message).endswith("so it is removed and the function is compiled again.") for each in told)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert result() == expected
