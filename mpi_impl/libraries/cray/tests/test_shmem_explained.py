"""What hindcast explain says of a SHMEM program: an operation whose answer is waited for is a message to oneself."""

import json

import pytest

PROGRAM = """#include <mpp/shmem.h>
static long words[100], here[100];
int main(void) {
  shmem_barrier_all();
  if (shmem_my_pe() == 0) {
    shmem_get64(here, words, 100, 1);
    shmem_long_finc(words, 1);
    shmem_iget64(here, words, 1, 2, 10, 1);
  }
  shmem_barrier_all();
  return 0;
}
"""


@pytest.fixture(scope="module")
def explain(hindcast, compile_program):
    def run(source, *options):
        done = hindcast("explain", "-m", "t3e-900", "-n", 2, "--json", *options, compile_program(source))
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


def test_gets_and_atomic_operations_are_listed(explain):
    listed = explain(PROGRAM, "--list")
    assert [message["bytes"] for message in listed] == [800, 8, 80]


@pytest.mark.parametrize(
    ("message", "steps"),
    [
        ("0:1", ["call that gets", "memory read for another node"]),
        ("0:2", ["call of an atomic operation", "atomic operation for another node"]),
        ("0:3", ["call that gets", "element of a strided put or get", "memory read for another node"]),
    ],
)
def test_their_steps_add_up(message, steps, explain):
    explained = explain(PROGRAM, "--message", message)
    taken = [step.get("step") for step in explained["steps"]]
    assert set(steps) <= set(taken)
    assert explained["sum_ps"] == explained["end_ps"] - explained["begin_ps"]


def test_a_program_of_puts_alone_is_told_that_nobody_receives_them(hindcast, compile_program):
    lines = "if (shmem_my_pe() == 0) shmem_put64(words, here, 100, 1);"
    source = PROGRAM[: PROGRAM.index("  if")] + f"  {lines}\n" + PROGRAM[PROGRAM.rindex("  shmem_barrier") :]
    done = hindcast("explain", "-m", "t3e-900", "-n", 2, compile_program(source))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "hindcast: no message was received in this run, as a put never is; --list shows those that were sent\n"
    )
