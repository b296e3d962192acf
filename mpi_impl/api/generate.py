"""Makes from the tables beside it: mpi.h, the MPI_ and PMPI_ entry points, the declarations of their bodies, and the
rows of core's tables of predefined objects.

    generate.py INCLUDE_FOLDER GENERATED_FOLDER
"""

import re
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
from generated_file import write_if_changed
from kind import Kind, plain_value
from kinds import KINDS

HERE = Path(__file__).parent
HANDLE_KIND_SHIFT = 27  # as in mpi_impl/core/handle.hpp
NOTE = "// Made by mpi_impl/api/generate.py; not to be edited.\n"


@dataclass(frozen=True)
class Parameter:
    name: str
    kind: Kind
    arguments: tuple[str, ...]
    where: str  # it has a meaning: "root", "leaves", "part"; "" is everywhere
    unless_in_place: str  # the buffer that this one has no meaning without
    in_place: str  # "", "anywhere" or "root"
    apart_from: str  # the buffer whose data must not be this one's

    def declaration(self) -> str:
        return self.kind.c.format(n=self.name)

    @property
    def is_conditional(self) -> bool:
        return self.where != "" or self.unless_in_place != ""


@dataclass(frozen=True)
class Function:
    name: str  # without MPI_
    chapter: str
    parameters: tuple[Parameter, ...]
    result: str  # its C type
    at_any_time: bool
    before_and_after: bool
    takes_no_turn: bool
    bears_backlog: bool
    body: str  # the function that does the work

    @property
    def is_for_tools(self) -> bool:
        """It gives its errors back, whatever handlers there are, and may be called at any time."""
        return self.name.startswith("T_")

    def declaration(self, prefix: str) -> str:
        parameters = ", ".join(p.declaration() for p in self.parameters) or "void"
        return f"{self.result} {prefix}{self.name}({parameters})"


PARAMETER = re.compile(
    r"(?P<name>\w*): (?P<kind>\w+)(\((?P<arguments>[\w, ]+)\))?"
    r"(?P<place> or in place( at root)?)?( (?P<where>at \w+|taking part))?( unless (?P<unless>\w+) in place)?"
    r"( apart from (?P<apart>\w+))?"
)


def parse_parameter(function: str, text: str) -> Parameter:
    match = PARAMETER.fullmatch(text.strip())
    if match is None or match["kind"] not in KINDS:
        raise SystemExit(f"functions.toml: {function}: cannot make sense of parameter '{text.strip()}'")
    arguments = tuple(a.strip() for a in (match["arguments"] or "").split(",") if a.strip())
    place = ("root" if match["place"].endswith("root") else "anywhere") if match["place"] else ""
    return Parameter(
        match["name"],
        KINDS[match["kind"]],
        arguments,
        (match["where"] or "").split(" ")[-1],
        match["unless"] or "",
        place,
        match["apart"] or "",
    )


def nonblocking_form(name: str, text: str) -> tuple[str, str]:
    return f"I{name[0].lower()}{name[1:]}", f"{text}; request: new_request"


def persistent_form(name: str, text: str) -> tuple[str, str]:
    return f"{name}_init", f"{text}; info: info_or_null; request: new_request"


def add_forms(tables: dict[str, dict[str, str]], names: list[str]) -> None:
    """The nonblocking and the persistent one, each after what it is a form of."""

    def forms(name: str, text: str) -> list[tuple[str, str]]:
        blocking = (name, text)
        return [blocking, nonblocking_form(*blocking), persistent_form(*blocking)] if name in names else [blocking]

    for chapter, rows in tables.items():
        tables[chapter] = dict(form for item in rows.items() for form in forms(*item))


def handle_conversions(c_types: dict[str, str]) -> list[Function]:
    """Handles are the same numbers in every language."""

    def conversion(name: str, of: str, to: str) -> Function:
        parameter = Parameter("handle", plain_value(of), (), "", "", "", "")
        at_any_time, before_and_after, takes_no_turn, bears_backlog = True, False, True, False
        flags = (at_any_time, before_and_after, takes_no_turn, bears_backlog)
        return Function(name, "language interoperability", (parameter,), to, *flags, "Handle_converted")

    return [
        function
        for name, c_type in c_types.items()
        for function in (
            conversion(f"{name}_c2f", c_type, "MPI_Fint"),
            conversion(f"{name}_f2c", "MPI_Fint", c_type),
        )
    ]


