"""Pictures: what is in them, where it is, and that every renderer draws it."""

from __future__ import annotations

import math
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from itertools import pairwise

import pytest

import leverarm as la
from leverarm.errors import FormatError, InputError, MissingExtraError
from leverarm.model import Joint, JointKind, Placement
from leverarm.pictures import presentable_pose, save_picture, scene_of, terminal_picture
from leverarm.pictures.camera import camera_for
from leverarm.pictures.drawing import lay_out
from leverarm.pictures.scene import route
from leverarm.pictures.shapes import Group, Role, TextLine
from leverarm.pictures.svg import PAGE, to_svg
from leverarm.pictures.terminal import page_for, to_text
from leverarm.spatial import Vec3
from tests.support.levels import at_level
from tests.support.python_calls import python_calls
from tests.support.random_arms import float_state, random_arm

SVG = "{http://www.w3.org/2000/svg}"
CATALOG = la.catalog_names()
X, Y, Z = Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)


def points(vectors):
    return [pytest.approx(tuple(v), abs=1e-9) for v in vectors]


def on_axis(joint, origin):
    """How far a shown joint is from the line through its origin along its axis."""
    away = joint.at - origin
    return math.hypot(*(away - joint.axis * (away @ joint.axis)))


def test_the_elbow_is_two_links_between_known_points():
    scene = scene_of(la.load("elbow"), [0, math.pi / 2])
    assert [tuple(link.points[0]) for link in scene.links] == points([Vec3(0, 0, 0), Vec3(1, 0, 0)])
    assert [tuple(link.points[-1]) for link in scene.links] == points([Vec3(1, 0, 0), Vec3(1, 1, 0)])
    assert [link.body for link in scene.links] == ["link1", "link2"]
    assert [(joint.name, joint.kind) for joint in scene.joints] == [("theta1", "revolute"), ("theta2", "revolute")]
    assert [tuple(dot.at) for dot in scene.masses] == points([Vec3(1, 0, 0), Vec3(1, 1, 0)])
    assert [triad.names for triad in scene.triads] == [("base",), ("tool",)]
    assert tuple(scene.triads[1].axes[0]) == pytest.approx((0, 1, 0), abs=1e-12)


@pytest.mark.parametrize("name", CATALOG)
def test_joints_are_shown_on_their_axes_and_links_hang_together(name):
    arm = la.load(name)
    scene = scene_of(arm)
    poses = la.forward_kinematics(arm, scene.q)
    for body, joint in zip(arm.bodies, scene.joints, strict=True):
        origin = Vec3(*map(float, poses[body.name][:3, 3]))
        assert joint.name == body.joint.name
        assert on_axis(joint, origin) < 1e-9
    reached = {tuple(round(float(x), 6) for x in scene.base.origin)}
    loose = [[tuple(round(float(x), 6) for x in point) for point in link.points] for link in scene.links]
    while touching := [chain for chain in loose if reached & set(chain)]:
        reached |= {point for chain in touching for point in chain}
        loose = [chain for chain in loose if chain not in touching]
    assert loose == []
    assert {tuple(round(float(x), 6) for x in triad.origin) for triad in scene.triads} <= reached


@pytest.mark.parametrize("name", CATALOG)
def test_a_presentable_pose_is_within_the_limits_and_spreads_the_joints(name):
    arm = la.load(name)
    q = dict(zip(arm.joint_names, presentable_pose(arm), strict=True))
    for body in arm.bodies:
        limits = body.joint.limits
        if limits.lower is not None and limits.upper is not None:
            assert la.model.to_float(limits.lower, arm.defaults) <= q[body.joint.name] + 1e-4
            assert q[body.joint.name] <= la.model.to_float(limits.upper, arm.defaults) + 1e-4
        if body.joint.kind is JointKind.PRISMATIC:
            assert q[body.joint.name] > 0
    picture = lay_out(scene_of(arm), PAGE)
    spots = [shape.at for shape in picture.shapes if isinstance(shape, Group) and shape.role is Role.JOINT]
    close = sum(math.dist(a, b) < 4 for i, a in enumerate(spots) for b in spots[:i])
    assert close <= (name == "puma560"), "only the Puma's hand turns where the wrist does, with nothing beyond it"


def test_routes_follow_the_axes():
    assert [tuple(p) for p in route(Vec3(0, 0, 0), Z, Vec3(1, 0, 2), X)] == points(
        [Vec3(0, 0, 0), Vec3(0, 0, 2), Vec3(1, 0, 2)]
    )
    assert [tuple(p) for p in route(Vec3(0, 0, 0), Y, Vec3(3, 1, 0), Y)] == points(
        [Vec3(0, 0, 0), Vec3(3, 0, 0), Vec3(3, 1, 0)]
    )
    assert len(route(Vec3(0, 0, 0), Z, Vec3(0, 0, 0), X)) == 1
    nearly = Vec3(0, 0.01, 1.0)  # the common normal of nearly parallel axes is far away: straight on instead
    assert len(route(Vec3(0, 0, 0), Z, Vec3(1, 1, 1), nearly * (1 / math.hypot(*nearly)))) == 2


