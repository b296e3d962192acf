"""The compiler wrappers as CMake's FindMPI, autoconf and plain make see them: each builds a program that then runs."""

import os
import shutil
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def by_named_wrappers(build):
    wrappers = build / "bin"
    return [f"-DMPI_C_COMPILER={wrappers}/hindcast-mpicc", f"-DMPI_CXX_COMPILER={wrappers}/hindcast-mpicxx"], {}


def by_home(build):
    return [f"-DMPI_HOME={mpi_home(build)}"], {}


def by_path(build):
    return [], {"PATH": f"{mpi_home(build)}/bin:{os.environ['PATH']}"}


def mpi_home(build):
    """A folder as an MPI is usually installed in: found by the names of what is in its bin/."""
    return build / "lib" / "hindcast"


def assert_ranks_have_streams_of_their_own(hindcast, program):
    done = hindcast("run", "-n", 3, program)
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(done.stdout.split()) == ["0.3", "0.33", "0.333"]


@pytest.mark.no_sanitizer  # a C++ program started by itself would load it too late
@pytest.mark.parametrize("found", [by_named_wrappers, by_home, by_path])
def test_cmake_finds_mpi(found, build, hindcast, succeeds, runs_on_four_ranks_and_alone, tmp_path):
    options, env = found(build)
    configured = succeeds(["cmake", "-S", HERE / "cmake", "-B", tmp_path, *options], env=env)
    wrapper = [line for line in configured.stdout.splitlines() if "C compiler wrapper" in line]
    assert "hindcast" in wrapper[0] or str(mpi_home(build)) in wrapper[0]
    succeeds(["cmake", "--build", tmp_path])
    succeeds(["ctest", "--test-dir", tmp_path])
    runs_on_four_ranks_and_alone(tmp_path / "sum")
    runs_on_four_ranks_and_alone(tmp_path / "sum_cxx")
    runs_on_four_ranks_and_alone(tmp_path / "sum_by_library")
    runs_on_four_ranks_and_alone(tmp_path / "sum_told_by_archive")
    assert_ranks_have_streams_of_their_own(hindcast, tmp_path / "digits")


@pytest.mark.parametrize("compiler", [[], ["-DCMAKE_C_COMPILER=hindcast-mpicc"]])
def test_cmakes_openmp_is_the_simulated_one(compiler, succeeds, hindcast, path_env, tmp_path):
    options = ["-DMPI_C_COMPILER=hindcast-mpicc", "-DMPI_CXX_COMPILER=hindcast-mpicxx", *compiler]
    succeeds(["cmake", "-S", HERE / "cmake", "-B", tmp_path, *options], env=path_env)
    succeeds(["cmake", "--build", tmp_path, "--target", "threads"], env=path_env)
    done = hindcast("run", "-m", "cluster", "-n", 1, tmp_path / "threads")
    assert (done.stdout, done.stderr, done.returncode) == ("4 threads, one clock\n", "", 0)


def test_autoconf_and_automake(succeeds, runs_on_four_ranks_and_alone, path_env, tmp_path):
    shutil.copytree(HERE / "autoconf", tmp_path, dirs_exist_ok=True)
    shutil.copy(HERE / "mpi_sum.c", tmp_path)
    succeeds(["autoreconf", "--install"], cwd=tmp_path)
    succeeds(["./configure", "CC=hindcast-mpicc"], cwd=tmp_path, env=path_env)
    assert "#define SIZEOF_MPI_REQUEST 0" not in (tmp_path / "config.log").read_text()
    succeeds(["make"], cwd=tmp_path, env=path_env)
    runs_on_four_ranks_and_alone(tmp_path / "sum")


def test_wrappers_and_launcher_go_by_the_names_of_any_mpi(build, succeeds, path_env, tmp_path):
    by_any_name = {"PATH": f"{mpi_home(build)}/bin:{path_env['PATH']}"}
    for name, names in {
        "mpicc": ["mpicc"],
        "mpicxx": ["mpicxx", "mpic++", "mpiCC"],
        "mpifort": ["mpifort", "mpif90", "mpif77"],
    }.items():
        command = succeeds([f"hindcast-{name}", "-show"], env=path_env).stdout
        assert [succeeds([other, "-show"], env=by_any_name).stdout for other in names] == [command] * len(names)
    succeeds(["mpicc", "-o", tmp_path / "sum", HERE / "mpi_sum.c"], env=by_any_name)
    for launcher in ("mpiexec", "mpirun"):
        done = succeeds([launcher, "-n", "4", tmp_path / "sum"], env=by_any_name)
        assert "sum of 4 ranks: 10" in done.stdout


@pytest.mark.parametrize("extra", ["", "-pie -fPIE"])
def test_plain_make(extra, succeeds, runs_on_four_ranks_and_alone, path_env, tmp_path):
    shutil.copytree(HERE / "make", tmp_path, dirs_exist_ok=True)
    shutil.copy(HERE / "mpi_sum.c", tmp_path)
    succeeds(["make", "CC=hindcast-mpicc", f"CFLAGS=-O2 {extra}", f"LDFLAGS={extra}"], cwd=tmp_path, env=path_env)
    runs_on_four_ranks_and_alone(tmp_path / "sum")


@pytest.mark.no_sanitizer  # a C++ program started by itself would load it too late
@pytest.mark.parametrize("wrapper", ["hindcast-mpicc", "hindcast-mpifort"])
def test_parts_in_cxx_may_be_linked_by_another_wrapper(wrapper, hindcast, succeeds, path_env, tmp_path):
    succeeds(["hindcast-mpicxx", "-c", "-o", "digits.o", HERE / "digits.cpp"], cwd=tmp_path, env=path_env)
    succeeds([wrapper, "-o", "digits", "digits.o", "-lstdc++"], cwd=tmp_path, env=path_env)
    assert_ranks_have_streams_of_their_own(hindcast, tmp_path / "digits")


def test_main_may_stand_in_a_library(succeeds, runs_on_four_ranks_and_alone, path_env, tmp_path):
    succeeds(["hindcast-mpicc", "-c", "-o", "sum.o", HERE / "mpi_sum.c"], cwd=tmp_path, env=path_env)
    succeeds(["ar", "rc", "libsum.a", "sum.o"], cwd=tmp_path)
    succeeds(["hindcast-mpicc", "-o", "sum", "libsum.a", "-lm"], cwd=tmp_path, env=path_env)
    runs_on_four_ranks_and_alone(tmp_path / "sum")


def test_a_static_link_is_refused(run_command, path_env, tmp_path):
    done = run_command(["hindcast-mpicc", "-static", "-o", tmp_path / "sum", HERE / "mpi_sum.c"], env=path_env)
    assert done.returncode != 0
    assert "-static" in done.stderr


def test_an_undefined_function_is_an_error_at_link(run_command, path_env, tmp_path):
    source = tmp_path / "calls_nothing.c"
    source.write_text("int MPI_No_such_function(void);\nint main(void) { return MPI_No_such_function(); }\n")
    done = run_command(["hindcast-mpicc", "-o", tmp_path / "program", source], env=path_env)
    assert done.returncode != 0
    assert "MPI_No_such_function" in done.stderr
