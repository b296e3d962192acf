"""Nexus's calls: what they do, what they take, how methods are chosen and polled, and what wrong calls are told."""

import re
from pathlib import Path

import pytest

from tests.support.program_text import unchecked

PROGRAMS = Path(__file__).parent / "programs"
HEADER = Path(__file__).parents[1] / "include" / "nexus.h"
# The machine's numbers, in microseconds.
SETUP, CALL, LOOKUP, LOCK = 7, 6, 8, 4
MPL_SEND, MPL_SET_UP, MPL_RECEIVE, STATUS, SELECT = 30, 10, 20, 15, 100
SHORT_MAX, MPL_HEADER, HEADER_BYTES = 200, 20, 32
COPIED_BYTE, WIRE_BYTE, SWITCH = 0.01, 0.025, 0.5
ROUNDS = 20
READING = 1 / (2 * ROUNDS)  # a look at the clock, of which each way has its share


def one_way(nexus_output, bytes_=0, method="-", settings=()):
    output = nexus_output(PROGRAMS / "times.c", 2, bytes_, ROUNDS, method, settings=settings)
    name, took = re.fullmatch(r"(\w+) one way ([\d.]+)\n", output).groups()
    return name, float(took)


def by_mpl(bytes_):
    """One way by MPL alone: a receive waits for the request."""
    whole = bytes_ + HEADER_BYTES
    sent = MPL_SEND + (MPL_SET_UP if whole > SHORT_MAX else 0) + SWITCH + (whole + MPL_HEADER) * WIRE_BYTE
    return bytes_ * COPIED_BYTE + SETUP + CALL + sent + MPL_RECEIVE + LOOKUP + READING


@pytest.mark.parametrize("settings", [[], ["nexus.methods=tcp"], ["nexus.version=threaded"], ["nexus.pass=left"]])
@pytest.mark.parametrize("contexts", [3, 4, 6])  # of which four make a partition
def test_calls_do_what_they_should(nexus_output, contexts, settings):
    assert nexus_output(PROGRAMS / "calls.c", contexts, settings=settings) == "right\n"


@pytest.mark.parametrize("bytes_", [0, 5000])
@pytest.mark.parametrize("waits", [0, 1])
@pytest.mark.parametrize(
    "settings", [[], ["nexus.methods=mpl"], ["nexus.methods=tcp"], ["nexus.version=threaded"], ["nexus.pass=left"]]
)
def test_a_request_is_handled_once_by_one_of_the_threads_that_look(nexus_output, settings, waits, bytes_):
    assert nexus_output(PROGRAMS / "pollers.c", 4, waits, bytes_, settings=settings) == "right\n"


@pytest.mark.parametrize(
    "settings",
    [[], ["nexus.methods=tcp"], ["nexus.version=threaded"], ["nexus.version=threaded", "nexus.locking=0us"]],
)
@pytest.mark.parametrize("scenario", ["own", "no_room", "answer", "turns"])
def test_a_thread_goes_on_whichever_of_the_others_waits_or_polls(nexus_output, scenario, settings):
    launcher = ["--max-time", "60s"]
    output = nexus_output(PROGRAMS / "threads.c", 2, scenario, settings=settings, launcher=launcher)
    assert output == f"{scenario}: goes on\n"


@pytest.mark.parametrize("method", ["mpl", "tcp"])
def test_what_comes_while_the_lock_is_taken_is_found_ahead_of_the_clock_too(nexus_output, method):
    settings = ["nexus.version=threaded", "nexus.locking=400us", f"nexus.methods={method}"]
    assert nexus_output(PROGRAMS / "arrivals.c", 4, settings=settings).count(" ns\n") == 24


def test_a_handler_that_frees_its_buffer_leaves_the_others_theirs(nexus_output):
    assert nexus_output(PROGRAMS / "freed.c", 1) == "got 42\n"


