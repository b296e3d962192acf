"""What CellOS's calls take, by arithmetic on the machine's file."""

import re

import pytest

from mpi_impl.libraries.cellos.tests.numbers import (
    BROADCAST,
    BUS,
    CLOCK_READ,
    COPY,
    DOMAIN,
    FROM_MEMORY,
    HEADER,
    HOP,
    INTERRUPTION,
    MISALIGNED,
    OF_FILE,
    ON_BUS,
    ON_NET,
    RECEIVE,
    REDUCTION,
    REDUCTION_STEP,
    SELECTIVE,
    SEND,
    SYNC,
    on_net,
)

COLUMN = """#include <cellos.h>
#include <hindcast.h>
#include <stdio.h>
/* A column of a matrix goes from cell 0 to a row of cell 1's, while both compute. */
enum { domain = 3, rows = 100, columns = 80, computed_us = 5000 };
int main(void) {
  static double matrix[rows][columns], row[rows];
  const l_items column = {rows, sizeof(double), columns * sizeof(double)}, whole = {1, sizeof row, 0};
  l_message message = {0, 0, 0};
  int flag = 0;
  register_domain(domain);
  sync();
  const double start = l_clock();
  if (l_cellid() == 0) {
    for (int i = 0; i < rows; ++i) matrix[i][7] = i;
    dl_striding_send(domain, 1, 5, &matrix[0][7], column, &flag);
  } else {
    dl_pre_receive(domain, L_ANY, L_ANY, row, whole, &message, &flag);
  }
  hindcast_compute_seconds(computed_us * 1e-6);
  flag_wait(&flag, 1);
  const double end = l_clock();
  int wrong = 0;
  for (int i = 0; i < rows && l_cellid() == 1; ++i) wrong += row[i] != i;
  printf("%d %d %d %d %d %.3f\\n", l_cellid(), wrong, message.cell, message.type, message.bytes, (end - start) * 1e6);
  return 0;
}
"""


def test_a_column_travels_while_both_cells_compute(run_program):
    done = run_program(COLUMN, 2, machine="ap1000")
    assert done.returncode == 0, done.stderr
    computed = 5000
    assert sorted(done.stdout.splitlines()) == [
        f"0 0 0 0 0 {SEND + DOMAIN + computed + CLOCK_READ:.3f}",
        f"1 0 0 5 800 {RECEIVE + computed + CLOCK_READ:.3f}",
    ]


PING_PONG = """#include <cellos.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
/* Half of the time for so many bytes there and none back, with CellOS and with MPI, in microseconds. */
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int bytes = atoi(argv[1]), me = l_cellid(), other = atoi(argv[2]);
  char* data = calloc(bytes + 1, 1);
  double start = MPI_Wtime();
  if (me == 0) {
    l_asend(other, 1, data, bytes);
    l_arecv(other, 2, data, 0, NULL);
    printf("%.6f ", (l_clock() - start) * 5e5);
  } else if (me == other) {
    l_arecv(0, 1, data, bytes, NULL);
    l_asend(0, 2, NULL, 0);
  }
  start = MPI_Wtime();
  if (me == 0) {
    MPI_Send(data, bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD);
    MPI_Recv(data, 0, MPI_BYTE, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%.6f\\n", (MPI_Wtime() - start) * 5e5);
  } else if (me == other) {
    MPI_Recv(data, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(NULL, 0, MPI_BYTE, 0, 2, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
"""


@pytest.fixture
def half_round_trips(run_program):
    def measure(size, other=1, *settings):
        launcher = [word for setting in settings for word in ("--set", setting)]
        done = run_program(PING_PONG, 128, size, other, machine="ap1000", launcher=launcher)
        assert done.returncode == 0, done.stderr
        return [float(text) - CLOCK_READ / 2 for text in re.findall(r"[\d.]+", done.stdout)]

    return measure


def of_a_byte(times_of_none, times_of_some, size):
    """With CellOS and with MPI."""
    return [2 * (some - none) / size for none, some in zip(times_of_none, times_of_some, strict=True)]


EMPTY = SEND + on_net(0) + HOP + RECEIVE


def test_latencies_and_rates_are_those_of_the_model(half_round_trips):
    none, some = half_round_trips(0), half_round_trips(80000)
    assert none == pytest.approx([EMPTY, EMPTY + DOMAIN], rel=1e-6)
    two_copies = [2 * MISALIGNED + ON_NET, 2 * COPY + ON_NET]
    assert of_a_byte(none, some, 80000) == pytest.approx(two_copies, rel=1e-6)


