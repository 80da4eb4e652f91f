"""Animations: the arm is where it should be in every frame, the files are whole, and nothing comes from the network."""

from __future__ import annotations

import json
import math
import os
import re
import sys
from dataclasses import replace

import numpy as np
import pytest

import leverarm as la
from leverarm.errors import FormatError, InputError, MissingExtraError
from leverarm.pictures.camera import camera_for
from leverarm.pictures.pose import posed
from leverarm.pictures.scene import links_and_joints
from leverarm.simulation.trajectories.animation import animate
from leverarm.simulation.trajectories.animation.film import TRACE, film_of
from leverarm.simulation.trajectories.animation.rig import frames_of, motion_of
from leverarm.simulation.trajectories.animation.web_page import run_data
from leverarm.spatial import Vec3
from tests.support.made_trajectories import swing
from tests.support.random_arms import random_arm

PIL_Image = pytest.importorskip("PIL.Image")
ARMS = ("elbow", "polar", "scara", "puma560", "panda", "torso", "stanford", "point-mass")
SIZE = (320, 240)


def film(name, fps=10):
    return film_of(swing(name), fps, 1.0, *SIZE)


def gif_frames(path):
    with PIL_Image.open(path) as image:
        found = []
        for k in range(image.n_frames):
            image.seek(k)
            found.append((np.asarray(image.convert("RGB")), image.info["duration"]))
        return found


@pytest.mark.parametrize("name", ["elbow", "scara", "puma560", "panda", "torso", "iiwa14", "kinova"])
def test_what_rides_on_the_bodies_is_what_is_drawn_in_each_pose(name):
    run = swing(name)
    motion = motion_of(run.arm, frames_of(run, 10, 1.0))
    for k in (0, 7, 13, 20):
        scene = motion.scene(k)
        links, joints = links_and_joints(posed(run.arm, scene.q), run.arm.base, scene.mark)
        assert [(link.body, link.is_rod) for link in scene.links] == [(link.body, link.is_rod) for link in links]
        for ridden, drawn in zip(scene.links, links, strict=True):
            for a, b in zip(ridden.points, drawn.points, strict=True):
                assert tuple(a) == pytest.approx(tuple(b), abs=1e-12)
        for ridden, drawn in zip(scene.joints, joints, strict=True):
            assert tuple(ridden.at) == pytest.approx(tuple(drawn.at), abs=1e-12)
            assert tuple(ridden.axis) == pytest.approx(tuple(drawn.axis), abs=1e-12)
        poses = la.forward_kinematics(run.arm, scene.q)
        for triad in scene.triads:
            pose = poses[triad.names[0]]
            assert np.allclose([tuple(axis) for axis in triad.axes], pose[:3, :3].T, atol=1e-12)
            assert np.allclose(tuple(triad.origin), pose[:3, 3], atol=1e-12)
        for dot, body in zip(
            scene.masses, (b for b in run.arm.bodies if b.name in {d.body for d in scene.masses}), strict=True
        ):
            centre = poses[body.name] @ [*(la.model.to_float(x, run.arm.defaults) for x in body.mass_properties.com), 1]
            assert np.allclose(tuple(dot.at), centre[:3], atol=1e-12)


def test_a_slide_stays_on_its_rod_also_when_it_comes_in():
    run = swing("polar")  # the slide goes from 0.3 to 0.8 and back: its rod is drawn for all of it
    motion = motion_of(run.arm, frames_of(run, 10, 1.0))
    for k in range(len(motion.frames)):
        scene = motion.scene(k)
        (rod,) = [link for link in scene.links if link.is_rod]
        a, b = rod.points
        assert math.hypot(*(b - a)) == pytest.approx(motion.frames.q[k, 1], abs=1e-12)
        assert tuple(scene.joints[1].at) == pytest.approx(tuple((a + b) * 0.5), abs=1e-12)


@pytest.mark.parametrize("name", ARMS)
def test_the_whole_motion_is_on_the_page_and_not_squashed(name):
    shown = film(name)
    sheet, page = shown.stage.sheet, shown.stage.page
    assert sheet.camera == camera_for(shown.motion.scene(0))
    marks = {shown.motion.scene(k).mark for k in range(len(shown.frames))}
    assert len(marks) == 1
    corners = [sheet.to_page(Vec3(*p)) for p in shown.motion.points.reshape(-1, 3).tolist()]
    assert all(0 < x < page.width and page.headroom < y < page.greatest_height for x, y in corners)
    spread = np.ptp(np.array(corners), axis=0) / (page.width, page.greatest_height - page.headroom)
    assert spread.max() > 0.35, "the arm fills a good part of the page"
    x0, y0 = sheet.to_page(Vec3(0, 0, 0))
    x, y = sheet.to_page(sheet.camera.right + sheet.camera.up)
    assert x - x0 == pytest.approx(y0 - y) and x > x0