def test_a_method_that_is_polled_in_hardly_any_pass_is_polled_at_once_if_it_is_the_only_one(nexus_output):
    seldom = one_way(nexus_output, settings=["nexus.methods=tcp", f"nexus.tcp_every={2**31 - 1}"])
    assert seldom == one_way(nexus_output, settings=["nexus.methods=tcp"])


# Handlers run, and mutexes hold, what other calls check; elements are put and got by macros of all types.
CHECKED_BY_OTHERS = [
    *(f"nexus_mutex_{call}" for call in ("init", "lock", "unlock", "destroy")),
    *(
        "nexus_register_handlers",
        "nexus_put_bytes",
        "nexus_get_bytes",
        "nexus_cond_wait_for",
        "nexus_cond_init",
        "nexus_cond_wait",
        "nexus_descriptors",  # by what the program of test_resource_database.py prints
    ),
]


def test_a_program_checks_what_each_function_does():
    declared = re.findall(r"^(?:NEXUS_FUNCTION|static inline) [\w ]+[ *](\w+)\(", HEADER.read_text(), re.M)
    assert len(declared) > 35
    left = unchecked(declared, [file.read_text() for file in sorted(PROGRAMS.glob("*.c"))])
    assert set(left) <= set(CHECKED_BY_OTHERS) <= set(declared)


@pytest.mark.parametrize("bytes_", [0, 1, 168, 169, 1000, 50_000])
def test_by_mpl_alone_a_request_takes_what_is_reckoned_by_hand(nexus_output, bytes_):
    name, took = one_way(nexus_output, bytes_, settings=["nexus.methods=mpl"])
    assert (name, took) == ("mpl", pytest.approx(by_mpl(bytes_), abs=2e-3))


@pytest.mark.parametrize(
    ("setting", "more"),
    [
        ("nexus.header_setup=9us", 2),
        ("nexus.call_overhead=9us", 3),
        ("nexus.handler_lookup=9us", 1),
        ("nexus.header_bytes=132", 100 * WIRE_BYTE),
        ("mpl.overhead=55us", 5),
        ("mpl.percent_at_sender=100", 0),
        ("network.switch_latency=1500ns", 1),
        ("nexus.locking=40us", 0),  # there is no lock
    ],
)
def test_a_parameter_moves_a_request_also_one_of_what_it_stands_on(nexus_output, setting, more):
    usual = one_way(nexus_output, settings=["nexus.methods=mpl"])[1]
    changed = one_way(nexus_output, settings=["nexus.methods=mpl", setting])[1]
    assert changed - usual == pytest.approx(more, abs=2e-3)


def test_polls_find_a_request_at_the_end_of_the_one_in_progress(nexus_output):
    """Back and forth takes a whole number of polls: what is left until the last ends differs from size to size."""
    settings = ["nexus.methods=mpl", "nexus.version=threaded"]
    for bytes_ in range(0, 160, 20):
        more = one_way(nexus_output, bytes_, settings=settings)[1] - by_mpl(bytes_) - 2 * LOCK
        assert -2e-3 <= more <= STATUS


def mean_over_sizes(nexus_output, settings):
    sizes = range(0, 165, 15)
    return sum(one_way(nexus_output, bytes_, settings=settings)[1] - by_mpl(bytes_) for bytes_ in sizes) / len(sizes)


def test_an_expensive_method_slows_a_cheap_one_down_less_if_it_is_polled_less_often(nexus_output):
    extra = {every: mean_over_sizes(nexus_output, [f"nexus.tcp_every={every}"]) for every in (1, 50, 10_000)}
    assert extra[1] > SELECT + STATUS  # the pass is finished first
    assert extra[1] > 3 * extra[50]
    assert 0 <= extra[10_000] <= STATUS


def test_a_pass_that_is_left_spares_the_polls_behind_the_one_that_has_found_something(nexus_output):
    finished, left = (mean_over_sizes(nexus_output, [f"nexus.pass={how}"]) for how in ("finished", "left"))
    assert finished - left == pytest.approx(SELECT, rel=0.25)


