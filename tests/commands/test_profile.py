"""hindcast run --profile: which calls a run's time went to."""

import itertools
import re

import pytest

PROGRAM = """
#include <mpi.h>
#include <hindcast.h>
#include <stdio.h>
static char data[4096];
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int turn = 0; turn < 3; ++turn) {
    hindcast_compute_seconds(100e-6 * (size - rank));
    if (rank + 1 < size) MPI_Send(data, 4096, MPI_CHAR, rank + 1, 0, MPI_COMM_WORLD);
    if (rank > 0) MPI_Recv(data, 4096, MPI_CHAR, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  printf("%.9f\\n", MPI_Wtime());
  if (argc > 1 && rank == 0) MPI_Recv(data, 1, MPI_CHAR, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
"""
UNITS = {"ps": 1e-12, "ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "%": 1, "B": 1, "KiB": 1024, "MiB": 1024**2}


def value(text):
    """Of "12.1 ms", "96.1 %" and "0"."""
    number, _, unit = re.sub(r" \(\d+\)$", "", text).partition(" ")
    return float(number) * UNITS[unit] if unit else float(number)


def profile_of(stderr):
    """The first line, each row by its function's name, and how many calls took no time."""
    title, heads, *lines = stderr.splitlines()
    without_time = re.fullmatch(r"  calls that took no time: (.*)", lines[-1])
    if without_time:
        lines.pop()
    columns = [(head.group(), head.end()) for head in re.finditer(r"\S+(?: \S+)*", heads)]
    rows = {}
    for line in lines:
        begins = [len(re.match(r"  \S+(?: \S+)*", line).group()), *(end for _, end in columns)]
        cells = [line[begin:end].strip() for begin, end in itertools.pairwise(begins)]
        rows[line[: begins[0]].strip()] = dict(zip((name for name, _ in columns), cells, strict=True))
    counts = re.findall(r"(\w+) \((\d+)\)", without_time[1]) if without_time else []
    return title, rows, dict(counts)


@pytest.mark.parametrize("machine", ["ideal", "t3e-900", "ap1000"])
def test_a_profile_says_how_often_and_how_long_each_function_was_called(run_program, machine):
    plain = run_program(PROGRAM, 4, machine=machine)
    done = run_program(PROGRAM, 4, machine=machine, launcher=["--profile"])
    assert (done.returncode, done.stdout) == (0, plain.stdout)
    title, rows, without_time = profile_of(done.stderr)
    assert re.fullmatch(rf"hindcast: profile of 4 ranks on {machine}, [\d.]+ [mu]s each on the average", title)
    assert {name: row["calls"] for name, row in rows.items()} | without_time == {
        **dict.fromkeys(("MPI_Init", "MPI_Comm_rank", "MPI_Comm_size", "MPI_Wtime", "MPI_Finalize"), "4"),
        **{"MPI_Send": "9", "MPI_Recv": "9", "outside of calls": ""},
    }
    assert (rows["MPI_Send"]["messages"], rows["MPI_Send"]["bytes"]) == ("9", "36 KiB")
    assert rows["MPI_Recv"]["messages"] == "0"
    assert sum(value(row["share"]) for row in rows.values()) == pytest.approx(100, abs=0.5)
    outside = rows["outside of calls"]
    assert [outside[head] for head in ("time a rank", "least in rank", "most in rank")] == [
        "750 us", "300 us (3)", "1.2 ms (0)",
    ]  # fmt: skip
    assert rows["MPI_Recv"]["least in rank"] == "0 (0)"
    times = [value(row["time a rank"]) for name, row in rows.items() if name != "outside of calls"]
    assert times == sorted(times, reverse=True)
    receive = rows["MPI_Recv"]
    assert value(receive["mean"]) == pytest.approx(4 / 9 * value(receive["time a rank"]), rel=0.01)
    assert value(receive["longest"]) >= value(receive["mean"])
    assert 0 < value(receive["waiting"]) <= 100


def test_a_profile_is_the_same_in_lockstep_and_beside_other_files(run_program, tmp_path):
    profile = run_program(PROGRAM, 4, launcher=["--profile"]).stderr
    assert run_program(PROGRAM, 4, launcher=["--profile", "--lockstep"]).stderr == profile
    files = ["--trace", tmp_path / "trace", "--count", tmp_path / "count", "--timeline", tmp_path / "timeline"]
    assert run_program(PROGRAM, 4, launcher=["--profile", *files]).stderr == profile


def test_a_profile_of_a_run_that_ends_early_has_the_calls_that_did_not_return(run_program):
    done = run_program(PROGRAM, 2, "deadlock", launcher=["--profile"])
    assert done.returncode == 1
    report, profile = done.stderr.split("hindcast: profile", 1)
    assert "deadlock" in report
    _, rows, _ = profile_of("hindcast: profile" + profile)
    assert (rows["MPI_Recv"]["calls"], rows["MPI_Finalize"]["calls"]) == ("4", "1")
    assert value(rows["MPI_Recv"]["most in rank"]) > 0


def test_a_call_that_another_makes_is_taken_off_that_ones_time(run_program):
    source = """
#include <mpi.h>
#include <hindcast.h>
static int copy(MPI_Comm comm, int key, void* state, void* in, void* out, int* flag) {
  hindcast_compute_seconds(3e-3);
  MPI_Barrier(comm);
  hindcast_compute_seconds(2e-3);
  *flag = 0;
  return MPI_SUCCESS;
}
int main(int argc, char** argv) {
  int rank, key;
  MPI_Comm other;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &key, 0);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, 0);
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  MPI_Finalize();
  return 0;
}
"""
    _, rows, _ = profile_of(run_program(source, 2, launcher=["--profile"]).stderr)
    assert value(rows["MPI_Comm_dup"]["time a rank"]) == pytest.approx(5e-3, rel=0.01)
    assert 0 < value(rows["MPI_Barrier"]["time a rank"]) < 1e-4
    assert sum(value(row["share"]) for row in rows.values()) == pytest.approx(100, abs=0.5)


def test_a_call_that_an_error_handler_leaves_does_not_take_the_rest_of_the_run(run_program):
    source = """
#include <mpi.h>
#include <hindcast.h>
#include <setjmp.h>
static jmp_buf place;
static void leave(MPI_Comm* comm, int* code, ...) { longjmp(place, 1); }
int main(int argc, char** argv) {
  MPI_Errhandler handler;
  MPI_Init(&argc, &argv);
  MPI_Comm_create_errhandler(leave, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  if (setjmp(place) == 0) MPI_Send(0, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
  hindcast_compute_seconds(1e-3);
  MPI_Finalize();
  return 0;
}
"""
    _, rows, without_time = profile_of(run_program(source, 1, launcher=["--profile"]).stderr)
    assert without_time["MPI_Send"] == "1"
    assert rows["outside of calls"]["time a rank"] == "1 ms"


def test_calls_of_a_machines_own_library_are_profiled(run_program):
    source = """
#include <mpp/shmem.h>
static long word;
int main(void) {
  start_pes(0);
  if (_my_pe() == 0) shmem_long_p(&word, 7, 1);
  shmem_barrier_all();
  return 0;
}
"""
    _, rows, _ = profile_of(run_program(source, 2, machine="t3e-900", launcher=["--profile"]).stderr)
    assert (rows["shmem_long_p"]["calls"], rows["shmem_long_p"]["messages"]) == ("1", "1")
    assert rows["shmem_barrier_all"]["calls"] == "2"


def test_a_program_without_calls_has_a_profile_of_what_it_computes(run_program):
    source = "#include <hindcast.h>\nint main(void) { hindcast_compute_seconds(2e-3); return 0; }\n"
    title, rows, _ = profile_of(run_program(source, 1, launcher=["--profile"]).stderr)
    assert title == "hindcast: profile of 1 rank on ideal, 2 ms each on the average"
    assert list(rows) == ["outside of calls"]


def test_a_rank_that_is_started_in_mid_run_has_only_the_time_from_then_on(run_program):
    source = """
#include <mpi.h>
#include <hindcast.h>
int main(int argc, char** argv) {
  MPI_Comm parent, child;
  MPI_Init(&argc, &argv);
  MPI_Comm_get_parent(&parent);
  if (parent == MPI_COMM_NULL) {
    hindcast_compute_seconds(1);
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &child, MPI_ERRCODES_IGNORE);
  } else {
    hindcast_compute_seconds(1e-3);
  }
  MPI_Finalize();
  return 0;
}
"""
    _, rows, _ = profile_of(run_program(source, 1, launcher=["--profile"]).stderr)
    assert (rows["outside of calls"]["least in rank"], rows["outside of calls"]["most in rank"]) == (
        "1 ms (1)",
        "1 s (0)",
    )
    assert rows["MPI_Comm_spawn"]["calls"] == "1"


def test_the_times_of_a_ranks_threads_are_added(run_program):
    source = """
#include <mpi.h>
#include <hindcast.h>
#include <pthread.h>
static void* work(void* nothing) {
  hindcast_compute_seconds(1e-3);
  MPI_Barrier(MPI_COMM_SELF);
  return nothing;
}
int main(int argc, char** argv) {
  int level;
  pthread_t thread;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  MPI_Finalize();
  return 0;
}
"""
    title, rows, without_time = profile_of(run_program(source, 2, launcher=["--profile"]).stderr)
    assert re.search(r" on ideal, 2(\.\d+)? ms each on the average, the times of its threads added$", title)
    calls = {name: row["calls"] for name, row in rows.items()} | without_time
    assert calls["MPI_Barrier"] == "2"
    # One thread computes, and the other waits for it.
    assert value(rows["outside of calls"]["time a rank"]) == pytest.approx(2e-3, rel=0.01)
    assert value(rows["outside of calls"]["waiting"]) == pytest.approx(50, abs=1)
