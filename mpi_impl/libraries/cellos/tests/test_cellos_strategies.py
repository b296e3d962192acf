"""The AP1000's strategies for nonblocking and synchronous sends: what they take, by simulated time to the nanosecond,
from the numbers of the machine's file."""

import itertools

import pytest

from mpi_impl.libraries.cellos.tests.numbers import (
    CLOCK_READ,
    COPY,
    DOMAIN,
    HOP,
    PROBE,
    RECEIVE,
    SEND,
    SERVICE,
    on_net,
)

COMPUTED = 5000
WOKEN = 1e-6

PROGRAM = """#include <hindcast.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* One message of so many bytes; each rank prints its time. `kind` says which calls, `computed` when it computes. */
int main(int argc, char** argv) {{
  MPI_Init(&argc, &argv);
  const int bytes = atoi(argv[1]);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char* data = malloc(2 * bytes + 1);
  MPI_Datatype every_second;
  MPI_Type_vector(bytes / 8, 8, 16, MPI_CHAR, &every_second);
  MPI_Type_commit(&every_second);
  memset(data, rank == 0 ? 'x' : '-', 2 * bytes);
  MPI_Request request;
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  if (rank == 0) {{ {sender} }}
  else {{ {receiver} }}
  const double end = MPI_Wtime();
  if (rank == 1) for (int i = 0; i < bytes; ++i) if (data[{place}] != 'x') MPI_Abort(MPI_COMM_WORLD, 9);
  printf("%d %.6f\\n", rank, (end - start) * 1e6);
  MPI_Finalize();
  (void)request;
  return 0;
}}
"""

COMPUTE = f"hindcast_compute_seconds({COMPUTED}e-6);"
WAIT = "MPI_Wait(&request, MPI_STATUS_IGNORE);"
ISEND = "MPI_Isend(data, bytes, MPI_CHAR, 1, 7, MPI_COMM_WORLD, &request);"
IRECV = "MPI_Irecv(data, bytes, MPI_CHAR, 0, 7, MPI_COMM_WORLD, &request);"
SSEND = "MPI_Ssend(data, bytes, MPI_CHAR, 1, 7, MPI_COMM_WORLD);"
RECV = "MPI_Recv(data, bytes, MPI_CHAR, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"


def of_vectors(call):
    return call.replace("bytes, MPI_CHAR", "1, every_second")


@pytest.fixture
def times(run_program):
    """In microseconds, of both ranks; the same ahead of the clock and in lockstep."""

    def measure(sender, receiver, size, **strategies):
        place = "i / 8 * 16 + i % 8" if "every_second" in receiver else "i"
        source = PROGRAM.format(sender=sender, receiver=receiver, place=place)
        launcher = [word for key, value in strategies.items() for word in ("--set", f"mpi.{key}={value}")]
        runs = [
            run_program(source, 2, size, machine="ap1000", launcher=[*launcher, *more]) for more in ([], ["--lockstep"])
        ]
        assert [run.returncode for run in runs] == [0, 0], runs[0].stderr
        assert runs[0].stdout == runs[1].stdout
        of_rank = dict(line.split() for line in runs[0].stdout.splitlines())
        return [float(of_rank[rank]) - CLOCK_READ for rank in ("0", "1")]

    return measure


def close(*expected):
    return pytest.approx(expected if len(expected) > 1 else expected[0], abs=1e-4)


@pytest.mark.parametrize("size", [0, 80, 80000, 240000])
def test_a_striding_isend_while_computing_takes_the_time_of_the_longer_one(size, times):
    sender, _ = times(ISEND + COMPUTE + WAIT, RECV, size, nonblocking="striding")
    assert sender == close(SEND + DOMAIN + max(COMPUTED, on_net(size)))


@pytest.mark.parametrize("size", [0, 80, 80000])
def test_as_published_an_isend_takes_both(size, times):
    sender, _ = times(ISEND + COMPUTE + WAIT, RECV, size)
    assert sender == close(SEND + DOMAIN + COPY * size + COMPUTED)


@pytest.mark.parametrize("vectors", [False, True])
@pytest.mark.parametrize("size", [0, 80, 80000])
def test_a_pre_receive_has_its_message_while_the_receiver_computes(size, vectors, times):
    send, receive = (of_vectors(ISEND), of_vectors(IRECV)) if vectors else (ISEND, IRECV)
    both = times(send + COMPUTE + WAIT, receive + COMPUTE + WAIT, size, nonblocking="striding")
    assert both == close(SEND + DOMAIN + COMPUTED, RECEIVE + COMPUTED)


