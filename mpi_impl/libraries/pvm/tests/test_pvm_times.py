"""What PVM's messages take, by arithmetic on the machine's file; and which copies are made."""

import json

import pytest

from tests.support.machine_files import machine_numbers

PING = """#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
static double us(void) {
  struct timeval now;
  gettimeofday(&now, 0);
  return 1e6 * now.tv_sec + now.tv_usec;
}
enum { times = 1000 };
int main(int argc, char** argv) {
  static char data[65536];
  const int n = atoi(argv[1]), packs = strcmp(argv[2], "pack") == 0;
  int other = pvm_parent();
  (void)argc;
  const int is_first = other == PvmNoParent;
  if (is_first) pvm_spawn(argv[0], argv + 1, PvmTaskDefault, 0, 1, &other);
  pvm_initsend(PvmDataRaw);
  if (is_first)
    pvm_recv(other, 1);
  else
    pvm_send(other, 1);
  const double begun = us();
  for (int i = 0; i < 2 * times; ++i)
    if (i % 2 == !is_first) {
      if (!packs) pvm_psend(other, 2, data, n, PVM_BYTE);
      if (packs) pvm_initsend(PvmDataRaw), pvm_pkbyte(data, n, 1), pvm_send(other, 2);
    } else {
      if (!packs) pvm_precv(other, 2, data, n, PVM_BYTE, 0, 0, 0);
      if (packs) pvm_recv(other, 2), pvm_upkbyte(data, n, 1);
    }
  if (is_first) printf("%.4f\\n", (us() - begun) / (2 * times));
  return 0;
}
"""


@pytest.fixture
def ping(run_program):
    def measure(n, way, *launcher):
        done = run_program(PING, 1, n, way, machine="ap3000", launcher=launcher)
        assert (done.stderr, done.returncode) == ("", 0)
        return float(done.stdout)

    return measure


@pytest.mark.parametrize("n", [0, 1000, 65536])
@pytest.mark.parametrize("way", ["pack", "as it is"])
def test_a_message_takes_its_calls_the_bus_and_the_copies(n, way, ping):
    file = machine_numbers("ap3000")
    call = file["pvm.send_overhead"] if way == "pack" else file["pvm.psend_overhead"]
    bus = (n + file["ap3000.header_bytes"]) * file["sbus.bandwidth"]
    copies = (3 if way == "pack" else 1) * n * file["processor.copy_bandwidth"]
    expected = call + bus + file["network.hop_latency"] + file["pvm.receive_overhead"] + copies
    assert ping(n, way) == pytest.approx(expected, rel=2e-4)


def test_the_daemons_take_longer_and_their_keys_say_how_much(ping):
    quick = ping(1000, "pack")
    slow = ping(1000, "pack", "--set", "pvm.route=daemon")
    slower = ping(1000, "pack", "--set", "pvm.route=daemon", "--set", "pvm.fragment_work=300us")
    assert slow > 5 * quick
    assert slower - slow == pytest.approx(200, abs=0.1)  # of both daemons


def test_packing_and_unpacking_are_two_copies_more(run_program, tmp_path):
    def copies(way):
        counted = tmp_path / "steps.json"
        done = run_program(PING, 1, 4096, way, machine="ap3000", launcher=["--count", counted])
        assert (done.stderr, done.returncode) == ("", 0)
        kinds = ("pack", "unpack", "copy out of the system's buffer")
        steps = json.loads(counted.read_text())
        return {kind: count_of(steps, kind) for kind in kinds}

    assert copies("as it is") == {"pack": 0, "unpack": 0, "copy out of the system's buffer": 2000}
    assert copies("pack") == {"pack": 2000, "unpack": 2000, "copy out of the system's buffer": 2000}


def count_of(steps, kind):
    return sum(row["count"] for row in steps if row["name"] == kind)
