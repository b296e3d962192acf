"""Makes the functions that Fortran calls, and cellos.fh, from the declarations in cellos.h.

fortran.py INCLUDE_FOLDER GENERATED_FOLDER
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
from fortran_entry import declared_result, entry_point, read_declaration
from generated_file import write_if_changed

HERE = Path(__file__).parent
NOTE = "Made by mpi_impl/libraries/cellos/fortran.py; not to be edited."


def main() -> None:
    include, generated = Path(sys.argv[1]), Path(sys.argv[2])
    text = re.sub(r"\s+", " ", (HERE / "include" / "cellos.h").read_text())
    functions = [read_declaration(match[1]) for match in re.finditer(r"CELLOS_FUNCTION (\w[^()]*\([^()]*\))", text)]
    header = [f"! {NOTE}"]
    for name, value in re.findall(r"#define (UMTYPE_MAX|L_\w+) \(?(-?\w+)\)?", text):
        header += [f"      integer {name}", f"      parameter ({name}={int(value, 0)})"]
    header += [line for function in functions for line in declared_result(function, function.name)]
    write_if_changed(include / "cellos.fh", "\n".join([*header, ""]))
    entries = [entry_point(function, function.name, 'extern "C" CELLOS_FUNCTION') for function in functions]
    head = f"// {NOTE}\n#include <cellos.h>\n\n"
    write_if_changed(generated / "mpi_impl/libraries/cellos/fortran.cpp", head + "\n".join(entries))


if __name__ == "__main__":
    main()
