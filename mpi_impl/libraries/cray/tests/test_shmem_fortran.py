"""SHMEM from Fortran."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.parametrize("machine", ["t3e-900", "t3d"])
@pytest.mark.parametrize("program", ["shmem_fortran", "shmem_fortran_kinds", "shmem_fortran_heap"])
def test_every_sort_of_call(program, machine, run_program):
    done = run_program(HERE / f"{program}.f90", 4, machine=machine, flags=["-fcray-pointer"])
    assert (done.stdout, done.stderr, done.returncode) == ("right\n", "", 0)


ABORTS = {
    "shpalloc(place, -4, error, 1)": "SHPALLOC: argument 2 (length) is not positive",
    "shpalloc(place, 2000000000, error, 1)": "SHPALLOC: argument 2 (length) is more than the symmetric heap has left",
    "shpdeallc(place, error, 1)": "SHPDEALLC: argument 1 (addr) is outside the symmetric heap",
    "shpdeallc(within, error, 1)": "SHPDEALLC: argument 1 (addr) is not the beginning of a block",
    "shpdeallc(old, error, 1)": "SHPDEALLC: argument 1 (addr) is of a block that is free already",
    "shpclmove(old, 4, error, 1)": "SHPCLMOVE: argument 1 (addr) is of a block that is free already",
}


@pytest.mark.parametrize("call", ABORTS)
def test_errors_end_the_run_if_the_program_asks_for_that(call, run_program):
    text = f"""program bad
  include 'mpp/shmem.fh'
  integer(8) :: place, within, old
  integer :: error
  place = 0
  call shpalloc(within, 4, error, 1)
  call shpalloc(old, 4, error, 1)
  within = within + 8
  call shpdeallc(old, error, 1)
  call {call}
end program
"""
    done = run_program(text, 2, machine="t3e-900", fortran=True)
    assert done.returncode == 1
    assert f"rank 0: {ABORTS[call]}" in done.stderr
