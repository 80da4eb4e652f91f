"""Exported code: C that compiles without a warning, runs clean under sanitizers and gives the library's own bits.

`python -m tests.runtime.test_export` writes the golden texts anew, to be read before they are committed.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import leverarm as la
from leverarm.cli import cli
from leverarm.compiler import Array, program_of
from leverarm.compiler.c99 import definition, identifier, signature_of, support
from leverarm.compiler.c99.function import literal
from leverarm.compiler.llvm import machine_named, runnable_machines
from leverarm.errors import FormatError, InputError, NotFiniteError, SingularError
from leverarm.runtime.export.exporting import compilable
from leverarm.scalars import Tape
from leverarm.scalars.operations import ARITHMETIC, Op
from leverarm.scalars.tape import evaluated
from tests.support.c_library import Library, built, run
from tests.support.levels import at_level
from tests.support.paths import GOLDEN, ROOT
from tests.support.random_arms import random_arm
from tests.support.springs import sprung

STRICT = [
    "-Wall",
    "-Wextra",
    "-Werror",
    "-std=c99",
    "-pedantic",
    "-Wconversion",
    "-Wdouble-promotion",
    "-Wshadow",
    "-Wmissing-prototypes",
]
COMPILERS = [name for name in ("gcc", "clang") if shutil.which(name)]
ALL = tuple(compilable())

needs_gcc = pytest.mark.skipif(not shutil.which("gcc"), reason="no gcc here")


def saved(folder, arm, quantities=ALL, **asked):
    bundle = la.export(la.load(arm) if isinstance(arm, str) else arm, quantities, name="arm", **asked)
    bundle.save(folder)
    return bundle


def verdicts_of(folder, *flags, compiler="gcc"):
    """The verdicts of the exported test program, built with these flags."""
    run([compiler, *STRICT, *flags, "arm.c", "arm_test.c", "-lm", "-o", "arm_test"], folder)
    return run(["./arm_test"], folder).splitlines()


# what a compiler says ------------------------------------------------------------------------------------------------


@pytest.mark.slow
@needs_gcc
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(
    "arm", at_level(["elbow"], ["elbow", "scara", "torso"], ["elbow", "scara", "puma560", "torso", "panda"])
)
def test_every_quantity_compiles_without_a_warning_and_passes_its_own_test(arm, dtype, tmp_path):
    saved(tmp_path, arm, dtype=dtype)
    for compiler in COMPILERS:
        verdicts = verdicts_of(tmp_path, compiler=compiler)
        assert [line.split()[:2] for line in verdicts] == [["ok", f"arm_{quantity}:"] for quantity in ALL]


@pytest.mark.slow
@needs_gcc
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_it_runs_clean_under_sanitizers(dtype, tmp_path):
    saved(tmp_path, "stanford", dtype=dtype)
    verdicts = verdicts_of(tmp_path, "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    assert all(line.startswith("ok ") for line in verdicts) and len(verdicts) == len(ALL)


@pytest.mark.skipif(not shutil.which("g++"), reason="no g++ here")
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_it_compiles_as_cpp_and_links_to_cpp(dtype, tmp_path):
    saved(tmp_path, "elbow", dtype=dtype)
    run(["g++", "-x", "c++", "-Wall", "-Wextra", "-Werror", "-c", "arm.c", "-o", "as_cpp.o"], tmp_path)
    real = "double" if dtype == "float64" else "float"
    program = (
        f'#include "arm.h"\nint main() {{ {real} q[ARM_DOF] = {{}}, M[4]; arm_mass_matrix(q, M); return M[0] != 5; }}\n'
    )
    (tmp_path / "main.cpp").write_text(program)
    run(["gcc", "-c", "arm.c"], tmp_path)
    run(["g++", "-Wall", "-Wextra", "-Werror", "main.cpp", "arm.o", "-lm", "-o", "main"], tmp_path)
    run(["./main"], tmp_path)


@needs_gcc
def test_fast_math_is_refused(tmp_path):
    saved(tmp_path, "elbow", ["gravity"])
    done = subprocess.run(["gcc", "-O2", "-ffast-math", "-c", "arm.c"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode != 0 and "Leave that option out" in done.stderr


@needs_gcc
def test_the_test_program_notices_a_wrong_number(tmp_path):
    saved(tmp_path, "elbow", ["gravity", "mass_matrix"])
    source = (tmp_path / "arm.c").read_text()
    at = source.index("arm_gravity(")
    (tmp_path / "arm.c").write_text(source[:at] + source[at:].replace("9.81", "9.8100001"))
    run(["gcc", "arm.c", "arm_test.c", "-lm", "-o", "arm_test"], tmp_path)
    done = subprocess.run(["./arm_test"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["FAILED", "ok"]


@pytest.mark.slow
@needs_gcc
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_trees_with_friction_springs_rotors_and_couplings(dtype, tmp_path):
    arm = sprung(random_arm(9), 9)
    rough = [k for k, body in enumerate(arm.bodies) if body.joint.friction is not None]
    bodies = list(arm.bodies)
    for k in rough[::2]:
        joint = bodies[k].joint
        bodies[k] = replace(bodies[k], joint=replace(joint, friction=replace(joint.friction, smoothing=0.5)))
    arm = replace(arm, bodies=tuple(bodies))
    saved(tmp_path, arm, ["inverse_dynamics", "forward_dynamics", "bias", "inverse_dynamics_derivatives"], dtype=dtype)
    assert {"sign_of(", "tanh_of("} <= set(re.findall(r"\w+\(", (tmp_path / "arm.c").read_text()))
    assert all(line.startswith("ok ") for line in verdicts_of(tmp_path, "-O1"))


@needs_gcc
def test_parameters_wrenches_and_frames_are_arguments(tmp_path):
    asked = {"inputs": ["m2", "gravity", "payload"], "extras": ["wrench", "disturbance"], "frame": "link2"}
    bundle = saved(tmp_path, "elbow", ["inverse_dynamics", "step", "pose"], **asked)
    names = [p.name for p in bundle.functions[0].signature("double").parameters]
    assert names == ["q", "qd", "qdd", "wrench", "disturbance", "m2", "gravity", "payload", "tau"]
    assert "double m2," in (tmp_path / "arm.h").read_text()
    assert all(line.startswith("ok ") for line in verdicts_of(tmp_path, "-O1"))


# its numbers ---------------------------------------------------------------------------------------------------------

MACHINES = [("sse2", ()), ("avx2", ("-mfma",))]


@pytest.mark.slow
@needs_gcc
@pytest.mark.parametrize("dtype", at_level(["float64"], ["float64"], ["float64", "float32"]))
@pytest.mark.parametrize(("cpu", "flags"), MACHINES, ids=["twice rounded", "fused"])
def test_the_numbers_are_the_librarys_bit_for_bit(cpu, flags, dtype, tmp_path):
    if cpu not in runnable_machines():
        pytest.skip(f"this computer is no {cpu}")
    rng = np.random.default_rng(5)
    for name in at_level(["polar"], ["polar"], ["scara", "stanford"]):
        arm = la.load(name)
        folder = tmp_path / name
        c = built(la.export(arm, ALL, dtype=dtype, name="arm"), folder, *flags)
        fast = la.compile(arm, dtype=dtype, cpu=cpu)
        for quantity, function in c.functions.items():
            arguments = [np.asarray(_states(rng, a.shape), dtype) for a in function.program.inputs]
            found = getattr(fast, quantity)(*arguments)
            parts = found if isinstance(found, tuple) else (found,)
            expected = np.concatenate([np.reshape(part, (len(arguments[0]), -1)) for part in parts], axis=1)
            for k, row in enumerate(expected):
                result = c(quantity, [a[k] for a in arguments])
                assert np.array_equal(result, row, equal_nan=True), (name, quantity, k)


def _states(rng, shape):
    """Ordinary states, some far out, one beyond where angles are reduced by hand."""
    scale = np.array([1, 1, 1, 1, 1, 30, 1e4, 1e7]).reshape(-1, *(1 for _ in shape))
    return scale * rng.standard_normal((8, *shape))


@needs_gcc
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_nan_and_infinity_propagate(dtype, tmp_path):
    c = built(la.export(la.load("elbow"), ["gravity", "mass_matrix"], dtype=dtype, name="arm"), tmp_path)
    for bad in (np.nan, np.inf, -np.inf):
        assert np.isnan(c("gravity", [[bad, 0]])).all()
        assert np.array_equal(np.isnan(c("mass_matrix", [[0, bad]])), [True, True, True, False])


@needs_gcc
def test_a_result_may_take_the_place_of_an_argument(tmp_path):
    arm = la.load("puma560")
    bundle = la.export(arm, ["inverse_dynamics"], name="arm")
    c = built(bundle, tmp_path)
    q, qd, qdd = np.random.default_rng(1).standard_normal((3, 6))
    expected = c("inverse_dynamics", [q, qd, qdd])
    for shared in (q, qd, qdd):
        buffers = [x.copy() for x in (q, qd, qdd)]
        target = buffers[[x is shared for x in (q, qd, qdd)].index(True)]
        c.loaded.arm_inverse_dynamics(*(ctypes.c_void_p(x.ctypes.data) for x in (*buffers, target)))
        assert np.array_equal(target, expected)


# the emitter ---------------------------------------------------------------------------------------------------------

_BINARY = (Op.ADD, Op.SUB, Op.MUL, Op.DIV)


@st.composite
def programs(draw):
    """Random programs of sums, differences, products, quotients and signs, with the value of each result."""
    tape = Tape()
    values = [tape.input(f"x{k}") for k in range(3)]
    for _ in range(draw(st.integers(1, 12))):
        op = draw(st.sampled_from((*_BINARY, Op.NEG, Op.SIGN)))
        pool = [*values, draw(st.sampled_from((0.1, -3.5, 1e-9, 7.0)))]
        args = [draw(st.sampled_from(pool)) for _ in range(op.arity)]
        made = ARITHMETIC[op](*args) if op in ARITHMETIC else tape.apply(op, *args)
        if made != 0:
            values.append(made)
    entries = values[-3:]
    return program_of("f", [Array("x", (3,))], [Array("y", (3,))], entries), entries


@needs_gcc
def test_random_programs_compute_what_they_say(tmp_path):
    """Every bracket: without fused operations C rounds as Python does."""
    chosen = []

    @settings(max_examples=60, database=None)
    @given(programs())
    def choose(drawn):
        chosen.append(drawn)

    choose()
    signatures = [signature_of(program, f"f{k}", "double") for k, (program, _) in enumerate(chosen)]
    parts = support([program for program, _ in chosen], "double")
    parts += [f"{s.prototype};\n{definition(p, s)}" for (p, _), s in zip(chosen, signatures, strict=True)]
    (tmp_path / "f.c").write_text("\n\n".join(parts))
    run(["gcc", *STRICT, "-O1", "-shared", "-fPIC", "f.c", "-lm", "-o", "f.so"], tmp_path)
    library = ctypes.CDLL(str(tmp_path / "f.so"))
    x = np.array([0.3, -1.7, 2.9])
    for k, (_, entries) in enumerate(chosen):
        y = np.zeros(3)
        getattr(library, f"f{k}")(ctypes.c_void_p(x.ctypes.data), ctypes.c_void_p(y.ctypes.data))
        try:
            expected = evaluated(entries, {f"x{j}": float(value) for j, value in enumerate(x)})
        except ZeroDivisionError:
            continue
        assert np.array_equal(y, expected, equal_nan=True), chosen[k]


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_literals_are_read_back_as_they_were(x):
    assert float(literal(x, "double").text) == x
    if abs(x) < 3e38:
        assert np.float32(literal(x, "float").text.removesuffix("f")) == np.float32(x)


@given(st.text())
def test_any_name_becomes_an_identifier(text):
    name = identifier(text)
    assert re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name)
    assert identifier(name) == name
    assert identifier(text, {name}) != name


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("θ₁", "theta1"),
        ("double", "double_"),
        ("y0", "y0_"),
        ("7 of 9", "n7_of_9"),
        ("机械臂", "u673au68b0u81c2"),
        ("Ω", "Omega"),
        ("*/", "x"),
        ("MUL_ADD", "MUL_ADD_"),
    ],
)
def test_names_of_any_script(given, name):
    assert identifier(given) == name


@needs_gcc
def test_hostile_names_stay_in_comments(tmp_path):
    arm = la.load("elbow")
    bad = '*/ int x; /* ??/ " \\'
    arm = replace(arm, name=bad, title=f"{bad}\n\u202e", source=f"{bad}\r\u2028")
    bundle = la.export(arm, ["gravity"])
    bundle.save(tmp_path)
    assert bundle.name == identifier(bad)
    run(["gcc", *STRICT, "-O1", f"{bundle.name}.c", f"{bundle.name}_test.c", "-lm", "-o", "arm_test"], tmp_path)


def golden_texts(folder):
    """Header and source of a small arm; the test program holds last digits of the C library's cosine."""
    la.export(la.load("elbow"), ["gravity", "inverse_dynamics"]).save(folder)
    texts = {name: (Path(folder) / name).read_text() for name in ("elbow.h", "elbow.c")}
    return {name: text.replace(f"leverarm {la.__version__};", "leverarm VERSION;") for name, text in texts.items()}


