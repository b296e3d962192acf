"""Functions that Fortran calls, made from declarations in C: Fortran gives the addresses of all arguments, and an
integer of its own where C has a length."""

import re
from collections.abc import Collection
from dataclasses import dataclass

# What Fortran has for them, which is shorter.
INTEGERS = {"size_t": "int", "ptrdiff_t": "int", "unsigned": "int"}
# An address is as long as a pointer.
RESULTS = {
    "int": "integer",
    "long": "integer(8)",
    "float": "real",
    "double": "double precision",
    "void*": "integer(8)",
}
PARAMETER = re.compile(r"(?P<type>.*[ *])(?P<name>\w+)")


@dataclass(frozen=True)
class CFunction:
    result: str
    name: str
    parameters: tuple[tuple[str, str], ...]  # type and name


def read_declaration(declaration: str) -> CFunction:
    result, name, listed = re.fullmatch(r"(.*?[ *])(\w+)\((.*)\)", declaration).groups()
    parameters = []
    for text in [] if listed == "void" else listed.split(", "):
        match = PARAMETER.fullmatch(text)
        parameters.append((match["type"].strip(), match["name"]))
    return CFunction(result.strip(), name, tuple(parameters))


def entry_point(
    function: CFunction,
    fortran_name: str,
    head: str,
    functions: Collection[str] = (),
    work: tuple[str, str] | None = None,
) -> str:
    """`head` says that others see it; `functions` are types of functions, which are addresses too. Unless C's function
    does the `work`, a function of this name does, which is given the call too: of this type, made of Fortran's name.
    """
    listed, given = [], []
    for kind, name in function.parameters:
        is_address = kind.endswith("*") or kind in functions
        listed.append(f"{kind if is_address else f'const {INTEGERS.get(kind, kind)}*'} {name}")
        given.append(name if is_address else f"*{name}" if kind not in INTEGERS else f"static_cast<{kind}>(*{name})")
    returns = "" if function.result == "void" else "return "
    call = ""
    worker = function.name
    if work is not None:
        worker, call_type = work
        call = f'  const {call_type} call("{fortran_name}");\n'
        given.insert(0, "call")
    return (
        f"{head} {function.result} {fortran_name.lower()}_({', '.join(listed)}) {{\n"
        f"{call}"
        f"  {returns}{worker}({', '.join(given)});\n"
        "}\n"
    )


def declared_result(function: CFunction, fortran_name: str, own_kind: str | None = None) -> list[str]:
    """In a header of Fortran's, right in both forms of source. Its kind is C's unless it has one of its own."""
    kind = own_kind or RESULTS.get(function.result)
    return [f"      {kind} {fortran_name}", f"      external {fortran_name}"] if kind else []
