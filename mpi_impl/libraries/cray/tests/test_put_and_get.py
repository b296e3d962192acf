"""What the machines are known for: puts and gets take the same on the T3E, and a put is quicker on the T3D."""

import pytest

from tests.support.machine_files import machine_numbers

PROGRAM = """
#include <mpp/shmem.h>
#include <stdio.h>
#include <time.h>
static long there[16384];
static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}
int main(void) {
  static long here[16384];
  start_pes(0);
  if (shmem_my_pe() == 0) {
    const double start = seconds();
    shmem_put64(there, here, 16384, 1);
    shmem_quiet();
    const double put = seconds();
    shmem_get64(here, there, 16384, 1);
    const double got = seconds();
    printf("%.9f %.9f\\n", put - start, got - put);
  }
  return 0;
}
"""
BYTES = 8 * 16384


@pytest.fixture
def times(run_program, tmp_path):
    source = tmp_path / "put_and_get.c"
    source.write_text(PROGRAM)

    def measure(machine):
        done = run_program(source, 2, machine=machine)
        assert done.returncode == 0, done.stderr
        return [float(word) for word in done.stdout.split()]

    return measure


def rates_of_ports(machine):
    """In bytes/s: what a put and a get can do."""
    numbers = machine_numbers(machine)
    port = numbers["network.injection_bandwidth"]
    limits = (max(port, numbers[f"remote_memory.{what}_bandwidth"]) for what in ("put", "get"))
    return [1e6 / limit for limit in limits]


def test_on_the_t3e_they_take_the_same(times):
    put, get = times("t3e-900")
    assert put == pytest.approx(get, rel=0.02)
    assert [BYTES / put, BYTES / get] == pytest.approx(rates_of_ports("t3e-900"), rel=0.03)


def test_on_the_t3d_a_put_is_quicker(times):
    put, get = times("t3d")
    assert put < 0.6 * get
    assert [BYTES / put, BYTES / get] == pytest.approx(rates_of_ports("t3d"), rel=0.02)
