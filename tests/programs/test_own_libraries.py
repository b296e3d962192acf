"""What a program and a shared library of its own both define is one thing, as with the system's loader."""

from pathlib import Path

import pytest

SOURCES = Path(__file__).parent / "sources"


@pytest.mark.parametrize("launcher", [pytest.param((), id="clones"), pytest.param(("--separate-files",), id="copies")])
@pytest.mark.parametrize("compiler", ["g++", "hindcast-mpicxx"])
def test_what_both_define_is_the_programs(run_command, hindcast, path_env, tmp_path, compiler, launcher):
    parts = [SOURCES / "defined_in_both_library.cpp", SOURCES / "defined_in_both_answer.cpp"]
    uses = ["-o", tmp_path / "program", f"-L{tmp_path}", "-lboth", f"-Wl,-rpath,{tmp_path}"]
    for command in (
        [compiler, "-std=c++17", "-shared", "-fPIC", *parts, "-o", tmp_path / "libboth.so"],
        ["hindcast-mpicxx", "-std=c++17", SOURCES / "defined_in_both.cpp", *uses],
    ):
        built = run_command(command, env=path_env)
        assert built.returncode == 0, built.stderr
    done = hindcast("run", *launcher, "-n", "3", tmp_path / "program")
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.splitlines()) == [f"{11 + i} {1 + i} {1 + i} {1 + i} {1 + i} 2" for i in range(3)]


@pytest.mark.no_sanitizer  # it has one operator new, and would be told of two
@pytest.mark.parametrize("launcher", [pytest.param((), id="clones"), pytest.param(("--separate-files",), id="copies")])
def test_a_library_that_the_usual_compiler_has_linked(run_command, hindcast, path_env, tmp_path, launcher):
    uses = ["-o", tmp_path / "program", f"-L{tmp_path}", "-lusual", f"-Wl,-rpath,{tmp_path}"]
    for command in (
        ["g++", "-DLIBRARY", "-shared", "-fPIC", SOURCES / "usual_library.cpp", "-o", tmp_path / "libusual.so"],
        ["hindcast-mpicxx", SOURCES / "usual_library.cpp", *uses],
    ):
        built = run_command(command, env=path_env)
        assert built.returncode == 0, built.stderr
    done = hindcast("run", *launcher, "-n", "3", tmp_path / "program")
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(done.stdout.splitlines()) == ["0.3", "0.33", "0.333", "failed", "failed", "failed"]
