"""hindcast run --trace: calls, steps and messages, as viewers of traces read them."""

import json
from collections import defaultdict
from itertools import pairwise

import pytest

PROGRAM = """
#include <mpi.h>
#include <hindcast.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, word = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const double start = MPI_Wtime();
  if (rank == 0) hindcast_compute_seconds(8e-6);
  if (rank == 0) MPI_Send(&word, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(&word, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Allreduce(MPI_IN_PLACE, &word, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (argc > 1 && MPI_Wtime() > start) abort();
  MPI_Finalize();
  return 0;
}
"""


@pytest.fixture
def traced(run_program, tmp_path):
    """traced(PROGRAM, 4, machine="ap1000"): the events of the run's trace."""

    def events_of(program, ranks, *arguments, status=0, launcher=(), **options):
        done = run_program(
            program, ranks, *arguments, launcher=[*launcher, "--trace", tmp_path / "out.json"], **options
        )
        assert done.returncode == status
        return json.loads((tmp_path / "out.json").read_text())["traceEvents"]

    return events_of


def of_kind(events, kind, **wanted):
    return [event for event in events if event["ph"] == kind and all(event.get(key) == wanted[key] for key in wanted)]


def picoseconds(text):
    return round(float(text) * 1e6)


def test_calls_steps_and_waits_have_their_times(traced):
    events = traced(PROGRAM, 2)
    (send,) = of_kind(events, "X", name="MPI_Send")
    (receive,) = of_kind(events, "X", name="MPI_Recv")
    assert (send["pid"], receive["pid"]) == (1, 2)
    assert (send["ts"], receive["ts"]) == (8.1, 0.1)  # MPI_Wtime takes 100 ns
    (computes,) = of_kind(events, "X", cat="computation")
    assert (computes["pid"], computes["ts"], computes["dur"]) == (1, 0.1, 8)
    waits = of_kind(events, "X", cat="wait", pid=2)
    assert any(wait["ts"] == 0.1 and wait["dur"] > 8 for wait in waits)
    assert [(call["pid"], call["ts"], call["dur"]) for call in of_kind(events, "X", name="MPI_Wtime")] == [
        (1, 0, 0.1),
        (2, 0, 0.1),
    ]


def test_a_message_leads_from_the_call_that_sends_it_to_the_one_that_receives_it(traced):
    events = traced(PROGRAM, 2)
    (sent,) = [event for event in of_kind(events, "s") if event["args"].get("tag") == 7]
    (received,) = [event for event in of_kind(events, "f") if event["id"] == sent["id"]]
    message = {"message": "0:1", "bytes": 4, "tag": 7}
    assert sent["args"] == message | {"peer": 1}
    assert received["args"] == message | {"peer": 0}
    assert int(sent["id"], 16) > 0  # as viewers read it
    for end, name in ((sent, "MPI_Send"), (received, "MPI_Recv")):
        (call,) = of_kind(events, "X", name=name)
        assert (end["pid"], end["tid"]) == (call["pid"], call["tid"])
        assert call["ts"] < end["ts"] < call["ts"] + call["dur"]
    steps = [event for event in events if event.get("args", {}).get("message") == "0:1"]
    assert {event["ph"] for event in steps} >= {"X", "b"}  # of ranks, and of the network


@pytest.mark.parametrize("machine", ["ideal", "ap1000", "t3e-900", "i-way", "cluster"])
def test_a_row_has_nothing_that_overlaps_and_every_step_in_hardware_ends(traced, machine):
    events = traced(PROGRAM, 4, machine=machine)
    rows = defaultdict(list)
    for event in of_kind(events, "X"):
        begin = picoseconds(event["ts"])
        rows[event["pid"], event["tid"]].append((begin, begin + picoseconds(event["dur"])))
    assert {process for process, _ in rows} == {1, 2, 3, 4}
    for spans in rows.values():
        spans.sort()
        assert all(end <= begin for (_, end), (begin, _) in pairwise(spans))
    begun, ended = ({event["id"]: event for event in of_kind(events, kind)} for kind in "be")
    assert begun.keys() == ended.keys()
    assert begun
    assert all(picoseconds(ended[one]["ts"]) > picoseconds(begun[one]["ts"]) for one in begun)


def test_rows_have_names(traced):
    events = traced(PROGRAM, 3)
    names = {(event["pid"], event["args"]["name"]) for event in of_kind(events, "M", name="process_name")}
    assert {(1, "rank 0 on node 0"), (2, "rank 1 on node 1"), (3, "rank 2 on node 2")} <= names
    assert all(name.startswith("node ") for process, name in names if process > 3)
    assert len(names) == len({process for process, _ in names})
    tracks = {(event["tid"], event["args"]["name"]) for event in of_kind(events, "M", name="thread_name", pid=1)}
    assert tracks == {(0, "calls"), (1, "steps")}


def test_calls_that_return_an_error_are_there(traced):
    source = PROGRAM.replace("MPI_Send(&word, 1, MPI_INT, 1, 7,", "MPI_Send(&word, 1, MPI_INT, 99, 7,")
    source = source.replace("MPI_Recv(&word, 1, MPI_INT, 0, 7,", "MPI_Recv(&word, 1, MPI_INT, 99, 7,")
    source = source.replace("  int rank,", "  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);\n  int rank,")
    events = traced(source, 2)
    assert [len(of_kind(events, "X", name=name)) for name in ("MPI_Send", "MPI_Recv", "MPI_Finalize")] == [1, 1, 2]
    assert not of_kind(events, "i", tid=0)


