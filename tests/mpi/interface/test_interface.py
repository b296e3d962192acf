"""mpi.h and the table of functions."""

import importlib.util
import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent


@pytest.fixture(scope="module")
def document(root):
    spec = importlib.util.spec_from_file_location("document", root / "mpi_impl" / "api" / "document.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_table_in_the_documentation_is_up_to_date(document):
    page = document.PAGE.read_text()
    assert document.page_with_table(page) == page, "run mpi_impl/api/document.py"


def test_every_function_is_declared_and_exported_in_both_names(document, build, run_command):
    names = {f.name for f in document.read_functions()}
    symbols = run_command(["nm", "-D", "--defined-only", build / "lib" / "libhindcast.so"]).stdout
    kinds = {name: kind for kind, name in re.findall(r" ([TWVt]) (P?MPI_\w+)", symbols)}
    header = (build / "include" / "mpi.h").read_text()
    for name in names:
        assert kinds.get("PMPI_" + name) == "T"
        assert kinds.get("MPI_" + name) == "W"
        assert re.search(rf"\bMPI_{name}\(", header)
        assert re.search(rf"\bPMPI_{name}\(", header)
    assert {name.removeprefix("P").removeprefix("MPI_") for name in kinds} == names


@pytest.mark.parametrize("language", ["c89", "c99", "c11", "c++98", "c++11", "c++20"])
def test_header_is_plain(language, build, run_command, tmp_path):
    source = tmp_path / "uses_mpi"
    source.write_text(
        "#include <mpi.h>\n"
        "MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE_INT};\n"
        "static MPI_Comm comm = MPI_COMM_WORLD;\n"
        "int rank(int* out, MPI_Status* status) {\n"
        "  return MPI_Recv(out, 1, types[0], MPI_ANY_SOURCE, MPI_ANY_TAG, comm, status)\n"
        "    + MPI_Waitall(0, (MPI_Request*)0, MPI_STATUSES_IGNORE) + PMPI_Barrier(MPI_COMM_SELF);\n"
        "}\n"
    )
    compiler = ["g++", "-xc++"] if "++" in language else ["gcc", "-xc"]
    flags = [f"-std={language}", "-Wall", "-Wextra", "-pedantic", "-Werror", "-Wconversion"]
    done = run_command([*compiler, *flags, "-I", build / "include", "-c", source, "-o", tmp_path / "object"])
    assert done.returncode == 0, done.stderr


def names_in(file):
    """Those that a file lists, after lines that say what they are."""
    lines = (FOLDER / file).read_text().splitlines()
    return [name for line in lines if not line.startswith("#") for name in line.split()]


# Those with which programs size arrays, label cases and start static variables.
COMPILE_TIME = re.compile(r"MPI_(MAX_\w+|BSEND_OVERHEAD|ERR_\w+|THREAD_\w+|COMBINER_\w+|VERSION|SUBVERSION|IDENT)$")


@pytest.mark.parametrize("compiler", [["gcc", "-xc", "-std=c99"], ["g++", "-xc++", "-std=c++11"]])
def test_every_constant_and_type_is_there(compiler, build, run_command, tmp_path):
    constants, types = names_in("constants.txt"), names_in("types.txt")
    numbers = [name for name in constants if COMPILE_TIME.match(name)]
    lines = ["#include <mpi.h>"]
    lines += [f"typedef {name}* pointer_{number};" for number, name in enumerate(types)]
    lines += [f"int use_{name}(void);\nint use_{name}(void) {{ return {name} != 0; }}" for name in constants]
    lines += [f"enum {{ copy_of_{name} = {name} }};" for name in numbers]
    source = tmp_path / "constants"
    source.write_text("\n".join(lines) + "\n")
    flags = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-Wno-address", "-I", build / "include"]
    done = run_command([*compiler, *flags, "-c", source, "-o", tmp_path / "object"])
    assert done.returncode == 0, done.stderr
    assert len(numbers) > 80
