"""Computation that one run has measured and written down, and that others take from its file."""

import csv
import re
import signal

import pytest

MEASURED = """
#include <mpi.h>
#include <stdio.h>
static double compute(long turns) {
  volatile double sum = 0;
  for (long i = 0; i < turns; ++i) sum += (double)i;
  return sum;
}
int main(int argc, char** argv) {
  int rank, ranks, value = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const double start = MPI_Wtime();
  for (int round = 0; round < 5; ++round) {
    compute(20000 * (rank + 1));
    MPI_Request requests[2];
    MPI_Irecv(&value, 1, MPI_INT, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&round, 1, MPI_INT, (rank + 1) % ranks, 0, MPI_COMM_WORLD, &requests[1]);
    for (int done = 0; !done;) {
      compute(500);
      MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE);
    }
  }
  if (argc > 1) MPI_Barrier(MPI_COMM_WORLD);
  printf("%d %.12f\\n", rank, MPI_Wtime() - start);
  MPI_Finalize();
  return 0;
}
"""

# Its file of computation is written by hand. With arguments it looks for messages, as often as there are some.
ONE_RANK = """
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  int flag;
  MPI_Init(&argc, &argv);
  const double start = MPI_Wtime();
  for (int i = 1; i < argc; ++i) MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_SELF);
  printf("%.9f\\n", MPI_Wtime() - start);
  MPI_Finalize();
  return 0;
}
"""
LOOK = 200e-9  # takes the ideal machine, at messages
CLOCK = 100e-9  # and at its clock
BEGIN = ("MPI_Init,7", "MPI_Wtime,11")
END = ("MPI_Wtime,3000", "MPI_Finalize,0", "exit,0", "exit,0")
CALLS = (*BEGIN, "MPI_Barrier,1000000", *END)


def recording(*stretches, head="# factor: 2\n", columns="rank,thread,call,ns"):
    return f"{head}{columns}\n" + "".join(f"0,0,{stretch}\n" for stretch in stretches)


@pytest.fixture
def measured(hindcast, compile_program, tmp_path):
    """A program, the file of what it has computed on four ranks, and what it has printed there."""
    program, file = compile_program(MEASURED), tmp_path / "computation.csv"
    done = hindcast("run", "-n", 4, "--compute", "measured:40", "--record-computation", file, program)
    assert done.returncode == 0, done.stderr
    return program, file, done.stdout


@pytest.fixture
def one_rank(hindcast, compile_program, tmp_path):
    """one_rank(text): the completed run of one rank that computes what is in the text of a recording."""
    program = compile_program(ONE_RANK)

    def start(text, *arguments, factor="", options=()):
        (tmp_path / "file.csv").write_text(text)
        compute = f"recorded:{factor}{tmp_path / 'file.csv'}"
        return hindcast("run", "-n", 1, "--compute", compute, *options, program, *arguments)

    return start


def test_a_run_takes_the_time_of_the_one_that_was_recorded(hindcast, measured):
    program, file, printed = measured
    for compute in (f"recorded:{file}", f"recorded:40:{file}"):
        for more in ((), ("--lockstep",)):
            done = hindcast("run", "-n", 4, *more, "--compute", compute, program)
            assert (done.returncode, done.stderr) == (0, "")
            assert done.stdout == printed


def test_the_file_has_a_row_for_each_stretch(measured):
    _, file, _ = measured
    head, *rows = file.read_text().splitlines()
    assert head == "# factor: 40"
    table = list(csv.DictReader(rows))
    assert list(table[0]) == ["rank", "thread", "call", "ns"]
    for rank in range(4):
        calls = [row["call"] for row in table if row["rank"] == str(rank) and row["thread"] == "0"]
        assert calls[0] == "MPI_Init"
        assert calls.count("MPI_Irecv") == calls.count("MPI_Isend") == 5
        assert calls.count("MPI_Testall") >= 5
    computed = {
        rank: sum(int(row["ns"]) for row in table if (row["rank"], row["call"]) == (rank, "MPI_Irecv")) for rank in "03"
    }
    assert computed["3"] > 2 * computed["0"]


def test_another_machine_is_looked_at_more_often_and_computes_the_same(hindcast, measured):
    program, file, _ = measured
    for more in (("-m", "t3e-900"), ("-m", "ap1000"), ("--set", "network.hop_latency=30 ms")):
        first, again = (hindcast("run", "-n", 4, *more, "--compute", f"recorded:{file}", program) for _ in range(2))
        assert (first.returncode, first.stderr) == (0, "")
        assert first.stdout == again.stdout
    slow = [float(line.split()[1]) for line in first.stdout.splitlines()]
    assert min(slow) > 5 * 30e-3


