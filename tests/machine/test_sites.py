"""Machines of several kinds of nodes, networks and sites, and where ranks are put, as a user sees them."""

import re

import pytest

WHERE = """#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  char name[MPI_MAX_PROCESSOR_NAME];
  int rank, length;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Get_processor_name(name, &length);
  printf("%d %s\\n", rank, name);
  MPI_Finalize();
  return 0;
}
"""

# What a table of each sort has at least, with a second site on the network of the first.
OWN = """
[machine]
name = "own"
description = "two kinds of nodes"

[[node]]
name = "thin"
processors = { value = 1, kind = "invented" }
PROCESSOR

[[node]]
name = "wide"
processors = { value = 2, kind = "invented" }
memory_port_bandwidth = { value = 600, unit = "MB/s", kind = "invented" }
memory_sharing = { value = "turns", one_of = ["turns", "fair"], kind = "invented" }
PROCESSOR

[[network]]
name = "net"
topology = { value = "crossbar", one_of = ["crossbar"], kind = "invented" }
model = { value = "wormhole", one_of = ["wormhole"], kind = "invented" }
ports = { value = 8, kind = "invented" }
switch_latency = { value = 1, unit = "us", kind = "invented" }
injection_bandwidth = { value = 100, unit = "MB/s", kind = "invented" }
injection_latency = { value = 0, unit = "us", kind = "invented" }

[[site]]
name = "here"
node = { value = "thin", kind = "invented" }
network = { value = "net", kind = "invented" }
nodes = { value = 6, kind = "invented" }

[[site]]
name = "there"
node = { value = "wide", kind = "invented" }
network = { value = "net", kind = "invented" }
nodes = { value = 2, kind = "invented" }

[[link]]
name = "way"
from = { value = "here", kind = "invented" }
to = { value = "there", kind = "invented" }
latency = { value = 1, unit = "ms", kind = "invented" }
bandwidth = { value = 1, unit = "MB/s", kind = "invented" }
window = { value = 16, unit = "KiB", kind = "invented" }

[messages]
library = { value = "plain", one_of = ["plain"], kind = "invented" }
progress = { value = "hardware", one_of = ["hardware"], kind = "invented" }

[[method]]
name = "memory"
carried_by = { value = "memory", one_of = ["memory", "network", "wide area"], kind = "invented" }
between = { value = ["node"], kind = "invented" }
latency = { value = 100, unit = "ns", kind = "invented" }
METHOD

[[method]]
name = "net"
carried_by = { value = "network", one_of = ["memory", "network", "wide area"], kind = "invented" }
between = { value = ["site"], kind = "invented" }
METHOD

[[method]]
name = "far"
carried_by = { value = "wide area", one_of = ["memory", "network", "wide area"], kind = "invented" }
between = { value = ["sites"], kind = "invented" }
METHOD
""".replace(
    "METHOD",
    """send_overhead = { value = 1, unit = "us", kind = "invented" }
receive_overhead = { value = 1, unit = "us", kind = "invented" }
eager_limit = { value = 1, unit = "KiB", kind = "invented" }
header_bytes = { value = 32, unit = "B", kind = "invented" }""",
).replace(
    "PROCESSOR",
    """flop_rate = { value = 500, unit = "Mflop/s", kind = "invented" }
memory_bandwidth = { value = 800, unit = "MB/s", kind = "invented" }
copy_bandwidth = { value = 400, unit = "MB/s", kind = "invented" }
combine_rate = { value = 200, unit = "Mop/s", kind = "invented" }
clock_read = { value = 100, unit = "ns", kind = "invented" }
poll = { value = 200, unit = "ns", kind = "invented" }""",
)


@pytest.fixture
def own(tmp_path):
    """own(old, new): the path of the machine's file, with some of its text replaced."""

    def write(old="", new=""):
        assert old in OWN
        (tmp_path / "own.toml").write_text(OWN.replace(old, new, 1))
        return tmp_path / "own.toml"

    return write