def test_planar_arms_are_seen_head_on_and_others_with_gravity_down():
    elbow, panda = camera_for(scene_of(la.load("elbow"))), camera_for(scene_of(la.load("panda")))
    assert (elbow.right, elbow.up, elbow.is_head_on) == (X, Y, True)
    right, up = panda.flat(Vec3(0, 0, -1))
    assert abs(right) < 1e-9 and up < -0.5 and not panda.is_head_on
    on_its_side = replace(la.load("panda"), gravity=Vec3(0, 9.81, 0))
    right, up = camera_for(scene_of(on_its_side)).flat(Vec3(0, 1, 0))
    assert abs(right) < 1e-9 and up < -0.5
    for camera in (elbow, panda):
        assert tuple(camera.right.cross(camera.up)) == pytest.approx(tuple(camera.toward))


@pytest.mark.parametrize("name", CATALOG)
def test_svg_is_well_formed_and_names_every_joint(name, tmp_path):
    arm = la.load(name)
    save_picture(arm, tmp_path / "arm.svg")
    root = ElementTree.parse(tmp_path / "arm.svg").getroot()
    assert root.tag == f"{SVG}svg"
    width, height = float(root.get("width")), float(root.get("height"))
    titles = [title.text for title in root.iter(f"{SVG}title")]
    texts = [text.text for text in root.iter(f"{SVG}text")]
    for body in arm.bodies:
        assert f"{body.joint.name} ({body.joint.kind})" in titles
        assert body.joint.name in texts
        if body.mass_properties.mass != 0:
            assert any(title.startswith(f"centre of mass of {body.name} ") for title in titles)
    for text in root.iter(f"{SVG}text"):
        assert 0 <= float(text.get("x")) <= width
        assert 0 <= float(text.get("y")) <= height


def test_names_cannot_break_the_svg(tmp_path):
    arm = la.load("elbow")
    hostile = replace(arm, title='</title><script>"&', name="a<b&c")
    root = ElementTree.fromstring(to_svg(lay_out(scene_of(hostile), PAGE)))
    assert root.find(f"{SVG}title").text == '</title><script>"&'
    assert not list(root.iter(f"{SVG}script"))


def test_names_do_not_cover_each_other():
    for name in ("panda", "torso", "elbow", "scara"):
        picture = lay_out(scene_of(la.load(name)), PAGE)
        words = [shape for shape in picture.shapes if isinstance(shape, TextLine) and shape.role is Role.LABEL]
        for i, a in enumerate(words):
            for b in words[:i]:
                apart_x = abs(a.at[0] - b.at[0]) - PAGE.letter_width * (len(a.text) + len(b.text)) / 2
                apart_y = abs(a.at[1] - b.at[1]) - PAGE.letter_height
                assert max(apart_x, apart_y) > -4, (a.text, b.text)