def test_a_tip_is_drawn_where_kinematics_puts_it():
    shown = film("panda")
    k = 15
    tool = la.forward_kinematics(la.load("panda"), shown.frames.q[k], "tool")[:3, 3]
    at = shown.stage.sheet.to_page(Vec3(*tool.tolist()))
    (trail,) = shown.trails
    assert trail[k * shown.frames.between] == pytest.approx(at)
    trace = [s for s in shown.shapes(k) if getattr(s, "stroke", None) == TRACE]
    assert trace[0].points[-1] == pytest.approx(at)
    (image,) = shown.images([k])
    x, y = round(at[0]), round(at[1])
    assert image.size == SIZE and image.getpixel((2, 2)) == (255, 255, 255)
    near = np.asarray(image)[y - 4 : y + 5, x - 4 : x + 5]
    assert (near < 200).any()


@pytest.mark.slow
def test_a_gif_has_every_frame_at_its_time(tmp_path):
    run = swing("panda")
    steps = []
    animate(run, tmp_path / "run.gif", fps=30, size=SIZE, progress=lambda done, total: steps.append((done, total)))
    frames = gif_frames(tmp_path / "run.gif")
    assert len(frames) == 61 == len(steps) and steps[-1] == (61, 61)
    durations = [length for _, length in frames]
    assert set(durations[:-1]) == {30, 40} and sum(durations[:-1]) == 2000 and durations[-1] == 1000
    exact = film_of(run, 30, 1.0, *SIZE)
    for k in (0, 31, 60):  # the colours are few, and each frame holds only what changed
        (drawn,) = exact.images([k])
        assert np.abs(frames[k][0].astype(int) - np.asarray(drawn)).mean() < 1.5
    assert (frames[0][0][2, 2] == 255).all() and (frames[60][0][2, 2] == 255).all()
    assert (frames[0][0] != frames[30][0]).any()
    with PIL_Image.open(tmp_path / "run.gif") as image:
        assert image.info["loop"] == 0 and image.size == SIZE


def test_a_gif_can_be_faster_than_life(tmp_path):
    animate(swing("elbow"), tmp_path / "run.gif", fps=20, speed=4, size=SIZE)
    assert len(gif_frames(tmp_path / "run.gif")) == 11


@pytest.mark.parametrize("ending", [".gif", ".html"])
def test_a_run_of_one_row_is_a_still(tmp_path, ending):
    animate(swing("scara")[np.array([3])], tmp_path / f"run{ending}", size=SIZE)
    assert (tmp_path / f"run{ending}").stat().st_size > 1000


def page_data(path):
    text = path.read_text(encoding="utf-8")
    (found,) = re.findall(r'<script type="application/json" id="run">(.*?)</script>', text, re.DOTALL)
    return text, json.loads(found)


@pytest.mark.parametrize("name", ["elbow", "panda"])
def test_a_page_is_whole_in_itself(tmp_path, name):
    run = swing(name)
    animate(run, tmp_path / "run.html", speed=0.5)
    text, data = page_data(tmp_path / "run.html")
    assert not re.search(r"https?:|//[a-z]|\ssrc=|<link|@import|url\(|fetch\(|import\(", text)
    assert len(data["t"]) == 121 and data["t"][-1] == 2.0
    assert data["kinetic"] == pytest.approx(
        np.interp(data["t"], run.t, run.records.kinetic), abs=5e-6
    )  # t has 6 digits
    assert [joint["name"] for joint in data["joints"]] == [body.joint.name for body in run.arm.bodies]
    assert data["planar"] is (name == "elbow") and (data["floor"] is None) is (name == "elbow")
    assert '<option value="0.5" selected>' in text
    for wanted in ("play", "slider", "speed", "time", "kinetic", "potential", "total", "view"):
        assert f'id="{wanted}"' in text
    named = set(re.findall(r'byId\("(\w+)"\)', text))
    assert named <= set(re.findall(r'id="(\w+)"', text))


def test_the_player_is_told_what_draw_would_draw():
    shown = film("scara")
    data = run_data(shown)
    poses = np.array(data["poses"]).reshape(len(shown.frames), data["homes"], 7)
    k = 12

    def ridden(a):
        x, y, z, *turn = poses[k, a[0]]
        w, v = turn[0], np.array(turn[1:])
        p = np.array(a[1:])
        return np.array([x, y, z]) + p + 2 * np.cross(v, np.cross(v, p) + w * p)

    for told, known in zip(data["points"], shown.motion.points[k], strict=True):
        point = ridden(told) if len(told) == 4 else (ridden(told[:4]) + ridden(told[4:])) / 2
        assert point == pytest.approx(known, abs=1e-4)
    used = [i for link in data["links"] for i in link["points"]] + [joint["point"] for joint in data["joints"]]
    used += [i for mass in data["masses"] for i in (mass["point"], mass["origin"])]
    assert used == list(range(len(data["points"])))


def test_names_cannot_break_the_page(tmp_path):
    arm = replace(la.load("elbow"), title="</script><script>alert('&')")
    first, second = arm.bodies
    bodies = (replace(first, joint=replace(first.joint, name="</script><b>")), second)
    animate(swing(replace(arm, bodies=bodies, coordinates=())), tmp_path / "run.html")
    text, data = page_data(tmp_path / "run.html")
    assert data["joints"][0]["name"] == "</script><b>"
    assert text.count("<script") == text.count("</script>") == 2 and "<b>" not in text.split("<script")[1]


