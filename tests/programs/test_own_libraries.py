"""What a program and a shared library of its own both define is one thing, as with the system's loader."""

import re
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


def test_libraries_of_ns3s_that_only_simgrid_is_linked_with_are_not_loaded(run_program):
    text = (
        "#include <stdio.h>\nint main(void) {\n  char line[4096];\n"
        '  FILE* maps = fopen("/proc/self/maps", "r");\n'
        "  while (fgets(line, sizeof line, maps)) fputs(line, stdout);\n}\n"
    )
    done = run_program(text, 1)
    loaded = {Path(line.split()[-1]) for line in done.stdout.splitlines() if ".so" in line}
    assert any(path.name.startswith("libsimgrid") for path in loaded)
    assert all(path.parent.name == "ns3_stand_ins" for path in loaded if path.name.startswith("libns3"))


@pytest.mark.parametrize("launcher", [pytest.param((), id="clones"), pytest.param(("--separate-files",), id="copies")])
def test_a_program_that_uses_ns3_has_it_each_rank_its_own(run_command, run_program, launcher):
    libraries = run_command(["ldconfig", "-p"]).stdout
    ns3 = re.search(r"libns3-core\.so\S*", libraries)
    if ns3 is None:
        pytest.skip("ns-3 is not installed, as this SimGrid is not linked with it")
    text = (
        "#include <mpi.h>\n#include <stdio.h>\n"
        'extern unsigned seed(void) __asm__("_ZN3ns314RngSeedManager7GetSeedEv");\n'
        'extern void set_seed(unsigned) __asm__("_ZN3ns314RngSeedManager7SetSeedEj");\n'
        "int main(int argc, char** argv) {\n  int rank;\n"
        "  MPI_Init(&argc, &argv);\n  MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n  set_seed(rank + 7);\n"
        '  MPI_Barrier(MPI_COMM_WORLD);\n  printf("%d %u\\n", rank, seed());\n  MPI_Finalize();\n}\n'
    )
    done = run_program(text, 2, launcher=launcher, flags=[f"-l:{ns3[0]}"])
    assert (done.returncode, done.stderr, sorted(done.stdout.splitlines())) == (0, "", ["0 7", "1 8"])
