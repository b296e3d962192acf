"""How ranks end: by returning, by exiting, by a signal. sources/ends.c: rank r gets there at 10 (r + 1) us."""

import re
import signal
from pathlib import Path

import pytest

SOURCES = Path(__file__).parent / "sources"


@pytest.fixture
def end(run_program):
    """end("exit"): three ranks, of which rank 1 ends in that way."""

    def run_it(how, *launcher, rank=1, n=3):
        return run_program(SOURCES / "ends.c", n, rank, how, launcher=launcher)

    return run_it


def said_by(done, rank):
    label = f"rank {rank}: "
    return [line.removeprefix(label) for line in done.stdout.splitlines() if line.startswith(label)]


def test_all_is_well(end):
    done = end("return0")
    assert (done.returncode, done.stderr) == (0, "")
    assert [said_by(done, rank) for rank in range(3)] == [["constructor", "destructor"]] * 3


def test_status_of_a_rank_that_returns(end):
    done = end("return7")
    assert done.returncode == 7
    assert done.stderr == "hindcast: rank 1 exited with status 7\n"
    assert [said_by(done, rank) for rank in range(3)] == [["constructor", "destructor"]] * 3


def test_status_is_that_of_the_first_to_fail_in_simulated_time(hindcast, compile_program):
    program = compile_program(SOURCES / "ends.c")
    done = hindcast(
        "run",
        "-n",
        "1",
        program,
        "0",
        "return0",
        ":",
        "-n",
        "2",
        program,
        "2",
        "return5",
        ":",
        "-n",
        "1",
        program,
        "3",
        "return6",
    )
    assert done.returncode == 5
    text = "#include <unistd.h>\nint main(void) { usleep(100 - 10 * (getpid() - 1000) % 40); return getpid() - 990; }\n"
    assert hindcast("run", "-n", "4", compile_program(text)).returncode == 13
    text = "#include <unistd.h>\nint main(void) { usleep(5); return getpid() - 990; }\n"
    assert hindcast("run", "-n", "4", compile_program(text)).returncode == 10


def test_exit_runs_the_ranks_own_handlers(end):
    done = end("exit")
    assert done.returncode == 3
    text = "".join(line for line in done.stdout.splitlines(True) if "rank 0" not in line and "rank 2" not in line)
    assert text == (
        "rank 1: constructor\nno end of linerank 1: second handler\nrank 1: status 3, on_exit\n"
        "rank 1: first handler\nrank 1: destructor\n"
    )


def test_exit_without_handlers(end):
    done = end("_exit")
    assert (done.returncode, said_by(done, 1)) == (4, ["constructor"])
    done = end("quick_exit")
    assert (done.returncode, said_by(done, 1)) == (5, ["constructor", "second handler"])


SIGNALS = {
    "abort": (signal.SIGABRT, "Aborted", ["main"]),
    "assert": (signal.SIGABRT, "Aborted", ["main"]),
    "free_twice": (signal.SIGABRT, "Aborted", ["main"]),
    "raise": (signal.SIGTERM, "Terminated", ["main"]),
    "kill": (signal.SIGUSR1, "User defined signal 1", ["main"]),
    "segv": (signal.SIGSEGV, "Segmentation fault", ["deep", "deep", "main"]),
    "fpe": (signal.SIGFPE, "Integer division by zero", ["main"]),
    "null_call": (signal.SIGSEGV, "Segmentation fault", ["main"]),
}


def line_of(source, text):
    lines = (SOURCES / source).read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


@pytest.mark.parametrize("launcher", [[], ["--separate-files"], ["--lockstep"]])
@pytest.mark.parametrize(
    "how", [pytest.param(how, marks=pytest.mark.no_sanitizer if how == "free_twice" else []) for how in SIGNALS]
)
def test_a_signal_is_reported_with_rank_and_place(end, how, launcher):
    number, name, functions = SIGNALS[how]
    done = end(how, *launcher)
    assert done.returncode == 128 + number
    report = [line for line in done.stderr.splitlines() if "Assertion" not in line and "free()" not in line]
    assert report[0] == f"hindcast: rank 1 on ideal-1: {name} at 20 us"
    assert [line.split()[1] for line in report[1:]] == functions
    if how not in ("segv", "null_call"):
        line = line_of("ends.c", f'how, "{how}"') + (3 if how == "free_twice" else 0)
        assert report[-1].endswith(f"(ends.c:{line})")
    assert said_by(done, 0) == ["constructor", "destructor"]  # it was before
    assert said_by(done, 2) == ["constructor"]  # it would have been later


