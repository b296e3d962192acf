"""Every function of MPI's from Fortran, by mpif.h, by the module mpi and by mpi_f08: programs that look at what they
get.

The head of a program in interfaces/ says on how many ranks it runs, and by which interfaces if not by all three.
"""

import re
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PROGRAMS = sorted((HERE / "interfaces").glob("*.F90"))
INTERFACES = {"h": "BY_H", "mpi": "BY_MPI", "f08": "BY_F08"}


def head(program, word, otherwise):
    match = re.search(rf"^! {word}: (.*)$", program.read_text(), re.MULTILINE)
    return match[1].split() if match else otherwise


CASES = [(program, by) for program in PROGRAMS for by in head(program, "interfaces", list(INTERFACES))]


@pytest.mark.parametrize("machine", ["ideal", "ap1000", "t3e-900"])
@pytest.mark.parametrize("program,by", CASES, ids=[f"{program.stem}-{by}" for program, by in CASES])
def test_program(program, by, machine, run_program):
    flags = ["-cpp", f"-D{INTERFACES[by]}", "-I", HERE / "interfaces", *head(program, "flags", [])]
    n = head(program, "ranks", ["2"])[0]
    done = run_program(program, n, flags=flags, machine=machine)
    assert (done.stdout, done.stderr, done.returncode) == ("right\n", "", 0)


def names_of_all_functions(root):
    """As the interface is made, so is what is looked for."""
    folders = [str(root / "mpi_impl" / "api" / "fortran"), str(root / "mpi_impl" / "api"), str(root / "mpi_impl")]
    sys.path[:0] = folders
    try:
        from forms import NOT_IN_MPI_F08, fortran_functions
        from generate import read_functions

        return [function.name for function in fortran_functions(read_functions())], NOT_IN_MPI_F08
    finally:
        del sys.path[: len(folders)]


def preprocessed(program, by, run_command):
    defined = [f"-D{INTERFACES[by]}", "-I", HERE / "interfaces"]
    return run_command(["gfortran", "-cpp", "-E", *defined, program]).stdout.lower()


# They end the run.
WITHOUT_A_CALL = {"Abort"}


@pytest.mark.parametrize("by", INTERFACES)
def test_every_function_is_called(by, root, run_command):
    texts = [preprocessed(program, of, run_command) for program, of in CASES if of == by]
    called = set(re.findall(r"\b(mpi_\w+)\s*\(", "\n".join(texts)))
    names, not_in_f08 = names_of_all_functions(root)
    only_by_modules = {"Status_f2f08", "Status_f082f"}
    left_out = WITHOUT_A_CALL | (not_in_f08 if by == "f08" else only_by_modules)
    missing = [name for name in names if name not in left_out and f"mpi_{name}".lower() not in called]
    assert missing == []