def test_what_happened_before_a_crash_is_there(traced):
    events = traced(PROGRAM, 2, "crash", status=134)
    assert of_kind(events, "X", name="MPI_Allreduce")
    assert not of_kind(events, "X", name="MPI_Finalize")


def test_the_calls_of_a_deadlock_go_on_to_the_end(traced):
    source = PROGRAM.replace("MPI_Send(&word, 1, MPI_INT, 1, 7, MPI_COMM_WORLD)", "MPI_Barrier(MPI_COMM_WORLD)")
    events = traced(source, 2, status=1)
    (barrier,) = of_kind(events, "X", name="MPI_Barrier")
    (receive,) = of_kind(events, "X", name="MPI_Recv")
    assert receive["ts"] < barrier["ts"]
    ends = {picoseconds(call["ts"]) + picoseconds(call["dur"]) for call in (barrier, receive)}
    assert len(ends) == 1
    assert max(ends) > picoseconds(barrier["ts"])


def test_a_trace_is_the_same_in_lockstep_and_beside_other_files(run_program, tmp_path):
    files = [tmp_path / name for name in ("ahead", "lockstep", "beside")]
    run_program(PROGRAM, 4, launcher=["--trace", files[0]])
    run_program(PROGRAM, 4, launcher=["--lockstep", "--trace", files[1]])
    run_program(PROGRAM, 4, launcher=["--count", tmp_path / "a", "--timeline", tmp_path / "b", "--trace", files[2]])
    one, *others = (file.read_bytes() for file in files)
    assert others == [one, one]


PUTS = """
#include <mpi.h>
static char window_memory[2000], data[2000];
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Win window;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_create(window_memory, 2000, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  MPI_Put(data, 1000, MPI_BYTE, (rank + 1) % size, 0, 1000, MPI_BYTE, window);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
"""

# Ranks that have come to their last calls ahead of the clock, when nothing more can happen.
STUCK = """
#include <mpi.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, word = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int tag = 0; tag < 2; ++tag) {
    if (rank == 0) MPI_Send(&word, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(&word, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Recv(&word, 1, MPI_INT, 1 - rank, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
"""

THREADS = """
#include <mpi.h>
#include <pthread.h>
static int rank;
static void* passes(void* thread) {
  char data[100];
  const int tag = *(int*)thread;
  for (int i = 0; i < 4; ++i) {
    if (rank == 0) MPI_Send(data, 100, MPI_BYTE, 1, tag, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(data, 100, MPI_BYTE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return NULL;
}
int main(int argc, char** argv) {
  int granted, tags[4] = {0, 1, 2, 3};
  pthread_t threads[4];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &granted);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, passes, &tags[i]);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  MPI_Finalize();
  return 0;
}
"""


@pytest.mark.parametrize("machine", ["ideal", "cluster", "t3e-900", "ap3000"])
@pytest.mark.parametrize("source", [PUTS, STUCK], ids=["puts", "stuck"])
def test_steps_of_answers_and_of_a_deadlock_are_the_same_in_lockstep(traced, source, machine):
    status = 1 if source is STUCK else 0
    ahead = traced(source, 4 if source is PUTS else 2, status=status, machine=machine)
    assert ahead == traced(source, 4 if source is PUTS else 2, status=status, machine=machine, launcher=["--lockstep"])


def test_in_a_deadlock_what_was_received_is_and_what_is_waited_for_is_shown(traced):
    events = traced(STUCK, 2, status=1)
    assert [len(of_kind(events, "X", name="MPI_Recv", pid=process)) for process in (1, 2)] == [1, 3]
    arrows = [(event["args"]["message"], event["ph"]) for event in events if event["ph"] in "sf"]
    assert sorted(arrows) == [("0:1", "f"), ("0:1", "s"), ("0:2", "f"), ("0:2", "s")]


@pytest.mark.parametrize("machine", ["ideal", "ap3000", "t3e-900"])
def test_each_message_of_several_threads_has_a_number_of_its_own(traced, machine):
    events = traced(THREADS, 2, machine=machine)
    sent, received = ([event for event in of_kind(events, kind) if event["args"]["bytes"] == 100] for kind in "sf")
    assert len({event["id"] for event in sent}) == len(sent) == 16
    tags = {event["id"]: event["args"]["tag"] for event in sent}
    assert tags == {event["id"]: event["args"]["tag"] for event in received}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--trace", "none/out.json"], "--trace none/out.json: cannot be written"),
        (["--count", "out.json", "--trace", "out.json"], "--trace out.json: --count is to be written to that file too"),
        (["--timeline", "out", "--trace", "./out"], "--trace ./out: --timeline is to be written to that file too"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_the_run(run_program, tmp_path, words, says):
    done = run_program(PROGRAM, 2, launcher=words, cwd=tmp_path)
    assert done.returncode == 1
    assert says.split(":", 1)[1] in done.stderr
    assert not list(tmp_path.glob("out*"))


def test_a_file_that_fills_its_disk_is_told_at_the_end(run_program):
    done = run_program(PROGRAM, 2, launcher=["--trace", "/dev/full"])
    assert done.returncode == 1
    assert "hindcast: --trace /dev/full: cannot be written: No space left on device\n" in done.stderr
