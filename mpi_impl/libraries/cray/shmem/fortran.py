"""Makes mpp/shmem.fh and the functions that Fortran calls, from the table beside it and C's declarations.

fortran.py INCLUDE_FOLDER GENERATED_FOLDER
"""

import sys
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))
from fortran_entry import declared_result, entry_point, read_declaration
from generate import Function, read_chapters
from generated_file import write_if_changed

HERE = Path(__file__).parent
NOTE = "Made by mpi_impl/libraries/cray/shmem/fortran.py; not to be edited."


def names(table: dict) -> list[tuple[str, str, str | None]]:
    """Fortran's and C's, and the type of Fortran's result if it has one of its own."""
    found = []
    for words, fortran, c, *result in table["functions"]["rows"]:
        of_row = table["words"][words] if words else {"": ""}
        own_result = result[0] if result else None
        found += [(fortran.replace("WORD", word), c.replace("WORD", in_c), own_result) for word, in_c in of_row.items()]
    return found


def worker(function: Function) -> str:
    """What C's function does, in a call of any name."""
    result, rest = function.declaration.split(function.name, 1)
    parameters = rest.strip("()")
    listed = "const Call& call" + ("" if parameters == "void" else f", {parameters}")
    returns = "" if result.strip() == "void" else "return "
    return f"{result}{function.name}({listed}) {{ {returns}bodies::{function.body}; }}\n"


def main() -> None:
    include, generated = Path(sys.argv[1]), Path(sys.argv[2])
    table = tomllib.loads((HERE / "fortran.toml").read_text())
    functions = {f.name: f for chapter in read_chapters() for f in chapter.functions}
    in_c = {name: read_declaration(function.declaration) for name, function in functions.items()}
    rows = names(table)
    for fortran, c, _ in rows:
        if c not in in_c:
            raise SystemExit(f"fortran.toml: {fortran}: there is no function {c}")
    header = [f"! {NOTE}"]
    for name, value in table["constants"].items():
        header += [f"      integer {name}", f"      parameter ({name}={value})"]
    header += [line for fortran, c, result in rows for line in declared_result(in_c[c], fortran, result)]
    write_if_changed(include / "mpp/shmem.fh", "\n".join([*header, ""]))
    entries = [
        entry_point(in_c[c], fortran, 'extern "C" SHMEM_FUNCTION', work=(f"fortran::{c}", "Call"))
        for fortran, c, _ in rows
    ]
    called = dict.fromkeys(c for _, c, _ in rows)
    head = f'// {NOTE}\n#include "mpi_impl/libraries/cray/shmem/bodies.hpp"\n\n'
    head += "namespace hindcast::shmem::fortran {\n\nnamespace {\n\n"
    head += "".join(worker(functions[name]) for name in called)
    head += "\n}  // namespace\n\n}  // namespace hindcast::shmem::fortran\n\nusing namespace hindcast::shmem;\n\n"
    write_if_changed(generated / "mpi_impl/libraries/cray/shmem/fortran.cpp", head + "\n".join(entries))


if __name__ == "__main__":
    main()
