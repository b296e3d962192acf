"""Headers that a wrapper compiles in advance, as gcc's manual and build systems do."""

import pytest

PROGRAM = """
#ifndef SUM_OF
#error the precompiled header is not taken
#endif
int main(int argc, char** argv) {
  int one = 1, sum = 0;
  MPI_Init(&argc, &argv);
  SUM_OF(one, sum);
  MPI_Finalize();
  return sum != 3;
}
"""
HEADER = """
#include <mpi.h>
#define SUM_OF(from, to) MPI_Allreduce(&from, &to, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD)
"""


@pytest.fixture
def wrapper(build):
    return lambda language: build / "bin" / f"hindcast-mpi{language}"


@pytest.mark.parametrize(
    ("language", "source", "words"),
    [
        ("cc", "sum.c", ["common.h"]),
        ("cc", "sum.c", ["-x", "c-header", "common.h", "-o", "common.h.gch"]),
        ("cxx", "sum.cpp", ["common.hpp"]),
        ("cxx", "sum.cpp", ["-xc++-header", "common", "-o", "common.gch"]),
        ("cxx", "sum.cpp", ["-x", "c++-header", "-c", "common", "-o", "common.gch"]),
    ],
    ids=" ".join,
)
def test_a_header_alone_is_compiled_and_nothing_linked(wrapper, language, source, words, succeeds, hindcast, tmp_path):
    header = next(word for word in words if word.startswith("common"))
    (tmp_path / header).write_text(HEADER)
    (tmp_path / source).write_text(PROGRAM)
    succeeds([wrapper(language), *words], cwd=tmp_path)
    assert (tmp_path / f"{header}.gch").is_file()
    (tmp_path / header).write_text("#error the precompiled header is not taken\n")
    succeeds([wrapper(language), "-include", header, source, "-o", "sum"], cwd=tmp_path)
    assert hindcast("run", "-n", 3, tmp_path / "sum").returncode == 0


def test_a_header_beside_an_object_is_linked_no_less(wrapper, succeeds, hindcast, tmp_path):
    (tmp_path / "common.h").write_text(HEADER)
    (tmp_path / "sum.c").write_text('#include "common.h"\n' + PROGRAM)
    succeeds([wrapper("cc"), "--compile", "sum.c"], cwd=tmp_path)
    succeeds([wrapper("cc"), "-x", "c-header", "common.h", "-x", "none", "sum.o"], cwd=tmp_path)
    assert hindcast("run", "-n", 3, tmp_path / "a.out").returncode == 0
