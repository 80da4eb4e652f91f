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
    ("mechanics/dissipation.py", "along[j] + gear * force", "along[j] - gear * force"),
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

_RECORD = "test_simulation_routes.py::test_a_record_is_what_evaluation_gives_there[2]"
_ACCOUNT = "test_simulation_routes.py::test_an_account_is_the_integral_of_its_power[2]"
_CONDITIONS = "test_simulation_routes.py::test_the_numbers_of_dormand_and_prince_meet_the_conditions_of_their_orders"
_GUARD = "test_contacts.py::test_the_guard_is_negative_exactly_where_a_sweep_changes_something"

SIMULATION_MUTANTS = [
    ("simulation/fixed_step/tableaux.py", "[F(1, 6), F(1, 3), F(1, 3), F(1, 6)]", "[F(1, 6), F(1, 3), F(1, 6), F(1, 3)]", "test_simulate.py::test_a_step_is_the_formula_of_the_method"),
    ("simulation/fixed_step/tableaux.py", "F(-5103, 18656)", "F(5103, 18656)", _CONDITIONS),
    ("simulation/adaptive/dormand_prince.py", "F(71, 1920)", "F(-71, 1920)", _CONDITIONS),
    ("simulation/adaptive/dormand_prince.py", "[18, -45, 36, -9]", "[18, -45, 36, 9]", "test_adaptive.py::test_the_order_of_the_dense_output_is_six"),
    ("simulation/acting/forces.py", '[-x for x in moment(self.form, data["tau_d"]', '[x for x in moment(self.form, data["tau_d"]', _RECORD),
    ("simulation/acting/forces.py", "mechanics.transposed(J), w)", "mechanics.transposed(J), [*w[3:], *w[:3]])", _RECORD),
    ("simulation/acting/payloads.py", "(0, 1), (1, 1), (0, 2)", "(0, 1), (0, 2), (1, 1)", _RECORD),
    ("simulation/acting/payloads.py", "np.eye(3) - np.outer(c, c)", "np.eye(3) + np.outer(c, c)", _RECORD),
    ("simulation/acting/feeds.py", "times + EARLY * h)", "times - EARLY * h)", "test_simulation_routes.py::test_a_row_that_is_held_acts_from_its_own_time_on[euler]"),
    ("simulation/compiled/system.py", "sum((dot(push, qd) for", "sum((-dot(push, qd) for", _ACCOUNT),
    ("simulation/contacts/blows.py", "rebound = c.stop.restitution * before", "rebound = before", "test_contacts.py::test_a_blow_is_an_impulse_along_its_coordinate_and_its_energy_is_booked[0]"),
    ("simulation/contacts/conditions.py", "friction_range(contact, s) - load", "friction_range(contact, s) + load", _GUARD),
    ("simulation/contacts/conditions.py", "greatest(distance, -speed)", "greatest(distance, speed)", _GUARD),
    ("simulation/contacts/held_dynamics.py", "(rhs[i] - needed[i])", "rhs[i]", "test_contacts.py::test_free_coordinates_move_as_if_the_held_ones_were_welded[0]"),
    ("simulation/symplectic/canonical.py", "zip(slopes, [-w", "zip([-x for x in slopes], [-w", "test_midpoint.py::test_a_step_is_symplectic"),
    ("simulation/reference/recurrences.py", "-_along(slope, s, k) / k", "_along(slope, s, k) / k", "test_reference_method.py::test_a_pendulum_is_jacobis_elliptic_function"),
    ("control/law.py", "as_length(a) - as_length(b)", "as_length(b) - as_length(a)", "test_control.py::test_computed_torque_makes_the_error_linear"),
    ("control/slotine_li.py", "minus_s = errors(v, qd)", "minus_s = errors(qd, v)", "test_control.py::test_slotine_li_drains_its_energy"),
    ("signals/form.py", "half_acceleration * s + rate", "half_acceleration * s + value", "test_signals.py::test_a_polynomial_is_the_sum_of_its_powers_exactly"),
    ("signals/trapezoids.py", "[rate * ramp / 2, rate, 0]", "[rate * ramp, rate, 0]", "test_signals.py::test_trapezoids_by_hand"),
    ("trajectories/ledger.py", "unexplained - (work - work[0])", "unexplained + (work - work[0])", "test_trajectory.py::test_a_ledger_in_which_every_joule_is_explained"),
    ("trajectories/resampling.py", "jump / 6 + F * (1 - u / 2)", "jump / 6 + F * (1 - u)", "test_trajectory.py::test_resampling_is_exact_for_polynomials_up_to_degree_5"),
    ("trajectories/time_scaling.py", "self.fixed + value - speed * slope, slope", "self.fixed + value, slope", "test_limits.py::test_smooth_friction_is_fitted_too"),
]  # fmt: skip


