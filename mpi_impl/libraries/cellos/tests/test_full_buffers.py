"""Programs that are right by MPI's rules, and send more than CellOS's buffers have room for."""

import json

import pytest

# What each rank of two does between making its messages and looking at what has come.
PROGRAMS = {
    # A nonblocking send returns, whatever the other rank does.
    "sends_all_then_receives_from_the_last": """
  for (int k = 0; k < messages; ++k) MPI_Isend(out[k], bytes, MPI_CHAR, other, k, MPI_COMM_WORLD, &requests[k]);
  for (int k = messages - 1; k >= 0; --k) receive(in[k], k);
  MPI_Waitall(messages, requests, MPI_STATUSES_IGNORE);""",
    # A send that a receive waits for is not held up by those before it.
    "waits_for_the_last_message_first": """
  if (rank == 0) {
    for (int k = 0; k < messages; ++k) MPI_Isend(out[k], bytes, MPI_CHAR, 1, k, MPI_COMM_WORLD, &requests[k]);
    MPI_Ssend(&last, 1, MPI_INT, 1, messages, MPI_COMM_WORLD);
    MPI_Waitall(messages, requests, MPI_STATUSES_IGNORE);
    for (int k = 0; k < messages; ++k) fill(in[k], other + k);
  } else {
    MPI_Recv(&last, 1, MPI_INT, 0, messages, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int k = 0; k < messages; ++k) receive(in[k], k);
  }""",
    "meets_before_it_receives": """
  for (int k = 0; k < messages; ++k) MPI_Isend(out[k], bytes, MPI_CHAR, other, k, MPI_COMM_WORLD, &requests[k]);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int k = 0; k < messages; ++k) receive(in[k], k);
  MPI_Waitall(messages, requests, MPI_STATUSES_IGNORE);""",
    "has_sends_buffered": """
  enum { room = messages * (bytes + MPI_BSEND_OVERHEAD) };
  void* buffer = malloc(room);
  int attached;
  MPI_Buffer_attach(buffer, room);
  for (int k = 0; k < messages; ++k) MPI_Bsend(out[k], bytes, MPI_CHAR, other, k, MPI_COMM_WORLD);
  for (int k = messages - 1; k >= 0; --k) receive(in[k], k);
  MPI_Buffer_detach(&buffer, &attached);""",
    # A standard send may wait for its receive, but that is there, behind messages of which nobody is to wait.
    "sends_to_receives_that_are_there": """
  MPI_Request there;
  MPI_Irecv(in[messages - 1], bytes, MPI_CHAR, other, messages - 1, MPI_COMM_WORLD, &there);
  for (int k = 0; k < messages - 1; ++k) MPI_Isend(out[k], bytes, MPI_CHAR, other, k, MPI_COMM_WORLD, &requests[k]);
  MPI_Send(out[messages - 1], bytes, MPI_CHAR, other, messages - 1, MPI_COMM_WORLD);
  MPI_Wait(&there, MPI_STATUS_IGNORE);
  for (int k = messages - 2; k >= 0; --k) receive(in[k], k);
  MPI_Waitall(messages - 1, requests, MPI_STATUSES_IGNORE);""",
}

SOURCE = """#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
enum { bytes = 1500000, messages = 8 };
static char out[messages][bytes], in[messages][bytes];
static int rank, other, last;
static void fill(char* data, int number) {
  for (int i = 0; i < bytes; ++i) data[i] = (char)(number * 7 + i %% 101);
}
__attribute__((unused)) static void receive(char* to, int tag) {
  MPI_Recv(to, bytes, MPI_CHAR, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
int main(int argc, char** argv) {
  MPI_Request requests[messages];
  int wrong = 0;
  (void)requests;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  for (int k = 0; k < messages; ++k) fill(out[k], rank + k);
%s
  for (int k = 0; k < messages; ++k)
    for (int i = 0; i < bytes; ++i) wrong += in[k][i] != (char)((other + k) * 7 + i %% 101);
  printf("%%d: %%d wrong at %%.9f\\n", rank, wrong, MPI_Wtime());
  MPI_Finalize();
  return wrong != 0;
}
"""


def run_both_ways(run_program, source, ranks, changes):
    """Ahead of the clock and in lockstep, which come to the same; the lines are those of the ranks, sorted."""
    launcher = [word for change in changes for word in ("--set", change)]
    done = run_program(source, ranks, machine="ap1000", launcher=launcher)
    assert done.returncode == 0, done.stderr
    assert run_program(source, ranks, machine="ap1000", launcher=[*launcher, "--lockstep"]).stdout == done.stdout
    return sorted(done.stdout.splitlines())


