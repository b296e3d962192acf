"""SHMEM from Fortran."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.parametrize("machine", ["t3e-900", "t3d"])
def test_every_sort_of_call(machine, run_program):
    done = run_program(HERE / "shmem_fortran.f90", 4, machine=machine, flags=["-fcray-pointer"])
    assert (done.stdout, done.stderr, done.returncode) == ("right\n", "", 0)


def test_a_bad_length_of_shpalloc(run_program):
    text = """program bad
  include 'mpp/shmem.fh'
  integer(8) :: place
  integer :: error
  call shpalloc(place, 0, error, 0)
  if (my_pe() == 0) print '(i0)', error
  call shpalloc(place, -4, error, 1)
end program
"""
    done = run_program(text, 2, machine="t3e-900", fortran=True)
    assert done.stdout == "-1\n"
    assert "SHPALLOC" in done.stderr
    assert "length" in done.stderr
    assert done.returncode == 1
