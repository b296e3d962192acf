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


NAMED = {
    "shmem_put8(there, here, -1, 1)": "shmem_put8: argument 3 (length) is -1",
    "shmem_real_put(there, here, 1, 9)": "shmem_real_put: argument 4 (pe) is 9",
    "shmem_character_get(here, there, 1, 9)": "shmem_character_get: argument 4 (pe) is 9",
    "shmem_int8_inc(here, 1)": "shmem_int8_inc: argument 1 (target) is not symmetric",
    "shmem_clear_lock(lock)": "shmem_clear_lock: argument 1 (lock) has not been set by this PE",
    "shmem_int4_wait(lock, 0)": "waits in shmem_int4_wait for a variable to be different from 0",
    "barrier()": "waits in barrier",
}


@pytest.mark.parametrize("call", NAMED)
def test_errors_and_waits_name_the_call_as_fortran_has_it(call, run_program):
    text = f"""program bad
  include 'mpp/shmem.fh'
  integer(8), save :: there(4)
  integer, save :: lock
  integer(8) :: here(4)
  here = 0
  if (my_pe() == 0) then
    call {call}
  end if
end program
"""
    done = run_program(text, 2, machine="t3e-900", fortran=True, flags=["-w", "-fallow-argument-mismatch"])
    assert done.returncode == 1
    assert f"rank 0: {NAMED[call]}" in done.stderr
