"""The resource database that Nexus reads when a run starts by one: what contexts get from it, what is told of a wrong
one, and what it takes to start a program."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent
PROGRAM = HERE / "programs" / "resources.c"
MACHINE = HERE / "example.toml"


@pytest.fixture(scope="session")
def fingerprint(hindcast):
    return hindcast("show", "--fingerprint", MACHINE).stdout.strip()


@pytest.fixture
def started(run_on_nexus, fingerprint, tmp_path):
    """started("rank 0 tcp", ...): a program, started by a database of these entries on as many ranks."""

    def run_it(*entries, program=PROGRAM, n=None, machine=None, settings=(), launcher=()):
        database = tmp_path / "mine.db"
        database.write_text("\n".join([f"machine nexus-test {machine or fingerprint}", "# by hand", *entries, ""]))
        settings = [f"machine.resources={database}", *settings]
        return run_on_nexus(program, n or len(entries), settings=settings, launcher=launcher)

    return run_it


def told(done):
    """Of each context, without the name of the database."""
    assert (done.returncode, done.stderr) == (0, "")
    lines = sorted(done.stdout.splitlines())
    return [line.split(": ")[0] + ": " + line.split(", ", 1)[1] for line in lines]


def test_without_a_database_contexts_have_what_their_node_has_and_begin_at_once(nexus_output):
    lines = sorted(nexus_output(PROGRAM, 2).splitlines())
    assert lines == ["0: none, mpl tcp, next by mpl, at 0 ms", "1: none, mpl tcp, next by mpl, at 0 ms"]


def test_contexts_have_the_methods_that_the_database_says_in_its_order(started):
    done = started("rank 0 tcp mpl", "rank 1 mpl tcp", "rank 2 tcp", "rank 3")
    assert told(done) == [
        "0: tcp mpl, next by tcp, at 800 ms",
        "1: mpl tcp, next by tcp, at 800 ms",
        "2: tcp, next by tcp, at 800 ms",
        "3: mpl tcp, next by mpl, at 800 ms",
    ]
    assert "mine.db, tcp mpl" in done.stdout
    lockstep = started("rank 0 tcp mpl", "rank 1 mpl tcp", "rank 2 tcp", "rank 3", launcher=["--lockstep"])
    assert lockstep.stdout == done.stdout


def test_who_is_sent_a_global_pointer_chooses_the_method_among_its_own(started):
    """Its number on the sender's list is none of the third context's, and the second is where the pointer leads."""
    done = started("rank 0 tcp mpl", "rank 1 tcp mpl", "rank 2 tcp", program=HERE / "programs" / "travel.c")
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(done.stdout.splitlines()) == ["0 by mpl", "1 by local", "2 by tcp"]


def test_descriptors_say_how_a_context_is_reached(nexus_output):
    said = [line for line in nexus_output(PROGRAM, 2, "descriptors").splitlines() if " of " in line]
    assert sorted(said) == [
        "0 of 2 to 0: mpl, nexus-test-0 task 0, 1",
        "0 of 2 to 1: mpl, nexus-test-1 task 1, 1",
        "1 of 2 to 0: tcp, nexus-test-0 port 1995, 1",
        "1 of 2 to 1: tcp, nexus-test-1 port 1995, 1",
    ]


def test_what_a_start_takes_are_keys_of_the_machine(started):
    settings = ["start.authentication=7ms", "start.process_creation=5ms"]
    assert told(started("rank 0", "rank 1", settings=settings))[1].endswith("at 12 ms")


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        (["rank 0", "rank 1 mpi"], "mine.db:4: 'mpi' is none of the methods in nexus.methods, mpl, tcp"),
        (["rank 0", "rank 1 tcp tcp"], "mine.db:4: names 'tcp' twice"),
        (["rank 0", "rank 5"], "mine.db:4: rank 1 has been allocated 5, and is to be started on 1"),
        (["rank 0", "rank"], "mine.db:4: 'rank' is no entry; one is 'machine NAME NUMBER', 'rank SITE:NODE METHOD...'"),
        (["rank 0", "node 1"], "mine.db:4: 'node 1' is no entry"),
        (["rank 0", "link west up"], "mine.db:4: the machine has no link 'west' whose status can be entered"),
        (["rank 0", "link west sideways"], "mine.db:4: 'link west sideways' is no entry"),
        (["rank 0", "machine nexus-test"], "mine.db:4: 'machine nexus-test' is no entry"),
    ],
)
def test_a_wrong_database_is_told_with_its_line(started, entries, said):
    done = started(*entries)
    assert (done.returncode, done.stdout) == (1, "")
    assert said in done.stderr


def test_a_stale_database_is_told(started):
    done = started("rank 0", "rank 1", machine="17")
    assert (done.returncode, done.stdout) == (1, "")
    assert "mine.db:1: stale: the machine of" in done.stderr
    assert "allocate again" in done.stderr


def test_a_setting_is_no_change_of_the_machine(started):
    assert told(started("rank 0", "rank 1", settings=["tcp.select=90us"]))[0].startswith("0: mpl tcp")


def test_a_database_of_other_ranks_is_told(started):
    done = started("rank 0", "rank 1", "rank 2", n=2)
    assert (done.returncode, done.stdout) == (1, "")
    assert "mine.db: 3 ranks have been allocated, and 2 are to be started" in done.stderr


def test_a_database_that_is_not_there_or_is_of_no_machine_is_told(run_on_nexus, tmp_path):
    done = run_on_nexus(PROGRAM, 1, settings=[f"machine.resources={tmp_path / 'none.db'}"])
    assert (done.returncode, done.stdout) == (1, "")
    assert "none.db: this resource database cannot be read" in done.stderr
    (tmp_path / "of-no.db").write_text("rank 0\n")
    done = run_on_nexus(PROGRAM, 1, settings=[f"machine.resources={tmp_path / 'of-no.db'}"])
    assert (done.returncode, done.stdout) == (1, "")
    assert "of-no.db: this resource database names no machine" in done.stderr


@pytest.mark.parametrize(("credentials", "said"), [("missing", "are missing"), ("expired", "have expired")])
def test_who_is_not_known_starts_nothing(started, run_on_nexus, credentials, said):
    setting = f"start.credentials={credentials}"
    done = started("rank 0", "rank 1", settings=[setting])
    assert (done.returncode, done.stdout) == (1, "")
    assert f"the credentials of whoever starts the program {said}" in done.stderr
    assert run_on_nexus(PROGRAM, 2, settings=[setting]).returncode == 0  # nobody is asked without a database
