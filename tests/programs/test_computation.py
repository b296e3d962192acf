"""What computation takes where programs do not declare it: measured or counted on this computer."""

import os
import pty
import re
import subprocess

import pytest

from tests.support.terminal import written_to

WORK = """
#include <mpi.h>
#include <hindcast.h>
#include <stdio.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  volatile double sum = 0;
  const double start = MPI_Wtime();
  for (long i = 0; i < 20000000; ++i) sum += (double)i;
  const double took = MPI_Wtime() - start;
  if (argc > 1) hindcast_compute_seconds(1);
  printf("%.9f\\n", took);
  MPI_Finalize();
  return 0;
}
"""

# In the place of the system's calls: a counter that has counted a million instructions more whenever it is read.
COUNTER = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
static int counter = -1;
long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  const long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long), d = va_arg(list, long),
             e = va_arg(list, long), f = va_arg(list, long);
  va_end(list);
  if (number == SYS_perf_event_open) {
    const struct perf_event_attr* asked = (const struct perf_event_attr*)a;
    if (asked->type != PERF_TYPE_HARDWARE || asked->config != PERF_COUNT_HW_INSTRUCTIONS) return -1;
    if (!asked->exclude_kernel || asked->disabled || (int)b != 0 || (int)c != -1 || (int)d != -1) return -1;
    return counter = open("/dev/null", O_RDONLY);
  }
  static long (*real)(long, ...);
  if (real == NULL) real = dlsym(RTLD_NEXT, "syscall");
  return real(number, a, b, c, d, e, f);
}
ssize_t read(int file, void* data, size_t bytes) {
  static unsigned long long count;
  if (file == counter && file >= 0 && bytes == sizeof count) {
    count += 1000000;
    memcpy(data, &count, sizeof count);
    return sizeof count;
  }
  static ssize_t (*real)(int, void*, size_t);
  if (real == NULL) real = dlsym(RTLD_NEXT, "read");
  return real(file, data, bytes);
}
"""


def on_a_terminal(*command):
    """What a command says on standard error if that is a terminal."""
    here, there = pty.openpty()
    subprocess.run([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=there, check=True, timeout=60)
    os.close(there)
    return written_to(here)


def test_computation_that_is_not_charged_is_told_once_at_a_terminal(build, hindcast, compile_program):
    program = compile_program(WORK)
    run = [build / "bin" / "hindcast", "run", "-n", "2"]
    said = on_a_terminal(*run, program)
    assert said.startswith("hindcast: computation has taken no simulated time: hindcast.h declares ")
    assert said.count("\n") == 1
    for silent in ([*run, "--compute", "free", program], [*run, "--compute", "charged", program], [*run, program, "1"]):
        assert on_a_terminal(*silent) == ""
    assert hindcast("run", "-n", "2", program).stderr == ""


def test_computation_can_be_measured(hindcast, compile_program):
    program = compile_program(WORK)
    clock_read = 100e-9
    assert float(hindcast("run", "-n", 1, program).stdout) == pytest.approx(clock_read)
    taken = [float(hindcast("run", "-n", 1, "--compute", f"measured:{factor}", program).stdout) for factor in (1, 1000)]
    assert taken[0] > 100 * clock_read
    assert taken[1] > 20 * taken[0]
    done = hindcast("run", "-n", 1, "--compute", "measured:2", program)
    assert done.stderr == "hindcast: --compute measured:2: the times of this run are not repeatable\n"
    # What is declared is part of what is measured.
    assert hindcast("run", "-n", 1, "--compute", "measured:1", "--max-time", "900ms", program, "1").returncode == 0


def test_computation_that_is_measured_to_take_longer_than_the_clock_lasts_ends_the_run(hindcast, compile_program):
    done = hindcast("run", "-n", 1, "--compute", "measured:1e300", compile_program(WORK))
    assert done.returncode == 1
    told = r"^hindcast: rank 0: --compute measured:1e\+300 makes \S+ s of \d+ ns at .*: more than 104 simulated days$"
    assert re.search(told, done.stderr, re.M)


def test_computation_can_be_counted_where_this_computer_counts(hindcast, compile_program):
    program = compile_program(WORK)
    done = hindcast("run", "-n", 1, "--compute", "counted", program)
    if done.returncode != 0:
        assert "--compute counted: this computer does not count instructions for you" in done.stderr
        return
    instructions_at_least = 20000000
    assert float(done.stdout) > instructions_at_least / 500e6


@pytest.mark.no_sanitizer
def test_counted_instructions_take_the_time_of_the_machines_rate(hindcast, compile_program, run_command, tmp_path):
    (tmp_path / "counter.c").write_text(COUNTER)
    run_command(["cc", "-shared", "-fPIC", "-o", tmp_path / "counter.so", tmp_path / "counter.c", "-ldl"])
    done = hindcast(
        *("run", "-n", 2, "--set", "processor.flop_rate=100Mflop/s", "--set", "processor.clock_read=1us"),
        *("--compute", "counted", compile_program(WORK)),
        env={"LD_PRELOAD": str(tmp_path / "counter.so")},
    )
    assert done.returncode == 0, done.stderr
    # Between two looks at the clock lies one stretch: a million instructions, of which 100 million take a second.
    # The second look takes the rest.
    assert done.stdout == "0.010001000\n" * 2
    assert done.stderr == "hindcast: --compute counted: the times of this run are not repeatable\n"


@pytest.mark.parametrize("compute", ["measured", "measured:0", "measured:quick", "fast"])
def test_a_wrong_way_to_compute_is_refused(hindcast, compile_program, compute):
    done = hindcast("run", "-n", 1, "--compute", compute, compile_program(WORK))
    assert done.returncode == 1
    assert f"--compute {compute}: one of free, charged, measured:FACTOR (with a number such as 40)" in done.stderr
