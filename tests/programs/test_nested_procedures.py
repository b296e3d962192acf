"""Programs that pass procedures within procedures on, for which compilers have the stack run code."""

from pathlib import Path

import pytest

SOURCES = Path(__file__).parent / "sources"
FORTRAN = Path(__file__).parents[1] / "fortran" / "programs"
LOADERS = [pytest.param((), id="clones"), pytest.param(("--separate-files",), id="copies")]


@pytest.mark.parametrize("launcher", LOADERS)
@pytest.mark.parametrize("machine", ["ideal", "ap1000"])
def test_functions_of_c_within_functions_are_called(run_program, launcher, machine):
    done = run_program(SOURCES / "nested_functions.c", 4, machine=machine, launcher=launcher)
    assert (done.returncode, done.stdout, done.stderr) == (0, "largest 30, used yes, sum 406\n", "")


@pytest.mark.parametrize("launcher", LOADERS)
def test_contained_procedures_of_fortran_are_called(run_program, launcher):
    done = run_program(FORTRAN / "contained_callbacks.f90", 4, launcher=launcher)
    assert (done.returncode, done.stdout, done.stderr) == (0, "least 7, used T\n", "")
