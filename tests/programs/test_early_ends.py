"""Runs that would never end: what each rank was doing is said, with the line of its program."""

import re
import signal
import subprocess
import time

import pytest

PROGRAM = """
#include <mpi.h>
#include <string.h>
static void spin(void) {
  volatile long turns = 0;
  for (;;) ++turns; /* line 6 */
}
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, in = 0, out = 0, found = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (strcmp(argv[1], "missing") == 0) {
    if (rank == 2)
      MPI_Recv(&in, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* line 15 */
    else
      MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* line 17 */
  }
  if (strcmp(argv[1], "poll") == 0)
    while (!found) MPI_Iprobe(1, 3, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE); /* line 20 */
  if (strcmp(argv[1], "late") == 0) {
    if (rank == 0)
      while (!found) MPI_Iprobe(1, 3, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    for (int turn = 0; rank == 1 && turn < 5000; ++turn) MPI_Wtime();
    if (rank == 1) MPI_Send(&in, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    if (rank == 0) MPI_Recv(&in, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (strcmp(argv[1], "spin") == 0 && rank == 1) spin();
  if (strcmp(argv[1], "outside") == 0 && rank == 2) MPI_Recv(&in, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD); /* line 30 */
  MPI_Finalize();
  return 0;
}
"""


@pytest.fixture
def program(compile_program):
    return compile_program(PROGRAM)


BARRIERS = ["ideal", "ap1000", "t3e-900", "t3d", "ap3000", "earth-simulator", "argonne-sp"]


@pytest.mark.parametrize("machine", BARRIERS)
def test_a_deadlock_says_who_is_missing_from_a_barrier(hindcast, program, machine):
    done = hindcast("run", "-m", machine, "-n", 4, program, "outside")
    assert done.returncode == 1
    assert "  in MPI_Barrier: 3 of 4 ranks; not in it: rank 2 (in MPI_Recv)" in done.stderr.splitlines()


@pytest.mark.parametrize("machine", ["ideal", "ap1000", "t3e-900"])
@pytest.mark.parametrize("mode", [[], ["--lockstep"]])
def test_a_deadlock_says_who_is_missing_from_a_collective_by_mpis_name(hindcast, program, machine, mode):
    done = hindcast("run", "-m", machine, "-n", 4, *mode, program, "missing")
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    source = program.name + ".c" if (program.parent / f"{program.name}.c").exists() else "program-"
    for rank in (0, 1, 3):
        (line,) = [line for line in lines if line.startswith(f"  rank {rank}: waits in MPI_Allreduce")]
        assert f", in main ({source.removesuffix('.c')}" in line
        assert line.endswith(":17)")
    (line,) = [line for line in lines if line.startswith("  rank 2: waits in MPI_Recv from rank 0, tag 7,")]
    assert line.endswith(":15)")
    assert "  in MPI_Allreduce: 3 of 4 ranks; not in it: rank 2 (in MPI_Recv)" in lines


def test_the_time_of_a_deadlock_is_not_before_the_waits_that_it_lists(hindcast, program):
    def in_ns(text):
        return float(text[0]) * {"ns": 1, "us": 1e3, "ms": 1e6}[text[1]]

    done = hindcast("run", "-n", 4, program, "missing")
    head, *lines = done.stderr.splitlines()
    at = in_ns(head.split("deadlock at ")[1].split(":")[0].split())
    waits = [in_ns(line.split(" since ")[1].split(",")[0].split()) for line in lines if " since " in line]
    assert len(waits) == 4
    assert at >= max(waits) > 0


def test_idle_polls_are_warned_of_and_can_end_the_run(hindcast, program):
    done = hindcast("run", "-n", 2, "--warn-idle-polls", 1000, "--max-idle-polls", 4000, program, "poll")
    assert done.returncode == 1
    warning, first, second, end, since, *ranks = done.stderr.splitlines()
    assert re.match(r"hindcast: warning: ranks have looked 100\d times for what has not come, and since 0 ns ", warning)
    assert first.startswith("  rank 0: polls in MPI_Iprobe from rank 1, tag 3, MPI_COMM_WORLD last at ")
    assert second.startswith("  rank 1: polls in MPI_Iprobe from rank 1, tag 3, MPI_COMM_WORLD last at ")
    assert end.startswith("hindcast: livelock at ")
    assert re.search(r"looked 400\d times", end)
    assert since.startswith("  nothing has happened since 0 ns ")
    assert [rank.rpartition(":")[2] for rank in ranks] == ["20)", "20)"]


def test_idle_polls_end_the_run_before_they_would_be_warned_of(hindcast, program):
    done = hindcast("run", "-n", 2, "--max-idle-polls", 500, program, "poll")
    assert done.returncode == 1
    assert "warning" not in done.stderr
    assert re.search(r"looked 50\d times", done.stderr)


SPINS = """
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
int main(int argc, char** argv) {
  static volatile int flag;
  const int one = 1;
  int rank;
  MPI_Win window;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_create((void*)&flag, sizeof flag, sizeof flag, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_lock_all(0, window);
  if (rank == 0 && argc == 1) MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
  if (rank == 0) MPI_Win_flush(1, window);
  while (rank == 1 && !flag) sched_yield();
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  if (rank == 1) printf("seen\\n");
  return MPI_Finalize();
}
"""