def test_what_is_recorded_takes_its_time_times_the_factor(one_rank):
    done = one_rank(recording(*CALLS))
    assert (done.returncode, done.stderr) == (0, "")
    stretches = 1e-3 + 3e-6
    base = float(one_rank(recording(*BEGIN, "MPI_Barrier,0", "MPI_Wtime,0", *END[1:])).stdout)
    assert base < 1e-6
    assert float(done.stdout) == pytest.approx(2 * stretches + base, abs=2e-9)
    assert float(one_rank(recording(*CALLS), factor="10:").stdout) == pytest.approx(10 * stretches + base, abs=2e-9)
    assert float(one_rank(recording(*CALLS, head="")).stdout) == pytest.approx(stretches + base, abs=2e-9)
    assert one_rank(recording(*CALLS), options=("--lockstep",)).stdout == done.stdout


def test_a_file_may_be_written_by_hand(one_rank):
    done = one_rank(recording(*CALLS))
    for head in ("#factor:2\n", "#  Factor :  2  \n# a remark\n\n"):
        assert one_rank(recording(*CALLS, head=head)).stdout == done.stdout
    assert one_rank(recording(*CALLS).replace("\n", "\r\n")).stdout == done.stdout


def test_looks_may_be_more_or_fewer_than_recorded(one_rank):
    looks = ("MPI_Iprobe,1000", "MPI_Iprobe,2000")
    way = recording(*BEGIN, *looks, "MPI_Barrier,500", *END, head="")
    without, once, twice, often = (float(one_rank(way, *count).stdout) for count in ("", "1", "12", "1234"))
    # What was computed before looks that are not made is computed all the same, before the call that comes then.
    assert once - without == pytest.approx(LOOK, abs=2e-9)
    assert twice - once == pytest.approx(LOOK, abs=2e-9)
    assert often - twice == pytest.approx(2 * LOOK, abs=2e-9)
    assert without == pytest.approx(6.5e-6 + CLOCK, abs=2e-9)


def test_threads_have_ways_of_their_own(hindcast, compile_program, tmp_path):
    program = compile_program("""
        #include <mpi.h>
        #include <pthread.h>
        #include <stdio.h>
        static void* work(void* turns) {
          volatile double sum = 0;
          for (long i = 0; i < *(long*)turns; ++i) sum += (double)i;
          int value = 0;
          MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_SELF);
          return NULL;
        }
        int main(int argc, char** argv) {
          int level;
          MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
          const double start = MPI_Wtime();
          long mine = 50000, others = 200000;
          pthread_t other;
          pthread_create(&other, NULL, work, &others);
          pthread_join(other, NULL);
          work(&mine);
          printf("%.12f\\n", MPI_Wtime() - start);
          MPI_Finalize();
          return 0;
        }
    """)
    file = tmp_path / "computation.csv"
    done = hindcast("run", "-n", 2, "--compute", "measured:40", "--record-computation", file, program)
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader(file.read_text().splitlines()[1:]))
    assert {(row["rank"], row["thread"]) for row in rows} == {(rank, thread) for rank in "01" for thread in "01"}
    again = hindcast("run", "-n", 2, "--compute", f"recorded:{file}", program)
    assert (again.returncode, again.stdout, again.stderr) == (0, done.stdout, "")


def test_a_program_that_goes_another_way_is_refused(one_rank, hindcast, measured):
    other = one_rank(recording(*BEGIN, "MPI_Bcast,5", *END))
    assert other.returncode == 1
    assert "rank 0: its call 3 is MPI_Barrier, where " in other.stderr
    assert "file.csv has MPI_Bcast: the program has gone another way than in the run that was recorded" in other.stderr
    longer = one_rank(recording(*CALLS[:-3]))
    assert longer.returncode == 1
    assert re.search(r"rank 0: its call 5 is MPI_Finalize, where \S+ has no more: ", longer.stderr)
    shorter = one_rank(recording(*CALLS, "MPI_Send,1", "MPI_Wtime,0"))
    assert shorter.returncode == 1
    assert re.search(r"rank 0 has ended after 7 calls, where \S+ goes on with MPI_Send: ", shorter.stderr)
    assert one_rank(recording(*CALLS, "MPI_Wtime,0")).returncode == 0
    fewer = one_rank(recording(*CALLS) + "1,0,MPI_Init,5\n")
    assert fewer.returncode == 1
    assert fewer.stderr.endswith("file.csv has computation of rank 1, which has made no call in this run\n")

    program, file, _ = measured
    more_ranks = hindcast("run", "-n", 5, "--compute", f"recorded:{file}", program)
    assert more_ranks.returncode == 1
    assert f"{file} has nothing of rank 4: the run that was recorded had none such" in more_ranks.stderr


