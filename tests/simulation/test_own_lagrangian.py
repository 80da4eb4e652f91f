"""Motions of own Lagrangians: against arms, against solutions in closed form, with balanced energies; their C99."""

from __future__ import annotations

import ctypes
import shutil
import subprocess

import numpy as np
import pytest

import leverarm as la
from leverarm.closed_form.lagrangian.programs import programs
from leverarm.compiler.array_code import array_function
from leverarm.errors import InputError, SimulationError
from tests.support.own_lagrangians import SYSTEMS, TRIED

VALUES = dict.fromkeys("MmgbklJBDrwpacnAhL", 1.0) | {"m1": 1.0, "m2": 0.5, "l1": 1.0, "l2": 0.7, "g": 9.81, "b": 0.2}


def valued(name):
    system = la.lagrange(**SYSTEMS[name])
    given = {c: VALUES[c] for c in system.constants if c not in system.inputs}
    return la.lagrange(**SYSTEMS[name], values=given, name=name)


@pytest.mark.parametrize("name", TRIED)
def test_the_energies_balance(name):
    system = valued(name)
    q0 = [0.4 + 0.3 * i for i in range(len(system.coordinates))]
    motion = system.simulate(q0, [0.1] * len(q0), until=1.0, inputs=dict.fromkeys(system.inputs, 0.5), record=0.1)
    assert motion.energy.relative < 1e-6
    assert len(motion) == 11 and np.isfinite(motion.q).all()
    forces = system.forces.numpy()(motion.q, motion.qd, **dict.fromkeys(system.inputs, 0.5))
    time = {"t": motion.t} if name == "driven pivot" else {}
    left = system.euler_lagrange.numpy()(motion.q, motion.qd, motion.qdd, **time)
    np.testing.assert_allclose(left, forces, atol=1e-9)


@pytest.mark.parametrize("name", ["elbow", "rp", "planar3r"])
def test_the_motion_of_an_arm(name):
    arm = la.load(name)
    eq = la.equations(arm, coordinates="q", angles="expanded")
    values = {n: float(x) for n, x in arm.defaults.items()}
    own = la.lagrange(eq.L.text(), [eq.notation.vocabulary.printed[n] for n in arm.coordinates])
    own = la.lagrange(eq.L.text(), own.coordinates, values={n: values[n] for n in own.constants})
    q0 = np.linspace(0.3, 0.9, arm.dof)
    its = la.simulate(la.model.without_friction(arm), q0, until=1.0, record=0.25)
    mine = own.simulate(q0, until=1.0, record=0.25)
    np.testing.assert_allclose(mine.q, its.q, atol=1e-7)


def test_a_damped_mass_moves_as_its_solution():
    system = la.lagrange("1/2 m xd^2 - 1/2 k x^2", "x", dissipation="1/2 b xd^2", values={"m": 2, "k": 8, "b": 0.4})
    motion = system.simulate([1.0], until=5.0)
    decay, w = 0.1, np.sqrt(4 - 0.01)
    exact = np.exp(-decay * motion.t) * (np.cos(w * motion.t) + decay / w * np.sin(w * motion.t))
    np.testing.assert_allclose(motion.q[:, 0], exact, atol=1e-8)
    lost = motion.energy.works["dissipation"][-1]
    assert lost == pytest.approx(motion.energy.total[-1] - motion.energy.total[0]) and lost < -2


def test_a_relativistic_particle_does_not_outrun_light():
    system = la.lagrange(**SYSTEMS["relativistic particle"], values={"m": 1, "c": 2})
    motion = system.simulate([0.0], until=10.0, inputs={"F": 1.0})
    p = motion.t
    np.testing.assert_allclose(motion.qd[:, 0], p / np.sqrt(1 + p**2 / 4), atol=1e-7)


@pytest.mark.parametrize("load", ["f cos(t)", "f cos(w t)"])
def test_a_load_in_time_is_compiled_or_called_back(load):
    """m xdd = f cos(w t) from rest: x = f/(m w^2) (1 - cos(w t))."""
    values = {name: x for name, x in {"m": 2.0, "f": 3.0, "w": 1.5}.items() if name != "w" or "w" in load}
    w = values.get("w", 1.0)
    motion = la.lagrange(f"1/2 m xd^2 + {load} x", "x", values=values).simulate([0.0], until=3.0)
    np.testing.assert_allclose(motion.q[:, 0], 3 / (2 * w**2) * (1 - np.cos(w * motion.t)), atol=1e-8)
    assert motion.energy.relative < 1e-8 and [*motion.energy.works] == ["time"]


