"""Collectives by the AP1000's host: right, taken where the host is the root of all, refused elsewhere, and what they
take."""

from pathlib import Path

import pytest

from tests.collectives.registry import read_registry

FOLDER = Path(__file__).resolve().parents[4] / "tests" / "collectives"
FLAGS = ["-std=c99", "-Wall", "-Wextra", "-Werror"]
HOSTED = ["--set", "mpi.host=yes"]
ROWS = [row for row in read_registry() if row.algorithm == "host"]
OPERATIONS = [row.operation for row in ROWS]


def table(operation):
    return [*HOSTED, "--set", f"collectives.{operation}=host, linear"]


def test_there_are_rows():
    assert OPERATIONS == ["gather", "scatter", "allgather", "alltoall"]


@pytest.mark.parametrize("ranks", [2, 3, 8, 33])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_algorithm_is_right_where_the_host_is_the_root(operation, ranks, run_program):
    """Other roots fall through to the next row."""
    words = [operation, "world"]
    done = run_program(FOLDER / "algorithms.c", ranks, *words, machine="ap1000", launcher=table(operation), flags=FLAGS)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", "")


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("program", ["algorithms.c", "types.c"])
def test_algorithm_is_right_among_communicators_of_some(program, operation, run_program):
    """And moves elements that do not lie together."""
    done = run_program(FOLDER / program, 64, operation, machine="ap1000", launcher=table(operation), flags=FLAGS)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", "")


CALLS = """
#include <mpi.h>
#include <stdio.h>
enum { M = 3, MOST = 16 };
static int rank, ranks, root, wrong;
static int value(int from, int to, int i) { return 10000 * from + 100 * to + i; }
int main(int argc, char** argv) {
  MPI_Comm comm;
  int out[MOST * M], in[MOST * M], world;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  /* In another order: the host is the last, or in the middle. */
  MPI_Comm_split(MPI_COMM_WORLD, 0, (world * 5 + ranks / 2) % ranks, &comm);
  MPI_Comm_rank(comm, &rank);
  root = world == 0 ? rank : 0;
  MPI_Allreduce(MPI_IN_PLACE, &root, 1, MPI_INT, MPI_MAX, comm);
  for (int r = 0; r < ranks; ++r)
    for (int i = 0; i < M; ++i) out[r * M + i] = value(rank, r, i);
  MPI_Scatter(out, M, MPI_INT, in, M, MPI_INT, root, comm);
  for (int i = 0; i < M; ++i) wrong += in[i] != value(root, rank, i);
  MPI_Gather(out + root * M, M, MPI_INT, in, M, MPI_INT, root, comm);
  for (int r = 0; r < ranks && rank == root; ++r)
    for (int i = 0; i < M; ++i) wrong += in[r * M + i] != value(r, root, i);
  MPI_Allgather(out, M, MPI_INT, in, M, MPI_INT, comm);
  for (int r = 0; r < ranks; ++r)
    for (int i = 0; i < M; ++i) wrong += in[r * M + i] != value(r, 0, i);
  MPI_Alltoall(out, M, MPI_INT, in, M, MPI_INT, comm);
  for (int r = 0; r < ranks; ++r)
    for (int i = 0; i < M; ++i) wrong += in[r * M + i] != value(r, rank, i);
  printf("%d\\n", wrong);
  MPI_Finalize();
  return 0;
}
"""


@pytest.mark.parametrize("ranks", [2, 3, 7, 16])
def test_algorithms_are_right_in_any_order_of_ranks(ranks, run_program):
    choices = [word for name in OPERATIONS for word in ("--coll", f"{name}=host")]
    done = run_program(CALLS, ranks, machine="ap1000", launcher=["--host", *choices])
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == ["0"] * ranks


CALL = """
#include <mpi.h>
int main(int argc, char** argv) {{
  int a[64] = {{0}}, b[64] = {{0}}, rank;
  MPI_Comm part;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank == 2, 0, &part);
  {}
  MPI_Finalize();
  return a[0] + b[0];
}}
"""
NEEDS = "needs the machine's host among all of the run, as the root if there is one"


@pytest.mark.parametrize(
    ("call", "options"),
    [
        ("MPI_Scatter(a, 1, MPI_INT, b, 1, MPI_INT, 1, MPI_COMM_WORLD);", ["--host", "--coll", "scatter=host"]),
        ("MPI_Gather(a, 1, MPI_INT, b, 1, MPI_INT, 0, MPI_COMM_WORLD);", ["--coll", "gather=host"]),
        ("if (rank != 2) MPI_Gather(a, 1, MPI_INT, b, 1, MPI_INT, 0, part);", ["--host", "--coll", "gather=host"]),
        ("MPI_Request r; MPI_Igather(a, 1, MPI_INT, b, 1, MPI_INT, 0, MPI_COMM_WORLD, &r);"
         "MPI_Wait(&r, MPI_STATUS_IGNORE);", ["--host", "--coll", "gather=host"]),
    ],
    ids=["other root", "no host", "not all", "nonblocking"],
)  # fmt: skip
def test_elsewhere_it_is_refused(call, options, run_program):
    done = run_program(CALL.format(call), 3, machine="ap1000", launcher=options)
    assert done.returncode != 0
    assert f"the algorithm that was chosen by name, {options[-1]}, {NEEDS}" in done.stderr


def test_the_host_does_it_in_one_routine_each(run_program, tmp_path):
    """One routine on each rank, and no messages."""
    counts = tmp_path / "counts.json"
    text = CALL.format("MPI_Scatter(a, 4, MPI_INT, b, 4, MPI_INT, 0, MPI_COMM_WORLD);").replace(
        "MPI_Comm_split(MPI_COMM_WORLD, rank == 2, 0, &part);", "(void)part;"
    )
    launcher = ["--host", "--coll", "scatter=host", "--count", counts]
    assert run_program(text, 5, machine="ap1000", launcher=launcher).returncode == 0
    text = counts.read_text()
    assert text.count('"h_sscatter"') == 5
    assert "call that sends" not in text


TRUNCATED = """
MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
const int code = MPI_Scatter(a, 4, MPI_INT, b, rank == 1 ? 3 : 4, MPI_INT, 0, MPI_COMM_WORLD);
if ((code != MPI_SUCCESS) != (rank == 1)) MPI_Abort(MPI_COMM_WORLD, 7);
"""


def test_a_block_that_is_too_long_is_told_where_it_is(run_program):
    done = run_program(CALL.format(TRUNCATED), 3, machine="ap1000", launcher=["--host", "--coll", "scatter=host"])
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("ranks", [2, 4, 13, 32])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_formula_is_what_the_machine_takes(operation, ranks, run_program):
    done = run_program(
        FOLDER / "times.c",
        ranks,
        operation,
        8,
        1024,
        3072,
        machine="ap1000",
        launcher=[*HOSTED, "--coll", f"{operation}=host"],
    )
    assert done.returncode == 0, done.stderr
    for line in done.stdout.splitlines():
        size, seconds = line.split()
        rows = read_registry(None, "-m", "ap1000", *HOSTED, "-n", str(ranks), "-b", size)
        formula = next(row for row in rows if (row.operation, row.algorithm) == (operation, "host")).seconds
        assert formula == pytest.approx(float(seconds), rel=0.02), f"{ranks} ranks, {size} bytes"
