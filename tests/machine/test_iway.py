"""The I-WAY: what messages between its sites take, by the numbers of the machine's file."""

import pytest

PROGRAM = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  char name[MPI_MAX_PROCESSOR_NAME];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Get_processor_name(name, &argc);
  const int bytes = atoi(argv[1]);
  char* data = calloc(bytes + 1, 1);
  const double start = MPI_Wtime();
  if (rank == 0) MPI_Send(data, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) printf("%s %.6f\n", name, (MPI_Wtime() - start) * 1e3);
  MPI_Finalize();
  return 0;
}
"""
# In ms, and ms a byte.
ENDS, WORK, COPIED_BYTE = 0.6, 0.1, 1e-5
WINDOW = 64 * 1024


@pytest.fixture
def took(run_program, tmp_path):
    def run_it(where, count, *settings):
        source = tmp_path / "message.c"
        source.write_text(PROGRAM)
        launcher = ["--map", where, *(word for setting in settings for word in ("--set", setting))]
        done = run_program(source, 2, count, machine="i-way", launcher=launcher)
        assert (done.returncode, done.stderr) == (0, "")
        name, time = done.stdout.split()
        return name, float(time)

    return run_it


@pytest.mark.parametrize(
    ("node", "name", "latency"),
    [(128, "ncsa-challenge", 2), (130, "psc-t3d", 8), (194, "psc-c90", 8.3), (195, "sdsc", 22), (259, "goddard", 11)],
)
def test_an_empty_message_takes_the_way_to_its_site(took, node, name, latency):
    where, time = took(f"0,{node}", 0)
    assert name in where
    assert time == pytest.approx(latency + ENDS + WORK, rel=0.02)


def test_a_long_message_takes_a_round_trip_for_each_window(took):
    count = 32 * WINDOW
    _, near = took("0,1", count)
    assert near < 100
    _, far = took("0,195", count)
    assert far == pytest.approx(32 * 44 + 22 + ENDS + count * COPIED_BYTE, rel=0.002)
    _, wide = took("0,195", count, "link.west.window=1024KiB")
    assert wide == pytest.approx(count * 8 / 36.7e3 + 22 + ENDS + count * COPIED_BYTE, rel=0.002)


def test_processors_of_a_machine_speak_by_its_memory(took):
    name, time = took("128,128", 0)
    assert "ncsa-challenge" in name
    assert time == pytest.approx(0.06 + 0.001 + 0.007, abs=0.02)
