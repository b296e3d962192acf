"""What hindcast explain says of a message that is longer than a connection's buffers."""

MS = 1e-3
SITES = ["--map", "0,195"]  # ranks at two of them, between which a window takes a round trip
SENDER_WAITS = "the sender waits for room"


def test_a_sender_waits_for_room_in_the_window(gaps_without_room):
    waits = [time for name, time in gaps_without_room("i-way", 1, 90_000, where=SITES) if name == SENDER_WAITS]
    assert len(waits) > 1
    assert sum(waits) > 10 * MS
    assert all(name != SENDER_WAITS for name, _ in gaps_without_room("i-way", 1, 9_000, where=SITES))
