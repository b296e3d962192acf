"""TCP's calls: what they do, what they take, and what wrong ones are told."""

import json
import re
from pathlib import Path

import pytest

from tests.support.program_text import unchecked

PROGRAMS = Path(__file__).parent / "programs"
HEADER = Path(__file__).parents[1] / "include" / "tcp.h"
# The machine's numbers, in microseconds.
SEND, RECEIVE, SELECT = 40, 30, 100
COPIED_BYTE, PROTOCOL_BYTE, WIRE_BYTE, HEADER_BYTES = 0.01, 0.1, 0.025, 40
SWITCH, DELIVERY = 5, 50
SEGMENT = 960
READING = 1  # a look at the clock


def times(output):
    return {name: float(value) for name, value in re.findall(r"(\w+) ([\d.]+)", output)}


def travels(count):
    return count * PROTOCOL_BYTE + (count + HEADER_BYTES) * WIRE_BYTE + SWITCH + DELIVERY


def test_a_program_checks_what_each_function_does():
    declared = re.findall(r"^HINDCAST_TCP_CALL \w+ (\w+)\(", HEADER.read_text(), re.M)
    assert len(declared) == 12
    assert unchecked(declared, [file.read_text() for file in sorted(PROGRAMS.glob("*.c"))]) == []


def test_what_no_program_checks_is_found_out():
    programs = ["int main(void) {\n  tcp_close(1);\n  usleep(3);\n  CHECK(tcp_host() == 0);\n  return 0;\n}\n"]
    assert unchecked(["tcp_close", "tcp_host", "tcp_select"], programs) == ["tcp_close", "tcp_select"]


def test_a_byte_takes_what_is_reckoned_by_hand(tcp_output):
    took = times(tcp_output(PROGRAMS / "times.c", 2, 1))
    exactly = pytest.approx
    assert took["connect"] == exactly(SEND + travels(0) + SWITCH + READING, abs=2e-3)
    assert took["send"] == exactly(SEND + COPIED_BYTE + READING, abs=2e-3)
    # There and back; the look that finds the answer begins when it has come.
    back = RECEIVE + COPIED_BYTE + SEND + COPIED_BYTE + travels(1)
    assert took["select"] == exactly(travels(1) + back + SELECT, abs=2e-3)
    assert took["receive"] == exactly(RECEIVE + COPIED_BYTE + READING, abs=2e-3)


@pytest.mark.parametrize("bytes_", [1, 959, 960, 961, 4800, 50_000])
def test_what_is_sent_arrives_whatever_the_buffers(tcp_output, bytes_):
    for buffer in (1, 100, 4800, 1_000_000):
        if bytes_ / buffer < 1000:
            assert f"{buffer} B of buffer" in tcp_output(PROGRAMS / "times.c", 2, bytes_, buffer)


def stream(tcp_output, bytes_, buffer, **options):
    """How long the bytes take from the first call to the last one's end, in one direction."""
    return times(tcp_output(PROGRAMS / "stream.c", 2, bytes_, buffer, **options))["took"]


def test_a_large_buffer_lets_a_connection_reach_the_protocols_rate(tcp_output):
    first, second = (stream(tcp_output, count, 10**7) for count in (200 * SEGMENT, 400 * SEGMENT))
    assert second - first == pytest.approx(200 * SEGMENT * PROTOCOL_BYTE, rel=1e-6)


def test_a_window_goes_once_a_round_trip(tcp_output):
    """A buffer of one segment: the next goes when the receiver has taken the one before, and has told the sender."""
    first, second = (stream(tcp_output, count, SEGMENT) for count in (100 * SEGMENT, 200 * SEGMENT))
    round_trip = travels(SEGMENT) + RECEIVE + SEGMENT * COPIED_BYTE + SWITCH
    assert second - first == pytest.approx(100 * round_trip, rel=1e-6)


def test_throughput_is_the_window_over_the_round_trip_at_a_distance(tcp_output):
    far = ["network.switch_latency=10ms"]
    took = {window: stream(tcp_output, 768_000, window, settings=far) for window in (9600, 19_200, 38_400)}
    assert took[9600] == pytest.approx(2 * took[19_200], rel=0.05)
    assert took[19_200] == pytest.approx(2 * took[38_400], rel=0.05)
    assert 9600 / 20e3 * 0.9 < 768_000 / took[9600] < 9600 / 20e3  # bytes a microsecond


@pytest.mark.parametrize(
    ("setting", "call", "more"),
    [
        ("tcp.send_overhead=50us", "send", 10),
        ("tcp.receive_overhead=50us", "receive", 20),
        ("tcp.select=150us", "select", 50),
        ("tcp.delivery=60us", "select", 20),
        ("tcp.bandwidth=5MB/s", "select", 0.2),
        ("tcp.header_bytes=80", "select", 2),
        ("processor.copy_bandwidth=50MB/s", "send", 0.01),
    ],
)
def test_a_parameter_moves_the_calls_that_it_is_for(tcp_output, setting, call, more):
    usual = times(tcp_output(PROGRAMS / "times.c", 2, 1))
    changed = times(tcp_output(PROGRAMS / "times.c", 2, 1, settings=[setting]))
    assert changed[call] - usual[call] == pytest.approx(more, abs=2e-3)


def test_select_waits_no_longer_than_it_is_told(tcp_output):
    assert tcp_output(PROGRAMS / "select.c", 3) == "right\n"


@pytest.mark.parametrize(
    ("number", "line"),
    [
        (0, "tcp_recv: socket is 17, but there is none of this number"),
        (1, "tcp_send: socket 0 is not connected"),
        (2, "tcp_listen: port is 70000; a port is 0 to 65535"),
        (3, "tcp_connect: host is 9, but there are hosts 0 to 0"),
        (4, "tcp_set_buffer: bytes is 0; it must be more than 0"),
        (5, "tcp_accept: socket 0 does not listen; call tcp_listen first"),
        (6, "tcp_listen: socket 0 is in use: it listens or is connected"),
        (7, "tcp_select: seconds is -3; give 0 or more, or TCP_FOREVER"),
        (8, "tcp_send: socket is 0, but there is none of this number, or it has been closed"),
    ],
)
def test_wrong_calls_are_told_what_is_wrong(run_on_tcp, number, line):
    ended = run_on_tcp(PROGRAMS / "wrong.c", 1, number)
    assert ended.returncode == 1
    assert f"rank 0: {line}" in ended.stderr


def test_who_waits_for_ever_is_named(run_on_tcp):
    ended = run_on_tcp(PROGRAMS / "wrong.c", 1, 9)
    assert ended.returncode != 0
    assert "tcp_accept" in ended.stderr
    assert "for a connection at port 7" in ended.stderr


def test_a_machine_without_tcp_says_so(run_on_tcp):
    ended = run_on_tcp(PROGRAMS / "wrong.c", 1, 0, machine="ideal")
    assert ended.returncode == 1
    assert "tcp_recv: this machine's file says nothing of TCP" in ended.stderr or "tcp_socket" in ended.stderr


def test_a_sender_is_counted_as_waiting_for_room_only_if_there_is_none(run_on_tcp, tmp_path):
    counts = tmp_path / "counts.json"
    for buffer, waits in [(4800, True), (100_000, False)]:
        done = run_on_tcp(PROGRAMS / "stream.c", 2, 50_000, buffer, launcher=["--count", counts])
        assert (done.returncode, done.stderr) == (0, "")
        told = [count["rank"] for count in json.loads(counts.read_text()) if count["name"] == "wait for room"]
        assert told == ([1] if waits else [])  # which sends