def read_functions() -> list[Function]:
    tables = tomllib.loads((HERE / "functions.toml").read_text())
    settings = tables.pop("settings")
    add_forms(tables, settings["of_three_forms"])
    functions = []
    for chapter, rows in tables.items():
        for name, text in rows.items():
            parameters = tuple(parse_parameter(name, part) for part in text.split(";") if part.strip())
            functions.append(
                Function(
                    name,
                    chapter,
                    parameters,
                    settings["returns"].get(name, "int"),
                    name in settings["at_any_time"],
                    name in settings["before_and_after"],
                    name in [*settings["at_any_time"], *settings["take_no_turn"]],
                    name in settings["bear_backlog"],
                    settings["same_as"].get(name, name),
                )
            )
    functions += handle_conversions(settings["converted_handles"])
    known = {f.name for f in functions}
    for name in [
        *settings["at_any_time"],
        *settings["before_and_after"],
        *settings["take_no_turn"],
        *settings["bear_backlog"],
        *settings["returns"],
        *settings["same_as"],
        *settings["of_three_forms"],
    ]:
        if name not in known:
            raise SystemExit(f"functions.toml: settings name {name}, which is in no chapter")
    return functions


# --- mpi.h ---


def handle_rows(constants: dict) -> list[tuple[str, str, int]]:
    """Every handle constant: its name, its C type, its number."""
    rows = []
    for number, (kind, table) in enumerate(constants["handles"].items(), start=1):
        base = number << HANDLE_KIND_SHIFT
        predefined = list(constants["datatypes"]) if kind == "datatype" else table.get("predefined", [])
        if "null" in table:
            rows.append((table["null"], table["type"], base))
        rows += [(name, table["type"], base + place) for place, name in enumerate(predefined, start=1)]
    return rows


def make_mpi_h(constants: dict, functions: list[Function]) -> str:
    types = [t["type"] for t in constants["handles"].values() if t["type"] != "int"]
    lines = [f"#define {name} {f'({value})' if value < 0 else value}" for name, value in constants["integers"].items()]
    lines += [""]
    lines += [f"#define {name} (({c_type})0x{number:08x})" for name, c_type, number in handle_rows(constants)]
    lines += [f"#define {name} {other}" for name, other in constants["aliases"].items()]
    lines += [""]
    lines += [f"#define {name} {number}" for number, name in enumerate(constants["errors"])]
    lines += [f"#define MPI_ERR_LASTCODE {len(constants['errors']) - 1}"]
    declarations = []
    for chapter in dict.fromkeys(f.chapter for f in functions):
        declarations.append(f"\n/* {chapter} */")
        for function in (f for f in functions if f.chapter == chapter):
            declarations += [function.declaration("MPI_") + ";", function.declaration("PMPI_") + ";"]
    text = (HERE / "mpi.h.in").read_text()
    text = text.replace("@HANDLE_TYPES@", "\n".join(f"typedef int {t};" for t in types))
    text = text.replace("@CONSTANTS@", "\n".join(lines))
    return text.replace("@FUNCTIONS@", "\n".join(declarations).strip())


# --- rows of core's tables ---


def datatype_row(name: str, c_type: str, of_class: str, external_bytes: int = 0) -> str:
    if of_class == "marker":
        return f'    marker("{name}", {name}, {"true" if c_type == "lower bound" else "false"}),\n'
    return f'    basic<{c_type}, TypeClass::{of_class}, {external_bytes}>("{name}", {name}),\n'


def make_rows(constants: dict) -> dict[str, str]:
    kinds = "".join(f"  {kind} = {n},\n" for n, kind in enumerate(constants["handles"], start=1))
    datatypes = "".join(datatype_row(name, *row) for name, row in constants["datatypes"].items())
    errors = "".join(f'    {{"{name}", "{text}"}},\n' for name, text in constants["errors"].items())
    ops = "".join(f'    "{name}",\n' for name in constants["handles"]["op"]["predefined"])
    return {"handle_kinds.inc": kinds, "datatypes.inc": datatypes, "errors.inc": errors, "op_names.inc": ops}


