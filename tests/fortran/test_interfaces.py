"""Every function of MPI's from Fortran, by mpif.h, by the module mpi and by mpi_f08: programs that look at what they
get.

The head of a program in interfaces/ says on how many ranks it runs, and by which interfaces if not by all three.
"""

import re

import pytest

from tests.fortran.interface_programs import CASES, HERE, INTERFACES, functions_by, head, preprocessed


@pytest.mark.parametrize("machine", ["ideal", "ap1000", "t3e-900"])
@pytest.mark.parametrize("program,by", CASES, ids=[f"{program.stem}-{by}" for program, by in CASES])
def test_program(program, by, machine, run_program):
    flags = ["-cpp", f"-D{INTERFACES[by]}", "-I", HERE / "interfaces", *head(program, "flags", [])]
    n = head(program, "ranks", ["2"])[0]
    done = run_program(program, n, flags=flags, machine=machine)
    assert (done.stdout, done.stderr, done.returncode) == ("right\n", "", 0)


@pytest.mark.parametrize("by", INTERFACES)
def test_every_function_is_called(by, root, run_command):
    texts = [preprocessed(program, of, run_command) for program, of in CASES if of == by]
    called = set(re.findall(r"\b(mpi_\w+)\s*\(", "\n".join(texts)))
    missing = [each.name for each in functions_by(by, root) if f"mpi_{each.name}".lower() not in called]
    assert missing == []