def test_line_sending_saves_one_copy(half_round_trips):
    setting = "cellos.line_sending=on"
    none, some = half_round_trips(0, 1, setting), half_round_trips(80000, 1, setting)
    assert none == pytest.approx([EMPTY, EMPTY + DOMAIN], rel=1e-6)
    one_copy = [MISALIGNED + ON_NET, COPY + ON_NET]
    assert of_a_byte(none, some, 80000) == pytest.approx(one_copy, rel=1e-6)


def test_distance_matters_by_less_than_one_percent(half_round_trips):
    near, far = half_round_trips(0, 1), half_round_trips(0, 68)  # four steps one way, eight the other
    assert far[0] - near[0] == pytest.approx(11 * HOP, rel=1e-6)
    assert far[0] < 1.01 * near[0]


LEVELS_OF_128 = next(levels for levels in range(1, 8) if OF_FILE["snet.branching"] ** levels >= 128)
BROADCASTS = """#include <cellos.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h> /* whose sync is another one */
/* The longest time over all cells of a broadcast from cell 0, without a domain and with one, in microseconds. */
static double broadcast(int selective, char* data, int bytes) {
  sync();
  const double start = l_clock();
  memset(data, l_cellid() == 0 ? 'x' : 0, bytes);
  if (l_cellid() == 0)
    selective ? dcbroad(7, 1, data, bytes) : cbroad(1, data, bytes);
  else
    selective ? dl_arecv(7, 0, 1, data, bytes, 0) : l_arecv(0, 1, data, bytes, 0);
  const double time = l_clock() - start;
  for (int i = 0; i < bytes; ++i)
    if (data[i] != 'x') abort();
  return xy_dmax(time) * 1e6;
}
int main(int argc, char** argv) {
  const int bytes = atoi(argv[argc - 1]);
  char* data = malloc(bytes + 1);
  register_domain(7);
  const double plain = broadcast(0, data, bytes), selective = broadcast(1, data, bytes);
  sync();
  double start = l_clock();
  sync();
  const double barrier = (l_clock() - start) * 1e6;
  start = l_clock();
  const int sum = xy_isum(l_cellid());
  const double mine = l_clock() - start, reduction = xy_dmax(mine) * 1e6;
  if (l_cellid() == 0) printf("%.6f %.6f %.6f %.6f %d\\n", plain, selective, barrier, reduction, sum);
  return 0;
}
"""


@pytest.fixture
def broadcasts(run_program):
    """The times of a cbroad, a dcbroad, a sync and a sum over 128 cells, in us; the look at the clock is taken off."""

    def measure(size, *settings):
        launcher = [word for setting in settings for word in ("--set", setting)]
        done, lockstep = (
            run_program(BROADCASTS, 128, size, machine="ap1000", launcher=[*launcher, *mode])
            for mode in ([], ["--lockstep"])
        )
        assert done.returncode == 0, done.stderr
        assert lockstep.stdout == done.stdout
        *times, total = done.stdout.split()
        assert int(total) == 127 * 64
        return [float(time) - CLOCK_READ for time in times]

    return measure


def test_broadcast_rates_and_whole_machine_routines_are_those_of_the_model(broadcasts):
    none, some = broadcasts(0), broadcasts(80000)
    start = BROADCAST + HEADER * ON_BUS + BUS + INTERRUPTION + RECEIVE
    # To the root of the tree of 128 cells and back.
    through_net = 2 * LEVELS_OF_128 * OF_FILE["snet.latency"]
    assert none[:3] == pytest.approx([start, start + SELECTIVE, SYNC + through_net], abs=1e-4)
    # Three exchanges along rows of 8 cells and four along columns of 16. As many numbers want a link as there are hops.
    hops = 1 + 2 + 4 + 1 + 2 + 4 + 8
    exchanges = 7 * REDUCTION_STEP + hops * (on_net(8) + HOP)
    assert none[3] == pytest.approx(REDUCTION + exchanges, abs=1e-4)
    copied = [(COPY + ON_BUS) * 80000, (MISALIGNED + ON_BUS) * 80000]
    from_memory = (FROM_MEMORY - ON_BUS) * 80000  # what CellOS knows of the cache: the first broadcast has filled it
    assert [later - earlier for later, earlier in zip(some, none, strict=True)] == pytest.approx(
        [copied[0] + from_memory, copied[1], 0, 0], abs=1e-4
    )


def test_a_slower_bus_makes_slower_broadcasts_only(broadcasts):
    usual, slow = broadcasts(8000), broadcasts(8000, "bnet.bandwidth=10")
    more = (8000 + HEADER) * (1 / 10 - ON_BUS)
    unseen = 8000 * (FROM_MEMORY - ON_BUS)  # a bus that is slower than the memory does not wait for it
    assert [s - u for s, u in zip(slow, usual, strict=True)] == pytest.approx([more - unseen, more, 0, 0], abs=1e-4)
