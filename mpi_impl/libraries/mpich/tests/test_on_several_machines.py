"""MPICH on Nexus across the sites of a machine: methods by where ranks are, what programs choose and are told."""

from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parent / "programs"
MACHINE = "i-way"
# Two nodes of an SP, two processors of a Challenge, two nodes of a torus, one of a Paragon.
MAP = "0,1,128,128,131,132,195"


@pytest.fixture(scope="module")
def across(run_program):
    """The standard output of a program, which is the same ahead of the clock and in lockstep."""

    def run_both(source, where, *args, settings=()):
        launcher = ["--map", where, *(word for setting in settings for word in ("--set", setting))]
        n = len(where.split(","))
        ahead = run_program(PROGRAMS / source, n, *args, machine=MACHINE, launcher=launcher)
        assert (ahead.returncode, ahead.stderr) == (0, "")
        lockstep = run_program(PROGRAMS / source, n, *args, machine=MACHINE, launcher=[*launcher, "--lockstep"])
        assert lockstep.stdout == ahead.stdout
        return ahead.stdout

    return run_both


def ways(across, where, *args, settings=()):
    """By rank: its machine, the method that leads there, and one way in us on the world and on the chosen one."""
    rows = [line.split() for line in across("ways.c", where, *args, settings=settings).splitlines()]
    assert not [row for row in rows if row == ["wrong"]]
    return {int(row[0]): (row[1], row[2], float(row[3]), float(row[4])) for row in rows if len(row) == 5}


def test_a_program_is_told_its_machines_and_their_processors(across):
    lines = across("ways.c", MAP, 0).splitlines()
    assert [lines[0], lines[1], lines[3]] == ["argonne 2 of 128", "ncsa-challenge 2 of 16", "sdsc 1 of 64"]
    assert lines[2].startswith("psc-") and lines[2].endswith(" 2 of 64")


def test_each_pair_has_the_method_of_where_it_is(across):
    from_sp = ways(across, MAP, 0)
    assert [from_sp[rank][1] for rank in range(1, 7)] == ["mpl", "tcp", "tcp", "tcp", "tcp", "tcp"]
    assert ways(across, "128,128,0", 0)[1][:2] == ("ncsa-challenge", "memory")
    place, method = ways(across, "131,132,0", 0)[1][:2]
    assert (place.startswith("psc-"), method) == (True, "native")
    assert ways(across, "194,194", 0)[1][:2] == ("psc-c90", "memory")


def test_shared_memory_takes_its_parts(across):
    """MPICH, Nexus, an entry in the queue, what both ends copy of header and data, and a poll of each method."""
    took = ways(across, "128,128", 1000)[1][2]
    parts = 21.733 + 38.6 + 7.111 + 6.4 + 7 + 5 + 5 + 1 + 2 * (1000 + 1056) / 50
    assert parts < took < parts + 2 * (2 + 100 + 30)


@pytest.mark.parametrize("key", ["shared_memory.send_overhead", "shared_memory.receive_overhead"])
def test_what_shared_memory_takes_moves_its_messages_alone(across, key):
    slower = [f"{key}=405us"]
    usual, changed = (ways(across, "128,128,131,132", 0, settings=settings) for settings in ([], slower))
    assert changed[1][2] - usual[1][2] == pytest.approx(400, abs=140)
    native, changed = (ways(across, "131,132", 0, settings=settings) for settings in ([], slower))
    assert changed[1][2] == native[1][2]


def test_atm_itself_is_quicker_where_a_program_chooses_it(across):
    """A packet's call instead of TCP's two, and no windows: a long message takes what the links take."""
    machine, method, usual, chosen = ways(across, "0,195", 0, "aal5")[1]
    assert (machine, method) == ("sdsc", "tcp")
    assert 22_000 < chosen < usual
    _, _, usual, chosen = ways(across, "0,195", 1_000_000, "aal5")[1]
    assert usual > 16 * 44_000 * 0.9
    assert 1_000_000 * 8 / 36.7 + 22_000 < chosen < 1_000_000 * 8 / 36.7 + 32_000


def test_a_choice_that_does_not_lead_there_is_passed_over(across):
    _, _, usual, chosen = ways(across, "0,1", 0, "aal5")[1]
    assert abs(chosen - usual) < 150
    _, _, usual, chosen = ways(across, "0,195", 0, "aal5", settings=["link.west.status=down"])[1]
    assert usual > 40_000  # over the Internet, which is not ATM
    assert abs(chosen - usual) < 300