def test_forces_with_functions_have_their_account():
    """Quadratic drag, -c |v| v: v = v0/(1 + c v0 t/m)."""
    system = la.lagrange("1/2 m xd^2", "x", forces={"x": "-c sqrt(xd^2) xd"}, values={"m": 2, "c": 1})
    motion = system.simulate([0.0], [3.0], until=4.0)
    np.testing.assert_allclose(motion.qd[:, 0], 3 / (1 + 1.5 * motion.t), atol=1e-7)
    assert motion.energy.relative < 1e-8 and motion.energy.works["forces"][-1] < -8


def test_equal_programs_are_compiled_once_whatever_their_numbers():
    from leverarm.simulation.own_lagrangian import CompiledEquations

    first, second = (la.lagrange("1/2 m xd^2 - 1/2 k x^2", "x", values={"m": 1, "k": k}) for k in (1, 2))
    other = la.lagrange("1/2 m xd^2 + 1/2 k x^2", "x", values={"m": 1, "k": 1})
    keys = [CompiledEquations(system).function for system in (first, second, other)]
    assert keys[0] == keys[1] != keys[2]


def test_what_is_refused():
    system = valued("cart-pole")
    with pytest.raises(InputError, match=r"q0: .* it takes 2 finite numbers \(x, theta\)"):
        system.simulate([1.0], until=1.0)
    with pytest.raises(InputError, match="inputs: there is no input named 'G'"):
        system.simulate([0, 0], until=1.0, inputs={"G": 1})
    with pytest.raises(InputError, match=r"until: .* not after the start"):
        system.simulate([0, 0], until=-1.0)
    with pytest.raises(InputError, match="no number was given for m"):
        la.lagrange("1/2 m xd^2", "x").simulate([0], until=1.0)
    with pytest.raises(SimulationError, match="no step is short enough"):
        la.lagrange("1/2 m xd^2 - log(x)", "x", values={"m": 1}).simulate([0.5], [-1], until=20.0)


def test_csv(tmp_path):
    motion = valued("cart-pole").simulate([0, 0.1], until=1.0, record=0.5)
    motion.save(tmp_path / "run.csv")
    lines = (tmp_path / "run.csv").read_text().splitlines()
    assert lines[0] == "t,x,theta,xd,thetad,xdd,thetadd,K,P" and len(lines) == 4
    assert [float(x) for x in lines[-1].split(",")][1:3] == motion.q[-1].tolist()


# compiled code -------------------------------------------------------------------------------------------------------

COMPILED = [name for name in TRIED if not la.lagrange(**SYSTEMS[name]).functions]


@pytest.mark.parametrize("name", COMPILED)
def test_programs_compute_the_closed_forms(name):
    system, rng = valued(name), np.random.default_rng(1)
    n = len(system.coordinates)
    t, q, qd = rng.uniform(0.5, 1, 5), rng.uniform(0.5, 1, (5, n)), rng.uniform(-1, 1, (5, n))
    inputs = dict.fromkeys(system.inputs, 0.5)
    constants = np.broadcast_to([{**system.values, **inputs}[c] for c in system.constants], (5, len(system.constants)))
    closed = {"mass_matrix": system.M, "bias": system.bias, "accelerations": system.accelerations}
    for program in programs(system):
        formulas = closed[program.name]
        used = inputs if program.name == "accelerations" else {}
        used = {**used, "t": t} if name == "driven pivot" and program.name != "mass_matrix" else used
        found = array_function(program, "numpy")(t, q, qd, constants)
        np.testing.assert_allclose(
            found.reshape(5, -1), formulas.numpy()(q, qd, **used).reshape(5, -1), rtol=1e-12, atol=1e-13
        )


@pytest.mark.skipif(not shutil.which("gcc"), reason="no gcc here")
def test_c_code_compiles_without_a_warning_and_computes_the_same(tmp_path):
    system = valued("cart-pole")
    system.save(tmp_path / "cart.c")
    flags = ["-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-Wconversion", "-shared", "-fPIC"]
    subprocess.run(["gcc", *flags, "cart.c", "-lm", "-o", "cart.so"], cwd=tmp_path, check=True)
    call = ctypes.CDLL(str(tmp_path / "cart.so")).cart_pole_accelerations
    q, qd, qdd = np.array([0.1, 0.7]), np.array([0.2, -0.3]), np.zeros(2)
    constants = np.array([{**system.values, "F": 0.5}[c] for c in system.constants])
    pointers = [ctypes.c_void_p(x.ctypes.data) for x in (q, qd, constants, qdd)]
    call(ctypes.c_double(0.0), *pointers)
    np.testing.assert_allclose(qdd, system.accelerations.numpy()(q, qd, F=0.5), rtol=1e-14)


def test_functions_beyond_the_compiler_are_named():
    with pytest.raises(InputError, match=r"exp of a formula is not compiled: .* sgn are"):
        valued("Morse oscillator").c_code()