@pytest.mark.parametrize("name", ["elbow.h", "elbow.c"])
def test_the_text_is_the_golden_one(name, tmp_path):
    assert golden_texts(tmp_path)[name] == (GOLDEN / name).read_text()


@pytest.mark.slow
def test_the_text_is_the_same_in_every_process():
    code = "import leverarm as la; print(la.export(la.load('puma560'), ['coriolis_matrix', 'bias']).text())"
    texts = set()
    for seed in ("0", "1"):
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT / "src")}
        texts.add(subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True).stdout)
    assert len(texts) == 1


# other targets -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@needs_gcc
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_an_object_file_passes_the_test_program_of_the_c_sources(dtype, tmp_path):
    quantities = ["inverse_dynamics", "kinetic_energy", "step"]
    saved(tmp_path, "puma560", quantities, dtype=dtype)
    saved(tmp_path, "puma560", quantities, dtype=dtype, target="object")
    run(["gcc", *STRICT, "arm_test.c", "arm.o", "-lm", "-o", "arm_test"], tmp_path)
    assert [line.split()[0] for line in run(["./arm_test"], tmp_path).splitlines()] == ["ok"] * 3


@needs_gcc
def test_the_batch_function_of_an_object_file_computes_each_state_alike(tmp_path):
    bundle = saved(tmp_path, "scara", ["inverse_dynamics", "kinetic_energy"], target="object")
    run(["gcc", "-shared", "arm.o", "-lm", "-o", "arm.so"], tmp_path)
    library = Library(bundle, tmp_path / "arm.so")
    states = np.random.default_rng(3).standard_normal((3, 21, 4))
    tau = np.zeros((4, 21)).T  # one coordinate after the other

    class View(ctypes.Structure):
        _fields_ = [("data", ctypes.c_void_p), ("state_stride", ctypes.c_int64), ("entry_stride", ctypes.c_int64)]

    views = (View * 4)(*(View(a.ctypes.data, *a.strides) for a in (*states, tau)))
    library.loaded.arm_inverse_dynamics_batch(views, ctypes.c_int64(2), ctypes.c_int64(21))
    assert not tau[:2].any()
    for k in range(2, 21):
        assert np.array_equal(tau[k], library("inverse_dynamics", states[:, k]))


