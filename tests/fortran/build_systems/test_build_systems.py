"""The Fortran wrapper as CMake's FindMPI, autoconf and plain make see it: each builds a program that then runs."""

import os
import shutil
from pathlib import Path

import pytest

HERE = Path(__file__).parent


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
    runs_on_four_ranks_and_alone(tmp_path / "build" / "sums_by_library")


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