def test_the_size_of_buffers_is_a_communicators(across):
    _, _, usual, chosen = ways(across, "0,195", 500_000, "-", 1 << 20)[1]
    assert usual > 7 * 44_000
    assert chosen < 500_000 * 8 / 36.7 + 70_000
    _, _, usual, chosen = ways(across, "0,195", 500_000, "-", 16_384)[1]
    assert chosen > 3.5 * usual


def test_polling_tcp_less_often_is_a_communicators(across):
    _, _, usual, chosen = ways(across, "0,1", 0, "-", 0, 1000)[1]
    assert chosen < usual - 30


def test_polling_mpl_less_often_is_a_communicators(across):
    """Between sites no message comes by MPL, whose polls take 15 us of a pass each; inside the SP all do."""
    _, _, usual, chosen = ways(across, "0,128", 0, "-", 0, 0, 1000)[1]
    assert chosen != usual
    assert abs(chosen - usual) < 150
    _, _, usual, chosen = ways(across, "0,1", 0, "-", 0, 0, 100)[1]
    assert chosen > usual + 100


def test_a_link_that_fails_under_mpi_ends_the_run_with_a_line(run_program, root, tmp_path):
    text = (root / "platforms" / "i-way.toml").read_text()
    west = 'name = "west"\n'
    assert west in text
    failing = 'fails_at = { value = 150, unit = "ms", kind = "invented", source = "made up" }\n'
    machine = tmp_path / "mine.toml"
    machine.write_text(text.replace(west, west + failing))
    launcher = ["--map", "0,195", "--set", "tcp.gives_up=3s"]
    ended = run_program(PROGRAMS / "ways.c", 2, 1000, machine=machine, launcher=launcher)
    assert ended.returncode == 1
    assert "by TCP has broken" in ended.stderr and "a link has failed" in ended.stderr


WRONGLY_UP = "link.west.works=no"


def test_a_link_that_was_wrongly_entered_as_up_ends_the_run_with_a_line(run_program):
    launcher = ["--map", "0,195", "--set", WRONGLY_UP, "--set", "tcp.gives_up=3s"]
    ended = run_program(PROGRAMS / "ways.c", 2, 0, machine=MACHINE, launcher=launcher)
    assert ended.returncode == 1
    assert "by TCP has broken" in ended.stderr


def test_automatic_fallback_takes_the_internet_where_atm_does_not_work(across):
    automatic = "machine.fallback=automatic"
    fallen_back, by_hand = (
        ways(across, "0,195", 0, settings=settings)[1][2]
        for settings in ([WRONGLY_UP, automatic], ["link.west.status=down"])
    )
    assert fallen_back == by_hand > 40_000
    assert ways(across, "0,195", 0, settings=[automatic])[1] == ways(across, "0,195", 0)[1]


def test_messages_come_in_order_whatever_ways_they_are_sent(across):
    assert across("changing.c", "0,195") == "right\n"


def test_the_library_keeps_a_key_that_a_program_has_freed(across):
    assert across("freed_key.c", "0,195") == "right\n"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [((0, "-", -1), "the attribute TCP_BUFFER_SIZE of a communicator is -1; it must be more than 0")],
)
def test_a_wrong_choice_is_told(run_program, arguments, line):
    ended = run_program(PROGRAMS / "ways.c", 2, *arguments, machine=MACHINE, launcher=["--map", "0,195"])
    assert ended.returncode == 1
    assert line in ended.stderr


def test_a_run_without_nexus_has_no_keys(run_program):
    ended = run_program(PROGRAMS / "changing.c", 2, machine="argonne-sp")
    assert ended.returncode == 1
    assert "mpi_nexus.h: this run has no MPI on Nexus" in ended.stderr


@pytest.mark.parametrize("program", ["spawn", "families"])
def test_processes_are_started_in_mid_run_on_machines_of_several_kinds(run_program, root, program):
    """On processors of a Challenge and an Exemplar, and nodes of the sites after them."""
    source = root / "tests" / "mpi" / "processes" / f"{program}.c"
    places = ",".join(["128"] * 16 + ["129"] * 8 + [str(node) for node in range(130, 194)])
    for more in ([], ["--lockstep"]):
        launcher = ["--map", places, "--universe", "88", *more]
        ended = run_program(source, 2, machine=MACHINE, launcher=launcher)
        assert (ended.returncode, ended.stderr) == (0, "")


def test_a_node_with_mpl_runs_one_process(run_program):
    ended = run_program(PROGRAMS / "ways.c", 2, 0, machine=MACHINE, launcher=["--map", "0,0"])
    assert ended.returncode != 0
    assert "MPL runs one process on a node, and i-way-argonne-0 has been given two" in ended.stderr
