"""How Fortran passes what functions.toml lists: every function as Fortran has it, made from its declaration in C."""

import re
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from generate import Function, Parameter
from kinds import KINDS

# By name, because C has an int for each.
LOGICALS = {"flag", "reorder", "periods", "remain_dims", "commute", "high", "weighted"}
# They turn C's statuses or handles into Fortran's, or back, or are for tools.
IN_C_ONLY = re.compile(r"\w+_(c2f|f2c)|Status_(c2f08|f082c)|T_\w+")
# Of MPI-1: addresses are default integers. The module mpi_f08 has none of them, nor what else was deprecated by then.
WITH_SHORT_ADDRESSES = {"Address", "Type_hvector", "Type_hindexed", "Type_struct", "Type_extent", "Type_lb", "Type_ub"}
NOT_IN_MPI_F08 = WITH_SHORT_ADDRESSES | {
    *("Attr_put", "Attr_get", "Attr_delete", "Keyval_create", "Keyval_free"),
    *("Errhandler_create", "Errhandler_set", "Errhandler_get"),
}
# The module mpi has them by one name with addresses and with pointers of C's, and mpi_f08 with the latter alone.
WITH_POINTERS = ("Alloc_mem", "Win_allocate", "Win_allocate_shared", "Win_shared_query")
SHORT_ADDRESS_FUNCTIONS = WITH_SHORT_ADDRESSES | {"Attr_put", "Attr_get", "Keyval_create"}
INTEGER_KINDS = {
    "int": "",
    "MPI_Aint": "MPI_ADDRESS_KIND",
    "MPI_Count": "MPI_COUNT_KIND",
    "MPI_Offset": "MPI_OFFSET_KIND",
}
# What C takes the address of all the same.
ONLY_READ = {("Cancel", "request")}
INTERNAL_TYPES = {"MPI_Fint": "int"}

DECLARATION = re.compile(r"(?P<const>const )?(?P<base>\w+)(?P<stars>\**) \{n\}(?P<brackets>(\[\d*\])*)")


@dataclass(frozen=True)
class Form:
    """A parameter as Fortran has it."""

    name: str
    of: str  # choice, integer, logical, handle, status, text, texts, callback, triples, pointer, nothing
    c_base: str  # the C type of one element
    is_array: bool
    is_const: bool
    is_value: bool  # C takes it by value
    intent: str  # in, out, inout, or "" where the standard says none
    parameter: Parameter


def form_of(function: Function, parameter: Parameter) -> Form:
    kind = next(name for name, kind in KINDS.items() if kind is parameter.kind)
    match = DECLARATION.fullmatch(parameter.kind.c)
    if kind in ("argc", "argv", "more"):
        return Form(parameter.name, "nothing", "", False, False, False, "", parameter)
    if match is None:
        raise SystemExit(f"functions.toml: {function.name}: forms.py does not know how Fortran passes a '{kind}'")
    base = INTERNAL_TYPES.get(match["base"], match["base"])
    is_const, stars, brackets = match["const"] is not None, match["stars"], match["brackets"]
    is_array = (
        brackets != ""
        or kind in ("weights_out", "error_codes_out")
        or kind == "statuses"
        or (is_const and stars and base == "int")
    )
    what, intent = what_it_is(kind, base, stars, brackets, parameter.name)
    if (function.name, parameter.name) in ONLY_READ:
        intent = "in"
    if not intent:
        intent = "in" if is_const or not (stars or brackets) else direction(kind)
    return Form(parameter.name, what, base, is_array, is_const, not stars and not brackets, intent, parameter)


def what_it_is(kind: str, base: str, stars: str, brackets: str, name: str) -> tuple[str, str]:
    """And its intent, where that is not what the declaration in C says."""
    if kind in ("extra_state", "attribute"):
        return "integer", "in"
    if kind == "place_for_pointer":
        return "pointer", "out"
    if base == "void":
        return "choice", ""
    if base == "char" and (brackets or stars != "*"):
        return "texts", "in"
    if base == "char":
        return "text", "out" if kind in ("text_out", "text_place") else ""
    if base.endswith(("_function", "_fn")):
        return "callback", "in"
    if brackets == "[][3]":
        return "triples", "in"
    if base in ("MPI_Status", "MPI_F08_status") or kind.startswith("f_status"):
        return "status", "" if kind.endswith(("in", "inout", "out")) else "in" if "_status" in kind else "none"
    if base == "int" and name in LOGICALS:
        return "logical", ""
    if base in INTEGER_KINDS:
        return "integer", ""
    return "handle", ""


def direction(kind: str) -> str:
    """Of what C takes the address of."""
    return "out" if kind.startswith("new_") or kind.endswith("_out") else "inout"


@dataclass(frozen=True)
class FortranFunction:
    function: Function
    forms: tuple[Form, ...]

    @property
    def name(self) -> str:
        return self.function.name

    @property
    def symbol(self) -> str:
        return self.name.lower() + "_"

    @property
    def is_subroutine(self) -> bool:
        return self.function.result == "int"

    @property
    def has_error_code(self) -> bool:
        return self.is_subroutine and self.name != "Pcontrol"

    @property
    def has_choice(self) -> bool:
        return any(form.of == "choice" for form in self.forms)

    @property
    def has_short_addresses(self) -> bool:
        return self.name in SHORT_ADDRESS_FUNCTIONS

    @property
    def begins_something(self) -> bool:
        """Which goes on after the call, with the buffers."""
        return any(form.parameter.kind is KINDS["new_request"] for form in self.forms)

    @property
    def goes_on_with_buffers(self) -> bool:
        """All of them described by a count and a datatype: after the call, as a message or at a window."""
        if self.function.chapter == "point-to-point":
            return self.begins_something
        buffers = [form for form in self.forms if form.of == "choice"]
        return self.function.chapter == "one-sided communications" and all(
            len(form.parameter.arguments) == 2 for form in buffers
        )


def fortran_functions(functions: list[Function]) -> list[FortranFunction]:
    return [
        FortranFunction(
            function,
            tuple(form for p in function.parameters if (form := form_of(function, p)).of != "nothing"),
        )
        for function in functions
        if not IN_C_ONLY.fullmatch(function.name)
    ]
