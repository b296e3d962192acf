"""What a reduction takes by the kind of its elements."""

import pytest

PROGRAM = r"""#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
enum { ELEMENTS = 1000000 };
static void take_time(const char* name, MPI_Datatype type, MPI_Op op) {
  char *in = calloc(ELEMENTS, 16), *inout = calloc(ELEMENTS, 16);
  const double start = MPI_Wtime();
  MPI_Reduce_local(in, inout, ELEMENTS, type, op);
  printf("%s %.9f\n", name, MPI_Wtime() - start);
  free(in);
  free(inout);
}
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  take_time("int", MPI_INT, MPI_SUM);
  take_time("long", MPI_LONG, MPI_MAX);
  take_time("byte", MPI_BYTE, MPI_BOR);
  take_time("float", MPI_FLOAT, MPI_SUM);
  take_time("double", MPI_DOUBLE, MPI_SUM);
  take_time("pair", MPI_DOUBLE_INT, MPI_MAXLOC);
  MPI_Finalize();
  return 0;
}
"""

ACCUMULATES = r"""#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static long integers[100000], window_of[100000];
  MPI_Win win;
  MPI_Win_create(window_of, sizeof window_of, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  const MPI_Datatype types[] = {MPI_LONG, MPI_DOUBLE};
  for (int i = 0; i < 2; ++i) {
    MPI_Win_fence(0, win);
    const double start = MPI_Wtime();
    if (rank == 0) MPI_Accumulate(integers, 100000, types[i], 1, 0, 100000, types[i], MPI_SUM, win);
    MPI_Win_fence(0, win);
    if (rank == 0) printf("%.9f\n", MPI_Wtime() - start);
  }
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
"""

INTEGERS = 'integer_combine_rate = { value = 50, unit = "Mop/s", kind = "invented", source = "made up" }'


@pytest.fixture
def with_integers(root, tmp_path):
    """The ideal machine, which combines 200 million elements a second, with a quarter of that for integers."""
    text = (root / "platforms" / "ideal.toml").read_text()
    line = next(line for line in text.splitlines() if line.startswith("combine_rate"))
    path = tmp_path / "mine.toml"
    path.write_text(text.replace(line, f"{line}\n{INTEGERS}"))
    return path


def times_of(done):
    assert done.returncode == 0, done.stderr
    return {name: float(time) * 1e3 for name, time in (line.split() for line in done.stdout.splitlines())}


def test_integers_are_combined_at_their_own_rate(with_integers, run_program):
    times = times_of(run_program(PROGRAM, 1, machine=with_integers))
    slow, quick = pytest.approx(20, rel=1e-3), pytest.approx(5, rel=1e-3)
    assert times == {"int": slow, "long": slow, "byte": slow, "float": quick, "double": quick, "pair": quick}


def test_without_such_a_rate_all_are_combined_alike(run_program):
    times = times_of(run_program(PROGRAM, 1, machine="ideal"))
    assert set(times.values()) == {times["double"]}


def test_accumulates_that_a_processor_works_on_are_of_a_kind_as_well(with_integers, run_program):
    launcher = ["--set", "messages.progress=polling"]
    done = run_program(ACCUMULATES, 2, machine=with_integers, launcher=launcher)
    assert done.returncode == 0, done.stderr
    of_integers, of_doubles = (float(line) * 1e3 for line in done.stdout.split())
    assert of_integers - of_doubles == pytest.approx(1.5, rel=1e-3)


def test_the_key_is_shown(with_integers, hindcast):
    assert "integer_combine_rate" in hindcast("show", with_integers).stdout