def test_a_loop_that_yields_sees_what_others_put_and_is_told_of_if_nobody_does(hindcast, compile_program):
    program = compile_program(SPINS)
    assert hindcast("run", "-n", 2, program).stdout == "seen\n"
    done = hindcast("run", "-n", 2, "--warn-idle-polls", 1000, "--max-idle-polls", 4000, program, "never")
    assert done.returncode != 0
    warning, poller = done.stderr.splitlines()[:2]
    assert re.match(r"hindcast: warning: ranks have looked 100\d times for what has not come", warning)
    assert poller.startswith("  rank 1: polls in sched_yield last at ")
    assert "livelock at " in done.stderr


def test_polls_for_what_comes_late_are_not_idle(hindcast, program):
    for mode in ([], ["--lockstep"]):
        done = hindcast("run", "-n", 2, *mode, "--warn-idle-polls", 100, "--max-idle-polls", 1000, program, "late")
        assert (done.returncode, done.stderr) == (0, "")


def test_a_loop_that_only_computes_ends_after_this_computers_time(hindcast, program):
    done = hindcast("run", "-n", 2, "--max-host-time", "1s", program, "spin")
    assert done.returncode == 1
    head, first, second, missing = done.stderr.splitlines()
    assert head.startswith(
        "hindcast: this computer's time is up (--max-host-time) at 1 us of the simulated, with 2 of 2 "
    )
    assert missing == "  in MPI_Barrier: 1 of 2 ranks; not in it: rank 1 (in no call)"
    assert first.startswith("  rank 0: waits in MPI_Barrier ")
    assert first.endswith(":30)")
    assert second.startswith("  rank 1: computes, at 0 ns, in spin (")
    assert second.endswith(":6)")


def test_what_lies_below_the_stack_is_no_frame_of_a_rank_that_computes(hindcast, compile_program):
    source = """
#include <string.h>
__attribute__((noinline)) static void leave_behind(void) {
  void* volatile below[1000];
  for (int i = 0; i < 1000; ++i) below[i] = (void*)8;
}
int main(void) {
  leave_behind();
  for (volatile long turns = 0;; ++turns) {} /* line 9 */
}
"""
    done = hindcast("run", "-n", 2, "--max-host-time", "1s", compile_program(source))
    assert done.returncode == 1
    head, *ranks = done.stderr.splitlines()
    assert head.startswith("hindcast: this computer's time is up")
    assert [rank.rpartition(":")[2] for rank in ranks] == ["9)", "9)"]


def test_a_run_within_this_computers_time_ends_by_itself(hindcast, program):
    assert hindcast("run", "-n", 2, "--max-host-time", "60s", program, "none").returncode == 0
    refused = hindcast("run", "-n", 2, "--max-host-time", "soon", program, "none")
    assert "--max-host-time soon: not a time" in refused.stderr


@pytest.mark.parametrize("what", ["spin", "poll"])
@pytest.mark.parametrize("times", [1, 2])  # timeout sends its signal to the process and to the process's group
@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_ctrl_c_and_its_kin_say_where_each_rank_was(build, program, tmp_path, what, by, times):
    timeline = tmp_path / "timeline.svg"
    options = ["-n", "2", "--warn-idle-polls", "0", "--timeline", timeline]
    with subprocess.Popen(
        [build / "bin" / "hindcast", "run", *options, program, what], stderr=subprocess.PIPE, text=True
    ) as started:
        time.sleep(1.5)
        for _ in range(times):
            started.send_signal(by)
        said = started.communicate(timeout=60)[1]
    assert started.returncode == 128 + by
    assert said.startswith("hindcast: interrupted at ")
    assert "\n  rank 0: " in said
    assert "\n  rank 1: " in said
    assert ":6)" in said if what == "spin" else ":20)" in said
    assert timeline.read_text().startswith("<svg")


def test_what_was_printed_before_an_endless_loop_is_shown(hindcast, compile_program):
    source = """
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) MPI_Wtime(); /* which takes time */
  printf("rank %d\\n", rank);
  fprintf(stderr, "error %d\\n", rank);
  fflush(stdout);
  if (rank == 0)
    for (volatile long turns = 0;; ++turns) {}
  MPI_Finalize();
}
"""
    done = hindcast("run", "-n", 2, "--label", "--max-host-time", "1s", compile_program(source))
    assert done.returncode == 1
    assert done.stdout == "[0] rank 0\n[1] rank 1\n"
    assert done.stderr.splitlines()[:2] == ["[0] error 0", "[1] error 1"]


def test_a_run_whose_ranks_compute_when_time_is_up_is_no_livelock(hindcast, compile_program):
    source = """
#include <hindcast.h>
#include <mpi.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  hindcast_compute_seconds(1);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
"""
    done = hindcast("run", "-n", 2, "--max-time", "10us", compile_program(source))
    assert done.returncode == 1
    assert "hindcast: the time limit of 10 us is reached with 2 of 2 ranks still running" in done.stderr
    assert "looking again" not in done.stderr


def test_a_rank_that_has_failed_before_a_deadlock_is_told_and_gives_the_status(hindcast, compile_program):
    program = compile_program("""
        #include <cellos.h>
        int main(void) {
          if (l_cellid() == 2) return 6;
          if (l_cellid() == 1) return 5;
          sync();
          return 0;
        }
    """)
    done = hindcast("run", "-m", "ap1000", "-n", 4, program)
    assert done.returncode == 5
    assert "deadlock at " in done.stderr
    assert done.stderr.endswith("hindcast: rank 1 exited with status 5\n")