def test_failed_assertion_says_where(end):
    done = end("assert")
    assert f"ends.c:{line_of('ends.c', 'assert(zero')}: main: Assertion `zero == 1' failed." in done.stderr


@pytest.mark.parametrize("launcher", [[], ["--separate-files"], ["--stack", "64KiB"]])
@pytest.mark.parametrize("how", ["overflow", "large_frame"])
def test_stack_overflow_is_recognised(end, how, launcher):
    done = end(how, *launcher)
    assert done.returncode == 128 + signal.SIGSEGV
    assert "rank 1 on ideal-1: Segmentation fault (its stack overflowed; --stack makes it larger)" in done.stderr
    assert f"\n  in {how} (ends.c:" in done.stderr


@pytest.mark.no_sanitizer
@pytest.mark.parametrize("bytes_written", [200, 600, 2000, 20000])
def test_a_rank_that_overwrites_what_lies_behind_its_variables_ends(run_program, bytes_written):
    """What it does about signals lies there too."""
    text = (
        "#include <stdlib.h>\n#include <string.h>\n"
        "static char few[10];\n"
        "int main(int count, char** words) { memset(few, 1, atoi(words[1])); return *(volatile int*)0; }\n"
    )
    done = run_program(text, 2, str(bytes_written), timeout=60)
    assert done.returncode == 128 + signal.SIGSEGV
    assert re.search(r"^hindcast: rank 0( on ideal-0)?: Segmentation fault", done.stderr, re.M)


@pytest.mark.no_sanitizer
def test_an_overrun_that_meets_the_stacks_guard_is_no_overflow(run_program):
    text = (
        "static volatile double few[10];\n"
        "int main(void) { double sum = 0; for (volatile long i = 0;; ++i) sum += few[i]; }\n"
    )
    done = run_program(text, 2, launcher=["--stack", "64KiB"])
    assert done.returncode == 128 + signal.SIGSEGV
    assert "rank 0 on ideal-0: Segmentation fault at 0 ns" in done.stderr
    assert "its stack overflowed" not in done.stderr


def test_a_recursion_that_is_not_told_whole_says_so(run_program):
    text = (
        "__attribute__((noinline)) static int deep(int n) { volatile char frame[1024]; frame[0] = (char)n;\n"
        "  return n == 0 ? 0 : deep(n - 1) + frame[0]; }\n"
        "int main(void) { return deep(1000000); }\n"
    )
    done = run_program(text, 1)
    assert done.returncode == 128 + signal.SIGSEGV
    assert re.search(r"\n  in deep \(program.*:\d+\), at least [5-6]\d times\n$", done.stderr)


@pytest.mark.parametrize(("seconds", "shown"), [("1e-12", "0.001 ns"), ("1.0000002", "1.0000002 s")])
def test_the_time_of_a_crash_is_told_as_of_other_ends(run_program, seconds, shown):
    text = (
        "#include <hindcast.h>\n#include <stdlib.h>\n"
        "int main(int argc, char** argv) { if (argc > 1) hindcast_compute_seconds(atof(argv[1])); abort(); }\n"
    )
    assert run_program(text, 1, seconds).stderr.startswith(f"hindcast: rank 0 on ideal-0: Aborted at {shown}\n")


@pytest.mark.parametrize(("code", "status"), [(0, 1), (256, 1), (512, 1), (1000, 232), (3, 3)])
def test_an_abort_never_looks_like_success(run_program, code, status):
    text = (
        "#include <mpi.h>\n#include <stdlib.h>\n"
        "int main(int argc, char** argv) { MPI_Init(&argc, &argv); MPI_Abort(MPI_COMM_WORLD, atoi(argv[1])); }\n"
    )
    done = run_program(text, 2, code)
    assert done.returncode == status
    assert f"error code {code}" in done.stderr