def test_the_first_method_that_leads_there_is_chosen_or_the_one_that_the_program_names(nexus_output):
    assert one_way(nexus_output)[0] == "mpl"
    assert one_way(nexus_output, settings=["nexus.methods=tcp,mpl"])[0] == "tcp"
    assert one_way(nexus_output, method="tcp")[0] == "tcp"
    assert one_way(nexus_output, settings=["mpl.partition_nodes=1"])[0] == "tcp"  # MPL does not leave its partition
    assert one_way(nexus_output, settings=["nexus.methods=tcp"])[0] == "tcp"
    assert (
        one_way(nexus_output, method="tcp")[1]
        > 2 * one_way(nexus_output, method="mpl", settings=["nexus.methods=mpl"])[1]
    )


def test_a_context_that_no_method_leads_to_cannot_be_reached(run_on_nexus):
    ended = run_on_nexus(PROGRAMS / "times.c", 2, settings=["nexus.methods=mpl", "mpl.partition_nodes=1"])
    assert ended.returncode == 1
    assert "rank 0: no method of Nexus leads from here to rank 1" in ended.stderr


@pytest.mark.parametrize(
    ("setting", "line"),
    [
        ("nexus.methods=heliograph", "'heliograph' is no method; there are"),
        ("nexus.methods=mpl,mpl", "names 'mpl' twice"),
        ("nexus.mpl_every=0", "nexus.mpl_every"),
        ("nexus.header_bytes=0", "nexus.header_bytes=0: must be more than 0"),
        ("nexus.version=parallel", "nexus.version"),
    ],
)
def test_a_wrong_file_is_refused(run_on_nexus, setting, line):
    ended = run_on_nexus(PROGRAMS / "times.c", 2, settings=[setting])
    assert ended.returncode != 0
    assert line in ended.stderr


@pytest.mark.parametrize(
    ("number", "line"),
    [
        (0, "nexus_context_pointer: context is 7, but there are contexts 0 to 0"),
        (1, "nexus_put: buffer is none of this context's, or has been sent or freed"),
        (2, "nexus_init_remote_service_request: pointer is a null pointer"),
        (3, "a remote service request from context 0 is for handler 5, but 0 are registered here"),
        (4, "nexus_get: 1 elements of 4 B are wanted, but the buffer has 0 B left"),
        (5, "nexus_set_skip: every is 0; it must be 1 or more"),
        (6, "nexus_disallow_attach: number is 3, but nothing has been left there"),
        (7, "nexus_register_handlers: handler 0 has no function, or a type that there is not"),
        (8, "nexus_send_remote_service_request: buffer is none of this context's"),
        (9, "nexus_machine_name: machine is 3, but there are machines 0 to 0"),
        (10, "nexus_machine_of: context is -1, but there are contexts 0 to 0"),
        (11, "nexus_send_remote_service_request: buffer has been received; make one for each request"),
        (12, "nexus_put: there is no room for 18446744073709551615 elements of 4 B"),
        (13, "nexus_put: there is no room for 4611686018427387904 elements of 4 B"),
        (14, "nexus_get: 4611686018427387905 elements of 4 B are wanted, but the buffer has 4 B left"),
        (15, "nexus_cond_signal: condition is a null pointer"),
        (16, "nexus_cond_broadcast: condition is a null pointer"),
    ],
)
def test_wrong_calls_are_told_what_is_wrong(run_on_nexus, number, line):
    ended = run_on_nexus(PROGRAMS / "wrong.c", 1, number)
    assert ended.returncode == 1
    assert f"rank 0: {line}" in ended.stderr


def test_who_waits_for_ever_is_named(run_on_nexus):
    ended = run_on_nexus(PROGRAMS / "wait.c", 2)
    assert ended.returncode != 0
    assert "waits in nexus_cond_wait for a signal" in ended.stderr


def test_a_run_without_nexus_says_so(run_on_nexus):
    ended = run_on_nexus(PROGRAMS / "times.c", 2, machine="ideal")
    assert ended.returncode == 1
    assert "this run has no Nexus" in ended.stderr