_ONE_SLIP = "test_corrections.py::test_one_slip_is_undone"
_READ = "test_reading.py::test_formulas_are_read_as_they_are_meant"
_CONVENTION = "test_conventions.py::test_a_convention_is_found_and_said"
_FORMS = "test_spaces.py::test_forms_at_points_are_the_quantities"
_HALVES = "test_enclosures.py::test_halves_cover_their_box_also_far_from_zero"
_MULTIPLES = "test_loewner.py::test_cosines_and_sines_of_multiples_stay_around_their_polynomials"

VERIFY_MUTANTS = [
    ("scalars/ball.py", "math.nextafter(upper, math.inf)", "math.nextafter(upper, -math.inf)", "test_point_values.py::test_bounds_are_the_next_floats_outside"),
    ("scalars/ball.py", "return Ball(c), Ball(s)", "return Ball(s), Ball(c)", "test_point_values.py::test_cosine_and_sine_are_not_exchanged"),
    ("reading/names.py", "Fraction(10) ** int(power or 0)", "Fraction(10) ** -int(power or 0)", "test_reading.py::test_numbers_are_exact"),
    ("reading/names.py", "if value == -1 and not isinstance(node, Number)", "if value == -1 and isinstance(node, Number)", _READ),
    ("reading/grammar.py", "Quotient(span, left, right), span", "Quotient(span, right, left), span", _READ),
    ("reading/totals.py", "(*inside, term)", "(term, *inside)", _READ),
    ("verify/equations/angles.py", "float(coefficient) * math.pi", "float(coefficient) * math.pi / 2", "test_check.py::test_double_angles_and_constant_angles"),
    ("verify/equations/coordinate_names.py", "return turn.cos if word", "return turn.sin if word", "test_check.py::test_short_cosines"),
    ("verify/equations/faults.py", "_formula(subtracted(case.value, case.wanted), scope)", "_formula(subtracted(case.wanted, case.value), scope)", "test_check.py::test_a_difference_is_written_minus_true_and_its_witness_shows_it"),
    ("verify/equations/unknowns.py", "quotient(-substitute(", "quotient(substitute(", "test_check.py::test_unknown_names"),
    ("verify/equations/dimensions.py", "self.m - other.m, self.s - other.s", "self.m - other.m, self.s + other.s", "test_units.py::test_the_robot_equation_is_homogeneous"),
    ("verify/equations/factorisations.py", "rate - 2 * x for rate", "rate - x for rate", "test_conventions.py::test_other_factorisations_are_told_from_wrong_matrices"),
    ("verify/equations/convention_angles.py", "offset + ratio * meaning.quarters", "offset - ratio * meaning.quarters", _CONVENTION),
    ("verify/equations/convention_inertia.py", "b - a if b != 0", "b + a if b != 0", _CONVENTION),
    ("verify/equations/mending/splicing.py", 'Splice(start, end, "+" if i else "")', 'Splice(start, end, "")', _ONE_SLIP),
    ("verify/equations/mending/ranking.py", "return edit.cost, disorder", "return -edit.cost, disorder", _ONE_SLIP),
    ("verify/table/identities.py", "(S[i][j] + S[j][i] for", "(S[i][j] - S[j][i] for", "test_property_identities.py::test_every_identity_is_proven_for_arms_of_the_catalog[elbow]"),
    ("verify/table/exact_states.py", "size = 4 * link.turns", "size = 2 * link.turns", "test_property_identities.py::test_the_chance_of_a_false_identity_is_bounded_by_its_degree"),
    ("verify/table/digits.py", "_written(lower, last, first, ROUND_FLOOR)", "_written(lower, last, first, ROUND_CEILING)", "test_properties_report.py::test_what_is_shown_encloses_what_is_known"),
    ("verify/table/known.py", "_better(max, now.lower", "_better(min, now.lower", "test_properties_report.py::test_what_an_earlier_report_knows_better_is_kept"),
    ("verify/table/friction_bounds.py", "abs(offset - backwards))", "abs(offset + backwards))", "test_property_bounds_exact.py::test_friction_never_exceeds_its_bound_and_no_smaller_one_will_do"),
    ("verify/table/passivity.py", "term.offset < -term.coulomb ", "term.offset < -term.coulomb_negative ", "test_property_bounds_exact.py::test_friction_takes_energy_unless_an_offset_outweighs_it"),
    ("verify/table/box.py", "to_float(limit, arm.defaults) - offset", "to_float(limit, arm.defaults) + offset", "test_property_bounds_exact.py::test_a_coupled_joint_narrows_the_coordinate_it_follows"),
    ("verify/enclosures/loewner.py", "w[..., -1] + _uncertain(", "w[..., -1] - _uncertain(", "test_loewner.py::test_eigenvalues_are_certified_from_outside"),
    ("verify/enclosures/motions.py", "32 * np.abs(m) * r**3 + 4 * r**4,", "32 * np.abs(m) * r**3,", _MULTIPLES),
    ("verify/enclosures/spaces.py", "X[..., 6:9, 3:6] = -cross(position)", "X[..., 6:9, 3:6] = cross(position)", _FORMS),
    ("verify/enclosures/spaces.py", "= 2 * (cross(np.eye(3)[k]) @ z)", "= (cross(np.eye(3)[k]) @ z)", _FORMS),
    ("verify/enclosures/compiled_values.py", "2 * (turned - _times(", "2 * (turned + _times(", "test_local_search.py::test_slopes_are_those_of_the_numbers[torso-lambda1-2]"),
    ("verify/enclosures/branching.py", " + 2 * UNIT * (np.abs(boxes.middles[row, k]) + half[row, k])", "", _HALVES),
]  # fmt: skip