def one_line(done):
    assert done.returncode != 0
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def test_a_machine_of_ones_own_is_listed_and_exported(hindcast, own):
    file = own()
    done = hindcast("show", file, "--set", "network.net.switch_latency=3us")
    rows = {line.split()[0]: line.split()[1:4] for line in done.stdout.splitlines()[3:] if line}
    assert rows["network.net.switch_latency"] == ["3", "us", "set"]
    assert rows["node.wide.processors"][:2] == ["2", "invented"]
    assert rows["site.there.node"][:2] == ["wide", "invented"]
    assert "(one of here, there)" in done.stdout
    xml = hindcast("platform", file, "--xml").stdout
    assert xml.count("<cluster") == 2
    assert '<link id="own_way" bandwidth="1000000Bps" latency="1000000000ps"' in xml
    both = {line for line in xml.splitlines() if "<zoneRoute" in line}
    assert both == {'    <zoneRoute src="own-here" dst="own-there" gw_src="own-here-0" gw_dst="own-there-0">'}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "wide"', 'name = "thin"', ":16:1: node: the name 'thin' is taken: line 6 has it"),
        ('value = "wide"', 'value = "large"', ":45:1: site.there.node: 'large' is not one of thin, wide"),
        ('value = "net"', 'value = "nat"', ":40:1: site.here.network: 'nat' is not one of net"),
        ("[[link]]", "[[lnk]]", ":49:1: lnk: unknown table, did you mean 'link'?"),
        ("[[link]]", "[link]", ":50:1: link.name: a parameter is written"),
        ('to = { value = "there"', 'to = { value = "here"', ":52:1: link.way.to: a link from a site to itself"),
        ("value = 6,", "value = 9,", ":41:1: site.here.nodes: 9 nodes, but network.net joins 8 at most"),
        ("ports =", "prts =", ":32:1: network.net.prts: unknown key, did you mean 'ports'?"),
        (
            "memory_sharing =",
            "memory_shearing =",
            ":20:1: node.wide.memory_shearing: unknown key, did you mean 'memory_sharing'?",
        ),
    ],
)
def test_mistakes_are_told_with_their_place(old, new, message, hindcast, own):
    file = own(old, new)
    assert f"{file}{message}" in one_line(hindcast("platform", file, "--xml"))


def test_a_site_that_no_link_leads_to(hindcast, own):
    start = OWN.index("[[link]]")
    file = own(OWN[start : OWN.index("[messages]")], "")
    assert f"{file}:43:1: site.there: no [[link]] leads from site 'here' to it" in one_line(
        hindcast("platform", file, "--xml")
    )


def test_a_site_whose_links_are_down(hindcast, own):
    file = own("[[link]]\n", '[[link]]\nstatus = { value = "down", one_of = ["up", "down"], kind = "invented" }\n')
    assert "no [[link]] that is up leads from site 'here' to it" in one_line(hindcast("platform", file, "--xml"))


@pytest.mark.parametrize("placed", [["--map", "slot"], ["--map", "node"], []])
def test_more_ranks_than_slots(placed, run_program, own):
    done = run_program(WHERE, 11, machine=own(), launcher=placed)
    assert "11 ranks, but the machine has 10 slots: a processor each, on 8 nodes" in one_line(done)


# The first site with both kinds of nodes on its network.
BOTH_KINDS = (
    """node = { value = "thin", kind = "invented" }
network = { value = "net", kind = "invented" }
nodes = { value = 6, kind = "invented" }""",
    """node = { value = ["thin", "wide", "thin"], kind = "invented" }
network = { value = "net", kind = "invented" }
nodes = { value = [2, 3, 1], kind = "invented" }""",
)


def places_of(done):
    assert (done.returncode, done.stderr) == (0, "")
    return [line.split()[1] for line in sorted(done.stdout.splitlines(), key=lambda line: int(line.split()[0]))]


def test_a_network_of_two_kinds_of_nodes(run_program, own):
    file = own(*BOTH_KINDS)
    here = [0, 1, 2, 2, 3, 3, 4, 4, 5]
    assert places_of(run_program(WHERE, 11, machine=file)) == [f"own-here-{i}" for i in here] + ["own-there-0"] * 2
    by_node = run_program(WHERE, 11, machine=file, launcher=["--map", "node"])
    first_round = [f"own-here-{i}" for i in range(6)] + ["own-there-0", "own-there-1"]
    assert places_of(by_node) == [*first_round, "own-here-2", "own-here-3", "own-here-4"]


def test_a_map_counts_all_nodes_of_a_site_through(run_program, own, tmp_path):
    file, lines = own(*BOTH_KINDS), tmp_path / "map"
    lines.write_text("here:5\nhere:4\nthere:1\n6\n")
    assert places_of(run_program(WHERE, 4, machine=file, launcher=["--map", lines])) == [
        "own-here-5", "own-here-4", "own-there-1", "own-there-0",
    ]  # fmt: skip
    lines.write_text("here:6\n")
    done = run_program(WHERE, 1, machine=file, launcher=["--map", lines])
    assert "node 6, but site 'here' has 6 nodes, counted from 0" in one_line(done)


WORK = """#include <hindcast.h>
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  hindcast_compute_flops(1e6);
  printf("%d %.0f\\n", rank, MPI_Wtime() * 1e9);
  MPI_Finalize();
  return 0;
}
"""


def test_each_kind_of_node_computes_at_its_own_rate(run_program, own):
    file = own(*BOTH_KINDS)
    text = file.read_text()
    wide = text.index('name = "wide"')
    file.write_text(text[:wide] + text[wide:].replace("value = 500", "value = 250", 1))
    done = run_program(WORK, 4, machine=file, launcher=["--map", "1,2,4,5"])
    clock_read = 100
    assert places_of(done) == [str(ns + clock_read) for ns in (2_000_000, 4_000_000, 4_000_000, 2_000_000)]