@pytest.mark.parametrize("mode", [(), ("--lockstep",)], ids=["ahead", "lockstep"])
@pytest.mark.parametrize("region", ["for", "tasks", "barrier"])
def test_threads_of_openmp_are_measured_and_recorded(hindcast, compile_program, tmp_path, region, mode):
    """The thread that comes last to a barrier is the one that has computed."""
    program = compile_program(
        """
        #include <mpi.h>
        #include <omp.h>
        #include <stdio.h>
        #include <string.h>
        static void compute(long turns) {
          volatile double sum = 0;
          for (long i = 0; i < turns; ++i) sum += (double)i;
        }
        int main(int argc, char** argv) {
          MPI_Init(&argc, &argv);
          const double start = MPI_Wtime();
          for (int round = 0; round < 10; ++round) {
            if (strcmp(argv[1], "for") == 0) {
        #pragma omp parallel for num_threads(3)
              for (int i = 0; i < 3; ++i) compute(i == round % 3 ? 100000 : 0);
            } else if (strcmp(argv[1], "tasks") == 0) {
        #pragma omp parallel num_threads(3)
        #pragma omp single
              for (int i = 0; i < 4; ++i) {
        #pragma omp task
                compute(25000);
              }
            } else {
        #pragma omp parallel num_threads(3)
              {
                compute(omp_get_thread_num() == round % 3 ? 100000 : 0);
        #pragma omp barrier
                compute(100);
              }
            }
          }
          printf("%.12f\\n", MPI_Wtime() - start);
          MPI_Finalize();
          return 0;
        }
        """,
        "-fopenmp",
    )
    file = tmp_path / "computation.csv"
    done = hindcast("run", "-n", 2, *mode, "--compute", "measured:40", "--record-computation", file, program, region)
    assert done.returncode == 0, done.stderr
    # A million sums take a nanosecond each at least, in tasks divided by three threads.
    assert min(map(float, done.stdout.split())) > 40 * 1e6 * 1e-9 * 0.25
    again = hindcast("run", "-n", 2, *mode, "--compute", f"recorded:{file}", program, region)
    assert (again.returncode, again.stdout, again.stderr) == (0, done.stdout, "")


def test_a_run_that_fails_is_not_told_that_it_ended_early(hindcast, compile_program, tmp_path):
    program = compile_program("""
        #include <mpi.h>
        int main(int argc, char** argv) {
          MPI_Init(&argc, &argv);
          if (argc > 1) *(volatile int*)0 = 1;
          MPI_Finalize();
          return 0;
        }
    """)
    file = tmp_path / "computation.csv"
    hindcast("run", "-n", 1, "--compute", "measured:1", "--record-computation", file, program)
    done = hindcast("run", "-n", 1, "--compute", f"recorded:{file}", program, "fail")
    assert done.returncode == 128 + signal.SIGSEGV
    assert "another way" not in done.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "there are no columns rank,thread,call,ns (or instructions), as --record-computation writes"),
        ("# a remark\n", "there are no columns"),
        ("a,b\n", "line 1: not the columns rank,thread,call,ns (or instructions) that --record-computation writes"),
        ("# factor: quick\n", "line 1: '# factor: quick': not '# factor: ' with a number greater than 0"),
        ("# factor: -1\n", "line 1: '# factor: -1': not '# factor: ' with a number greater than 0"),
        ("#Factor 40\n", "line 1: '#Factor 40': not '# factor: ' with a number"),
        ("# factor: 1\n# factor: 2\n", "line 2: a factor comes once, and before the columns"),
        (recording("MPI_Init,4") + "# factor: 2\n", "line 4: a factor comes once"),
        (recording("MPI_Init,-3"), "line 3: '0,0,MPI_Init,-3': not a rank, a thread, the name of a call and a whole"),
        (recording("MPI_Init,1.5"), "line 3: '0,0,MPI_Init,1.5': not a rank, a thread"),
        (recording("MPI_Init"), "line 3: '0,0,MPI_Init': not a rank, a thread"),
        (recording(",4"), "line 3: '0,0,,4': not a rank, a thread"),
        (recording("MPI_Init,4,5"), "line 3: '0,0,MPI_Init,4,5': not a rank, a thread"),
    ],
)
def test_a_broken_file_is_refused_before_the_run(one_rank, text, said):
    done = one_rank(text)
    assert (done.returncode, done.stdout) == (1, "")
    assert re.search(f"file.csv[,:] {re.escape(said)}", done.stderr)


