"""What is wrong with a URDF is said in one sentence with its line; hostile XML is refused at once."""

from __future__ import annotations

import pytest

from leverarm.errors import FormatError
from leverarm.formats.input_file import MAX_BYTES
from leverarm.formats.urdf.reader import arm_from_urdf
from leverarm.formats.xml_tree import read_xml_file

LINKS = '<link name="base"/>\n<link name="arm"/>\n<link name="hand"/>\n'
FIRST = '<joint name="a" type="revolute"><parent link="base"/><child link="arm"/></joint>\n'
SECOND = '<joint name="b" type="revolute"><parent link="arm"/><child link="hand"/>{}</joint>\n'


def robot(*parts: str) -> str:
    return '<robot name="r">\n' + "".join(parts) + "</robot>"


def second(inside: str, kind: str = "revolute") -> str:
    return robot(LINKS, FIRST, SECOND.replace("revolute", kind).format(inside))


def inertial(inside: str) -> str:
    return second("").replace('<link name="hand"/>', f'<link name="hand"><inertial>{inside}</inertial></link>')


TENSOR = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
ERRORS = {
    "empty": ("", "1: not well-formed XML: no element found (column 1). Correct the text there."),
    "cut short": (
        robot(LINKS)[:-4],
        "5: not well-formed XML: unclosed token (column 1). Correct the text there.",
    ),
    "mjcf": (
        "<mujoco/>",
        "1: the outermost element is <mujoco>; a URDF has <robot>. This is MJCF: read it as such (with the extra "
        "leverarm[mjcf]).",
    ),
    "xacro tag": (
        robot('<xacro:include filename="x"/>\n'),
        "2: <xacro:include> is xacro, which is not yet URDF. Run first: xacro robot.xacro > robot.urdf",
    ),
    "xacro expression": (
        inertial('<mass value="${m1}"/>' + TENSOR),
        "4: '${m1}' is xacro, which is not yet URDF. Run first: xacro robot.xacro > robot.urdf",
    ),
    "no link": (robot(), "1: <robot> has no <link>; an arm needs a base and at least one moving link."),
    "no joint": (
        robot('<link name="base"/>'),
        "1: an arm needs at least one body besides its base; none was given.",
    ),
    "nothing moves": (
        robot(LINKS.replace('<link name="hand"/>\n', ""), FIRST.replace("revolute", "fixed")),
        "1: arm 'r' has no joint that moves; at least one is needed.",
    ),
    "no name": (
        robot("<link/>\n"),
        "2: attribute 'name' of <link> is missing; write <link name=\"...\" />.",
    ),
    "two links of a name": (
        robot(LINKS, '<link name="arm"/>'),
        "5: a second link is named 'arm'; the first is in line 3. Give each a name of its own.",
    ),
    "two joints of a name": (
        robot(LINKS, FIRST, SECOND.format("").replace('"b"', '"a"')),
        "6: a second joint is named 'a'; the first is in line 5. Give each a name of its own.",
    ),
    "unknown parent": (
        robot(LINKS, FIRST.replace("base", "bass")),
        "5: joint 'a': there is no link named 'bass'; did you mean 'base'? Valid: base, arm, hand.",
    ),
    "no child": (
        robot(LINKS, FIRST.replace('<child link="arm"/>', "")),
        "5: <joint> has no <child>; add one.",
    ),
    "two roots": (
        robot(LINKS, FIRST),
        "4: 2 links have no parent: 'base', 'hand'. An arm has one root: connect the others with joints (type fixed "
        "where nothing moves), or remove them.",
    ),
    "two parents": (
        robot(LINKS, FIRST, SECOND.format(""), SECOND.format("").replace('"b"', '"c"')),
        "7: link 'hand' is the child of joint 'c' and of joint 'b' (line 6). An arm is a tree, so a link has one "
        "parent: remove one of the joints, or cut the loop.",
    ),
    "cycle without a root": (
        robot(LINKS.replace('<link name="base"/>\n', ""), FIRST.replace("base", "hand"), SECOND.format("")),
        "4: the links 'arm', 'hand' form a cycle with no root. Remove the joint that closes it.",
    ),
    "cycle beside a root": (
        robot(LINKS, FIRST.replace("base", "hand"), SECOND.format("")),
        "5: the links 'arm', 'hand' form a cycle with no root. Remove the joint that closes it.",
    ),
    "floating": (
        second("", "floating"),
        "6: joint 'b' is floating; leverarm reads arms on a fixed base: make the joint fixed, or remove it and its "
        "parent link.",
    ),
    "planar": (
        second("", "planar"),
        "6: joint 'b' is planar; leverarm's joints have one degree of freedom: write it as two prismatic joints and a "
        "revolute one, with links without <inertial> between them.",
    ),
    "unknown type": (
        second("", "revolutte"),
        "6: joint 'b': there is no joint type named 'revolutte'; did you mean 'revolute'? Valid: revolute, continuous, "
        "prismatic, fixed.",
    ),
    "axis of length zero": (
        second('\n<axis xyz="0 0 0"/>'),
        '7: the axis has length zero; give a direction such as xyz="0 0 1".',
    ),
    "two numbers": (
        second('\n<axis xyz="0 1"/>'),
        "7: attribute 'xyz' of <axis> is '0 1'; it takes three numbers separated by spaces, such as \"0 0 1\".",
    ),
    "an expression": (
        second('\n<origin xyz="0 0 pi/2"/>'),
        "7: attribute 'xyz' of <origin>: 'pi/2' is not a finite number; write a plain decimal such as 0.25 or 1e-3.",
    ),
    "nan": (
        second('\n<origin rpy="0 nan 0"/>'),
        "7: attribute 'rpy' of <origin>: 'nan' is not a finite number; write a plain decimal such as 0.25 or 1e-3.",
    ),
    "too large": (
        inertial('<mass value="1e999"/>' + TENSOR),
        "4: attribute 'value' of <mass>: '1e999' is not a finite number; write a plain decimal such as 0.25 or 1e-3.",
    ),
    "negative mass": (
        inertial('<mass value="-1"/>' + TENSOR),
        "4: attribute 'value' of <mass> is -1.0; it must be zero or positive.",
    ),
    "no mass": (inertial(TENSOR), "4: <inertial> has no <mass>; add one."),
    "half an inertia": (
        inertial('<mass value="1"/><inertia ixx="1"/>'),
        "4: attribute 'ixy' of <inertia> is missing; write <inertia ixy=\"...\" />.",
    ),
    "two inertials": (
        second("").replace('<link name="hand"/>', '<link name="hand"><inertial/>\n<inertial/></link>'),
        "5: a second <inertial> in the <link> of line 4; the first is in line 4. Keep one of them.",
    ),
    "negative damping": (
        second('\n<dynamics damping="-1"/>'),
        "7: attribute 'damping' of <dynamics> is -1.0; it must be zero or positive.",
    ),
    "limits exchanged": (
        second('\n<limit lower="1" upper="-1"/>'),
        "7: the lower limit 1.0 is above the upper limit -1.0; exchange them.",
    ),
    "mimics nobody": (
        second('\n<mimic joint="aa"/>'),
        "7: joint 'b' mimics an unknown joint: there is no joint named 'aa'; did you mean 'a'? Valid: a, b.",
    ),
    "mimics itself": (
        second('<mimic joint="b"/>'),
        "6: joint 'b' mimics 'b', and the chain of mimics is a cycle. Remove the <mimic> of the joint "
        "that is driven.",
    ),
    "mimics in a circle": (
        robot(LINKS, FIRST.replace("</joint>", '<mimic joint="b"/></joint>'), SECOND.format('<mimic joint="a"/>')),
        "5: joint 'a' mimics 'b', and the chain of mimics is a cycle. Remove the <mimic> of the joint "
        "that is driven.",
    ),
    "mimics a fixed joint": (
        second('<mimic joint="a"/>').replace('"a" type="revolute"', '"a" type="fixed"'),
        "6: joint 'b' mimics 'a', which is fixed; make it mimic a joint that moves.",
    ),
    "misspelt extension": (
        second('\n<leverarm rotor_inertias="1"/>'),
        "7: <leverarm>: there is no attribute named 'rotor_inertias'; did you mean 'rotor_inertia' or "
        "'motor_viscous'? Valid: viscous_negative, coulomb_negative, smoothing, offset, load, rotor_inertia, gear, "
        "motor_viscous, motor_coulomb, spring_stiffness, spring_rest, role.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", ERRORS)
def test_errors_say_where_and_what_to_do(case):
    text, message = ERRORS[case]
    with pytest.raises(FormatError) as caught:
        arm_from_urdf(text)
    assert str(caught.value) == message
    with pytest.raises(FormatError, match=r"^arm\.urdf"):
        arm_from_urdf(text, "arm.urdf")


@pytest.mark.slow
def test_hostile_xml_is_refused_at_once(tmp_path):
    laughs = '<!ENTITY l0 "ha">' + "".join(f'<!ENTITY l{i + 1} "{f"&l{i};" * 10}">' for i in range(9))
    with pytest.raises(FormatError, match=r"^1: a document type or entity declaration"):
        arm_from_urdf(f'<!DOCTYPE robot [{laughs}]>\n<robot name="&l9;"/>')
    with pytest.raises(FormatError, match=r"^1: a document type"):
        arm_from_urdf('<!DOCTYPE robot SYSTEM "file:///etc/hostname"><robot name="r"/>')
    with pytest.raises(FormatError, match="elements are nested more than 200 deep"):
        arm_from_urdf("<robot>" + "<a>" * 1_000_000)
    with pytest.raises(FormatError, match="more than 500000 elements"):
        arm_from_urdf("<robot>" + "<a/>" * 600_000 + "</robot>")
    with pytest.raises(FormatError, match="more than 20 MB"):
        arm_from_urdf(" " * (MAX_BYTES + 1))
    with pytest.raises(FormatError, match="not text that XML can hold"):
        arm_from_urdf('<robot name="\ud800"/>')
    huge = tmp_path / "huge.urdf"
    with huge.open("wb") as stream:
        stream.truncate(10**9)
    with pytest.raises(FormatError, match=r"huge\.urdf: has more than 20 MB"):
        read_xml_file(huge)


def test_files_are_read_in_their_encoding(tmp_path):
    path = tmp_path / "arm.urdf"
    text = '<?xml version="1.0" encoding="iso-8859-1"?>\n<robot name="Ärmchen"/>'
    path.write_bytes(text.encode("latin-1"))
    assert read_xml_file(path) == text
    path.write_bytes(b"\xef\xbb\xbf<robot/>")
    assert read_xml_file(path) == "<robot/>"
    path.write_bytes(b"<robot>\n\xff</robot>")
    with pytest.raises(FormatError, match=r"arm\.urdf:2: is not utf-8 text; save the file as UTF-8\.$"):
        read_xml_file(path)
    path.write_bytes(b'<?xml version="1.0" encoding="utf-7"?><robot/>')
    with pytest.raises(FormatError, match=r"arm\.urdf:1: encoding 'utf-7' is not read"):
        read_xml_file(path)
    with pytest.raises(FormatError, match="cannot be read: No such file"):
        read_xml_file(tmp_path / "none.urdf")


def test_long_chains_neither_recurse_nor_hang():
    links = "".join(f'<link name="l{i}"/>' for i in range(3001))
    joint = '<joint name="j{0}" type="revolute"><parent link="l{0}"/><child link="l{1}"/>{2}</joint>'
    mimic = '<mimic joint="j{0}" multiplier="1"/>'
    joints = "".join(joint.format(i, i + 1, mimic.format(i + 1) if i < 2999 else "") for i in range(3000))
    arm = arm_from_urdf(robot(links, joints))
    assert arm.joint_names == ("j2999",)