@pytest.mark.slow
def test_png_is_a_picture_of_the_arm(tmp_path):
    image = pytest.importorskip("matplotlib.image")
    save_picture(la.load("panda"), tmp_path / "arm.png")
    assert (tmp_path / "arm.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    pixels = image.imread(tmp_path / "arm.png")
    assert pixels.shape[0] > 600 and pixels.shape[1] > 1000
    painted = (pixels[:, :, :3] < 0.97).any(axis=2)
    assert 0.02 < painted.mean() < 0.7
    orange = (pixels[:, :, 0] > 0.85) & (pixels[:, :, 2] < 0.4)  # the joints
    assert orange.mean() > 0.002


def test_png_without_matplotlib_says_what_to_install(tmp_path, monkeypatch):
    for module in ("matplotlib", "matplotlib.figure", "matplotlib.backends.backend_agg"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=r"pip install 'leverarm\[plot\]'"):
        save_picture(la.load("elbow"), tmp_path / "arm.png")
    assert list(tmp_path.iterdir()) == []


def test_pictures_that_cannot_be_written(tmp_path):
    with pytest.raises(InputError, match=r"\.svg or \.png"):
        save_picture(la.load("elbow"), tmp_path / "arm.bmp")
    with pytest.raises(FormatError, match="cannot be written"):
        save_picture(la.load("elbow"), tmp_path / "nowhere" / "arm.svg")
    with pytest.raises(InputError, match="takes 2"):
        scene_of(la.load("elbow"), [0.0])
    with pytest.raises(InputError, match="finite"):
        scene_of(la.load("elbow"), [0.0, math.nan])
    with pytest.raises(InputError, match="did you mean 'tool'"):
        scene_of(la.load("elbow"), frames=["tol"])


def test_frames_that_are_asked_for_are_shown_once():
    scene = scene_of(la.load("panda"), frames=["link3", "tool"])
    assert [triad.names for triad in scene.triads] == [("base",), ("tool", "flange"), ("link3",)]


@pytest.mark.parametrize("columns", [24, 40, 80, 120])
def test_terminal_pictures_fit_and_name_the_joints(columns):
    for name in ("elbow", "panda", "torso"):
        text = terminal_picture(la.load(name), columns).plain
        assert all(len(line) <= columns for line in text.splitlines())
        assert any("\u2801" <= letter <= "\u28ff" for letter in text)
    if columns >= 80:
        panda = terminal_picture(la.load("panda"), columns).plain
        assert all(f"joint{k}" in panda for k in range(1, 8))
        assert panda.count("●") == 7


def test_the_terminal_draws_a_straight_link_straight():
    lines = terminal_picture(la.load("elbow"), 80, [0, 0]).plain.splitlines()
    row = next(line for line in lines if line.count("●") == 2)
    between = row[row.index("●") + 1 : row.rindex("●")]
    assert len(between) > 15 and all("\u2801" <= letter <= "\u28ff" or letter == "x" for letter in between)


def test_terminal_colours_tell_the_axes_apart():
    styles = {str(span.style) for span in terminal_picture(la.load("panda"), 100).spans}
    assert {"red", "green", "bright_cyan", "bright_blue", "bold yellow"} <= styles


def test_every_joint_kind_has_its_own_look():
    arm = la.load("elbow")
    first, second = arm.bodies
    looks = {}
    for kind in JointKind:
        joint = Joint("j", kind, Placement(Vec3(0, 0, 1)), Z, pitch=0.1 if kind.has_pitch else 0)
        mixed = replace(arm, bodies=(replace(first, joint=joint), second), coordinates=())
        picture = lay_out(scene_of(mixed, [0.3] * mixed.dof), PAGE)
        (found,) = (s for s in picture.shapes if isinstance(s, Group) and s.name.startswith("j "))
        assert found.symbol == kind.traits.picture.symbol
        looks[kind] = len(found.shapes), found.shapes[0].fill
    assert looks[JointKind.REVOLUTE] == looks[JointKind.CONTINUOUS]
    assert len(set(looks.values())) == len({kind.traits.picture for kind in JointKind}) == 4


@pytest.mark.parametrize("seed", range(at_level(3, 12, 25)))
def test_any_tree_can_be_drawn(seed):
    arm = random_arm(seed)
    for q in (None, float_state(arm, seed)[0], [0.0] * arm.dof):
        scene = scene_of(arm, q)
        svg = to_svg(lay_out(scene, PAGE))
        assert "nan" not in svg and "inf" not in svg.replace("info", "")
        ElementTree.fromstring(svg)
        assert to_text(lay_out(scene, page_for(80))).plain.strip()


@pytest.mark.parametrize("gravity", [Vec3(0, 0, 0), Vec3(0, 0, 9.81), Vec3(9.81, 0, 0), Vec3(0, 0, -1), Vec3(1, 2, -3)])
def test_any_gravity_can_be_drawn(gravity):
    for name in ("elbow", "panda", "point-mass"):
        scene = scene_of(replace(la.load(name), gravity=gravity))
        ElementTree.fromstring(to_svg(lay_out(scene, PAGE)))


def test_an_arm_that_hangs_or_is_locked_can_be_drawn():
    arm = la.load("panda")
    hanging = replace(arm, base_placement=Placement(Vec3(0, 0, 2), Vec3(math.pi, 0, 0)))
    scene = scene_of(hanging)
    assert min(p.z for p in scene.points) < 2 == scene.base.origin.z
    locked = la.lock(arm, dict.fromkeys(arm.joint_names[1:], -0.5))
    scene = scene_of(locked)
    assert len(scene.q) == 1 and [joint.kind for joint in scene.joints] == ["revolute"] + 6 * ["fixed"]
    for found in (hanging, locked):
        ElementTree.fromstring(to_svg(lay_out(scene_of(found), PAGE)))


def snake_of(number):
    """A chain of so many equal links on the first of an arm."""
    arm = la.load("rr")
    link = arm.bodies[1]
    bodies = [arm.bodies[0]]
    for k in range(number):
        joint = replace(link.joint, name=f"j{k}", placement=Placement(Vec3(0.1, 0, 0)))
        bodies.append(replace(link, name=f"b{k}", parent=bodies[-1].name, joint=joint))
    return replace(arm, bodies=tuple(bodies), named_frames=(), coordinates=())


@pytest.mark.slow
def test_the_work_for_a_long_snake_grows_with_its_length():
    pictures = []
    short, long = (
        python_calls(lambda snake=snake_of(number): pictures.append(lay_out(scene_of(snake), PAGE)))
        for number in (30, 120)
    )
    assert long < 6 * short  # 16 times the work if every joint looked at every other
    assert [sum(isinstance(s, Group) and s.role is Role.JOINT for s in p.shapes) for p in pictures] == [31, 121]


def test_links_get_longer_when_the_slide_comes_out():
    arm = la.load("polar")
    near, far = scene_of(arm, [0.0, 0.5]), scene_of(arm, [0.0, 2.0])
    lengths = [
        sum(math.dist(tuple(a), tuple(b)) for link in scene.links if link.is_rod for a, b in pairwise(link.points))
        for scene in (near, far)
    ]
    assert lengths == pytest.approx([0.5, 2.0])
