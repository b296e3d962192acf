"""MPI's constants in Fortran: mpif.h, which is right in fixed and in free form; the same as parts of the modules; and
the addresses of those that are variables.

A constant such as MPI_BOTTOM is known by its address. It is a common block, and what is linked into every program gives
that the address which C has for the constant: so nothing has to be translated, and it is the same one for all ranks.
They are bound when a program is loaded: bound when it is linked, GNU ld would take their addresses for places in it.
They are multiples of 64, as the compiler aligns common blocks to that for some processors, and ld would warn.
"""

import re
from pathlib import Path

from generate import handle_rows

HERE = Path(__file__).parent

KINDS_OF_INTEGERS = {
    "MPI_ADDRESS_KIND": 8,
    "MPI_OFFSET_KIND": 8,
    "MPI_COUNT_KIND": 8,
    "MPI_INTEGER_KIND": 4,
}
STATUS = {"MPI_STATUS_SIZE": 6, "MPI_SOURCE": 1, "MPI_TAG": 2, "MPI_ERROR": 3}

# Name, declaration in mpif.h, declaration in mpi_f08, C's name if that is another.
VARIABLES = (
    ("MPI_BOTTOM", "integer MPI_BOTTOM", "integer(c_int)", ""),
    ("MPI_IN_PLACE", "integer MPI_IN_PLACE", "integer(c_int)", ""),
    ("MPI_STATUS_IGNORE", "integer MPI_STATUS_IGNORE(MPI_STATUS_SIZE)", "type(MPI_Status)", ""),
    ("MPI_STATUSES_IGNORE", "integer MPI_STATUSES_IGNORE(MPI_STATUS_SIZE,1)", "type(MPI_Status), dimension(1)", ""),
    ("MPI_UNWEIGHTED", "integer MPI_UNWEIGHTED(1)", "integer(c_int), dimension(1)", ""),
    ("MPI_WEIGHTS_EMPTY", "integer MPI_WEIGHTS_EMPTY(1)", "integer(c_int), dimension(1)", ""),
    ("MPI_ERRCODES_IGNORE", "integer MPI_ERRCODES_IGNORE(1)", "integer(c_int), dimension(1)", ""),
    ("MPI_ARGV_NULL", "character MPI_ARGV_NULL(1)", "character(kind=c_char), dimension(1)", ""),
    ("MPI_ARGVS_NULL", "character MPI_ARGVS_NULL(1,1)", "character(kind=c_char), dimension(1,1)", ""),
)
CALLBACKS = [
    *(f"MPI_{of}_{what}" for of in ("COMM", "TYPE", "WIN") for what in ("NULL_COPY_FN", "DUP_FN", "NULL_DELETE_FN")),
    *("MPI_NULL_COPY_FN", "MPI_DUP_FN", "MPI_NULL_DELETE_FN"),
]
NO_CONVERSION = "MPI_CONVERSION_FN_NULL"
IN_C_ONLY = ("MPI_F_", "MPI_T_")
# The room for the longest text. C needs one more, for the text's end.
LONGEST_TEXTS = re.compile(
    "MPI_MAX_(DATAREP_STRING|ERROR_STRING|INFO_KEY|INFO_VAL|LIBRARY_VERSION_STRING|OBJECT_NAME|PORT_NAME|PROCESSOR_NAME)"
)
HEAD_OF_MPIF_H = """! MPI's constants for Fortran, in fixed and in free form. Made from the
! tables in mpi_impl/api; not to be edited.
"""
FUNCTIONS_OF_TIME = ("MPI_WTIME", "MPI_WTICK", "PMPI_WTIME", "PMPI_WTICK")
FUNCTIONS_OF_ADDRESSES = ("MPI_AINT_ADD", "MPI_AINT_DIFF", "PMPI_AINT_ADD", "PMPI_AINT_DIFF")