def test_llvm_text_and_objects_for_other_processors(tmp_path):
    bundle = la.export(la.load("elbow"), ["gravity", "mass_matrix"], target="llvm", cpu="neon")
    text = bundle.text()
    assert f'target triple = "{machine_named("neon").triple}"' in text
    assert all(line.startswith(";") for line in text.split("target triple")[0].strip().splitlines())
    import llvmlite.binding as llvm

    module = llvm.parse_assembly(text)
    module.verify()
    assert {f.name for f in module.functions if not f.is_declaration and f.linkage.name == "external"} == {
        "elbow_gravity", "elbow_gravity_batch", "elbow_mass_matrix", "elbow_mass_matrix_batch"
    }  # fmt: skip
    saved(tmp_path, "elbow", ["gravity"], target="object", cpu="neon")
    assert (tmp_path / "arm.o").read_bytes()[18] == 183  # EM_AARCH64


def test_a_casadi_file_agrees_with_the_reference(tmp_path):
    casadi = pytest.importorskip("casadi")
    arm = la.load("scara")
    (path,) = la.export(arm, ["inverse_dynamics"], target="casadi", inputs=["gravity"]).save(tmp_path)
    assert path.name == "scara_inverse_dynamics.casadi"
    states = np.random.default_rng(2).standard_normal((3, 4))
    tau = la.inverse_dynamics(arm, *states)
    found = casadi.Function.load(str(path))(*states, [0, 0, -9.81]).full().ravel()
    np.testing.assert_allclose(found, tau, rtol=0, atol=1e-12 * abs(tau).max())


