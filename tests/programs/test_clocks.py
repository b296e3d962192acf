"""A program's clocks are simulated, to the nanosecond; so are its names."""

import re
import signal
from pathlib import Path

import pytest

SOURCES = Path(__file__).parent / "sources"
READ = 100  # ns: every reading of a clock costs at least that on the ideal machine


def times(done):
    return {words[0]: words[1:] for words in (line.split() for line in done.stdout.splitlines())}


SETTINGS = ["--set", "processor.clock_read=100 ns", "--set", "processor.poll=200 ns"]


@pytest.fixture
def read(run_program):
    def run_it(*launcher):
        done = run_program(SOURCES / "clocks.c", 1, launcher=[*SETTINGS, *launcher])
        assert done.returncode == 0, done.stderr
        return times(done)

    return run_it


@pytest.mark.parametrize("launcher", [[], ["--lockstep"]])
def test_clocks_show_what_was_charged(read, launcher):
    found = read(*launcher)
    ns = {name: int(words[0]) for name, words in found.items() if len(words) == 1}
    s = 1_000_000_000
    assert ns["start"] == READ
    assert ns["sleep"] == ns["start"] + 2 * s + READ
    assert ns["usleep"] == ns["sleep"] + 3_000 + READ
    assert ns["nanosleep"] == ns["usleep"] + 500 + READ
    assert ns["until"] == 3 * s + READ  # reading the clock to know how long takes a part of it
    assert ns["select"] == ns["until"] + 20_000 + READ
    assert ns["poll"] == ns["select"] + 1_000_000 + READ
    assert ns["yield"] == ns["poll"] + 200 + READ
    assert ns["seconds"] == ns["yield"] + s // 4 + READ
    assert ns["flops"] > ns["seconds"] + READ
    assert ns["bytes"] > ns["flops"] + READ
    assert found["refused"] == ["-1", "1"]
    assert found["date"] == ["946684803", "946684803"]
    assert found["used"] == ["3", "s,", "clock", "3254", "ms,", "ticks", "325"]


def test_computation_is_charged_at_the_machines_rates(read):
    slow, fast = (
        read("--set", f"processor.flop_rate={flops} Mflop/s", "--set", f"processor.memory_bandwidth={bytes_} MB/s")
        for flops, bytes_ in ((10, 20), (1000, 2000))
    )

    def took(found, name, before):
        return int(found[name][0]) - int(found[before][0]) - READ

    assert (took(slow, "flops", "seconds"), took(slow, "bytes", "flops")) == (100_000_000, 50_000_000)
    assert (took(fast, "flops", "seconds"), took(fast, "bytes", "flops")) == (1_000_000, 500_000)


def test_computation_can_be_free(read):
    found = read("--compute", "free")
    assert int(found["bytes"][0]) == int(found["yield"][0]) + 3 * READ


def test_names_are_simulated(run_program):
    done = run_program(SOURCES / "clocks.c", 3, launcher=["--map", "4,1,2"])
    names = sorted(line for line in done.stdout.splitlines() if line.startswith("ideal-"))
    assert names == ["ideal-1 ideal-1 1001 999", "ideal-2 ideal-2 1002 999", "ideal-4 ideal-4 1000 999"]


def test_a_loop_that_waits_for_a_time_ends(run_program):
    text = (
        "#include <stdio.h>\n#include <sys/time.h>\nint main(void) { struct timeval t; int n = 0;\n"
        '  do { gettimeofday(&t, NULL); ++n; } while (t.tv_usec < 50); printf("%d\\n", n); }\n'
    )
    assert run_program(text, 1, launcher=SETTINGS).stdout == "500\n"


def test_two_runs_give_the_same_bytes(run_program):
    first, second = (run_program(SOURCES / "clocks.c", 4, launcher=["--label"]) for _ in range(2))
    assert (first.stdout, first.stderr) == (second.stdout, second.stderr)


@pytest.mark.parametrize(
    "call", ["sleep(4000000000u)", "hindcast_compute_seconds(1e300)", "hindcast_compute_flops(1e300)"]
)
def test_no_time_is_longer_than_the_clock(run_program, call):
    text = f"#include <hindcast.h>\n#include <unistd.h>\nint main(void) {{ {call}; return 0; }}\n"
    done = run_program(text, 2)
    assert done.returncode == 1
    assert done.stderr.startswith(f"hindcast: rank 0: {call.split('(')[0]} for ")
    assert " at 0 ns: more than 104 simulated days" in done.stderr


@pytest.mark.parametrize(
    "call", ["sleep(3000000)", "hindcast_compute_seconds(3e6)", "hindcast_compute_flops(3e6 * 500e6)"]
)
def test_the_clock_does_not_pass_its_end_little_by_little(run_program, call):
    text = f"""
#include <hindcast.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {{
  for (int turn = 1; turn <= 5; ++turn) {{
    {call};
    printf("%d\\n", turn);
  }}
}}
"""
    done = run_program(text, 1)
    assert done.returncode == 1
    assert done.stdout.split() == ["1", "2", "3"]
    told = rf"^hindcast: rank 0: {call.split('(')[0]} for 3000000 s at 9000000 s: more than 104 simulated days$"
    assert re.match(told, done.stderr, re.M)


@pytest.mark.parametrize("launcher", [[], ["--lockstep"]])
def test_timers_send_signals_in_simulated_time(hindcast, compile_program, launcher):
    program = compile_program(SOURCES / "timers.c")
    done = hindcast("run", "-n", "3", *launcher, program)
    assert (done.returncode, done.stdout.splitlines(), done.stderr) == (0, ["ended at 9.0 s"] * 3, "")
    done = hindcast("run", "-n", "3", *launcher, program, "die")
    assert done.returncode == 128 + signal.SIGALRM
    assert "Alarm clock" in done.stderr
