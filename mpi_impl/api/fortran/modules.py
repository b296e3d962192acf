"""The modules mpi and mpi_f08. They have interfaces only, of functions that are in the library: nothing of them is
linked into a program."""

from constants import (
    CALLBACKS,
    KINDS_OF_INTEGERS,
    NO_CONVERSION,
    STATUS,
    VARIABLES,
    bound_name,
    declarations_of_constants,
    handle_constants,
    integer_constants,
    logical_lines,
    types_of_handles,
)
from entries import KINDS_WITH_SIZES, described_name
from forms import INTEGER_KINDS, WITH_POINTERS, Form, FortranFunction

WIDTH = 120


def broken(statement: str) -> list[str]:
    """A statement on as many lines as it takes."""
    lines = []
    while len(statement) > WIDTH:
        at = statement.rfind(",", 0, WIDTH - 2) + 1
        lines.append(statement[:at] + " &")
        statement = "  " + statement[at:].lstrip()
    return [*lines, statement]


def integer_type(form: Form, function: FortranFunction) -> str:
    kind = "" if function.has_short_addresses else INTEGER_KINDS.get(form.c_base, ADDRESS)
    return f"integer(kind={kind})" if kind else "integer"


ADDRESS = "MPI_ADDRESS_KIND"  # of extra states, values of attributes and memory
# Of lists that end with a blank text, of one program or of `count` of them.
TEXTS = {"char* {n}[]": "(*)", "char** {n}": "(*)", "char*** {n}": "(count, *)"}
# Targets, since MPI stores into a buffer, or reads it, also after the call that was given it: of another variable
# gfortran takes it that only that call does.
CHOICE_IN_MPI = "type(*), dimension(*), target"
CHOICE_IN_F08 = "type(*), dimension(..), target"


def dimensions(form: Form) -> str:
    return {"array_of_statuses": "(MPI_STATUS_SIZE, *)", "triples": "(3, *)"}.get(
        form.name if form.of == "status" and form.is_array else form.of, "(*)" if form.is_array else ""
    )


# --- mpi ---


def argument_in_mpi(form: Form, function: FortranFunction) -> list[str]:
    name = form.name
    if form.of == "choice":
        intent = ", intent(in)" if form.is_const else ""
        return [f"!GCC$ ATTRIBUTES NO_ARG_CHECK :: {name}", f"{CHOICE_IN_MPI}{intent} :: {name}"]
    if form.of == "callback":
        return [f"external :: {name}"]
    if form.of == "text":
        return [f"character(len=*), intent({form.intent}) :: {name}"]
    if form.of == "texts":
        return [f"character(len=*), intent(in) :: {name}{TEXTS[form.parameter.kind.c]}"]
    if form.of == "logical":
        return [f"logical :: {name}{dimensions(form)}"]
    if form.of == "status":
        return [f"integer :: {name}{dimensions(form) or '(MPI_STATUS_SIZE)'}"]
    if form.of in ("integer", "pointer"):
        return [f"{integer_type(form, function)} :: {name}{dimensions(form)}"]
    return [f"integer :: {name}{dimensions(form)}"]


def interface(function: FortranFunction, name: str, arguments: list[str], error: str, binding: str = "") -> list[str]:
    names = [form.name for form in function.forms] + (["ierror"] if error else [])
    word = "subroutine" if function.is_subroutine else "function"
    lines = broken(f"{word} {name}({', '.join(names)}){binding}")
    lines += ["  import", *("  " + line for line in arguments)]
    if error:
        lines.append(f"  {error} :: ierror")
    if not function.is_subroutine:
        result = {"double": "double precision", "MPI_Aint": f"integer(kind={ADDRESS})"}[function.function.result]
        lines.append(f"  {result} :: {name}")
    return [*lines, f"end {word} {name}"]


def interface_in_mpi(function: FortranFunction, name: str) -> list[str] | tuple[list[str], list[str]]:
    """Two where a procedure goes by one name with arguments of two types."""
    arguments = [line for form in function.forms for line in argument_in_mpi(form, function)]
    error = "integer" if function.has_error_code else ""
    if function.name == "Buffer_detach":
        arguments = [
            "!GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer_addr",
            f"{CHOICE_IN_MPI} :: buffer_addr",
            "integer :: size",
        ]
    plain = interface(function, name, arguments, error)
    if function.name not in WITH_POINTERS:
        return plain
    with_pointer = [
        line.replace(name, f"{name}_cptr").replace(
            "integer(kind=MPI_ADDRESS_KIND) :: baseptr", "type(c_ptr) :: baseptr"
        )
        for line in plain
    ]
    return plain, with_pointer