# --- entry points ---


def body_types(parameter: Parameter) -> list[str]:
    kind = parameter.kind
    if kind.object and parameter.is_conditional:
        return [kind.object_type + "*"]
    return [kind.body] if kind.body else []


def body_arguments(parameter: Parameter) -> list[str]:
    if parameter.kind.object and parameter.is_conditional:
        return [parameter.name + "_object"]
    return [parameter.kind.passed.format(n=parameter.name)] if parameter.kind.body else []


def body_declaration(function: Function) -> str:
    result = "void" if function.result == "int" else function.result
    types = ["Process&", *(t for p in function.parameters for t in body_types(p))]
    return f"{result} {function.body}({', '.join(types)});"


class Checks:
    """The lines that check a function's arguments, most basic ones first."""

    def __init__(self, function: Function):
        self.function = function
        self.lines: list[str] = []
        of_files = function.chapter == "files"
        self.owner = "no_file" if of_files else "nullptr"
        with_handlers = ("File",) if of_files else ("Comm", "Window")
        self.has_handler = next((p for p in function.parameters if p.kind.object_type in with_handlers), None)
        for parameter in sorted(function.parameters, key=lambda p: p.kind.stage):
            self.index = function.parameters.index(parameter) + 1
            self.check(parameter)

    def refuse(self, problem: str, value: str) -> str:
        return f"return refuse(process, {self.owner}, call, {self.index}, Problem::{problem}, {value});"

    def check(self, parameter: Parameter) -> None:
        condition = self.condition(parameter)
        lines = []
        kind, name = parameter.kind, parameter.name
        before_object = [c for c in kind.checks if c[1] == "null_pointer"]
        for wrong, problem, value in before_object:
            lines.append(f"if ({self.fill(wrong, parameter)}) [[unlikely]] {self.refuse(problem, value)}")
        if kind.object:
            lookup = kind.object.format(n=name)
            declare = "" if condition else f"{kind.object_type}* "
            lines.append(f"{declare}{name}_object = {lookup};")
            handle = "*" + name if "* {n}" in kind.c else name
            lines.append(f"if ({name}_object == nullptr) [[unlikely]] {self.refuse(kind.problem, handle)}")
            if parameter is self.has_handler:  # whose error handler is called from now on
                self.owner = name + "_object"
        for wrong, problem, value in kind.checks:
            if problem != "null_pointer":
                wrong = self.fill(wrong, parameter)
                if parameter.in_place == "root":  # elsewhere MPI_IN_PLACE is wrong, and has left the datatype unread
                    wrong = f"{name} == MPI_IN_PLACE || {wrong}"
                lines.append(f"if ({wrong}) [[unlikely]] {self.refuse(problem, self.fill(value, parameter))}")
        if parameter.apart_from:
            other = next(p for p in self.function.parameters if p.name == parameter.apart_from)
            wrong = f"begin_together({self.first_byte(parameter)}, {self.first_byte(other)})"
            both = " && ".join(filter(None, [f"{name} == {other.name}", self.condition(other)]))
            lines.append(f"if ({both}) [[unlikely]] {{")
            lines.append(f"  if ({wrong}) {self.refuse('same_buffer', '0')}")
            lines.append("}")
        if condition and lines:
            if kind.object:
                self.lines.append(f"{kind.object_type}* {name}_object = nullptr;")
            lines = [f"if ({condition}) {{", *("  " + line for line in lines), "}"]
        self.lines += lines

    def first_byte(self, buffer: Parameter) -> str:
        return self.fill(f"first_byte(process, {self.owner}, {{n}}, {buffer.kind.data})", buffer)

    def condition(self, parameter: Parameter) -> str:
        """Under which the parameter is looked at."""
        at_root = f"is_at_root(*{self.owner}, root)"
        conditions = [self.fill(parameter.kind.where, parameter)] if parameter.kind.where else []
        if parameter.where:
            conditions.append(self.place(parameter.where))
        if parameter.unless_in_place:
            conditions.append(f"{parameter.unless_in_place} != MPI_IN_PLACE")
        if parameter.in_place == "anywhere":
            conditions.append(f"{parameter.name} != MPI_IN_PLACE")
        if parameter.in_place == "root":
            conditions.append(f"({parameter.name} != MPI_IN_PLACE || !{at_root})")
        return " && ".join(conditions)

    def place(self, where: str) -> str:
        if where in {p.name for p in self.function.parameters} and where != "root":
            return f"{self.owner}->rank == {where}"
        return {"root": "is_at_root", "leaves": "is_at_leaf", "part": "takes_part"}[where] + f"(*{self.owner}, root)"

    def fill(self, text: str, parameter: Parameter) -> str:
        by_name = {p.name: p for p in self.function.parameters}
        names = {"n": parameter.name, "owner": f"*{self.owner}"}
        for letter, argument in zip("abc", parameter.arguments):
            names[letter] = argument
            names[letter + "_object"] = f"*{argument}_object" if by_name[argument].kind.object else argument
        return text.format(**names)