def address_of(name: str) -> int:
    """As mpi.h has it."""
    match = re.search(rf"#define {name} \(\([\w*]+\)(-?\d+)\)", (HERE.parent / "mpi.h.in").read_text())
    if match is None:
        raise SystemExit(f"mpi.h.in defines no {name}")
    return int(match[1])


def make_addresses() -> str:
    """In assembler."""
    lines = ["# Made by mpi_impl/api/fortran; not to be edited."]
    for name, *_ in VARIABLES:
        for symbol in (f"{common_block(name)}_", bound_name(name)):
            lines += [
                f"  .globl {symbol}",
                f"  .type {symbol}, @object",
                f"  .set {symbol}, {address_of(name)}",
            ]
    return "\n".join([*lines, '  .section .note.GNU-stack,"",@progbits', ""])


def common_block(name: str) -> str:
    return "hindcast_" + name.lower()


def bound_name(name: str) -> str:
    return "hindcast_f08_" + name.lower()


def make_list_for_linker() -> str:
    """What is bound late, though -Bsymbolic binds all else."""
    symbols = [symbol for name, *_ in VARIABLES for symbol in (f"{common_block(name)}_", bound_name(name))]
    return "\n".join(["{", *(f"  {symbol};" for symbol in symbols), "};", ""])


def integer_constants(constants: dict) -> dict[str, int]:
    values = {
        name: value - 1 if LONGEST_TEXTS.fullmatch(name) else value
        for name, value in constants["integers"].items()
        if not name.startswith(IN_C_ONLY)
    }
    values |= {name: number for number, name in enumerate(constants["errors"]) if not name.startswith(IN_C_ONLY)}
    return values | {"MPI_ERR_LASTCODE": len(constants["errors"]) - 1}


def handle_constants(constants: dict) -> dict[str, tuple[str, int]]:
    """C's type and the number."""
    handles = {
        name: (c_type, number) for name, c_type, number in handle_rows(constants) if not c_type.startswith(IN_C_ONLY)
    }
    return handles | {name: handles[other] for name, other in constants["aliases"].items()}


def types_of_handles(constants: dict) -> list[str]:
    types = {table["type"] for table in constants["handles"].values()}
    return sorted(c_type for c_type in types if c_type != "int" and not c_type.startswith(IN_C_ONLY))


def parameter_lines(values: dict[str, int]) -> list[str]:
    """Statements short enough for a card."""
    return [line for name, value in values.items() for line in (f"integer {name}", f"parameter ({name}={value})")]


def logical_lines(is_able: bool) -> list[str]:
    value = ".true." if is_able else ".false."
    names = ("MPI_SUBARRAYS_SUPPORTED", "MPI_ASYNC_PROTECTS_NONBLOCKING")
    return [line for name in names for line in (f"logical {name}", f"parameter ({name}={value})")]


def declarations_of_constants(constants: dict) -> list[str]:
    """Those of mpif.h and of the module mpi: handles are integers."""
    handles = {name: number for name, (_, number) in handle_constants(constants).items()}
    lines = parameter_lines(KINDS_OF_INTEGERS | STATUS | integer_constants(constants) | handles)
    lines += logical_lines(False)
    for name, declaration, *_ in VARIABLES:
        lines += [declaration, f"common /{common_block(name)}/ {name}"]
    return lines


def make_mpif_h(constants: dict) -> str:
    lines = declarations_of_constants(constants)
    # Not double precision, which is of 16 bytes with -fdefault-real-8.
    lines += [f"real(kind=8) {name}" for name in FUNCTIONS_OF_TIME]
    lines += [f"integer(kind=MPI_ADDRESS_KIND) {name}" for name in FUNCTIONS_OF_ADDRESSES]
    lines += [f"external {name}" for name in (*CALLBACKS, NO_CONVERSION, *FUNCTIONS_OF_TIME, *FUNCTIONS_OF_ADDRESSES)]
    return HEAD_OF_MPIF_H + "".join(f"      {line}\n" for line in lines)