def sizeof_interfaces() -> list[str]:
    """Of variables of every kind and any shape. Without bind(C), which the standards keep from most kinds of logicals:
    gfortran would refuse the module where a program is held to one of them."""
    lines = ["interface MPI_Sizeof"]
    for suffix, (declaration, _) in KINDS_WITH_SIZES.items():
        specific = f"hindcast_sizeof_{suffix}"
        lines += [
            f"  subroutine {specific}(x, size, ierror)",
            f"    {declaration}, dimension(..) :: x",
            "    integer, intent(out) :: size",
            "    integer, optional, intent(out) :: ierror",
            f"  end subroutine {specific}",
        ]
    lines += ["end interface MPI_Sizeof", "interface PMPI_Sizeof"]
    for suffix in KINDS_WITH_SIZES:
        lines.append(f"  procedure hindcast_sizeof_{suffix}")
    return [*lines, "end interface PMPI_Sizeof"]


def callback_interface_in_mpi(name: str) -> list[str]:
    kind = "" if name in ("MPI_NULL_COPY_FN", "MPI_DUP_FN", "MPI_NULL_DELETE_FN") else f"(kind={ADDRESS})"
    names, lines = attribute_callback(name, "integer", f"integer{kind}")
    return [f"subroutine {name}({', '.join(names)})", "  import", *lines, f"end subroutine {name}"]


def attribute_callback(name: str, handle: str, value: str) -> tuple[list[str], list[str]]:
    if name.upper().endswith(("DELETE_FN", "DELETE_ATTR_FUNCTION")):
        names = ["object", "keyval", "attribute_val", "extra_state", "ierror"]
        lines = [f"  {handle} :: object", "  integer :: keyval, ierror", f"  {value} :: attribute_val, extra_state"]
    else:
        names = ["oldobject", "keyval", "extra_state", "attribute_val_in", "attribute_val_out", "flag", "ierror"]
        lines = [
            f"  {handle} :: oldobject",
            "  integer :: keyval, ierror",
            f"  {value} :: extra_state, attribute_val_in, attribute_val_out",
            "  logical :: flag",
        ]
    return names, lines


def no_conversion(memory: str, datatype: str) -> list[str]:
    """What stands for no conversion of data in a file: it is never called."""
    names = "userbuf, datatype, count, filebuf, position, extra_state, ierror"
    return [
        *broken(f"subroutine {NO_CONVERSION}({names})"),
        "  import",
        f"  {memory} :: userbuf, filebuf",
        f"  {datatype} :: datatype",
        "  integer :: count, ierror",
        "  integer(kind=MPI_OFFSET_KIND) :: position",
        f"  integer(kind={ADDRESS}) :: extra_state",
        f"end subroutine {NO_CONVERSION}",
    ]


def from_mpi_f08(constants: dict) -> list[str]:
    """What the module mpi has of the other one, so that programs can go over to it step by step: the types of handles
    and statuses, comparisons, and what makes one sort of status of the other."""
    conversions = [f"{prefix}Status_{way}" for prefix in ("MPI_", "PMPI_") for way in ("f2f08", "f082f")]
    names = [*types_of_handles(constants), "MPI_Status", "operator(==)", "operator(/=)", *conversions]
    return broken(f"use mpi_f08, only: {', '.join(names)}")


def make_mpi(constants: dict, functions: list[FortranFunction]) -> str:
    lines = [
        "! Made by mpi_impl/api/fortran; not to be edited.",
        "module mpi",
        "  use, intrinsic :: iso_c_binding, only: c_ptr",
        *("  " + line for line in from_mpi_f08(constants)),
    ]
    lines += ["  implicit none", "  private :: c_ptr", *("  " + line for line in declarations_of_constants(constants))]
    overloaded = {}
    lines.append("  interface")
    for prefix in ("MPI_", "PMPI_"):
        for function in functions:
            made = interface_in_mpi(function, prefix + function.name)
            if isinstance(made, tuple):
                overloaded[prefix + function.name] = made
            else:
                lines += ["    " + line for line in made]
        lines += ["    " + line for line in sync_reg(prefix + "F_sync_reg", CHOICE_IN_MPI, True, "")]
    for name in CALLBACKS:
        lines += ["    " + line for line in callback_interface_in_mpi(name)]
    lines += ["    " + line for line in no_conversion("integer, dimension(*)", "integer")]
    lines.append("  end interface")
    for name, made in overloaded.items():
        lines.append(f"  interface {name}")
        lines += ["    " + line for specific in made for line in specific]
        lines.append("  end interface")
    lines += ["  " + line for line in sizeof_interfaces()]
    return "\n".join([*lines, "end module mpi", ""])


