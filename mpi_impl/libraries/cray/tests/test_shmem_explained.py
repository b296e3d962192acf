"""What hindcast explain says of a SHMEM program: an operation whose answer is waited for is a message to oneself,
and a put is one that no call receives."""

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


PUTS = """#include <mpp/shmem.h>
static long words[100];
int main(void) {
  long here[100] = {0};
  shmem_barrier_all();
  if (shmem_my_pe() == 0) {
    shmem_put64(words, here, 100, 1);
    shmem_iput64(words, here, 2, 1, 10, 1);
    shmem_long_p(words, 3, 0);
  }
  shmem_barrier_all();
  return 0;
}
"""


def test_puts_are_listed_until_their_data_is_in_place(explain):
    listed = explain(PUTS, "--list")
    assert [(put["sender"], put["receiver"], put["bytes"]) for put in listed] == [(0, 1, 800), (0, 1, 80), (0, 0, 8)]
    assert [(put["sent_by"], put["received_by"]) for put in listed] == [
        ("shmem_put64", None),
        ("shmem_iput64", None),
        ("shmem_long_p", None),
    ]
    assert all(put["begin_ps"] < put["end_ps"] for put in listed)


@pytest.mark.parametrize(
    ("message", "steps"),
    [
        ("0:1", ["call that puts", "way into the network", "hops", "bytes through the port"]),
        ("0:2", ["call that puts", "element of a strided put or get", "way into the network"]),
        ("0:3", ["call that puts", "way into the network", "bytes through the port"]),
    ],
)
def test_the_steps_of_a_put_add_up_to_where_its_data_is_in_place(message, steps, explain):
    explained = explain(PUTS, "--message", message)
    taken = [step.get("step") for step in explained["steps"]]
    assert [step for step in taken if step in steps] == steps
    assert explained["sum_ps"] == explained["end_ps"] - explained["begin_ps"]


def test_of_puts_alone_the_last_is_explained_and_not_to_the_end_of_a_call(hindcast, compile_program):
    done = hindcast("explain", "-m", "t3e-900", "-n", 2, compile_program(PUTS))
    assert (done.returncode, done.stderr) == (0, "")
    first, second = done.stdout.splitlines()[:2]
    assert first == "t3e-900: message 0:3, 8 bytes from rank 0 to rank 0 (shmem_long_p)"
    assert " us until the data is in place at " in second
