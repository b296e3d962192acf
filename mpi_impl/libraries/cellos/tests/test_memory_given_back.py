"""An array is new to a cell's cache where an old one lay that the program gave back, whatever it calls for it."""

from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parent / "programs"
LIBRARY = "#include <stdlib.h>\nvoid library_gives_back(void* array) { free(array); }\n"


def check(lines):
    for way, where, first, known, anew in lines:
        assert where == "there", f"{way}: the allocator gave other memory, so that nothing is shown"
        assert float(known) < float(first), way
        assert anew == first, way


@pytest.mark.no_sanitizer  # which keeps memory that is given back for a while
@pytest.mark.parametrize("launcher", [pytest.param((), id="clones"), pytest.param(("--separate-files",), id="copies")])
def test_memory_that_a_program_gives_back(run_program, run_command, tmp_path, launcher):
    source, library = tmp_path / "gives_back.c", tmp_path / "libgives.so"
    source.write_text(LIBRARY)
    built = run_command(["gcc", "-shared", "-fPIC", source, "-o", library])
    assert built.returncode == 0, built.stderr
    flags = [f"-L{tmp_path}", f"-Wl,-rpath,{tmp_path}", "-lgives"]
    done = run_program(PROGRAMS / "given_back.cpp", 4, machine="ap1000", cxx=True, flags=flags, launcher=launcher)
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    assert [line[0] for line in lines] == ["free", "realloc", "delete", "munmap", "library"]
    check(lines)


@pytest.mark.no_sanitizer
def test_memory_that_a_fortran_program_gives_back(run_program):
    done = run_program(PROGRAMS / "given_back.f90", 4, machine="ap1000", fortran=True)
    assert done.returncode == 0, done.stderr
    check([done.stdout.split()])