IDENTIFICATION_MUTANTS = [
    ("identification/modelling/shafts.py", "return {j: gear * torque for j, gear in self.gears}", "return {j: torque for j, gear in self.gears}", "test_modelling.py::test_columns_are_the_regressor_of_catalog_arms_with_couplings[scara]"),
    ("identification/modelling/columns.py", "forward, backward = (1 + direction) / 2, (1 - direction) / 2", "forward, backward = (1 - direction) / 2, (1 + direction) / 2", "test_modelling.py::test_columns_are_the_regressor_of_random_trees[1]"),
    ("identification/modelling/columns.py", "speed / abs(shaft.gear)", "speed", "test_modelling.py::test_columns_are_the_regressor_of_random_trees"),
    ("identification/modelling/base.py", "np.linalg.solve(R[:, kept], R)", "R", "test_modelling.py::test_base_columns_stand_for_all[follower first]"),
    ("identification/modelling/modelled_arm.py", "c.ratio * gear)", "c.ratio)", "test_modelling.py::test_couplings_go_into_an_arm_and_come_back"),
    ("identification/friction_curves.py", "shaft.gear_of(j) ** 2", "shaft.gear_of(j)", "test_modelling.py::test_friction_of_a_joint_counts_the_shafts_that_turn_with_it"),
    ("identification/motions/smooth_motion.py", "at = np.arange(len(x)) + samples", "at = np.arange(len(x)) - samples", "test_motions.py::test_a_lag_takes_torques_from_later"),
    ("identification/motions/local_polynomial.py", "np.fft.rfft(kernels[::-1]", "np.fft.rfft(kernels", "test_motions.py::test_long_windows_by_transforms_are_the_sums_term_by_term"),
    ("identification/motions/smooth_motion.py", "smoothing(filter_.cut_off(rate), log.rate)", "smoothing(filter_.cut_off(rate), rate)", "test_motions.py::test_the_same_cut_off_for_a_log_of_another_rate"),
    ("identification/fitting/rows.py", "np.maximum(dead_zone, STILL)", "dead_zone", "test_fitting.py::test_a_joint_rests_where_it_is_slow_for_long"),
    ("identification/fitting/normal_equations.py", "raw = zz - 2 * Wz @ values + modelled", "raw = zz - 2 * Wy @ values + modelled", "test_fitting.py::test_sums_are_those_of_the_samples"),
    ("identification/fitting/open_parameters.py", "> PART", "> 1 + PART", "test_fitting.py::test_parameters_that_no_sample_fixes_are_open"),
    ("identification/choosing/friction_choice.py", "self._narrowed_down(wide, wide_error)", "wide, wide_error", "test_choosing.py::test_friction_models_are_told_apart"),
    ("identification/choosing/pull_choice.py", "values = problem.fitted(fold != left_out, pull)", "values = problem.fitted(fold == left_out, pull)", "test_choosing.py::test_a_right_drawing_pulls_harder_than_a_wrong_one"),
    ("identification/identifying.py", "squared_up(without_friction(given))", "squared_up(given)", "test_identify.py::test_friction_of_the_description_is_replaced_and_not_added"),
    ("identification/prediction.py", "raw, per_joint = errors(motion.raw, predicted.torque)", "raw, per_joint = errors(motion.tau, predicted.torque)", "test_identify.py::test_another_motion_is_validated"),
    ("identification/estimates.py", "np.where(is_open, np.inf,", "np.where(is_open, 0.0,", "test_identify.py::test_a_joint_that_never_moves_is_not_told"),
    ("identification/verdicts.py", "if other.filtered_error > min(worst, WORST_ERROR)", "if other.filtered_error > max(worst, 1e9)", "test_identify.py::test_a_motion_too_small_for_the_other_is_refused"),
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


@pytest.mark.parametrize(
    ("file", "there", "slip", "test"),
    CLOSED_FORM_MUTANTS + COMPILER_MUTANTS + SIMULATION_MUTANTS + VERIFY_MUTANTS + IDENTIFICATION_MUTANTS,
)
def test_mutant_is_killed_by_its_test(tmp_path, file, there, slip, test):
    assert not identities_hold(mutated(tmp_path, file, there, slip), test)


def test_unchanged_copy_survives(tmp_path):
    assert identities_hold(mutated(tmp_path, "__init__.py", '"""leverarm:', '"""leverarm :'))
