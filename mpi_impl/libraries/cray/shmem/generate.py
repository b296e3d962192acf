"""Makes mpp/shmem.h and SHMEM's entry points from the table beside it.

generate.py INCLUDE_FOLDER GENERATED_FOLDER
"""

import re
import sys
import textwrap
import tomllib
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))
from generated_file import write_if_changed

HERE = Path(__file__).parent
NOTE = "// Made by mpi_impl/libraries/cray/shmem/generate.py; not to be edited.\n"
LINE_MAX = 120


@dataclass(frozen=True)
class Function:
    declaration: str  # in C
    body: str

    @property
    def name(self) -> str:
        return re.fullmatch(r".*?(\w+)\(.*\)", self.declaration)[1]


@dataclass(frozen=True)
class Chapter:
    about: str
    is_declared: bool
    functions: tuple[Function, ...]


def replaced(text: str, words: dict[str, str]) -> str:
    """TYPE may be part of a name, the others are words."""
    text = text.replace("TYPE", words["TYPE"])
    return re.sub(r"\b(T|BYTES)\b", lambda match: words[match[0]], text)


def forms(types: dict[str, str | int], declaration: str, body: str) -> list[Function]:
    """A row's functions, one for each type: its name, and what it is in C or how many bytes it has."""
    words = [
        {"TYPE": name, "T": str(c_type), "BYTES": str(c_type) if isinstance(c_type, int) else f"sizeof({c_type})"}
        for name, c_type in types.items()
    ]
    return [Function(replaced(declaration, row), replaced(body, row)) for row in words]


def read_chapters() -> list[Chapter]:
    table = tomllib.loads((HERE / "functions.toml").read_text())
    chapters = []
    for chapter in table["chapter"].values():
        functions: list[Function] = []
        for types, declaration, body in chapter["functions"]:
            functions += forms(table["types"][types], declaration, body) if types else [Function(declaration, body)]
        chapters.append(Chapter(chapter["about"], chapter.get("is_declared", True), tuple(functions)))
    return chapters


def comment(text: str) -> str:
    paragraphs = [textwrap.wrap(part, LINE_MAX - 3) for part in text.strip().split("\n\n")]
    lines = [line for paragraph in paragraphs for line in [*paragraph, ""]][:-1]
    return "/* " + "\n".join(f" * {line}".rstrip() for line in lines)[3:] + " */"


def in_header(declaration: str) -> str:
    """Broken between parameters where it is too long."""
    text = f"SHMEM_FUNCTION {declaration};"
    indent = " " * (text.index("(") + 1)
    kept_together = ", ".join(part.replace(" ", "\0") for part in text.split(", "))
    return "\n".join(textwrap.wrap(kept_together, LINE_MAX, subsequent_indent=indent)).replace("\0", " ")


def make_header(chapters: list[Chapter]) -> str:
    parts = [
        "\n".join([comment(chapter.about), *(in_header(function.declaration) for function in chapter.functions)])
        for chapter in chapters
        if chapter.is_declared
    ]
    return (HERE / "shmem.h.in").read_text().replace("@FUNCTIONS@", "\n\n".join(parts))


def entry_point(function: Function) -> str:
    returns = "" if function.declaration.startswith("void ") else "return "
    return (
        f"SHMEM_FUNCTION {function.declaration} {{\n"
        f'  const Call call("{function.name}");\n'
        f"  {returns}bodies::{function.body};\n"
        "}\n"
    )


def make_entry_points(chapters: list[Chapter]) -> str:
    head = NOTE + '#include <mpp/shmem.h>\n\n#include "mpi_impl/libraries/cray/shmem/bodies.hpp"\n\n'
    head += "using namespace hindcast::shmem;\n\n"
    functions = [function for chapter in chapters for function in chapter.functions]
    undeclared = "".join(
        f"SHMEM_FUNCTION {function.declaration};\n"
        for chapter in chapters
        if not chapter.is_declared
        for function in chapter.functions
    )
    entry_points = "\n".join(map(entry_point, functions))
    return f'{head}extern "C" {{\n\n{undeclared}\n{entry_points}\n}}  // extern "C"\n'


def main() -> None:
    include, generated = Path(sys.argv[1]), Path(sys.argv[2])
    chapters = read_chapters()
    write_if_changed(include / "mpp/shmem.h", make_header(chapters))
    write_if_changed(generated / "mpi_impl/libraries/cray/shmem/entry_points.cpp", make_entry_points(chapters))


if __name__ == "__main__":
    main()
