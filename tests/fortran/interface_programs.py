"""The programs in interfaces/, by which interfaces each is compiled, and MPI's functions as Fortran has them."""

import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
PROGRAMS = sorted((HERE / "interfaces").glob("*.F90"))
INTERFACES = {"h": "BY_H", "mpi": "BY_MPI", "f08": "BY_F08"}


def head(program, word, otherwise):
    match = re.search(rf"^! {word}: (.*)$", program.read_text(), re.MULTILINE)
    return match[1].split() if match else otherwise


CASES = [(program, by) for program in PROGRAMS for by in head(program, "interfaces", list(INTERFACES))]


def functions_as_made(root):
    """As the interface is made, so is what is looked for; and the names of those that mpi_f08 has not."""
    folders = [str(root / "mpi_impl" / "api" / "fortran"), str(root / "mpi_impl" / "api"), str(root / "mpi_impl")]
    sys.path[:0] = folders
    try:
        from forms import NOT_IN_MPI_F08, fortran_functions
        from generate import read_functions

        return list(fortran_functions(read_functions())), NOT_IN_MPI_F08
    finally:
        del sys.path[: len(folders)]


# They end the run.
WITHOUT_A_CALL = {"Abort"}
ONLY_BY_MODULES = {"Status_f2f08", "Status_f082f"}


def functions_by(interface, root):
    """Those that a program can call by it, and go on."""
    functions, not_in_f08 = functions_as_made(root)
    left_out = WITHOUT_A_CALL | {"f08": not_in_f08, "mpi": set(), "h": ONLY_BY_MODULES}[interface]
    return [function for function in functions if function.name not in left_out]


def preprocessed(program, by, run_command):
    defined = [f"-D{INTERFACES[by]}", "-I", HERE / "interfaces"]
    return run_command(["gfortran", "-cpp", "-E", "-P", *defined, program]).stdout.lower()
