"""Makes MPL's entry points from the declarations in mpl.h: those of C, and of mpc_bsend what Fortran calls as mp_bsend,
and so on. What does the work is told by which of them it was called.

generate.py GENERATED_FOLDER
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
from fortran_entry import CFunction, entry_point, read_declaration
from generated_file import write_if_changed

HERE = Path(__file__).parent
NOTE = "Made by mpi_impl/libraries/mpl/generate.py; not to be edited."
FOLDER = "mpi_impl/libraries/mpl"
HEAD = 'extern "C" MPL_FUNCTION'
CALL = "hindcast::programs::LibraryCall"
BODIES = "hindcast::mpl::bodies"
# What the function returns in C is an argument here.
STATUS = f"""{HEAD} void mp_status_(const int* msgid, int* nbytes) {{
  const {CALL} call("mp_status");
  *nbytes = {BODIES}::mpc_status(call, *msgid);
}}
"""


def parameters_of(function: CFunction) -> str:
    return ", ".join(f"{kind} {name}" for kind, name in function.parameters)


def declared_body(function: CFunction) -> str:
    return f"{function.result} {function.name}(const programs::LibraryCall& call, {parameters_of(function)});\n"


def in_c(function: CFunction) -> str:
    given = ", ".join(["call", *(name for _, name in function.parameters)])
    return (
        f"{HEAD} {function.result} {function.name}({parameters_of(function)}) {{\n"
        f'  const {CALL} call("{function.name}");\n'
        f"  return {BODIES}::{function.name}({given});\n"
        "}\n"
    )


def in_fortran(function: CFunction) -> str:
    if function.name == "mpc_status":
        return STATUS
    work = (f"{BODIES}::{function.name}", CALL) if function.name.startswith("mpc_") else None
    return entry_point(function, re.sub("^mpc_", "mp_", function.name), HEAD, functions=["mpc_function"], work=work)


def main() -> None:
    generated = Path(sys.argv[1]) / FOLDER
    text = re.sub(r"\s+", " ", (HERE / "include" / "mpl.h").read_text())
    functions = [read_declaration(match[1]) for match in re.finditer(r"MPL_FUNCTION (\w[^()]*\([^()]*\))", text)]
    calls = [function for function in functions if function.name.startswith("mpc_")]
    header = f'// {NOTE}\n#pragma once\n\n#include "{FOLDER}/include/mpl.h"\n'
    header += '#include "simulator/programs/process/library_call.hpp"\n\nnamespace hindcast::mpl::bodies {\n\n'
    header += "".join(map(declared_body, calls)) + "\n}  // namespace hindcast::mpl::bodies\n"
    write_if_changed(generated / "calls/bodies.hpp", header)
    head = f'// {NOTE}\n#include "{FOLDER}/calls/bodies.hpp"\n\n'
    entries = [*map(in_c, calls), *map(in_fortran, functions)]
    write_if_changed(generated / "entry_points.cpp", head + "\n".join(entries))


if __name__ == "__main__":
    main()