def sync_reg(name: str, choice: str, without_check: bool, binding: str) -> list[str]:
    return [
        f"subroutine {name}(buf){binding}",
        *(["  !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf"] if without_check else []),
        f"  {choice} :: buf",
        f"end subroutine {name}",
    ]


# --- mpi_f08 ---

CALLBACKS_IN_F08 = """
  subroutine MPI_User_function(invec, inoutvec, len, datatype)
    import
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
  end subroutine MPI_User_function
  subroutine MPI_Grequest_query_function(extra_state, status, ierror)
    import
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    type(MPI_Status) :: status
    integer :: ierror
  end subroutine MPI_Grequest_query_function
  subroutine MPI_Grequest_free_function(extra_state, ierror)
    import
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
  end subroutine MPI_Grequest_free_function
  subroutine MPI_Grequest_cancel_function(extra_state, complete, ierror)
    import
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    logical :: complete
    integer :: ierror
  end subroutine MPI_Grequest_cancel_function
  subroutine MPI_Datarep_conversion_function(userbuf, datatype, count, filebuf, position, extra_state, ierror)
    import
    type(c_ptr), value :: userbuf, filebuf
    type(MPI_Datatype) :: datatype
    integer :: count, ierror
    integer(kind=MPI_OFFSET_KIND) :: position
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
  end subroutine MPI_Datarep_conversion_function
  subroutine MPI_Datarep_extent_function(datatype, extent, extra_state, ierror)
    import
    type(MPI_Datatype) :: datatype
    integer(kind=MPI_ADDRESS_KIND) :: extent, extra_state
    integer :: ierror
  end subroutine MPI_Datarep_extent_function
""".strip("\n").splitlines()


def argument_in_f08(form: Form, function: FortranFunction) -> str:
    name = form.name
    lasting = ", asynchronous" if function.begins_something else ""
    intent = f", intent({form.intent})"
    if form.of == "choice":
        return f"{CHOICE_IN_F08}{', intent(in)' if form.is_const else ''}{lasting} :: {name}"
    if form.of == "callback":
        return f"procedure({form.c_base}) :: {name}"
    if form.of == "text":
        return f"character(len=*){intent} :: {name}"
    if form.of == "texts":
        return f"character(len=*){intent} :: {name}{TEXTS[form.parameter.kind.c]}"
    if form.of == "logical":
        return f"logical{intent} :: {name}{dimensions(form)}"
    if form.of == "pointer" and function.name in (*WITH_POINTERS, "Buffer_detach"):
        return f"type(c_ptr), intent(out) :: {name}"
    if form.of == "status":
        if form.parameter.kind.c.startswith(("MPI_Fint", "const MPI_Fint")):
            return f"integer{intent} :: {name}(MPI_STATUS_SIZE)"
        may_be_ignored = form.intent in ("none", "inout")
        return f"type(MPI_Status){'' if may_be_ignored else intent} :: {name}{'(*)' if form.is_array else ''}"
    if form.of in ("integer", "pointer"):
        return f"{integer_type(form, function)}{intent} :: {name}{dimensions(form)}"
    if form.of == "triples":
        return f"integer, intent(in) :: {name}(3, *)"
    return f"type({form.c_base}){intent} :: {name}{dimensions(form)}"


def interface_in_f08(function: FortranFunction, prefix: str) -> list[str]:
    name = prefix + function.name
    binding = ""
    if function.has_choice or function.name == "Buffer_detach":
        binding = f" bind(C, name='{described_name(function.name, prefix.lower())}')"
    arguments = [argument_in_f08(form, function) for form in function.forms]
    error = "integer, optional, intent(out)" if function.has_error_code else ""
    return interface(function, name, arguments, error, binding)