def entry_point(function: Function) -> str:
    names = "".join(f'"{p.name}", ' for p in function.parameters)
    variadic = "" if function.parameters else "nullptr"
    flags = [function.bears_backlog, function.before_and_after, function.takes_no_turn]
    marks = "".join(f", {str(flag).lower()}" for flag in flags) if any(flags) else ""
    arguments = ", ".join(["process", *(a for p in function.parameters for a in body_arguments(p))])
    checks = Checks(function)
    enter = "enter_at_any_time" if function.at_any_time else "enter"
    perform = f"perform(process, {checks.owner}, call"
    if function.is_for_tools:
        enter, perform = "enter_for_tool", "perform_for_tool(process, call"
    lines = [
        f"static constexpr const char* names_of_{function.name}[] = {{{names}{variadic}}};",
        f'static constexpr Call call_{function.name}{{"MPI_{function.name}", names_of_{function.name}{marks}}};',
        f"MPI_ENTRY {function.declaration('PMPI_')} {{",
        f"  static constexpr const Call& call = call_{function.name};",
        f"  Process& process = {enter}(call);",
        *("  " + line for line in checks.lines),
    ]
    if function.result == "int":
        lines.append(f"  return {perform}, [&] {{ body::{function.body}({arguments}); }});")
    else:
        lines.append(f"  return answer(call, [&] {{ return body::{function.body}({arguments}); }});")
    lines.append("}")
    lines.append(f'MPI_ALIAS("PMPI_{function.name}") {function.declaration("MPI_")};')
    return "\n".join(lines)


def make_entry_points(functions: list[Function]) -> str:
    head = NOTE + '#include "mpi_impl/api/first_byte.hpp"\n#include "mpi_impl/api/bodies.hpp"\n\n'
    head += "using namespace hindcast;\nusing namespace hindcast::mpi;\n\n"
    return head + "\n\n".join(entry_point(f) for f in functions) + "\n"


def make_bodies(functions: list[Function]) -> str:
    head = NOTE + '#pragma once\n\n#include "mpi_impl/api/entry.hpp"\n\nnamespace hindcast::mpi::body {\n\n'
    declarations = dict.fromkeys(body_declaration(f) for f in functions)
    return head + "\n".join(declarations) + "\n\n}  // namespace hindcast::mpi::body\n"


def main() -> None:
    include, generated = Path(sys.argv[1]), Path(sys.argv[2])
    constants = tomllib.loads((HERE / "constants.toml").read_text())
    functions = read_functions()
    write_if_changed(include / "mpi.h", make_mpi_h(constants, functions))
    for name, text in make_rows(constants).items():
        write_if_changed(generated / "mpi_impl/core" / name, NOTE + text)
    names = "".join(f'    "MPI_{f.name}",\n' for f in functions)
    write_if_changed(generated / "mpi_impl/api/function_names.inc", NOTE + names)
    calls = "".join(f'    {{"MPI_{f.name}", "{f.chapter}"}},\n' for f in functions if not f.is_for_tools)
    write_if_changed(generated / "mpi_impl/core/call_names.inc", NOTE + calls)
    write_if_changed(generated / "mpi_impl/api/bodies.hpp", make_bodies(functions))
    write_if_changed(generated / "mpi_impl/api/entry_points.cpp", make_entry_points(functions))


if __name__ == "__main__":
    main()
