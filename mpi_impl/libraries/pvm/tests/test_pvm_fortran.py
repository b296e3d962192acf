"""PVM from Fortran: each of its calls, and what it says of it."""

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PROGRAMS = ["pvm_fortran.f90", "pvm_fortran_lists.f90"]
# What it has done is seen by others, or in a line of its own.
SAYS_NOTHING = {"pvmfexit", "pvmfperror"}


@pytest.mark.parametrize("program", PROGRAMS)
def test_calls_do_what_they_should(program, run_program):
    done = run_program(HERE / program, 1, machine="ap3000")
    assert (done.stdout, done.stderr, done.returncode) == ("right\n", "", 0)


def calls_looked_at():
    """Those after which, in the next line or the one after it, a program says what must be so."""
    found = set()
    for program in PROGRAMS:
        lines = (HERE / program).read_text().lower().splitlines()
        for line, *following in zip(lines, lines[1:], lines[2:], strict=False):
            call = re.search(r"call (pvm\w+)\(", line)
            if call and any("must(" in each for each in following):
                found.add(call[1])
    return found


def test_a_program_looks_at_each_calls_result(build, run_command):
    symbols = run_command(["nm", "-D", "--defined-only", build / "lib" / "libhindcast.so"]).stdout
    calls = {name.removesuffix("_") for name in re.findall(r"\b(pvm(?:f[a-z]+|max|min|sum|product)_)$", symbols, re.M)}
    assert len(calls) > 70
    assert calls - calls_looked_at() == SAYS_NOTHING


ERROR = """      program told
      include 'fpvm3.h'
      integer info
      call pvmfkill(-1, info)
      call pvmfperror('told', info)
      if (info .ne. PvmOk .or. PvmDupEntry .ne. PvmExists) stop 1
      end
"""


def test_an_error_is_told_in_words_and_the_constants_are_those_of_fixed_form_too(run_program, tmp_path):
    program = tmp_path / "told.f"
    program.write_text(ERROR)
    done = run_program(program, 1, machine="ap3000")
    assert done.returncode == 0
    assert done.stderr == "libpvm [t40001]: pvmfkill(): Bad parameter\nlibpvm [t40001]: told: Bad parameter\n"


# Each told, or waited in, as Fortran has it: calls that are C's too, and those whose arguments differ.
NAMED = {
    "pvmfsend(tid, 1, info)": "libpvm [t40001]: pvmfsend(): No current buffer\n",
    "pvmffreebuf(99, info)": "libpvm [t40001]: pvmffreebuf(): No such buffer\n",
    "pvmfmcast(1, [tid], 1, info)": "libpvm [t40001]: pvmfmcast(): No current buffer\n",
    "pvmfspawn('', 0, '*', 1, tid, info)": "libpvm [t40001]: pvmfspawn(): Bad parameter\n",
    "pvmfpack(INTEGER4, [1], 1, 1, info)": "libpvm [t40001]: pvmfpack(): No current buffer\n",
    "pvmfpack(99, [1], 1, 1, info)": "libpvm [t40001]: pvmfpack(): Bad parameter\n",
    "pvmfunpack(STRING, text, 8, 1, info)": "libpvm [t40001]: pvmfunpack(): No current buffer\n",
    "pvmfsiblings(info, 3, tid)": "libpvm [t40001]: pvmfsiblings(): No such task\n",
    "pvmfgetminfo(99, a, b, a, b, a, b, a, b, info)": "libpvm [t40001]: pvmfgetminfo(): No such buffer\n",
    "pvmfreduce(PvmSum, a, 1, INTEGER4, 1, '', 0, info)": "libpvm [t40001]: pvmfreduce(): Null group name\n",
    "pvmfpsend(tid, 1, [1], 2**30, REAL8, info)": "rank 0: pvmfpsend: the count is 1073741824",
    "pvmfrecv(-1, 1, info)": "rank 0: waits in pvmfrecv",
    "pvmfprecv(-1, 1, a, 1, INTEGER4, a, b, a, info)": "rank 0: waits in pvmfprecv",
    "pvmftrecv(-1, 1, -1, 0, info)": "rank 0: waits in pvmftrecv",
    "pvmfjoingroup('all', a); call pvmfbarrier('all', 2, info)": "rank 0: waits in pvmfbarrier",
}


@pytest.mark.parametrize("call", NAMED)
def test_errors_and_waits_name_the_call_as_fortran_has_it(call, run_program):
    text = f"""program named
  include 'fpvm3.h'
  external PvmSum
  integer :: tid, info, a, b
  character(8) :: text
  call pvmfmytid(tid)
  call {call}
end program
"""
    done = run_program(text, 1, machine="ap3000", fortran=True, flags=["-w", "-fallow-argument-mismatch"])
    assert NAMED[call] in done.stderr
    assert "pvm_" not in done.stderr


def test_a_task_that_ignores_the_signal_is_ended_by_pvmfkill(run_program):
    text = """program signals
  include 'fpvm3.h'
  integer :: parent, child, info, started
  character(1024) :: path
  call pvmfparent(parent)
  if (parent /= PvmNoParent) then
    call signal(15, 1)
    call pvmfinitsend(PVMDEFAULT, info)
    call pvmfsend(parent, 2, info)
    call pvmfrecv(parent, 1, info)
    stop
  end if
  call get_command_argument(0, path)
  call pvmfspawn(path, PVMDEFAULT, '*', 1, child, started)
  call pvmfrecv(child, 2, info)
  call pvmfsendsig(child, 15, info)
  call pvmfpstat(child, info)
  if (info /= PvmOk) stop 1
  call pvmfkill(child, info)
  call pvmfpstat(child, info)
  if (info /= PvmNoTask) stop 2
  call pvmfexit(info)
end program
"""
    done = run_program(text, 1, machine="ap3000", fortran=True)
    assert (done.stderr, done.returncode) == ("", 0)