def fake_ffmpeg(folder, body):
    program = folder / "ffmpeg"
    program.write_text(f"#!{sys.executable}\nimport json, sys\nfrom pathlib import Path\n{body}\n")
    program.chmod(0o755)
    return program


@pytest.mark.skipif(os.name == "nt", reason="the stand-in for ffmpeg is a script")
def test_ffmpeg_gets_every_pixel(tmp_path, monkeypatch):
    (tmp_path / "bin").mkdir()
    fake_ffmpeg(
        tmp_path / "bin",
        "data = sys.stdin.buffer.read()\nPath(sys.argv[-1]).write_text(json.dumps([len(data), sys.argv]))",
    )
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    animate(swing("elbow"), tmp_path / "run.mp4", fps=10, size=(161, 121))
    count, arguments = json.loads((tmp_path / "run.mp4").read_text())
    assert count == 21 * 162 * 122 * 3, "videos have even sides"
    assert arguments[arguments.index("-s") + 1] == "162x122" and arguments[arguments.index("-r") + 1] == "10"


@pytest.mark.skipif(os.name == "nt", reason="the stand-in for ffmpeg is a script")
def test_when_ffmpeg_fails_its_words_are_told_and_nothing_is_left(tmp_path, monkeypatch):
    (tmp_path / "bin").mkdir()
    fake_ffmpeg(tmp_path / "bin", "sys.exit('Unknown encoder')")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    with pytest.raises(InputError, match=r"Unknown encoder.*\.gif or an \.html"):
        animate(swing("elbow"), tmp_path / "run.mp4", fps=10, size=SIZE)
    assert [path.name for path in tmp_path.iterdir()] == ["bin"]


def test_without_ffmpeg_other_formats_are_named(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(MissingExtraError, match=r"ffmpeg.*\.gif or an \.html"):
        animate(swing("elbow"), tmp_path / "run.mp4")
    assert list(tmp_path.iterdir()) == []


def test_without_pillow_a_page_can_still_be_written(tmp_path, monkeypatch):
    for module in ("PIL", "matplotlib"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=r"pip install 'leverarm\[plot\]'.*\.html"):
        animate(swing("elbow"), tmp_path / "run.gif")
    animate(swing("elbow"), tmp_path / "run.html")
    assert [path.name for path in tmp_path.iterdir()] == ["run.html"]


def test_an_interrupted_animation_leaves_no_half_file(tmp_path):
    (tmp_path / "run.gif").write_bytes(b"old")

    def interrupt(done, total):
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        animate(swing("elbow"), tmp_path / "run.gif", size=SIZE, progress=interrupt)
    assert [path.name for path in tmp_path.iterdir()] == ["run.gif"]
    assert (tmp_path / "run.gif").read_bytes() == b"old"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"fps": 0}, "animate: fps = 0: it must be greater than zero"),
        ({"fps": True}, "fps: a truth value was given"),
        ({"speed": math.nan}, "speed is nan"),
        ({"speed": "2"}, "speed: '2' is no array of numbers"),
        ({"fps": 60}, "at most 50 frames a second"),
        ({"size": (10, 20)}, r"size=\(10, 20\)"),
        ({"size": 300}, "size=300"),
        ({"size": (4096, 4096), "fps": 50, "speed": 0.5}, "a GIF of 201 frames of 4096 x 4096 pixels is too large"),
        ({"speed": 1e-4}, r"are 600001 frames; at most 20000 are drawn. Give speed=0.0032 or more"),
    ],
)
def test_animations_that_cannot_be_made(tmp_path, given, words):
    with pytest.raises(InputError, match=words):
        animate(swing("elbow"), tmp_path / "run.gif", **given)
    assert list(tmp_path.iterdir()) == []


def test_files_that_cannot_be_written(tmp_path):
    with pytest.raises(InputError, match=r"\.gif, \.mp4 or \.html"):
        animate(swing("elbow"), tmp_path / "run.avi")
    with pytest.raises(FormatError, match="cannot be written"):
        animate(swing("elbow"), tmp_path / "nowhere" / "run.gif")


@pytest.mark.parametrize("seed", range(12))
def test_any_tree_can_be_animated(seed, tmp_path):
    run = swing(random_arm(seed), rows=9)
    shown = film_of(run, 4, 1.0, *SIZE)
    for image in shown.images([0, len(shown.frames) - 1]):
        assert (np.asarray(image) < 128).any()
    json.dumps(run_data(shown), allow_nan=False)


@pytest.mark.parametrize("gravity", [Vec3(0, 0, 0), Vec3(9.81, 0, 0), Vec3(1, 2, -3)])
def test_any_gravity_can_be_animated(gravity):
    for name in ("elbow", "panda"):
        shown = film_of(swing(replace(la.load(name), gravity=gravity)), 4, 1.0, *SIZE)
        (image,) = shown.images([1])
        assert (np.asarray(image) < 128).any()
