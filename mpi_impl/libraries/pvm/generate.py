"""Makes PVM's entry points from the declarations in pvm3.h: those of C, the pvmf functions that Fortran calls, and
fpvm3.h. What does the work is told by which of them it was called.

generate.py INCLUDE_FOLDER GENERATED_FOLDER

C's functions that take functions or any number of arguments have entry points of their own in calls/. Fortran gives the
addresses of all arguments, the lengths of its texts behind them, and a variable for the result. Calls whose arguments
differ otherwise stand in calls/fortran_calls.cpp.
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
from fortran_entry import CFunction, read_declaration
from generated_file import write_if_changed

HERE = Path(__file__).parent
FOLDER = "mpi_impl/libraries/pvm"
NOTE = "Made by mpi_impl/libraries/pvm/generate.py; not to be edited."
# With the same arguments in both languages, and the result behind them.
ALIKE = [
    "mytid", "parent", "exit", "kill", "sendsig", "pstat", "tidtohost", "notify", "mstat", "archcode", "halt",
    "setopt", "getopt", "perror", "initsend", "mkbuf", "freebuf", "getsbuf", "setsbuf", "getrbuf", "setrbuf",
    "bufinfo", "send", "psend", "recv", "nrecv", "probe", "precv", "newcontext", "setcontext", "getcontext",
    "freecontext", "putinfo", "recvinfo", "delinfo", "insert", "lookup", "delete", "joingroup", "lvgroup",
    "gsize", "gettid", "getinst", "freezegroup", "barrier", "bcast", "gather", "scatter", "delmhf", "getmwid",
    "setmwid", "pkmesg", "pkmesgbody", "upkmesg", "export", "unexport", "advise", "serror",
]  # fmt: skip
TYPES = ["STRING", "BYTE1", "INTEGER2", "INTEGER4", "REAL4", "COMPLEX8", "REAL8", "COMPLEX16", "INTEGER8"]
# Names that are Fortran's alone: of versions before 3.3, and shorter ones of options.
OTHER_NAMES = {
    "PVMDEFAULT": "PvmDataDefault", "PVMRAW": "PvmDataRaw", "PVMINPLACE": "PvmDataInPlace", "PVMHOST": "PvmTaskHost",
    "PVMARCH": "PvmTaskArch", "PVMDEBUG": "PvmTaskDebug", "PVMTRACE": "PvmTaskTrace",
    "PVMSOUTPUTTID": "PvmSelfOutputTid", "PVMSOUTPUTCODE": "PvmSelfOutputCode", "PVMSTRACETID": "PvmSelfTraceTid",
    "PVMSTRACECODE": "PvmSelfTraceCode", "PVMSTRACEBUFFER": "PvmSelfTraceBuffer",
    "PVMSTRACEOPTIONS": "PvmSelfTraceOptions", "PVMOUTPUTCTX": "PvmOutputContext", "PVMTRACECTX": "PvmTraceContext",
    "PVMSOUTPUTCTX": "PvmSelfOutputContext", "PVMSTRACECTX": "PvmSelfTraceContext",
}  # fmt: skip


def constants_of(text: str) -> dict[str, int]:
    """Those of pvm3.h, in one line, that are numbers; and other names of theirs."""
    constants = {name: int(number) for name, number in re.findall(r"#define (Pvm\w+) \(?(-?\d+)\)?(?= )", text)}
    others = [*re.findall(r"#define (Pvm\w+) (Pvm\w+)(?= )", text), *OTHER_NAMES.items()]
    numbers = {other: constants[name] for other, name in others if name in constants}
    return {**constants, **numbers, **{name: number for number, name in enumerate(TYPES)}}


def parameters_of(function: CFunction) -> str:
    return ", ".join(f"{kind} {name}" for kind, name in function.parameters)


def declared_body(function: CFunction) -> str:
    parameters = "".join(f", {kind} {name}" for kind, name in function.parameters)
    return f"int {function.name}(Call& call{parameters});\n"


def called_body(function: CFunction, given: list[str]) -> str:
    return f"bodies::{function.name}({', '.join(['call', *given])})"


def in_c(function: CFunction) -> str:
    body = called_body(function, [name for _, name in function.parameters])
    return (
        f"int {function.name}({parameters_of(function) or 'void'}) {{\n"
        f'  Call call("{function.name}");\n'
        f"  return {body};\n"
        "}\n"
    )


def in_fortran(function: CFunction) -> str:
    listed, given, lengths = [], [], []
    for kind, name in function.parameters:
        if kind == "char*":
            listed.append(f"const char* {name}")
            lengths.append(f"std::size_t {name}_length")
            given.append(f"text_of({name}, {name}_length).data()")
        else:
            listed.append(f"{kind} {name}" if kind.endswith("*") else f"const {kind}* {name}")
            given.append(name if kind.endswith("*") else f"*{name}")
    name = function.name.replace("pvm_", "pvmf")
    return (
        f"PVM_FUNCTION void {name}_({', '.join([*listed, 'int* info', *lengths])}) {{\n"
        f'  Call call("{name}");\n'
        f"  *info = {called_body(function, given)};\n"
        "}\n"
    )


def main() -> None:
    include, generated = Path(sys.argv[1]), Path(sys.argv[2])
    text = re.sub(r"\s+", " ", (HERE / "include" / "pvm3.h").read_text())
    declared = re.findall(r"PVM_FUNCTION (int \w+\([^().]*\));", text)
    functions = {function.name: function for function in map(read_declaration, declared)}
    header = [f"! {NOTE}"]
    for name, value in constants_of(text).items():
        header += [f"      integer {name}", f"      parameter ({name}={value})"]
    write_if_changed(include / "fpvm3.h", "\n".join([*header, ""]))
    declarations = f'// {NOTE}\n#pragma once\n\n#include "{FOLDER}/calls/call.hpp"\n\n'
    declarations += "namespace hindcast::pvm::bodies {\n\n"
    declarations += "".join(map(declared_body, functions.values())) + "\n}  // namespace hindcast::pvm::bodies\n"
    write_if_changed(generated / FOLDER / "calls/bodies.hpp", declarations)
    head = f'// {NOTE}\n#include "{FOLDER}/calls/bodies.hpp"\n#include "{FOLDER}/calls/fortran_text.hpp"\n\n'
    head += 'using namespace hindcast::pvm;\n\nextern "C" {\n\n'
    entries = [*map(in_c, functions.values()), *(in_fortran(functions[f"pvm_{name}"]) for name in ALIKE)]
    write_if_changed(generated / FOLDER / "entry_points.cpp", head + "\n".join(entries) + '\n}  // extern "C"\n')


if __name__ == "__main__":
    main()