def test_numbers_of_nodes_can_be_set(run_program, own):
    launcher = ["--set", "site.here.nodes=1x1x1", "--set", "site.here.node=wide,thin,wide"]
    done = run_program(WHERE, 6, machine=own(*BOTH_KINDS), launcher=launcher)
    assert places_of(done) == [f"own-here-{i}" for i in (0, 0, 1, 2, 2)] + ["own-there-0"]


NOT_THREE_NUMBERS = (
    ":41:1: site.here.nodes: site.here.node has 3 kinds: here belongs a list of 3 numbers of nodes, such as [8, 2]"
)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"wide", "thin"]', '"wide", "thn"]', ":39:1: site.here.node: 'thn' is not one of thin, wide"),
        (
            "[2, 3, 1]",
            "[2, 3]",
            NOT_THREE_NUMBERS,
        ),
        (
            "[2, 3, 1]",
            "6",
            NOT_THREE_NUMBERS,
        ),
        ("[2, 3, 1]", "[2, 0, 1]", ":41:1: site.here.nodes: 0 is not at least 1"),
        ("[2, 3, 1]", "[2, 3, 4]", ":41:1: site.here.nodes: 9 nodes, but network.net joins 8 at most"),
        (
            '["thin", "wide", "thin"]',
            '"thin"',
            ":41:1: site.here.nodes: a list, 2x3x1, where one number belongs",
        ),
    ],
)
def test_mistakes_in_several_kinds_are_told(old, new, message, hindcast, own):
    file = own(*BOTH_KINDS)
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
    assert f"{file}{message}" in one_line(hindcast("check", file))


def test_a_platform_file_has_one_speed_for_the_nodes_of_a_network(hindcast, own):
    file = own(*BOTH_KINDS)
    assert hindcast("platform", file, "--xml").stdout.count("<cluster") == 2
    text = file.read_text()
    wide = text.index('name = "wide"')
    file.write_text(text[:wide] + text[wide:].replace("value = 500", "value = 250", 1))
    told = one_line(hindcast("platform", file, "--xml"))
    assert "own-here: the nodes 'thin' and 'wide' differ in flop_rate" in told


def test_the_guides_machine_of_two_kinds_is_finished_by_what_is_told(hindcast, run_program, root, tmp_path):
    """docs/machine-files.md, word for word: its lines, and then one missing key after the other."""
    guide = (root / "docs" / "machine-files.md").read_text()
    begun = guide.index('```toml\n[machine]\nname = "mine"')
    lines = guide[begun:].split("```")[1].splitlines()[1:]
    file = tmp_path / "mine.toml"
    for _ in range(60):
        file.write_text("\n".join(lines) + "\n")
        done = hindcast("check", file)
        if done.returncode == 0:
            break
        place, offered = re.search(r"mine.toml:(\d+):1: .* to begin with, (.*), as \w+ has", done.stderr).groups()
        lines.insert(int(place), offered)
    assert "mine.toml: ready to run on: 1-21 nodes" in done.stdout
    assert len(places_of(run_program(WHERE, 36, machine=file))) == 36
    set_nodes = ["--set", "site.hall.nodes=4x32x1", "--set", "network.san.ports=64"]
    assert len(places_of(run_program(WHERE, 52, machine=file, launcher=set_nodes))) == 52
    assert "37 ranks, but the machine has 36 slots" in one_line(run_program(WHERE, 37, machine=file))


def test_more_ranks_than_the_slots_of_both_kinds(run_program, own):
    done = run_program(WHERE, 14, machine=own(*BOTH_KINDS))
    assert "14 ranks, but the machine has 13 slots: a processor each, on 8 nodes" in one_line(done)


def test_ranks_are_put_where_a_file_says(run_program, tmp_path):
    file = tmp_path / "map"
    file.write_text("2  # the last\n0\nideal:1\n")
    done = run_program(WHERE, 3, machine="ideal", launcher=["--map", file])
    assert sorted(done.stdout.split("\n")) == ["", "0 ideal-2", "1 ideal-0", "2 ideal-1"]
    file.write_text("2\n0\nreal:1\n")
    done = run_program(WHERE, 3, machine="ideal", launcher=["--map", file])
    assert f"{file}:3:1: there is no site 'real'" in one_line(done)


def test_on_nodes_of_one_processor_slots_are_nodes(run_program):
    usual, slot, node = (
        run_program(WHERE, 3, machine="ideal", launcher=placed) for placed in ([], ["--map", "slot"], ["--map", "node"])
    )
    assert sorted(usual.stdout.split("\n")) == ["", "0 ideal-0", "1 ideal-1", "2 ideal-2"]
    assert usual.stdout == slot.stdout == node.stdout
