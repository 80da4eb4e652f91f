"""Public names of version 0.1 and what they are now: (the new name, where it is). They go with version 0.3."""

_MOVED = {
    ("la.types", "types"): (
        "Bound Bundle CacheEntry CacheStatus CacheWarning Candidate CompiledArm Control Correction Derivation "
        "EnergyLedger EnergyWarning Equations Estimate Estimates Event Excitation Finding Fit Formula "
        "Formulas Gains Identified Inertia JointFriction LimitReport LimitUse Log Noise Payload "
        "PayloadEstimate Properties Property Quantity Rollout Signal Symmetric3 Trajectory Validation Vec3 "
        "Verdict Verdicts Witness"
    ),
    ("la.errors", "errors"): "SimulationError",
    ("la.trajectories", "trajectories"): "check_limits fastest_along fit_to_limits torques_along",
    ("la.control", "control"): "computed_torque operational_space pd pd_gravity slotine_li",
    ("la.signals", "control.signals"): "constant cubic fourier noise quintic scaled_in_time shifted table trapezoid",
    ("la.model", "model"): "format_quantity parse_quantity symbols_of to_float",
    ("la.quantities", "quantities"): (
        "kinetic_energy_regressor link_energies parameter_names potential_energy_regressor task_axes"
    ),
}
"""Names that moved as they are, by group and module."""

RENAMED = {
    name: (f"{group}.{name}", f"{module}:{name}") for (group, module), names in _MOVED.items() for name in names.split()
} | {
    "METHODS": ("la.simulation.METHODS", "simulation.methods:METHODS"),
    "cache_entries": ("la.cache.entries", "runtime.cache:entries"),
    "cache_folder": ("la.cache.folder", "runtime.cache:folder"),
    "cache_status": ("la.cache.status", "runtime.cache:status"),
    "clear_cache": ("la.cache.clear", "runtime.cache:clear"),
    "closed_forms": ("la.quantities", "closed_form.sheet:closed_forms"),
    "compilable": ("la.quantities", "runtime.export.exporting:compilable"),
    "control_by_name": ("la.control.by_name", "control:by_name"),
    "export_text": ("export.text()", "runtime.export.description:export_text"),
    "inertia_of_box": ("la.inertia.box", "inertia:box"),
    "inertia_of_capsule": ("la.inertia.capsule", "inertia:capsule"),
    "inertia_of_cone": ("la.inertia.cone", "inertia:cone"),
    "inertia_of_cylinder": ("la.inertia.cylinder", "inertia:cylinder"),
    "inertia_of_density": ("la.inertia.density", "inertia:density"),
    "inertia_of_hollow_cylinder": ("la.inertia.hollow_cylinder", "inertia:hollow_cylinder"),
    "inertia_of_hollow_sphere": ("la.inertia.hollow_sphere", "inertia:hollow_sphere"),
    "inertia_of_mesh": ("la.inertia.mesh", "inertia:mesh"),
    "inertia_of_point": ("la.inertia.point", "inertia:point"),
    "inertia_of_rod": ("la.inertia.rod", "inertia:rod"),
    "inertia_of_sphere": ("la.inertia.sphere", "inertia:sphere"),
    "inertias": ("la.inertia", "model:inertias"),
    "load_trajectory": ("la.trajectories.load", "trajectories:load"),
    "payload_json": ("payload.to_json()", "identification.loads.payloads:payload_json"),
    "save_derivation": ("derivation.save(path)", "derivation.derivation:save_derivation"),
    "save_equations": ("equations.save(path, what)", "closed_form.sheet:save_equations"),
    "save_export": ("export.save(folder)", "runtime.export.description:save_export"),
    "save_properties": ("properties.save(path)", "verify.table:save_properties"),
    "terminal_derivation": ("derivation.terminal()", "derivation.derivation:terminal_derivation"),
    "velocity_forces": ("la.coriolis_torques", "quantities:coriolis_torques"),
    "write_equations": ("equations.text(what)", "closed_form.sheet:write_equations"),
}