@pytest.mark.parametrize("vectors", [False, True])
def test_a_message_that_is_there_is_copied_by_the_call(vectors, times):
    size = 8000
    receive = of_vectors(IRECV) if vectors else IRECV
    _, receiver = times(ISEND + WAIT, COMPUTE + receive + WAIT, size, nonblocking="striding")
    assert receiver == close(COMPUTED + RECEIVE + COPY * size)


@pytest.mark.parametrize("size", [8, 80, 80000])
@pytest.mark.parametrize("vectors", [False, True])
def test_a_synchronous_send_by_put_goes_from_memory_to_memory(size, vectors, times):
    """A request, which a waiting receive answers; the answer, which the sender finds by a probe; the put, and what
    tells the sender that it is over."""
    send, receive = (of_vectors(SSEND), of_vectors(RECV)) if vectors else (SSEND, RECV)
    sender, receiver = times(send, receive, size, synchronous="put")
    answered = SEND + DOMAIN + on_net(0) + HOP + WOKEN + RECEIVE + SEND + DOMAIN
    arrives = answered + on_net(0) + HOP
    waits_since = SEND + DOMAIN
    probed = waits_since + -(-(arrives - waits_since) // PROBE) * PROBE
    written = probed + PROBE + RECEIVE + SEND + on_net(size) + HOP + SERVICE
    assert receiver == close(written)
    assert sender == close(written + on_net(0) + HOP)


def test_of_an_empty_message_the_answer_is_the_end(times):
    sender, receiver = times(SSEND, RECV, 0, synchronous="put")
    by_acknowledgement = times(SSEND, RECV, 0)
    assert receiver == close(SEND + DOMAIN + on_net(0) + HOP + RECEIVE + SEND + DOMAIN)
    assert [sender, receiver] == close(*by_acknowledgement)


def test_where_the_receiver_has_no_items_of_one_distance_it_unpacks(times):
    """From a buffer of the library's: one copy."""
    irregular = """MPI_Datatype parts; const int lengths[] = {3, bytes - 3}, places[] = {0, 3 + bytes / 2};
    MPI_Type_indexed(2, lengths, places, MPI_CHAR, &parts); MPI_Type_commit(&parts);"""
    receive = RECV.replace("bytes, MPI_CHAR", "1, parts")
    fill = "memset(data, 'x', bytes + 3);"  # so that the check of every byte passes
    size = 800
    _, straight = times(SSEND, RECV, size, synchronous="put")
    _, unpacked = times(SSEND, irregular + receive + fill, size, synchronous="put")
    assert unpacked == close(straight + COPY * size)


# A request of a send by put comes before the receive, which answers it at its own time; while it does, or is about to,
# the system interrupts the cell for a broadcast that is not for it. Each round has the broadcast 20 us later.
INTERRUPTED = """#include <hindcast.h>
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  int rank, data[100] = {0};
  MPI_Comm others;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank == 1, 0, &others);
  for (int round = 0; round < 40; ++round) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) MPI_Ssend(data, 100, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) {
      hindcast_compute_seconds(500e-6);
      MPI_Recv(data, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      printf("%.9f\\n", MPI_Wtime());
    }
    if (rank == 2) hindcast_compute_seconds(round * 20e-6);
    if (rank != 1) MPI_Bcast(data, 1, MPI_INT, 1, others);
  }
  MPI_Finalize();
  return 0;
}
"""


def test_what_answers_a_put_is_interrupted_alike_ahead_of_the_clock_and_in_lockstep(run_program):
    launcher = ["--set", "mpi.synchronous=put", "--set", "mpi.small_group=2"]
    ahead, lockstep = (
        run_program(INTERRUPTED, 3, machine="ap1000", launcher=[*launcher, *more]) for more in ([], ["--lockstep"])
    )
    assert (ahead.returncode, lockstep.returncode) == (0, 0), ahead.stderr
    assert ahead.stdout == lockstep.stdout
    ends = [float(line) for line in ahead.stdout.split()]
    assert len({round(later - end, 8) for end, later in itertools.pairwise(ends)}) > 2
