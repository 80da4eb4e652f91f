"""Hand-made mistakes, each with the tests that notice it.

A mistake is a text that stands in a file of src/leverarm (or of an oracle, tests/support) exactly once, and what a slip
would make of it. The tests are files or names of tests under tests/.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from tests.support.paths import PACKAGE, ROOT

IDENTITIES = "mechanics/test_identities.py"


class Mutant(NamedTuple):
    file: str
    there: str
    slip: str
    tests: str = IDENTITIES

    @property
    def path(self) -> Path:
        return ROOT / self.file if self.file.startswith("tests/") else PACKAGE / self.file

    @property
    def module(self) -> str:
        name = self.file.removesuffix(".py").replace("/", ".")
        return name if name.startswith("tests.") else f"leverarm.{name}"


MUTANTS = [
    # spatial
    Mutant("spatial/vec3.py", "self.z * other.x - self.x * other.z", "self.x * other.z - self.z * other.x"),
    Mutant("spatial/motion.py", "self.angular.cross(f.moment) + self.linear.cross(f.force)", "self.angular.cross(f.moment)"),
    Mutant("spatial/motion.py", "self.angular.cross(other.linear) + self.linear.cross(other.angular)", "self.angular.cross(other.linear)"),
    Mutant("spatial/pose.py", "R.transpose_apply(m.linear + m.angular.cross(p))", "R.transpose_apply(m.linear - m.angular.cross(p))"),
    Mutant("spatial/pose.py", "self.rotation @ f.moment + self.position.cross(force)", "self.rotation @ f.moment"),
    Mutant("spatial/inertia.py", "self.I @ v.angular + self.h.cross(v.linear)", "self.I @ v.angular - self.h.cross(v.linear)"),
    Mutant("spatial/inertia.py", "+ twice_parallel_axis(p, h) +", "+"),
    Mutant("spatial/inertia.py", "RI = R * self.full()", "RI = R.transposed() * self.full()"),
    Mutant("spatial/matrix3.py", "skew(axis * sin) + outer", "skew(axis * (-sin)) + outer"),
    # mechanics
    Mutant("mechanics/kinematics.py", "+ S * xdd[i] + v.cross(v_joint)", "+ S * xdd[i]"),
    Mutant("mechanics/kinematics.py", "Motion(ORIGIN, -g)", "Motion(ORIGIN, g)"),
    Mutant("mechanics/newton_euler.py", "force - outside[i] if", "force + outside[i] if"),
    Mutant("mechanics/coriolis.py", "C[j][i] = S_dot[i] @ F2 + S[i] @ F3", "C[j][i] = S[i] @ F3"),
    Mutant("mechanics/coriolis.py", "skew(v.angular) * E.full()", "E.full() * skew(v.angular)"),
    Mutant("mechanics/christoffel.py", "- d[i][j][k]", "+ d[i][j][k]"),
    Mutant("mechanics/articulated_body.py", "pA[i] + Ia @ c[i] +", "pA[i] +"),
    Mutant("mechanics/articulated_body.py", "D[i] = S[i] @ U[i] + rotor[i]", "D[i] = S[i] @ U[i]"),
    Mutant("mechanics/dissipation.py", "along[j] + gear * force", "along[j] - gear * force"),
    # friction that grows with the load
    Mutant("model/friction.py", "force=lambda at: at.direction * at.load", "force=lambda at: -at.direction * at.load", "mechanics/test_load_friction.py::test_it_takes_energy_at_every_speed"),
    Mutant("model/friction.py", "Sliding(0, at.load, at.direction)", "Sliding(0, 0, at.direction)", "mechanics/test_load_friction.py::test_smoothing_holds_for_the_load_too"),
    Mutant("model/mechanism.py", "[sign(x) * x for x in load]", "list(load)", "mechanics/test_load_friction.py::test_it_takes_energy_at_every_speed"),
    Mutant("mechanics/newton_euler.py", "qd, still(arm), None, wrenches)", "still(arm), still(arm), None, wrenches)", "mechanics/test_load_friction.py::test_the_force_is_k_times_the_magnitude_of_weight_coriolis_and_wrench"),
    Mutant("mechanics/newton_euler.py", "load = joint_loads(arm, q, qd, wrenches)", "load = joint_loads(arm, q, qd)", "mechanics/test_load_friction.py::test_the_force_is_k_times_the_magnitude_of_weight_coriolis_and_wrench"),
    Mutant("mechanics/springs.py", "[force + spring for force, spring in zip(forces, joint_springs(arm, q), strict=True)]", "list(forces)", "mechanics/test_load_friction.py::test_a_spring_takes_load_off_its_joint"),
    Mutant("mechanics/classical_newton_euler.py", "qd, still(arm), None, wrenches)", "still(arm), still(arm), None, wrenches)", "mechanics/test_load_friction.py::test_all_routes_agree_exactly_and_invert_each_other"),
    Mutant("mechanics/articulated_body.py", "load = joint_loads(arm, q, qd, wrenches)", "load = joint_loads(arm, q, qd)", "mechanics/test_load_friction.py::test_all_routes_agree_exactly_and_invert_each_other"),
    Mutant("mechanics/dissipation.py", "given.get(k), sizes[k]", "given.get(k), sizes[k - 1]", "mechanics/test_load_friction.py::test_the_force_is_k_times_the_magnitude_of_weight_coriolis_and_wrench"),
    Mutant("mechanics/dissipation.py", "sign(load[k]) * _load_slope", "_load_slope", "mechanics/test_load_friction.py::test_all_routes_agree_exactly_and_invert_each_other"),
    Mutant("mechanics/derivatives.py", "_of_joints(arm, q, qd, still(arm), wrenches)", "_of_joints(arm, q, qd, still(arm), None)", "mechanics/test_load_friction.py::test_all_routes_agree_exactly_and_invert_each_other"),
    Mutant("mechanics/regressor.py", "Sliding(speed, s, sizes[i])", "Sliding(speed, s, sizes[0])", "mechanics/test_load_friction.py::test_at_a_given_load_the_torques_are_linear_in_all_parameters"),
    Mutant("control/law.py", "mechanics.joint_loads(model, q, qd) if", "mechanics.joint_loads(model, q, wanted) if", "mechanics/test_load_friction.py::test_control_compensates_it_and_motions_need_it"),
    Mutant("simulation/trajectories/torques.py", "if not _loaded_joints(arm):", "if _loaded_joints(arm):", "mechanics/test_load_friction.py::test_control_compensates_it_and_motions_need_it"),
    Mutant("simulation/contacts/contact_modes.py", "Sliding(0, 1, contact.load)", "Sliding(0, 1, 0)", "simulation/test_load_friction.py::test_a_weight_slides_only_where_it_exceeds_the_limit_of_sticking"),
    Mutant("simulation/programs.py", "for k, f in pulls}", "for k, f in pulls[1:]}", "simulation/test_load_friction.py::test_a_pull_upward_takes_load_off_the_joint"),
    Mutant("verify/table/friction_bounds.py", "return max(sum(max(", "return min(sum(max(", "verify/table/test_bounds.py::test_friction_under_load_has_no_v_and_k_but_a_bound_with_the_load"),
    Mutant("verify/table/friction_bounds.py", "bounds.k[1] + _greatest_share(mechanism) * g.upper", "bounds.k[1] + g.upper", "verify/table/test_bounds.py::test_friction_under_load_is_bounded_where_the_load_is_the_weight"),
    Mutant("notation/textbook/arrangement.py", "(kind, moves, parameters, has_trig)", "(kind, parameters, has_trig)", "closed_form/test_load_friction.py::test_dry_friction_and_weight_are_printed_together"),
    Mutant("verify/table/identities.py", "state.qdd, load=load)", "state.qdd, load=[2 * x for x in load] if load else load)", "verify/table/test_identities.py::test_friction_under_load_is_linear_at_a_given_load_only"),
    Mutant("mechanics/jacobians.py", "angular.cross(point - o)", "angular.cross(o - point)"),
    Mutant("mechanics/energy.py", "-(arm.gravity @ first_moment(link.inertia, pose))", "arm.gravity @ first_moment(link.inertia, pose)"),
    Mutant("mechanics/energy.py", "pose.force_into_parent(link.inertia @ m.v)", "-pose.force_into_parent(link.inertia @ m.v)"),
    Mutant("mechanics/newton_euler.py", "if at.link >= 0:", "if at.link > 0:"),
    Mutant("mechanics/operational_space.py", "[a - b for a, b in zip(pushed, drift, strict=True)]", "pushed"),
    Mutant("mechanics/adjugate.py", "(i + j) % 2 == 0 else -minor", "True else -minor", "closed_form/test_equations.py::test_mass_at_the_tip_is_the_evaluated_one[elbow-None]"),
    Mutant("mechanics/screw_form.py", "+ V[i].cross(link.A * xd[i])", "", "derivation/test_routes.py::test_m_c_and_g_read_off_are_those_of_the_energies"),
    Mutant("mechanics/classical_motion.py", "A[i][i] = c[k] + spread[j]", "A[i][i] = c[k] - spread[j]", "mechanics/test_lean.py::test_forces_two_routes"),
    Mutant("mechanics/classical_newton_euler.py", "wd * (2 * E_b)", "wd * E_b", "mechanics/test_lean.py::test_forces_two_routes"),
    Mutant("mechanics/classical_coriolis.py", "off_trace(inner.T.transposed(), u)", "off_trace(inner.T, u)", "mechanics/test_lean.py::test_matrices_two_routes"),
    Mutant("mechanics/derivatives.py", " - m.a * body.m", "", "mechanics/test_lean.py::test_derivatives_of_inverse_dynamics"),
    Mutant("mechanics/derivatives.py", " + S.angular.cross(self.wrench.moment)", "", "mechanics/test_lean.py::test_derivatives_of_inverse_dynamics"),
    Mutant("mechanics/ldlt.py", "K[j][k] * scaled[i][k]", "K[j][k] * K[i][k]", "mechanics/test_lean.py::test_matrices_two_routes"),
    Mutant("mechanics/springs.py", "as_length(x) - spring.rest for", "as_length(x) + spring.rest for", "mechanics/test_springs.py"),
    Mutant("mechanics/springs.py", "as_length(x) - spring.rest for", "as_length(x) for", "mechanics/test_springs.py"),
    Mutant("mechanics/springs.py", "half(spring.stiffness * x * x)", "spring.stiffness * x * x", "mechanics/test_springs.py"),
    Mutant("mechanics/springs.py", "else spring.stiffness * x for", "else -spring.stiffness * x for", "mechanics/test_springs.py"),
    Mutant("mechanics/springs.py", "[force + spring for force, spring in zip(forces, spring_forces(arm, q), strict=True)]", "list(forces)", "mechanics/test_springs.py"),
    Mutant("model/binding.py", "subtract(joint.spring.rest, joint.offset)", "joint.spring.rest", "mechanics/test_springs.py"),
    Mutant("mechanics/derivatives.py", "by_q[j][j] + stiffness", "by_q[j][j] - stiffness", "mechanics/test_springs.py"),
    Mutant("mechanics/articulated_body.py", "[t - f - s for t", "[t - f for t", "mechanics/test_springs.py"),
    Mutant("mechanics/articulated_body.py", "without_springs(without_friction(arm))", "without_friction(arm)", "mechanics/test_springs.py"),
    Mutant("mechanics/energy.py", " + sum(spring_energies(arm, q), start=0)", "", "mechanics/test_springs.py"),
    Mutant("mechanics/newton_euler.py", "load=load), spring_forces(arm, q)]", "load=load)]", "mechanics/test_springs.py"),
    Mutant("mechanics/regressor.py", "(_on_joint(arm, i, x) for i, x in found", "(_on_joint(arm, i, -x) for i, x in found", "mechanics/test_springs.py"),
    Mutant("control/joint_space.py", "along([0] * len(model.links), mechanics.stiffnesses(model))", "mechanics.stiffnesses(model)", "mechanics/test_springs.py"),
    # scalars
    Mutant("scalars/dual.py", "return Dual(t, (1 - t * t) * x.slope)", "return Dual(t, (1 + t * t) * x.slope)"),
    Mutant("scalars/exact/derivatives.py", "(c * c - 1) * dB", "(1 - c * c) * dB", "scalars/test_exact.py::test_derivatives_follow_leibniz"),
    Mutant("scalars/exact/derivatives.py", "turned = c * B - s", "turned = c * B + s", "scalars/test_exact.py::test_derivatives_agree_with_small_differences"),
    Mutant("scalars/exact/ring.py", '.angle})"]] ** 2 - 1', '.angle})"]] ** 2 + 1', "scalars/test_exact.py::test_normal_form_means_the_same_number"),
    Mutant("scalars/exact/polynomial.py", "if shared:", "if shared > 1:", "scalars/test_exact.py::test_it_is_a_commutative_ring_with_decided_equality"),
    Mutant("scalars/exact/polynomial.py", "self.numerator * b + a * self.denominator", "self.numerator * b - a * self.denominator", "scalars/test_exact.py::test_quotients_are_a_field"),
    Mutant("scalars/exact/numbers.py", "_cosine_of_fifteens(fifteens - 6)", "_cosine_of_fifteens(fifteens + 6)", "scalars/test_exact.py::test_multiples_of_fifteen_degrees_are_exact"),
    Mutant("scalars/exact/substitution.py", "0 if n < d else", "0 if n <= d else", "scalars/test_exact.py::test_substitution_and_limits"),
    Mutant("scalars/turn.py", "self.sin * other.cos + self.cos * other.sin", "self.sin * other.cos - self.cos * other.sin", "scalars/test_exact.py::test_substitution_and_limits"),
    Mutant("scalars/tape.py", "self._scale(m - n, x)", "self._scale(m + n, x)", "scalars/test_tape.py::test_equal_expressions_are_one_node"),
    Mutant("scalars/tape.py", "if op is Op.COS else -inside", "if True else -inside", "scalars/test_tape.py::test_functions_hand_a_sign_on_and_fold"),
    Mutant("scalars/ball.py", "math.nextafter(upper, math.inf)", "math.nextafter(upper, -math.inf)", "verify/enclosures/test_point_values.py::test_bounds_are_the_next_floats_outside"),
    Mutant("scalars/ball.py", "return Ball(c), Ball(s)", "return Ball(s), Ball(c)", "verify/enclosures/test_point_values.py::test_cosine_and_sine_are_not_exchanged"),
    # closed_form
    Mutant("closed_form/base_parameters.py", "1 - squares[0], -(a.x * a.y)", "1 - squares[0], a.x * a.y", "closed_form/test_base_parameters.py::test_random_chains_and_trees_with_symbolic_lengths"),
    # compiler
    Mutant("compiler/passes/fused.py", "Op.FNMA if part.sign > 0 else Op.FMS", "Op.FMS if part.sign > 0 else Op.FNMA", "compiler/test_passes.py::test_a_pass_changes_no_result"),
    Mutant("compiler/passes/simplifying.py", "-sign if r == x else sign", "sign", "compiler/test_passes.py::test_a_pass_changes_no_result"),
    Mutant("compiler/elementary.py", "asm.fma(r, excess, lost)", "lost", "compiler/test_elementary.py::test_sines_and_cosines_are_right_to_the_last_bits"),
    Mutant("compiler/llvm/transfer.py", "for at in (k, lanes + k)", "for at in (lanes + k, k)", "compiler/test_llvm.py::test_results_depend_neither_on_layout_nor_on_the_number_of_states"),
    Mutant("compiler/derivatives.py", "-(y / b)", "y / b", "compiler/test_derivatives.py::test_forward_reverse_and_dual_numbers_agree_exactly"),
    Mutant("compiler/array_code.py", "_bound(b, binds + 1)", "_bound(b, binds)", "compiler/test_array_code.py"),
    # model
    Mutant("model/regrouping.py", "if not is_zero(link.slide):", "if False:", "model/test_regrouping.py::test_a_screw_keeps_mass_and_first_moment"),
    # simulation
    Mutant("runtime/stepping.py", "[F(1, 6), F(1, 3), F(1, 3), F(1, 6)]", "[F(1, 6), F(1, 3), F(1, 6), F(1, 3)]", "simulation/test_simulate.py::test_a_step_is_the_formula_of_the_method"),
    Mutant("simulation/adaptive/dormand_prince.py", "F(-5103, 18656)", "F(5103, 18656)", "simulation/test_routes.py::test_the_numbers_of_dormand_and_prince_meet_the_conditions_of_their_orders"),
    Mutant("simulation/adaptive/dormand_prince.py", "F(71, 1920)", "F(-71, 1920)", "simulation/test_routes.py::test_the_numbers_of_dormand_and_prince_meet_the_conditions_of_their_orders"),
    Mutant("simulation/adaptive/dormand_prince.py", "[18, -45, 36, -9]", "[18, -45, 36, 9]", "simulation/test_adaptive.py::test_the_order_of_the_dense_output_is_six"),
    Mutant("simulation/acting/forces.py", '[-x for x in moment(self.form, data["tau_d"]', '[x for x in moment(self.form, data["tau_d"]', "simulation/test_routes.py::test_a_record_is_what_evaluation_gives_there[2]"),
    Mutant("simulation/acting/forces.py", "mechanics.transposed(J), w)", "mechanics.transposed(J), [*w[3:], *w[:3]])", "simulation/test_routes.py::test_a_record_is_what_evaluation_gives_there[2]"),
    Mutant("simulation/acting/payloads.py", "(0, 1), (1, 1), (0, 2)", "(0, 1), (0, 2), (1, 1)", "simulation/test_routes.py::test_a_record_is_what_evaluation_gives_there[2]"),
    Mutant("simulation/acting/payloads.py", "np.eye(3) - np.outer(c, c)", "np.eye(3) + np.outer(c, c)", "simulation/test_routes.py::test_a_record_is_what_evaluation_gives_there[2]"),
    Mutant("simulation/acting/feeds.py", "times + EARLY * h)", "times - EARLY * h)", "simulation/test_routes.py::test_a_row_that_is_held_acts_from_its_own_time_on[euler]"),
    Mutant("simulation/programs.py", "sum((dot(push, qd) for", "sum((-dot(push, qd) for", "simulation/test_routes.py::test_an_account_is_the_integral_of_its_power[2]"),
    Mutant("simulation/contacts/impacts.py", "rebound = c.stop.restitution * before", "rebound = before", "simulation/test_contacts.py::test_a_blow_is_an_impulse_along_its_coordinate_and_its_energy_is_booked[0]"),
    Mutant("simulation/contacts/contact_modes.py", "friction_range(contact, s) - load", "friction_range(contact, s) + load", "simulation/test_contacts.py::test_the_guard_is_negative_exactly_where_a_sweep_changes_something"),
    Mutant("simulation/contacts/contact_modes.py", "greatest(distance, -speed)", "greatest(distance, speed)", "simulation/test_contacts.py::test_the_guard_is_negative_exactly_where_a_sweep_changes_something"),
    Mutant("simulation/contacts/contact_modes.py", "(rhs[i] - needed[i])", "rhs[i]", "simulation/test_contacts.py::test_free_coordinates_move_as_if_the_held_ones_were_welded[0]"),
    Mutant("simulation/symplectic/engine.py", "zip(slopes, [-w", "zip([-x for x in slopes], [-w", "simulation/test_symplectic.py::test_a_step_is_symplectic"),
    Mutant("tests/support/taylor_series.py", "-_along(slope, s, k) / k", "_along(slope, s, k) / k", "simulation/test_taylor_oracle.py::test_a_pendulum_is_jacobis_elliptic_function"),
    # control
    Mutant("control/law.py", "as_length(a) - as_length(b)", "as_length(b) - as_length(a)", "control/test_control.py::test_computed_torque_makes_the_error_linear"),
    Mutant("control/joint_space.py", "minus_s = errors(v, qd)", "minus_s = errors(qd, v)", "control/test_control.py::test_slotine_li_drains_its_energy"),
    # signals
    Mutant("control/signals/signal.py", "half_acceleration * s + rate", "half_acceleration * s + value", "control/test_signals.py::test_a_polynomial_is_the_sum_of_its_powers_exactly"),
    Mutant("control/signals/waveforms.py", "[rate * ramp / 2, rate, 0]", "[rate * ramp, rate, 0]", "control/test_signals.py::test_trapezoids_by_hand"),
    # trajectories
    Mutant("simulation/trajectories/records.py", "unexplained - (work - work[0])", "unexplained + (work - work[0])", "simulation/trajectories/test_trajectory.py::test_a_ledger_in_which_every_joule_is_explained"),
    Mutant("simulation/trajectories/records.py", "jump / 6 + F * (1 - u / 2)", "jump / 6 + F * (1 - u)", "simulation/trajectories/test_trajectory.py::test_resampling_is_exact_for_polynomials_up_to_degree_5"),
    Mutant("simulation/trajectories/time_scaling.py", "self.fixed + value - speed * slope, slope", "self.fixed + value, slope", "simulation/trajectories/test_limits.py::test_smooth_friction_is_fitted_too"),
    # reading
    Mutant("notation/reading/scripts.py", "Fraction(10) ** int(power or 0)", "Fraction(10) ** -int(power or 0)", "notation/reading/test_reading.py::test_numbers_are_exact"),
    Mutant("notation/reading/scripts.py", 'case "power", -1, _:', 'case "power", -2, _:', "notation/reading/test_reading.py::test_formulas_are_read_as_they_are_meant"),
    Mutant("notation/reading/grammar.py", "Ratio(left, right, span=span), span", "Ratio(right, left, span=span), span", "notation/reading/test_reading.py::test_formulas_are_read_as_they_are_meant"),
    Mutant("notation/reading/functions.py", "(*terms_of(of), term)", "(term, *terms_of(of))", "notation/reading/test_reading.py::test_formulas_are_read_as_they_are_meant"),
    # verify
    Mutant("verify/equations/arm_names.py", "float(coefficient) * math.pi", "float(coefficient) * math.pi / 2", "verify/equations/test_check.py::test_double_angles_and_constant_angles"),
    Mutant("verify/equations/arm_names.py", "return turn.cos if word", "return turn.sin if word", "verify/equations/test_check.py::test_short_cosines"),
    Mutant("verify/equations/faults.py", "formula_of(subtracted(case.value, case.wanted), scope)", "formula_of(subtracted(case.wanted, case.value), scope)", "verify/equations/test_check.py::test_a_difference_is_written_minus_true_and_its_witness_shows_it"),
    Mutant("verify/equations/near_equalities.py", "quotient(-substitute(", "quotient(substitute(", "verify/equations/test_check.py::test_unknown_names"),
    Mutant("verify/equations/dimensions.py", "self.m - other.m, self.s - other.s", "self.m - other.m, self.s + other.s", "verify/equations/test_dimensions.py::test_the_robot_equation_is_homogeneous"),
    Mutant("verify/equations/definitions.py", "rate - 2 * x for rate", "rate - x for rate", "verify/equations/test_conventions.py::test_other_factorisations_are_told_from_wrong_matrices"),
    Mutant("verify/equations/alternatives.py", "offset + ratio * meaning.quarters", "offset - ratio * meaning.quarters", "verify/equations/test_conventions.py::test_a_convention_is_found_and_said"),
    Mutant("verify/equations/alternatives.py", "b - a if b != 0", "b + a if b != 0", "verify/equations/test_conventions.py::test_a_convention_is_found_and_said"),
    Mutant("verify/equations/mending/splicing.py", 'Splice(start, end, "+" if i else "")', 'Splice(start, end, "")', "verify/equations/test_corrections.py::test_one_slip_is_undone"),
    Mutant("verify/equations/mending/changes.py", 'squares = tuple(Power(bare(term), 2', 'squares = tuple(Power(bare(term), 3', "verify/equations/test_corrections.py::test_a_correction_by_what_the_text_says_of_numbers_conventions_torques_and_letters"),
    Mutant("verify/equations/corrections.py", "wanted = quotient(case.worth(above), case.wanted)", "wanted = quotient(case.wanted, case.worth(above))", "verify/equations/test_corrections.py::test_a_correction_by_what_the_text_says_of_numbers_conventions_torques_and_letters"),
    Mutant("verify/equations/consistency.py", "len(others) > 1 or settled[0].is_said", "len(others) > 1", "verify/equations/test_corrections.py::test_a_correction_by_what_the_text_says_of_numbers_conventions_torques_and_letters"),
    Mutant("verify/equations/corrections.py", "return edit.cost, disorder", "return -edit.cost, disorder", "verify/equations/test_corrections.py::test_one_slip_is_undone"),
    Mutant("verify/table/identities.py", "(S[i][j] + S[j][i] for", "(S[i][j] - S[j][i] for", "verify/table/test_identities.py::test_every_identity_is_proven_for_arms_of_the_catalog[elbow]"),
    Mutant("verify/table/exact_states.py", "size = 4 * link.turns", "size = 2 * link.turns", "verify/table/test_identities.py::test_the_chance_of_a_false_identity_is_bounded_by_its_degree"),
    Mutant("verify/table/digits.py", "_written(lower, last, first, ROUND_FLOOR)", "_written(lower, last, first, ROUND_CEILING)", "verify/table/test_report.py::test_what_is_shown_encloses_what_is_known"),
    Mutant("verify/table/resuming.py", "_better(max, now.lower", "_better(min, now.lower", "verify/table/test_report.py::test_what_an_earlier_report_knows_better_is_kept"),
    Mutant("verify/table/friction_bounds.py", "abs(offset - backwards))", "abs(offset + backwards))", "verify/table/test_bounds.py::test_friction_never_exceeds_its_bound_and_no_smaller_one_will_do"),
    Mutant("verify/table/velocity_terms.py", "offset < -coulomb.forward ", "offset < -coulomb.backward ", "verify/table/test_bounds.py::test_friction_takes_energy_unless_an_offset_outweighs_it"),
    Mutant("verify/table/box.py", "to_float(limit, arm.defaults) - offset", "to_float(limit, arm.defaults) + offset", "verify/table/test_bounds.py::test_a_coupled_joint_narrows_the_coordinate_it_follows"),
    Mutant("verify/enclosures/loewner.py", "w[..., -1] + _uncertain(", "w[..., -1] - _uncertain(", "verify/enclosures/test_loewner.py::test_eigenvalues_are_certified_from_outside"),
    Mutant("verify/enclosures/loewner.py", "32 * np.abs(m) * r**3 + 4 * r**4,", "32 * np.abs(m) * r**3,", "verify/enclosures/test_loewner.py::test_cosines_and_sines_of_multiples_stay_around_their_polynomials"),
    Mutant("verify/enclosures/spaces.py", "X[..., at + 3 : at + 6, at : at + 3] = -cross(position)", "X[..., at + 3 : at + 6, at : at + 3] = cross(position)", "verify/enclosures/test_spaces.py::test_forms_at_points_are_the_quantities"),
    Mutant("verify/enclosures/spaces.py", "= 2 * (cross(np.eye(3)[k]) @ z)", "= (cross(np.eye(3)[k]) @ z)", "verify/enclosures/test_spaces.py::test_forms_at_points_are_the_quantities"),
    Mutant("verify/enclosures/compiled_values.py", "2 * (turned - _times(", "2 * (turned + _times(", "verify/enclosures/test_local_search.py::test_slopes_are_those_of_the_numbers[torso-lambda1-2]"),
    Mutant("verify/enclosures/branch_and_bound.py", " + 2 * UNIT * (np.abs(boxes.middles[row, k]) + half[row, k])", "", "verify/enclosures/test_enclosures.py::test_halves_cover_their_box_also_far_from_zero"),
    # identification
    Mutant("identification/modelling/regressor_columns.py", "return {j: gear * torque for j, gear in self.gears}", "return {j: torque for j, gear in self.gears}", "identification/test_modelling.py::test_columns_are_the_regressor_of_catalog_arms_with_couplings[scara]"),
    Mutant("identification/modelling/regressor_columns.py", "forward, backward = (1 + direction) / 2, (1 - direction) / 2", "forward, backward = (1 - direction) / 2, (1 + direction) / 2", "identification/test_modelling.py::test_columns_are_the_regressor_of_random_trees[1]"),
    Mutant("identification/modelling/regressor_columns.py", "speed / abs(shaft.gear)", "speed", "identification/test_modelling.py::test_columns_are_the_regressor_of_random_trees"),
    Mutant("identification/modelling/modelled_arm.py", "np.linalg.solve(R[:, kept], R)", "R", "identification/test_modelling.py::test_base_columns_stand_for_all[follower first]"),
    Mutant("identification/modelling/modelled_arm.py", "c.ratio * gear)", "c.ratio)", "identification/test_modelling.py::test_couplings_go_into_an_arm_and_come_back"),
    Mutant("identification/estimates.py", "shaft.gear_of(j) ** 2", "shaft.gear_of(j)", "identification/test_modelling.py::test_friction_of_a_joint_counts_the_shafts_that_turn_with_it"),
    Mutant("identification/motions.py", "at = np.arange(len(x)) + samples", "at = np.arange(len(x)) - samples", "identification/test_motions.py::test_a_lag_takes_torques_from_later"),
    Mutant("identification/motions.py", "np.fft.rfft(kernels[::-1]", "np.fft.rfft(kernels", "identification/test_motions.py::test_long_windows_by_transforms_are_the_sums_term_by_term"),
    Mutant("identification/motions.py", "smoothing(filter_.cut_off(rate), log.rate)", "smoothing(filter_.cut_off(rate), rate)", "identification/test_motions.py::test_the_same_cut_off_for_a_log_of_another_rate"),
    Mutant("identification/fitting/rows.py", "np.maximum(dead_zone, STILL)", "dead_zone", "identification/test_fitting.py::test_a_joint_rests_where_it_is_slow_for_long"),
    Mutant("identification/fitting/weighted_fit.py", "raw = zz - 2 * Wz @ values + modelled", "raw = zz - 2 * Wy @ values + modelled", "identification/test_fitting.py::test_sums_are_those_of_the_samples"),
    Mutant("identification/fitting/rows.py", "> PART", "> 1 + PART", "identification/test_fitting.py::test_parameters_that_no_sample_fixes_are_open"),
    Mutant("identification/choosing.py", "self._narrowed_down(wide, wide_error)", "wide, wide_error", "identification/test_choosing.py::test_friction_models_are_told_apart"),
    Mutant("identification/physical_consistency.py", "values = problem.fitted(fold != left_out, regularisation)", "values = problem.fitted(fold == left_out, regularisation)", "identification/test_choosing.py::test_a_right_nominal_model_is_trusted_more_than_a_wrong_one"),
    Mutant("identification/identifying.py", "squared_up(without_springs(without_friction(given)))", "squared_up(given)", "identification/test_identify.py::test_friction_of_the_description_is_replaced_and_not_added"),
    Mutant("identification/prediction.py", "raw, per_joint = errors(motion.raw, predicted.torque)", "raw, per_joint = errors(motion.tau, predicted.torque)", "identification/test_identify.py::test_another_motion_is_validated"),
    Mutant("identification/estimates.py", "np.where(is_open, np.inf,", "np.where(is_open, 0.0,", "identification/test_identify.py::test_a_joint_that_never_moves_is_not_identifiable"),
    Mutant("identification/verdicts.py", "if other.filtered_error > min(worst, WORST_ERROR)", "if other.filtered_error > max(worst, 1e9)", "identification/test_identify.py::test_a_motion_too_small_for_the_other_is_refused"),
    Mutant("control/joint_space.py", "mechanics.plus_springs(model, q, mechanics.classical_forces(model, q, still, still))", "mechanics.classical_forces(model, q, still, still)", "simulation/test_springs.py::test_control_laws_count_the_springs"),
    Mutant("simulation/symplectic/engine.py", "stiffness + slope(mechanics.spring_forces(arm, _varied(trace.q, j))[j])", "stiffness", "simulation/test_springs.py::test_a_spring_that_is_stiff_for_the_step"),
    Mutant("closed_form/arm_letters.py", "if joint.kind.slides or joint.spring is not None:", "if joint.kind.slides:", "derivation/test_springs.py"),
    Mutant("derivation/newton_euler/route.py", "    forces = me.plus_springs(exact.mechanism, exact.q, forces)\n", "", "derivation/test_springs.py"),
    Mutant("verify/enclosures/bounding.py", "bound + of_springs[1].sum(1) * (1 + 1e-12)", "bound", "verify/table/test_springs.py"),
    Mutant("verify/enclosures/bounding.py", "(J.T * k) @ rest, size", "-(J.T * k) @ rest, size", "verify/table/test_springs.py"),
    Mutant("verify/enclosures/compiled_values.py", "without_springs(without_friction(arm))", "without_friction(arm)", "verify/table/test_springs.py::test_the_table_of_an_arm_with_springs"),
    Mutant("verify/table/box.py", "    is_wound = _winds(arm, name) and math.isfinite(high - low)", "    is_wound = False", "verify/table/test_springs.py::test_limits_wider_than_a_turn_are_kept_where_they_wind_a_spring"),
    Mutant("identification/modelling/modelled_arm.py", "piece.tau - self.torque(piece.q)", "piece.tau + self.torque(piece.q)", "identification/test_identify.py::test_known_springs_are_taken_off_and_written_back"),
    Mutant("identification/modelling/regressor_columns.py", "torque[:, j] = q[:, j] - rest", "torque[:, j] = q[:, j]", "identification/test_identify.py::test_known_springs_are_taken_off_and_written_back"),
    Mutant("formats/mjcf/reader.py", "m.model.qpos_spring[m.model.jnt_qposadr[joint]]", "m.model.qpos0[m.model.jnt_qposadr[joint]]", "formats/test_mjcf.py::test_springs_are_mujocos"),
    Mutant("formats/dh/rows.py", "return spring(value, where, limits_unit)", "return spring(value, where)", "formats/test_dh.py::test_the_rest_of_a_spring_is_an_angle_where_the_joint_turns"),
    Mutant("model/joint_kinds.py", "return multiply(self.traits.lead, pitch) if self.has_pitch else self.traits.slide", "return self.traits.slide", "model/test_joint_kinds.py"),
    # files, formulas, logs, runs and reports
    Mutant("formats/urdf/writer.py", "has_range = joint.limits.lower is not None or joint.limits.upper is not None", "has_range = joint.limits.lower is not None and joint.limits.upper is not None", "formats/test_urdf.py::test_extensions_round_trip"),
    Mutant("formats/follower.py", "self.ratio * leader.offset + self.offset", "leader.offset + self.offset", "formats/test_mjcf.py::test_joint_equalities_become_couplings_and_locks"),
    Mutant("formats/dh/rows.py", "return _KINDS.get(word.upper()) or _KINDS.get(word.lower())", "return _KINDS.get(word.lower())", "formats/test_dh.py::test_mistakes_in_a_csv_are_told_with_the_line"),
    Mutant("formats/toml.py", 'for name in SHAFT if (x := getattr(motor, name)) != 0', 'for name in SHAFT[:1] if (x := getattr(motor, name)) != 0', "formats/test_dh.py::test_files_hold_every_number"),
    Mutant("documents/html.py", "<code>{escape(code.text)}</code>", "<code>{code.text}</code>", "documents/test_reports.py::test_what_comes_from_outside_is_escaped"),
    Mutant("documents/document.py", "shown for shown in block.shown if shown.level <= level", "shown for shown in block.shown if shown.level < level", "documents/test_renderers.py::test_markdown_has_balanced_dollars_and_tables_of_one_width"),
    Mutant("documents/terminal.py", "room + piece if k in numeric else piece + room", "piece + room", "documents/test_reports.py::test_numbers_stand_flush_right_below_their_heads"),
    Mutant("derivation/routes.py", "for line in (TOGETHER, *imports,", "for line in (TOGETHER,", "derivation/test_notebooks.py::test_cells_of_an_arm_with_springs_run"),
    Mutant("notation/unicode.py", "left = _fitted(equation.sides[0], writing, width)", "left = names[0]", "derivation/test_notebooks.py::test_text_has_no_formula_in_ascii"),
    Mutant("notation/names.py", 'if times == 1 else "" for name, times in angle]', 'if abs(times) == 1 else "" for name, times in angle]', "notation/test_lines.py::test_short_angles_hold_each_number_once_and_in_order"),
    Mutant("notation/sympy_bridge.py", "return tree.Sum((tree.Product((c, sin)), tree.Product((s, cos))))", "return tree.Sum((tree.Product((c, sin)), tree.Product((tree.Number(Fraction(-1)), s, cos))))", "notation/test_lines.py::test_sympy_mechanics_is_read"),
    Mutant("notation/textbook/angle_bases.py", "angle = tuple(map(sub, b, a))", "angle = tuple(map(lambda y, x: x + y, b, a))", "notation/test_textbook.py::test_angles_between_links_are_differences"),
    Mutant("notation/textbook/angle_bases.py", "rows[k] = [x / rows[k][k] for x in rows[k]]", "rows[k] = [*rows[k]]", "notation/test_textbook.py::test_unusual_angles_stand_as_they_are"),
    Mutant("notation/textbook/arrangement.py", "self.decimals - {Role.OTHER} if has_mass", "self.decimals if has_mass", "notation/test_textbook.py::test_friction_in_decimals_leaves_the_energy_its_half"),
    Mutant("notation/line_breaking.py", "if k and is_numeric(shown[k - 1]) and is_numeric(factor):", "if k and is_numeric(shown[k - 1]) and not is_numeric(factor):", "notation/test_textbook.py::test_a_sign_stands_between_two_numbers"),
    Mutant("notation/code.py", 'f"{_within(above, module, PRODUCT)}/{_within(below, module, POWER)}", PRODUCT', 'f"{_within(above, module, PRODUCT)}/{_within(below, module, PRODUCT)}", PRODUCT', "notation/test_lines.py::test_python_source"),
    Mutant("notation/mathml_forms.py", 'if not pieces else [infix(MINUS if count < 0 else "+")]', 'if not pieces else [infix("+")]', "notation/test_mathml.py::test_an_angle_keeps_its_signs_and_multiples"),
    Mutant("identification/logs/motor_side.py", "np.asarray(values @ self.ratios) if is_coupled", "np.asarray(values @ self.ratios.T) if is_coupled", "identification/logs/test_logs.py::test_from_motors_to_joints_the_power_is_the_same"),
    Mutant("identification/logs/clock.py", "np.flatnonzero(has[slowest][begin : end + 1])", "np.flatnonzero(has[slowest][begin:end])", "identification/logs/test_logs.py::test_signals_recorded_at_different_times_come_to_one_clock"),
    Mutant("identification/logs/clock.py", "(width[1:] * chord[:-1] + width[:-1] * chord[1:])", "(width[:-1] * chord[:-1] + width[1:] * chord[1:])", "identification/logs/test_logs.py::test_interpolation_is_exact_for_parabolas"),
    Mutant("identification/logs/repair.py", "away = (straight.min() + straight.max()) / 2 - middles[joint]", "away = (straight.min() + straight.max()) / 2", "identification/logs/test_logs.py::test_angles_that_jump_come_to_the_turn_of_the_limits_or_stay_where_they_began"),
    Mutant("simulation/trajectories/records.py", "held=records.held[left],", "held=records.held[right],", "simulation/trajectories/test_trajectory.py::test_what_is_held_is_said_by_the_row_before"),
    Mutant("simulation/trajectories/records.py", "unexplained = unexplained - (work - work[0])", "unexplained = unexplained - work", "simulation/trajectories/test_trajectory.py::test_a_slice_has_books_of_its_own"),
    Mutant("simulation/trajectories/files/columns.py", "[c - g, b + d, 1 - a + e - i, f + h]", "[c - g, b + d, 1 - a + e - i, f - h]", "simulation/trajectories/test_files.py::test_quaternions_of_all_kinds_of_rotations"),
    Mutant("simulation/trajectories/time_scaling.py", "        margin * limits.velocity,", "        limits.velocity,", "simulation/trajectories/test_limits.py::test_a_margin_is_kept_of_velocities_and_of_efforts"),
    Mutant("identification/report/identified.py", "log.per_joint_filtered.get(joint)", "log.per_joint.get(joint)", "identification/test_report.py::test_each_line_of_the_errors_has_its_own_numbers"),
    Mutant("verify/table/digits.py", '{angular if turn else linear}" for x, turn', '{linear if turn else angular}" for x, turn', "verify/table/test_report.py::test_a_state_is_given_in_degrees_and_metres"),
    Mutant("closed_form/sheet/data.py", '"qdd": dotted(name, 2)}', '"qdd": dotted(name, 1)}', "cli/test_derive.py::test_json_holds_texts_and_exact_terms"),
    Mutant("derivation/setting.py", 'Fraction(f"{float(x):.{DIGITS}g}")', 'Fraction(f"{float(x):.{DIGITS}f}")', "derivation/test_lagrange.py::test_rounded_numbers_are_said_to_be"),
]  # fmt: skip