def test_wrong_options_are_refused(hindcast, compile_program, tmp_path, measured):
    program, file, _ = measured

    def refusal(*options):
        done = hindcast("run", "-n", 4, *options, program)
        assert (done.returncode, done.stdout) == (1, "")
        return done.stderr

    missing = refusal("--compute", "recorded:none.csv")
    assert "--compute recorded:none.csv: cannot be read: No such file or directory" in missing
    assert "cannot be read: a directory" in refusal("--compute", f"recorded:{tmp_path}")
    for compute in ("recorded:", "recorded:3:", f"recorded:0:{file}", f"recorded:-1:{file}"):
        assert f"--compute {compute}: one of free, charged" in refusal("--compute", compute)
    new = tmp_path / "new.csv"
    for compute in ((), ("--compute", "free"), ("--compute", f"recorded:{file}")):
        said = refusal(*compute, "--record-computation", new)
        assert f"--record-computation {new}: nothing is measured that could be written down" in said
    for option in ("--trace", "--timeline", "--count"):
        said = refusal("--compute", f"recorded:{file}", option, file)
        assert f"{option} {file}: --compute reads that file; give another" in said
    both = ("--compute", "measured:1", "--record-computation", new, "--trace", new)
    assert "--trace is to be written to that file too" in refusal(*both)
    assert f"--record-computation {tmp_path}: cannot be written: it is a directory" in refusal(
        "--compute", "measured:1", "--record-computation", tmp_path
    )
    instructions = tmp_path / "instructions.csv"
    instructions.write_text(recording(*CALLS, head="", columns="rank,thread,call,instructions"))
    assert "has instructions, which take the time of the machine's processor.flop_rate, so give no factor" in refusal(
        "--compute", f"recorded:3:{instructions}"
    )


def test_instructions_take_the_time_of_the_machines_rate(one_rank):
    columns = "rank,thread,call,instructions"
    text = recording(*BEGIN, "MPI_Barrier,1000000", "MPI_Wtime,0", *END[1:], head="", columns=columns)
    slow = one_rank(text, options=("--set", "processor.flop_rate=10Mflop/s"))
    fast = one_rank(text, options=("--set", "processor.flop_rate=1Gflop/s"))
    assert (slow.returncode, slow.stderr) == (0, "")
    assert float(slow.stdout) - float(fast.stdout) == pytest.approx(0.1 - 0.001, abs=2e-9)


NATIVE = {
    "ap1000": ("cellos.h", "", "sync"),
    "ap3000": ("aplib.h", "", "sync"),
    "t3e-900": ("mpp/shmem.h", "start_pes(0)", "shmem_barrier_all"),
    "argonne-sp": ("mpl.h", "", "mpc_sync"),
    "i-way": ("nexus.h", "", "nexus_contexts"),
}


@pytest.mark.parametrize("machine", NATIVE)
def test_what_is_computed_before_calls_of_a_machines_own_library_is_measured(
    hindcast, compile_program, tmp_path, machine
):
    header, begin, call = NATIVE[machine]
    argument = "0" if call == "mpc_sync" else ""
    program = compile_program(f"""
        #include <{header}>
        int main(void) {{
          {begin};
          volatile double sum = 0;
          for (long i = 0; i < 3000000; ++i) sum += (double)i;
          {call}({argument});
          {call}({argument});
          return 0;
        }}
    """)
    file = tmp_path / "computation.csv"
    done = hindcast("run", "-m", machine, "-n", 2, "--compute", "measured:1", "--record-computation", file, program)
    assert done.returncode == 0, done.stderr
    rows = [row for row in csv.DictReader(file.read_text().splitlines()[1:]) if row["call"] == call]
    assert [row["rank"] for row in rows].count("0") == 2
    # No processor goes through three million sums in less than a millisecond.
    assert int(rows[0]["ns"]) > 1_000_000 > int(rows[-1]["ns"])
