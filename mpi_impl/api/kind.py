"""What a kind of parameters says, and kinds that are made alike."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    c: str  # the declaration in mpi.h; {n} is the parameter's name
    body: str  # the C++ type that the body receives
    passed: str = "{n}"  # the expression that makes it
    # Each check is (condition that is wrong, problem, value to report). {a}, {b} and {c} are the arguments in brackets.
    checks: tuple[tuple[str, str, str], ...] = ()
    # Looks up an object: the expression that gives a pointer, null if the handle is not good. It is passed on as
    # *{n}_object.
    object: str = ""
    object_type: str = ""
    problem: str = ""
    stage: int = 1  # communicators are checked first, buffers after their counts and datatypes
    data: str = "{a}, {b_object}"  # of a buffer: what first_byte.hpp is told of the data
    where: str = ""  # the condition under which it has a meaning


def null_check(extra: str = "") -> tuple[tuple[str, str, str], ...]:
    return (("{n} == nullptr" + extra, "null_pointer", "0"),)


def plain_value(c_type: str, *checks: tuple[str, str, str]) -> Kind:
    return Kind(c_type + " {n}", c_type, checks=checks)


def out(c_type: str) -> Kind:
    return Kind(c_type + "* {n}", c_type + "&", "*{n}", null_check())


def handle(c_type: str, cpp_type: str, lookup: str, problem: str, stage: int = 1) -> Kind:
    return Kind(
        c_type + " {n}",
        cpp_type + "&",
        "*{n}_object",
        object=f"{lookup}(process, {{n}})",
        object_type=cpp_type,
        problem=problem,
        stage=stage,
    )


def handle_inout(c_type: str, cpp_type: str, lookup: str, problem: str, stage: int = 1) -> Kind:
    """A handle that the function may free: the body gets the object, and the handle to set to null."""
    return Kind(
        c_type + "* {n}",
        f"{c_type}&, {cpp_type}&",
        "*{n}, *{n}_object",
        null_check(),
        object=f"{lookup}(process, *{{n}})",
        object_type=cpp_type,
        problem=problem,
        stage=stage,
    )


def array(c_type: str, length: str = "{a}") -> Kind:
    return Kind(c_type + " {n}[]", c_type + "*", checks=null_check(" && " + length + " > 0"))


def callback(c_type: str) -> Kind:
    return Kind(c_type + "* {n}", c_type + "*", checks=null_check())


def errhandler(of: str) -> Kind:
    return handle("MPI_Errhandler", "Errhandler", f"find_{of}_errhandler", "errhandler")


def foreign_status(c_type: str, body: str) -> Kind:
    return Kind(c_type + " {n}", body, checks=(("is_no_status({n})", "status", "0"),))


def comm(wrong: str, problem: str) -> Kind:
    """A communicator that has to be of some sort."""
    return Kind(
        "MPI_Comm {n}",
        "Comm&",
        "*{n}_object",
        ((wrong, problem, "{n}"),),
        object="find_comm(process, {n})",
        object_type="Comm",
        problem="communicator",
        stage=0,
    )


def keyval(of: str, which: str = "") -> Kind:
    """A key for attributes of such objects that the program has made."""
    return Kind(
        "int {n}",
        "Keyval&",
        "*{n}_object",
        object=f"find_{which}keyval(process, {{n}}, Keyval::Of::{of})",
        object_type="Keyval",
        problem="own_keyval",
    )


def freeable_keyval(of: str) -> Kind:
    return Kind(
        "int* {n}",
        "int&, Keyval&",
        "*{n}, *{n}_object",
        null_check(),
        object=f"find_settable_keyval(process, *{{n}}, Keyval::Of::{of})",
        object_type="Keyval",
        problem="own_keyval",
    )