@pytest.mark.parametrize("changes", [[], ["cellos.line_sending=on"], ["mpi.context=packed"]], ids=" ".join)
@pytest.mark.parametrize("program", PROGRAMS)
def test_nothing_that_mpi_promises_waits_for_room(run_program, program, changes):
    lines = run_both_ways(run_program, SOURCE % PROGRAMS[program], 2, changes)
    assert [line.split(" at ")[0] for line in lines] == ["0: 0 wrong", "1: 0 wrong"]


# Of eight messages two fit in at a time: those before the last two are copied once more, as the ninth is waited for.
def test_room_is_made_by_copies_that_are_recorded_as_others(run_program, tmp_path):
    counts = tmp_path / "counts.json"
    source = SOURCE % PROGRAMS["waits_for_the_last_message_first"]
    done = run_program(source, 2, machine="ap1000", launcher=["--count", counts])
    assert done.returncode == 0, done.stderr
    (copies,) = (row for row in json.loads(counts.read_text()) if row["name"] == "copy out of the ring buffer")
    assert copies["rank"] == 1
    assert copies["amount"] == (8 + 6) * 1500000 + 4


ACCUMULATES = """#include <mpi.h>
#include <stdio.h>
enum { elements = 1 << 20 };
static int mine[elements], before[elements];
int main(int argc, char** argv) {
  int rank, wrong = 0, *window_memory;
  MPI_Win window;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate(sizeof mine, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window_memory, &window);
  for (int i = 0; i < elements; ++i) window_memory[i] = rank, mine[i] = i;
  MPI_Win_fence(0, window);
  %s
  MPI_Win_fence(0, window);
  for (int i = 0; i < elements; ++i) wrong += window_memory[i] != rank + i;
  printf("%%d: %%d wrong at %%.9f\\n", rank, wrong, MPI_Wtime());
  MPI_Win_free(&window);
  MPI_Finalize();
  return wrong != 0;
}
"""
ACCUMULATE = "MPI_Accumulate(mine, elements, MPI_INT, 1 - rank, 0, elements, MPI_INT, MPI_SUM, window);"
GET_ACCUMULATE = """MPI_Get_accumulate(mine, elements, MPI_INT, before, elements, MPI_INT, 1 - rank, 0, elements,
                     MPI_INT, MPI_SUM, window);
  MPI_Win_fence(0, window);
  for (int i = 0; i < elements; ++i) wrong += before[i] != 1 - rank;"""


@pytest.mark.parametrize("operation", [ACCUMULATE, GET_ACCUMULATE], ids=["accumulate", "get_accumulate"])
def test_two_ranks_accumulate_megabytes_into_each_other(run_program, operation):
    lines = run_both_ways(run_program, ACCUMULATES % operation, 2, [])
    assert [line.split(" at ")[0] for line in lines] == ["0: 0 wrong", "1: 0 wrong"]


# All threads of a rank have messages under way to all others at once, two for each of theirs.
THREADS = """#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
enum { bytes = 2000000, threads = 4, ranks = 4 };
static int rank, wrong[threads];
static void* exchange(void* number) {
  const int thread = (int)(long)number;
  MPI_Request requests[ranks];
  char* out = malloc(bytes);
  char* in = malloc(bytes);
  for (int i = 0; i < bytes; ++i) out[i] = (char)(rank * threads + thread + i);
  for (int to = 0; to < ranks; ++to) MPI_Isend(out, bytes, MPI_CHAR, to, thread, MPI_COMM_WORLD, &requests[to]);
  for (int from = ranks - 1; from >= 0; --from) {
    MPI_Recv(in, bytes, MPI_CHAR, from, thread, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < bytes; ++i) wrong[thread] += in[i] != (char)(from * threads + thread + i);
  }
  MPI_Waitall(ranks, requests, MPI_STATUSES_IGNORE);
  free(out);
  free(in);
  return NULL;
}
int main(int argc, char** argv) {
  int provided, sum = 0;
  pthread_t others[threads];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (long i = 0; i < threads; ++i) pthread_create(&others[i], NULL, exchange, (void*)i);
  for (int i = 0; i < threads; ++i) pthread_join(others[i], NULL), sum += wrong[i];
  printf("%d: %d wrong at %.9f\\n", rank, sum, MPI_Wtime());
  MPI_Finalize();
  return sum != 0;
}
"""


def test_threads_of_four_ranks_have_more_under_way_than_there_is_room_for(run_program):
    lines = run_both_ways(run_program, THREADS, 4, [])
    assert [line.split(" at ")[0] for line in lines] == [f"{rank}: 0 wrong" for rank in range(4)]


@pytest.mark.parametrize("further", [[], ["mpi.context=packed"]], ids=str)
def test_explain_says_that_a_sender_waits_for_room(gaps_without_room, further):
    gaps = gaps_without_room("ap1000", 9, 1000, "cellos.ring_buffer=4KiB", "cellos.send_buffer=4KiB", *further)
    assert sum(time for name, time in gaps if name == "the sender waits for room") == pytest.approx(1, abs=0.01)
