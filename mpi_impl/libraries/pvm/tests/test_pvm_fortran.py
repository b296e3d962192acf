"""PVM from Fortran."""

from pathlib import Path

HERE = Path(__file__).parent


def test_every_sort_of_call(run_program):
    done = run_program(HERE / "pvm_fortran.f90", 1, machine="ap3000")
    assert (done.stdout, done.stderr, done.returncode) == ("right\n", "", 0)