def test_a_numpy_module_agrees_with_the_reference(tmp_path):
    arm = la.load("scara")
    (path,) = la.export(arm, ["inverse_dynamics", "mass_matrix"], target="numpy").save(tmp_path)
    specification = importlib.util.spec_from_file_location("exported", path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    q, qd, qdd = np.random.default_rng(2).standard_normal((3, 5, 4))
    for k in range(5):
        tau = la.inverse_dynamics(arm, q[k], qd[k], qdd[k])
        np.testing.assert_allclose(module.inverse_dynamics(q, qd, qdd)[k], tau, rtol=1e-12, atol=1e-12 * abs(tau).max())
        np.testing.assert_allclose(module.mass_matrix(q)[k], la.mass_matrix(arm, q[k]), rtol=1e-12, atol=1e-14)


# files ---------------------------------------------------------------------------------------------------------------


def test_files_are_replaced_together_or_not_at_all(tmp_path):
    bundle = la.export(la.load("elbow"), ["gravity"])
    bundle.save(tmp_path / "new" / "folder")
    assert sorted(p.name for p in (tmp_path / "new" / "folder").iterdir()) == ["elbow.c", "elbow.h", "elbow_test.c"]

    taken = tmp_path / "taken"
    (taken / "elbow_test.c").mkdir(parents=True)
    (taken / "elbow.h").write_text("mine")
    with pytest.raises(FormatError, match=r"elbow_test\.c is a folder"):
        bundle.save(taken)
    assert (taken / "elbow.h").read_text() == "mine"
    assert sorted(p.name for p in taken.iterdir()) == ["elbow.h", "elbow_test.c"]

    file = tmp_path / "file"
    file.write_text("mine")
    with pytest.raises(FormatError, match="Give a folder"):
        bundle.save(file / "inside" / "of")
    assert file.read_text() == "mine"


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"quantities": ["inverse_dynamic"]}, "did you mean 'inverse_dynamics'"),
        ({"quantities": []}, "Name one or more"),
        ({"quantities": ["gravity", "gravity"]}, "each once"),
        ({"target": "fortran"}, "there is no target named 'fortran'"),
        ({"dtype": "float16"}, "float64 or float32"),
        ({"name": "2 fast"}, "'n2_fast' would do"),
        ({"cpu": "avx2"}, "only llvm and object"),
        ({"inputs": ["m9"]}, "'m2' or 'm1'"),
        ({"frame": "tool"}, "does not apply to gravity"),
        ({"extras": ["wrench"]}, "It is for joint_loads, bias, inverse_dynamics"),
        ({"extras": "wrench"}, "'wrench' does not apply to gravity"),
        ({"quantities": 3}, "Name one or more"),
        ({"target": ["c"]}, "there is no target named"),
        ({"target": "llvm", "cpu": ["avx2"]}, "there is no machine named"),
    ],
)
def test_mistakes_are_told(asked, message):
    with pytest.raises(InputError, match=re.escape(message)):
        la.export(la.load("elbow"), asked.pop("quantities", ["gravity"]), **asked)


