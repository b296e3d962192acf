"""The Fortran wrapper as CMake's FindMPI, autoconf and plain make see it: each builds a program that then runs."""

import os
import shutil
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture
def succeeds(run_command):
    def run_it(command, **options):
        done = run_command(command, **options)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return done

    return run_it


@pytest.fixture
def runs_on_four_ranks_and_alone(run_command, hindcast):
    def run_both(program):
        four = hindcast("run", "-m", "ideal", "-n", "4", program)
        assert (four.stdout, four.stderr, four.returncode) == ("sum of 4 ranks: 10\n", "", 0)
        alone = run_command([program])
        assert (alone.stdout, alone.stderr, alone.returncode) == ("sum of 1 ranks: 1\n", "", 0)

    return run_both


@pytest.mark.parametrize("found", ["by its name", "by the path"])
def test_cmake_finds_mpi(found, build, succeeds, runs_on_four_ranks_and_alone, tmp_path):
    options, env = [f"-DMPI_Fortran_COMPILER={build}/bin/hindcast-mpifort"], {}
    if found == "by the path":
        home = tmp_path / "home" / "bin"
        home.mkdir(parents=True)
        for name in ("mpicc", "mpicxx", "mpifort", "mpif90", "mpif77", "mpiexec"):
            (home / name).symlink_to(build / "bin" / f"hindcast-{name}")
        options, env = [], {"PATH": f"{home}:{os.environ['PATH']}"}
    configured = succeeds(["cmake", "-S", HERE / "cmake", "-B", tmp_path / "build", *options], env=env)
    wrapper = [line for line in configured.stdout.splitlines() if "Fortran compiler wrapper" in line]
    assert str(build) in wrapper[0] or str(tmp_path) in wrapper[0]
    succeeds(["cmake", "--build", tmp_path / "build"])
    runs_on_four_ranks_and_alone(tmp_path / "build" / "sums")


def test_autoconf_and_automake(succeeds, runs_on_four_ranks_and_alone, path_env, tmp_path):
    shutil.copytree(HERE / "autoconf", tmp_path, dirs_exist_ok=True)
    shutil.copy(HERE / "sums.f90", tmp_path)
    succeeds(["autoreconf", "--install"], cwd=tmp_path)
    succeeds(["./configure", "FC=hindcast-mpifort"], cwd=tmp_path, env=path_env)
    succeeds(["make"], cwd=tmp_path, env=path_env)
    runs_on_four_ranks_and_alone(tmp_path / "sums")


@pytest.mark.parametrize("extra", ["", "-pie -fPIE", "-static-libgfortran"])
def test_plain_make(extra, succeeds, runs_on_four_ranks_and_alone, path_env, tmp_path):
    shutil.copytree(HERE / "make", tmp_path, dirs_exist_ok=True)
    shutil.copy(HERE / "sums.f90", tmp_path)
    succeeds(["make", "FC=hindcast-mpif90", f"FFLAGS=-O2 {extra}", f"LDFLAGS={extra}"], cwd=tmp_path, env=path_env)
    runs_on_four_ranks_and_alone(tmp_path / "sums")
