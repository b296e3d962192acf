"""MPI on NX: its times follow from those of NX's calls."""

from functools import partial

import pytest

# The example's numbers, in microseconds.
OWN, SEND, RECEIVE = 10, 30, 20
COPIED_BYTE, WIRE_BYTE, HEADER_BYTES = 0.025, 0.05, 20
INJECTION, HOP = 2, 0.5


@pytest.fixture(scope="module")
def times(nx_output, message_times):
    """times("key=value"): what MPI's calls take for 1000 bytes."""
    return partial(message_times, nx_output, 1000)


def test_calls_take_what_is_reckoned_by_hand(times):
    took = times()
    on_wire = (1000 + HEADER_BYTES) * WIRE_BYTE
    back = INJECTION + HOP + HEADER_BYTES * WIRE_BYTE
    assert took["send"] == pytest.approx(OWN + SEND + on_wire, abs=1e-5)
    assert took["received at"] - took["sent at"] == pytest.approx(OWN + SEND + INJECTION + HOP + on_wire, abs=1e-5)
    assert took["recv"] == pytest.approx(OWN + RECEIVE + 1000 * COPIED_BYTE, abs=1e-5)
    assert took["ssend"] == pytest.approx(OWN + SEND + INJECTION + HOP + on_wire + back, abs=1e-5)


@pytest.mark.parametrize(
    ("setting", "moved"),
    [
        ("nx.send_overhead=50us", {"send": 20, "ssend": 20}),
        ("nx.receive_overhead=50us", {"recv": 30}),
        ("nx.copy_bandwidth=20MB/s", {"recv": 1000 * COPIED_BYTE}),
        ("mpi.overhead=15us", {"send": 5, "recv": 5, "ssend": 5}),
    ],
)
def test_a_parameter_of_nx_moves_mpi(times, setting, moved):
    usual, changed = times(), times(setting)
    for call in ("send", "recv", "ssend"):
        assert changed[call] - usual[call] == pytest.approx(moved.get(call, 0), abs=1e-5), call
