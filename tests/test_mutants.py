"""The tests can fail: each of these hand-made mistakes is noticed by the identities of its room."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

MUTANTS = [
    # file, what is there, what a slip would make of it
    ("spatial/vec3.py", "self.z * other.x - self.x * other.z", "self.x * other.z - self.z * other.x"),
    ("spatial/motion.py", "self.angular.cross(f.moment) + self.linear.cross(f.force)", "self.angular.cross(f.moment)"),
    ("spatial/motion.py", "self.angular.cross(other.linear) + self.linear.cross(other.angular)", "self.angular.cross(other.linear)"),
    ("spatial/pose.py", "R.transpose_apply(m.linear + m.angular.cross(p))", "R.transpose_apply(m.linear - m.angular.cross(p))"),
    ("spatial/pose.py", "self.rotation @ f.moment + self.position.cross(force)", "self.rotation @ f.moment"),
    ("spatial/inertia.py", "self.I @ v.angular + self.h.cross(v.linear)", "self.I @ v.angular - self.h.cross(v.linear)"),
    ("spatial/inertia.py", "+ twice_parallel_axis(p, h) +", "+"),
    ("spatial/inertia.py", "RI = R * self.full()", "RI = R.transposed() * self.full()"),
    ("spatial/matrix3.py", "skew(axis * sin) + outer", "skew(axis * (-sin)) + outer"),
    ("mechanics/kinematics.py", "+ S * xdd[i] + v.cross(v_joint)", "+ S * xdd[i]"),
    ("mechanics/kinematics.py", "Motion(ORIGIN, -g)", "Motion(ORIGIN, g)"),
    ("mechanics/newton_euler.py", "force - outside[i] if", "force + outside[i] if"),
    ("mechanics/coriolis.py", "C[j][i] = S_dot[i] @ F2 + S[i] @ F3", "C[j][i] = S[i] @ F3"),
    ("mechanics/coriolis.py", "skew(v.angular) * E.full()", "E.full() * skew(v.angular)"),
    ("mechanics/christoffel.py", "- d[i][j][k]", "+ d[i][j][k]"),
    ("mechanics/articulated_body.py", "pA[i] + Ia @ c[i] +", "pA[i] +"),
    ("mechanics/articulated_body.py", "D[i] = S[i] @ U[i] + rotor[i]", "D[i] = S[i] @ U[i]"),
    ("mechanics/jacobians.py", "angular.cross(point - o)", "angular.cross(o - point)"),
    ("mechanics/energy.py", "-(arm.gravity @ first_moment(link.inertia, pose))", "arm.gravity @ first_moment(link.inertia, pose)"),
    ("mechanics/energy.py", "pose.force_into_parent(link.inertia @ m.v)", "-pose.force_into_parent(link.inertia @ m.v)"),
    ("mechanics/newton_euler.py", "if at.link >= 0:", "if at.link > 0:"),
    ("scalars/dual.py", "return Dual(t, (1 - t * t) * x.slope)", "return Dual(t, (1 + t * t) * x.slope)"),
    ("mechanics/operational_space.py", "[a - b for a, b in zip(pushed, drift, strict=True)]", "pushed"),
]  # fmt: skip

CLOSED_FORM_MUTANTS = [
    # the same, and the test that notices
    ("scalars/exact/derivatives.py", "(c * c - 1) * dB", "(1 - c * c) * dB", "test_exact.py"),
    ("scalars/exact/derivatives.py", "turned = c * B - s", "turned = c * B + s", "test_exact.py"),
    ("scalars/exact/ring.py", '.angle})"]] ** 2 - 1', '.angle})"]] ** 2 + 1', "test_exact.py"),
    ("scalars/exact/polynomial.py", "if shared:", "if shared > 1:", "test_exact.py"),
    ("scalars/exact/quotient.py", "self.numerator * b + a * self.denominator", "self.numerator * b - a * self.denominator", "test_exact.py"),
    ("scalars/exact/numbers.py", "_cosine_of_fifteens(fifteens - 6)", "_cosine_of_fifteens(fifteens + 6)", "test_exact.py"),
    ("scalars/exact/substitution.py", "0 if n < d else", "0 if n <= d else", "test_exact.py"),
    ("scalars/turn.py", "self.sin * other.cos + self.cos * other.sin", "self.sin * other.cos - self.cos * other.sin", "test_exact.py"),
    ("mechanics/adjugate.py", "(i + j) % 2 == 0 else -minor", "True else -minor", "test_equations.py"),
    ("mechanics/screw_form.py", "+ V[i].cross(link.A * xd[i])", "", "test_routes.py"),
    ("closed_form/moved_inward.py", "1 - squares[0], -(a.x * a.y)", "1 - squares[0], a.x * a.y", "test_base_parameters.py"),
]  # fmt: skip

COMPILER_MUTANTS = [
    ("scalars/tape.py", "self._scale(m - n, x)", "self._scale(m + n, x)", "test_tape.py::test_equal_expressions_are_one_node"),
    ("scalars/tape.py", "if op is Op.COS else -inside", "if True else -inside", "test_tape.py::test_functions_hand_a_sign_on_and_fold"),
    ("compiler/passes/fused.py", "Op.FNMA if part.sign > 0 else Op.FMS", "Op.FMS if part.sign > 0 else Op.FNMA", "test_passes.py::test_a_pass_changes_no_result"),
    ("compiler/passes/negation.py", "-sign if r == x else sign", "sign", "test_passes.py::test_a_pass_changes_no_result"),
    ("compiler/elementary.py", "asm.fma(r, excess, lost)", "lost", "test_elementary.py::test_sines_and_cosines_are_right_to_the_last_bits"),
    ("compiler/llvm/transposition.py", "for at in (k, lanes + k)", "for at in (lanes + k, k)", "test_llvm.py::test_results_depend_neither_on_layout_nor_on_the_number_of_states"),
    ("compiler/derivatives/partials.py", "-(y / b)", "y / b", "test_tape_derivatives.py::test_forward_reverse_and_dual_numbers_agree_exactly"),
    ("compiler/array_code/expressions.py", "_bound(b, binds + 1)", "_bound(b, binds)", "test_array_code.py"),
    ("mechanics/classical_motion.py", "A[i][i] = c[k] + spread[j]", "A[i][i] = c[k] - spread[j]", "test_lean_mechanics.py::test_forces_two_routes"),
    ("mechanics/classical_newton_euler.py", "wd * (2 * E_b)", "wd * E_b", "test_lean_mechanics.py::test_forces_two_routes"),
    ("mechanics/classical_coriolis.py", "off_trace(inner.T.transposed(), u)", "off_trace(inner.T, u)", "test_lean_mechanics.py::test_matrices_two_routes"),
    ("mechanics/derivatives.py", " - m.a * body.m", "", "test_lean_mechanics.py::test_derivatives_of_inverse_dynamics"),
    ("mechanics/outside_forces.py", " + S.angular.cross(self.wrench.moment)", "", "test_lean_mechanics.py::test_derivatives_of_inverse_dynamics"),
    ("mechanics/ldlt.py", "K[j][k] * scaled[i][k]", "K[j][k] * K[i][k]", "test_lean_mechanics.py::test_matrices_two_routes"),
    ("model/regrouping.py", "if not is_zero(link.slide):", "if False:", "test_regrouping.py::test_a_screw_keeps_mass_and_first_moment"),
]  # fmt: skip


def identities_hold(source: Path, test: str = "test_identities.py") -> bool:
    """Runs the identities (on a few trees) against this copy of the source."""
    environment = os.environ | {"PYTHONPATH": str(source), "LEVERARM_TREES": "12", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--no-header"]
    done = subprocess.run(
        [*command, str(ROOT / "tests" / test)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stdout.decode() + done.stderr.decode()
    return done.returncode == 0


def mutated(tmp_path: Path, file: str, there: str, slip: str) -> Path:
    shutil.copytree(ROOT / "src" / "leverarm", tmp_path / "leverarm", ignore=shutil.ignore_patterns("__pycache__"))
    target = tmp_path / "leverarm" / file
    text = target.read_text()
    assert text.count(there) == 1, f"{there!r} must be in {file} once"
    target.write_text(text.replace(there, slip))
    return tmp_path


@pytest.mark.parametrize(("file", "there", "slip"), MUTANTS)
def test_mutant_is_killed(tmp_path, file, there, slip):
    assert not identities_hold(mutated(tmp_path, file, there, slip))


@pytest.mark.parametrize(("file", "there", "slip", "test"), CLOSED_FORM_MUTANTS + COMPILER_MUTANTS)
def test_mutant_is_killed_by_its_test(tmp_path, file, there, slip, test):
    assert not identities_hold(mutated(tmp_path, file, there, slip), test)


def test_unchanged_copy_survives(tmp_path):
    assert identities_hold(mutated(tmp_path, "__init__.py", '"""leverarm:', '"""leverarm :'))