def test_a_constant_that_single_precision_cannot_hold_is_refused():
    heavy = la.with_values(la.load("elbow"), m1=1e39)
    assert "e+39" in la.export(heavy, "mass_matrix").text()
    with pytest.raises(NotFiniteError, match=r"1e\+39, beyond the range of float32 .* Compile in float64"):
        la.export(heavy, "mass_matrix", dtype="float32").text()
    with pytest.raises(NotFiniteError, match="Compile in float64"):
        la.compile(heavy, dtype="float32").mass_matrix([0, 0])


def test_what_divides_by_zero_everywhere_is_refused(tmp_path):
    massless = la.with_values(la.load("elbow"), m1=0, m2=0)
    with pytest.raises(SingularError, match="Give every moving link a mass"):
        la.export(massless, ["forward_dynamics"]).save(tmp_path)
    assert not any(tmp_path.iterdir())


# the command ---------------------------------------------------------------------------------------------------------


def command(*args, code=0):
    result = CliRunner().invoke(cli, ["compile", *args], prog_name="leverarm")
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result


def test_the_command_writes_files_and_says_which(tmp_path):
    out = tmp_path / "out"
    said = command("elbow", "--quantity", "gravity", "--quantity", "mass-matrix", "-o", str(out)).stdout
    assert said == f"wrote {out / 'elbow.h'}, {out / 'elbow.c'}, {out / 'elbow_test.c'}: 2 functions of elbow\n"
    assert "void elbow_mass_matrix(const double q[2], double M[4]);" in (out / "elbow.h").read_text()


