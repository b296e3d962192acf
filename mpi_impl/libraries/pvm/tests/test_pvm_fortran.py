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
    assert done.stderr == "libpvm [t40001]: pvm_kill(): Bad parameter\nlibpvm [t40001]: told: Bad parameter\n"
