"""Libraries that a program opens by dlopen: each rank has its own, bound to its program."""

from pathlib import Path

import pytest

SOURCES = Path(__file__).parent
LOADERS = [pytest.param((), id="clones"), pytest.param(("--separate-files",), id="copies")]
SHARED = ("-shared", "-fPIC", "-g")


@pytest.fixture
def make(run_command, path_env, tmp_path):
    def make(compiler, source, output, *flags):
        done = run_command([compiler, SOURCES / source, "-g", "-o", tmp_path / output, *flags], env=path_env)
        assert done.returncode == 0, done.stderr

    return make


def assert_same_as_in_a_process(run_command, hindcast, tmp_path, launcher):
    native = run_command([tmp_path / "native", tmp_path])
    assert native.returncode == 0, native.stdout + native.stderr
    ranks = 3
    done = hindcast("run", "--label", *launcher, "-n", str(ranks), tmp_path / "program", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    for rank in range(ranks):
        label = f"[{rank}] "
        assert [line.removeprefix(label) for line in lines if line.startswith(label)] == native.stdout.splitlines()


@pytest.mark.parametrize("launcher", LOADERS)
@pytest.mark.parametrize("compiler", ["gcc", "hindcast-mpicc"])
def test_libraries_are_opened_and_asked(make, run_command, hindcast, tmp_path, compiler, launcher):
    make(compiler, "helper.c", "libhelper.so", *SHARED)
    make(compiler, "library.c", "library.so", *SHARED, f"-L{tmp_path}", "-lhelper", f"-Wl,-rpath,{tmp_path}")
    make(compiler, "later.c", "later.so", *SHARED)
    make("gcc", "opens.c", "native", "-rdynamic", "-pthread")
    make("hindcast-mpicc", "opens.c", "program")
    assert_same_as_in_a_process(run_command, hindcast, tmp_path, launcher)


@pytest.mark.parametrize("launcher", LOADERS)
@pytest.mark.parametrize("compiler", ["g++", "hindcast-mpicxx"])
def test_a_library_that_is_closed_ends(make, run_command, hindcast, tmp_path, compiler, launcher):
    make(compiler, "closed.cpp", "closed.so", *SHARED)
    make("gcc", "closes.c", "native")
    make("hindcast-mpicc", "closes.c", "program")
    assert_same_as_in_a_process(run_command, hindcast, tmp_path, launcher)


@pytest.mark.no_sanitizer  # it has one operator new, and would be told of two
@pytest.mark.parametrize("launcher", LOADERS)
@pytest.mark.parametrize("compiler", ["g++", "hindcast-mpicxx"])
def test_objects_and_exceptions_of_a_library(make, run_command, hindcast, tmp_path, compiler, launcher):
    make(compiler, "shapes.cpp", "shapes.so", *SHARED)
    make("g++", "uses_shapes.cpp", "native")
    make("hindcast-mpicxx", "uses_shapes.cpp", "program")
    assert_same_as_in_a_process(run_command, hindcast, tmp_path, launcher)


@pytest.mark.parametrize("launcher", LOADERS)
def test_a_librarys_variables_are_the_ranks(make, hindcast, tmp_path, launcher):
    make("hindcast-mpicc", "counts.c", "counts.so", *SHARED)
    make("hindcast-mpicc", "uses_counts.c", "program")
    done = hindcast("run", *launcher, "-n", "5", "./program", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    expected = [f"{i}: {10000 * (1000 + i) + 100 * (3 * ((i - 1) % 5)) + 3 * i}" for i in range(5)]
    assert sorted(done.stdout.splitlines()) == expected


def test_reports_name_places_in_a_library(make, hindcast, tmp_path):
    make("hindcast-mpicc", "counts.c", "counts.so", *SHARED)
    make("hindcast-mpicc", "uses_counts.c", "program")
    done = hindcast("run", "-n", "2", "./program", "fall", cwd=tmp_path)
    assert done.returncode == 139
    assert "in fall (counts.c:17)" in done.stderr
    assert "in main (uses_counts.c:" in done.stderr
    done = hindcast("run", "-n", "2", "./program", "wait_for_nothing", cwd=tmp_path)
    assert done.returncode != 0
    assert "counts.c:18" in done.stderr


def test_a_library_that_is_written_anew(make, hindcast, tmp_path):
    make("hindcast-mpicc", "written_anew.c", "program")
    for number, name in ((1, "now"), (2, "next")):
        source = tmp_path / f"{name}.c"
        source.write_text(f"int number(void) {{ return {number}; }}")
        make("gcc", source, f"{name}.so", *SHARED)
    done = hindcast("run", "-n", "2", tmp_path / "program", cwd=tmp_path)
    assert (done.returncode, sorted(done.stdout.splitlines()), done.stderr) == (0, ["0: 1", "1: 2"], "")


def test_a_name_that_is_too_short_to_be_changed_is_told(make, hindcast, tmp_path):
    make("gcc", "helper.c", "h.so", *SHARED)
    make("gcc", "library.c", "library.so", *SHARED, f"-L{tmp_path}", "-l:h.so", f"-Wl,-rpath,{tmp_path}")
    make("hindcast-mpicc", "opens.c", "program")
    done = hindcast("run", "-n", "1", tmp_path / "program", tmp_path)
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == "h.so: too short a name for a shared library that others need"