def abstract_interfaces() -> list[str]:
    lines = ["abstract interface", *CALLBACKS_IN_F08]
    for of, handle in (("Comm", "type(MPI_Comm)"), ("Type", "type(MPI_Datatype)"), ("Win", "type(MPI_Win)")):
        for what in ("copy", "delete"):
            name = f"MPI_{of}_{what}_attr_function"
            names, declared = attribute_callback(name, handle, f"integer(kind={ADDRESS})")
            lines += [f"  subroutine {name}({', '.join(names)})", "    import", *("  " + line for line in declared)]
            lines.append(f"  end subroutine {name}")
    for of in ("Comm", "Win", "File"):
        name = f"MPI_{of}_errhandler_function"
        lines += [
            f"  subroutine {name}({of.lower()}, error_code)",
            "    import",
            f"    type(MPI_{of}) :: {of.lower()}",
            "    integer :: error_code",
            f"  end subroutine {name}",
        ]
    return [*lines, "end interface"]


def comparisons(handles: list[str]) -> list[str]:
    lines = []
    for operator, symbol in (("==", "hindcast_same_handle"), ("/=", "hindcast_other_handle")):
        lines.append(f"interface operator({operator})")
        for handle in handles:
            name = f"{symbol}_{handle.lower()}"
            lines += [
                f"  elemental function {name}(one, other)",
                "    import",
                f"    type({handle}), intent(in) :: one, other",
                f"    logical :: {name}",
                f"  end function {name}",
            ]
        lines.append("end interface")
    return lines


def types_in_f08(handles: list[str]) -> list[str]:
    lines = []
    for handle in handles:
        lines += [f"type, bind(C) :: {handle}", "  integer(c_int) :: MPI_VAL", f"end type {handle}"]
    return [
        *lines,
        "type, bind(C) :: MPI_Status",
        "  integer(c_int) :: MPI_SOURCE, MPI_TAG, MPI_ERROR",
        "  integer(c_int), private :: is_cancelled",
        "  integer(c_int), private :: bytes(2)",
        "end type MPI_Status",
    ]


def constants_in_f08(constants: dict) -> list[str]:
    integers = KINDS_OF_INTEGERS | STATUS | integer_constants(constants)
    lines = [f"integer, parameter :: {name} = {value}" for name, value in integers.items()]
    for name, (c_type, number) in handle_constants(constants).items():
        made = (
            f"integer, parameter :: {name} = {number}"
            if c_type == "int"
            else f"type({c_type}), parameter :: {name} = {c_type}({number})"
        )
        lines.append(made)
    lines += logical_lines(True)
    return lines + [f"{kind}, bind(C, name='{bound_name(name)}') :: {name}" for name, _, kind, _ in VARIABLES]


def callbacks_in_f08() -> list[str]:
    lines = []
    for name in CALLBACKS:
        of = {"COMM": "MPI_Comm", "TYPE": "MPI_Datatype", "WIN": "MPI_Win"}.get(name.split("_")[1])
        if of is None:
            continue
        names, declared = attribute_callback(name, f"type({of})", f"integer(kind={ADDRESS})")
        lines += [f"subroutine {name}({', '.join(names)})", "  import", *declared, f"end subroutine {name}"]
    return lines


def make_mpi_f08(constants: dict, functions: list[FortranFunction]) -> str:
    handles = types_of_handles(constants)
    lines = ["! Made by mpi_impl/api/fortran; not to be edited.", "module mpi_f08"]
    lines += [
        "  use, intrinsic :: iso_c_binding, only: c_ptr, c_int, c_char",
        "  implicit none",
        "  private :: c_ptr, c_int, c_char",
    ]
    parts = [*types_in_f08(handles), *constants_in_f08(constants), *abstract_interfaces(), "interface"]
    for prefix in ("MPI_", "PMPI_"):
        for function in functions:
            parts += ["  " + line for line in interface_in_f08(function, prefix)]
    parts += ["  " + line for line in (*callbacks_in_f08(), *no_conversion("type(c_ptr), value", "type(MPI_Datatype)"))]
    for prefix in ("MPI_", "PMPI_"):
        binding = f" bind(C, name='{described_name('F_sync_reg', prefix.lower())}')"
        made = sync_reg(prefix + "F_sync_reg", CHOICE_IN_F08 + ", asynchronous", False, binding)
        parts += ["  " + line for line in made]
    parts += ["end interface", *comparisons(handles), *sizeof_interfaces()]
    return "\n".join([*lines, *("  " + part for part in parts), "end module mpi_f08", ""])
