"""CellOS from Fortran."""

from pathlib import Path

HERE = Path(__file__).parent


def test_every_sort_of_call(run_program):
    done = run_program(HERE / "cellos_fortran.f90", 4, machine="ap1000")
    assert (done.stdout, done.stderr, done.returncode) == ("right\n", "", 0)