def test_a_larger_stack_holds_more(run_program):
    text = (
        "#include <string.h>\n__attribute__((noinline)) static int use(volatile char* frame) { return frame[1]; }\n"
        "int main(void) { volatile char frame[12 << 20]; memset((void*)frame, 0, sizeof frame); return use(frame); }\n"
    )
    assert run_program(text, 2).returncode == 128 + signal.SIGSEGV
    assert run_program(text, 2, launcher=["--stack", "16MiB"]).returncode == 0


@pytest.mark.parametrize("how, number", [("handled_fault", 11), ("handled_raise", 12)])
def test_a_programs_own_signal_handler(end, how, number):
    done = end(how)
    assert done.returncode == 9
    assert said_by(done, 1) == ["constructor", f"handler of signal {number}", "destructor"]
    assert said_by(done, 2) == ["constructor", "destructor"]


def test_an_exception_that_nobody_catches(run_program):
    done = run_program(SOURCES / "ends.cpp", 3, "throw", cxx=True)
    assert done.returncode == 128 + signal.SIGABRT
    assert done.stderr.splitlines() == [
        "terminate called after throwing an instance of 'std::runtime_error'",
        "  what():  nobody catches this",
        "hindcast: rank 1 on ideal-1: Aborted at 20 us",
        f"  in main (ends.cpp:{line_of('ends.cpp', 'throw std::runtime_error')})",
    ]
    done = run_program(SOURCES / "ends.cpp", 3, "terminate_handler", cxx=True)
    assert done.returncode == 6
    assert "own terminate handler\n" in done.stdout


def test_destructors_run_once_for_each_rank(run_program):
    done = run_program(SOURCES / "ends.cpp", 3, cxx=True)
    assert (done.returncode, done.stdout) == (0, "destroyed: local static\ndestroyed: global\n" * 3)


def test_a_thread_that_is_not_simulated_may_compute_but_not_print(run_program):
    text = """
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
static __thread int mine = 5;
static void* compute(void* sum) { for (int i = 0; i < 1000; ++i) ++mine; *(int*)sum = mine; return NULL; }
static void* print(void* nothing) { puts("x"); return nothing; }
int main(int argc, char** argv) {
  (void)argv;
  pthread_t thread;
  int sum = 0;
  mine = 7;
  void* const libc = dlopen("libc.so.6", RTLD_LAZY);
  int (*create)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  int (*join)(pthread_t, void**);
  *(void**)&create = dlsym(libc, "pthread_create");
  *(void**)&join = dlsym(libc, "pthread_join");
  create(&thread, NULL, argc > 1 ? print : compute, &sum);
  join(thread, NULL);
  printf("%d %d\\n", sum, mine);
}
"""
    done = run_program(text, 2, flags=["-pthread"])
    assert (done.returncode, done.stdout) == (0, "1005 7\n" * 2)
    done = run_program(text, 2, "x", flags=["-pthread"])
    assert done.returncode == 1
    assert done.stderr.startswith("hindcast: printing was called on a thread that the program has started by itself")


def test_many_ranks_have_smaller_stacks_unless_told(run_program):
    text = (
        "#include <string.h>\n#include <unistd.h>\n"
        "__attribute__((noinline)) static int deep(void) {\n"
        "  volatile char frame[2 << 20]; memset((void*)frame, 0, sizeof frame); return frame[1]; }\n"
        "int main(void) { return getpid() == 1000 ? deep() : 0; }\n"
    )
    assert run_program(text, 256).returncode == 0
    assert "its stack overflowed" in run_program(text, 257).stderr
    assert run_program(text, 257, launcher=["--stack", "8MiB"]).returncode == 0


def test_a_place_without_a_name_is_told_by_the_program_file(run_program):
    """As in a program without symbols, whose functions nobody can name."""
    text = """
#include <mpi.h>
static void __attribute__((noinline)) outside(int to) {
  MPI_Send(&to, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
}
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  outside(argc + 6);
  MPI_Finalize();
}
"""
    done = run_program(text, 2, flags=["-s"])
    assert re.search(r"invalid rank\), in program\S*\+0x[0-9a-f]+\n$", done.stderr), done.stderr
