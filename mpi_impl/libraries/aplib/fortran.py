"""Makes the functions that Fortran calls, and aplib.fh, from the declarations in aplib.h.

fortran.py INCLUDE_FOLDER GENERATED_FOLDER
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
from fortran_entry import CFunction, entry_point, read_declaration
from generated_file import write_if_changed

HERE = Path(__file__).parent
NOTE = "Made by mpi_impl/libraries/aplib/fortran.py; not to be edited."
# Columns 73 and 6: a line that goes on does so in both forms of source.
LINE_MAX = 66
NUMBERS = {"int": "integer", "float": "real", "double": "double precision"}


def in_object_file(function: CFunction) -> str:
    return f"aplib_{function.name}"


def lines_of(statement: str) -> list[str]:
    """In columns 7 to 72, and as many lines as it takes."""
    words, lines = statement.split(" "), [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > LINE_MAX:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    body = [f"      {line:<{LINE_MAX}}&" for line in lines[:-1]] + [f"      {lines[-1]}"]
    return body[:1] + [f"     &{line[6:]}" for line in body[1:]]


def dummy(kind: str, name: str) -> list[str]:
    if kind in ("void*", "const void*"):
        return [f"!GCC$ ATTRIBUTES NO_ARG_CHECK :: {name}", f"      type(*) :: {name}"]
    if kind == "l_message*":
        return [f"      integer :: {name}(3)"]
    return [f"      {NUMBERS[kind.removesuffix('*')]} :: {name}"]


def interface(function: CFunction) -> list[str]:
    sort = "subroutine" if function.result == "void" else "function"
    arguments = ", ".join(name for _, name in function.parameters)
    head = f"{sort} {function.name}({arguments}) bind(C, name='{in_object_file(function)}_')"
    result = [] if sort == "subroutine" else [f"      {NUMBERS[function.result]} :: {function.name}"]
    dummies = [line for kind, name in function.parameters for line in dummy(kind, name)]
    return [*lines_of(head), *result, *dummies, f"      end {sort} {function.name}"]


def main() -> None:
    include, generated = Path(sys.argv[1]), Path(sys.argv[2])
    text = re.sub(r"\s+", " ", (HERE / "include" / "aplib.h").read_text())
    functions = [read_declaration(match[1]) for match in re.finditer(r"APLIB_FUNCTION (\w[^()]*\([^()]*\))", text)]
    header = [f"! {NOTE}", "      integer L_ANY", "      parameter (L_ANY=-1)", "      interface"]
    header += [line for function in functions for line in interface(function)]
    write_if_changed(include / "aplib.fh", "\n".join([*header, "      end interface", ""]))
    entries = [entry_point(function, in_object_file(function), 'extern "C" APLIB_FUNCTION') for function in functions]
    head = f"// {NOTE}\n#include <aplib.h>\n\n"
    write_if_changed(generated / "mpi_impl/libraries/aplib/fortran.cpp", head + "\n".join(entries))


if __name__ == "__main__":
    main()
