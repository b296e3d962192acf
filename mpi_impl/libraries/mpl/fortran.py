"""Makes the functions that Fortran calls from the declarations in mpl.h: mp_bsend of mpc_bsend, and so on.

fortran.py GENERATED_FOLDER
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
from fortran_entry import entry_point, read_declaration
from generated_file import write_if_changed

HERE = Path(__file__).parent
NOTE = "Made by mpi_impl/libraries/mpl/fortran.py; not to be edited."
HEAD = 'extern "C" MPL_FUNCTION'
# What the function returns in C is an argument here.
STATUS = f"""{HEAD} void mp_status_(const int* msgid, int* nbytes) {{
  *nbytes = mpc_status(*msgid);
}}
"""


def main() -> None:
    text = re.sub(r"\s+", " ", (HERE / "include" / "mpl.h").read_text())
    functions = [read_declaration(match[1]) for match in re.finditer(r"MPL_FUNCTION (\w[^()]*\([^()]*\))", text)]
    entries = [
        STATUS
        if function.name == "mpc_status"
        else entry_point(function, re.sub("^mpc_", "mp_", function.name), HEAD, functions=["mpc_function"])
        for function in functions
    ]
    head = f"// {NOTE}\n#include <mpl.h>\n\n"
    write_if_changed(Path(sys.argv[1]) / "mpi_impl/libraries/mpl/fortran.cpp", head + "\n".join(entries))


if __name__ == "__main__":
    main()