@needs_gcc
def test_one_quantity_is_printed_and_compiles_alone(tmp_path):
    text = command("elbow", "--quantity", "gravity", "--dtype", "float32", "--name", "my").stdout
    (tmp_path / "gravity.c").write_text(text)
    assert "void my_gravity(const float q[2], float g[2])" in text
    run(["gcc", *STRICT, "-c", "gravity.c"], tmp_path)


def test_several_are_listed_with_their_costs():
    said = command("elbow").stdout
    assert [line.split()[0] for line in said.splitlines() if line.startswith("elbow_")] == [f"elbow_{q}" for q in ALL]
    assert said.endswith("-o FOLDER writes elbow.h, elbow.c, elbow_test.c.\n")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["elbo"], "did you mean 'elbow'"),
        (["elbow", "--quantity", "gravitas"], "did you mean 'gravity'"),
        (["elbow", "--target", "C"], "there is no target named 'C'"),
        (["elbow", "--quantity", "gravity", "--target", "object"], "Save it to a folder"),
        (["elbow", "--quantity", "gravity", "-o", ""], "-o is empty"),
        (["elbow", "--quantity", "gravity", "--cpu", "z80", "--target", "llvm"], "there is no machine named 'z80'"),
    ],
)
def test_a_mistake_on_the_command_line_is_one_line(args, message):
    result = command(*args, code=2)
    assert result.stdout == "" and message in result.stderr
    assert result.stderr.startswith("error: ") and result.stderr.count("\n") == 1


def test_help_teaches_by_example():
    text = command("--help").stdout
    assert "leverarm compile panda --quantity inverse_dynamics -o out" in text
    assert all(name in text for name in (*(name.replace("_", "-") for name in ALL), *la.export_targets()))


if __name__ == "__main__":
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as made:
        for name, text in golden_texts(made).items():
            (GOLDEN / name).write_text(text)
