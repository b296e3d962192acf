"""MPI's constants, by each of Fortran's interfaces: all are there, may stand wherever the language wants a constant,
and have the values that C's have."""

import tomllib

import pytest

from tests.fortran.interface_programs import HERE, INTERFACES

TABLE = tomllib.loads((HERE / "constants.toml").read_text())
NUMBERS = [name for rows in ("errors", "integers", "lengths_of_texts") for name in TABLE[rows].split()]
HANDLES = {kind: names.split() for kind, names in TABLE["handles"].items()}
ACCESS = {"h": ("", "include 'mpif.h'"), "mpi": ("use mpi", ""), "f08": ("use mpi_f08", "")}
# Those that are known by their addresses, each given to a procedure of another type.
VARIABLES = """  call anything(MPI_BOTTOM)
  call anything(MPI_IN_PLACE)
  call weights(MPI_UNWEIGHTED)
  call weights(MPI_WEIGHTS_EMPTY)
  call weights(MPI_ERRCODES_IGNORE)
  call texts(MPI_ARGV_NULL)
  call lists_of_texts(MPI_ARGVS_NULL)
  call status(MPI_STATUS_IGNORE)
  call statuses(MPI_STATUSES_IGNORE)
contains
  subroutine anything(x)
    type(*) :: x
  end subroutine
  subroutine weights(x)
    integer :: x(*)
  end subroutine
  subroutine texts(x)
    character(len=*) :: x(*)
  end subroutine
  subroutine lists_of_texts(x)
    character(len=*) :: x(1, *)
  end subroutine
  subroutine status(x)
    DECLARE_ONE
  end subroutine
  subroutine statuses(x)
    DECLARE_SEVERAL
  end subroutine
"""
STATUS = {"f08": ("type(MPI_Status) :: x", "type(MPI_Status) :: x(*)")}


def fortran_program(by):
    use, include = ACCESS[by]
    one, several = STATUS.get(by, ("integer :: x(MPI_STATUS_SIZE)", "integer :: x(MPI_STATUS_SIZE, *)"))
    lines = ["program constants", use, "implicit none", include, "integer :: ierror"]
    for kind, names in HANDLES.items():
        declared = f"type(MPI_{kind})" if by == "f08" else "integer"
        lines += [f"{declared}, parameter :: copy_{number}_of_{kind} = {name}" for number, name in enumerate(names)]
    lines += [f"integer, parameter :: copy_{number} = {name}" for number, name in enumerate(NUMBERS)]
    lines += [f"integer(kind=MPI_{kind}_KIND) :: of_{kind}" for kind in ("ADDRESS", "COUNT", "INTEGER", "OFFSET")]
    lines.append("integer(kind=MPI_OFFSET_KIND), parameter :: displacement = MPI_DISPLACEMENT_CURRENT")
    lines.append("logical, parameter :: able(2) = [MPI_SUBARRAYS_SUPPORTED, MPI_ASYNC_PROTECTS_NONBLOCKING]")
    lines.append("call MPI_Init(ierror)")
    lines += [f"print '(a, i0)', '{name} ', {name}" for name in NUMBERS]
    value = "%MPI_VAL" if by == "f08" else ""
    for kind, names in HANDLES.items():
        lines += [f"print '(a, i0)', '{name} ', copy_{number}_of_{kind}{value}" for number, name in enumerate(names)]
    lines.append("print '(a, 2l1)', 'able ', able")
    lines.append("if (displacement >= 0 .or. min(storage_size(of_COUNT), storage_size(of_ADDRESS)) < 64) error stop")
    lines.append("call MPI_Finalize(ierror)")
    return "\n".join(
        [*lines, VARIABLES.replace("DECLARE_ONE", one).replace("DECLARE_SEVERAL", several), "end program", ""]
    )


def c_program():
    names = [*NUMBERS, *(name for names in HANDLES.values() for name in names)]
    prints = "\n".join(f'  printf("{name} %d\\n", (int){name});' for name in names)
    return (
        f"#include <mpi.h>\n#include <stdio.h>\nint main(void) {{\n  MPI_Init(0, 0);\n{prints}\n  MPI_Finalize();\n}}\n"
    )


def printed(done):
    assert (done.returncode, done.stderr) == (0, "")
    return dict(line.split() for line in done.stdout.splitlines())


@pytest.fixture(scope="module")
def in_c(compile_program, hindcast):
    return printed(hindcast("run", "-m", "ideal", "-n", "1", compile_program(c_program())))


@pytest.mark.parametrize("by", INTERFACES)
def test_they_are_there_with_the_values_of_c(by, in_c, run_program):
    in_fortran = printed(run_program(fortran_program(by), 1, fortran=True))
    assert in_fortran.pop("able") == ("TT" if by == "f08" else "FF")
    one_less = TABLE["lengths_of_texts"].split()
    assert in_fortran == in_c | {name: str(int(in_c[name]) - 1) for name in one_less}
    assert len(in_fortran) > 240
