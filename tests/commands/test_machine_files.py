"""A machine's file of one's own: what is wrong with it is said by whoever reads it, before anything is run."""

import re

import pytest


@pytest.fixture
def mine(root, tmp_path):
    """A copy of the ideal machine's file, with `change(old, new)`."""

    class Mine:
        path = tmp_path / "mine.toml"

        def change(self, old, new):
            text = self.path.read_text()
            assert old in text
            self.path.write_text(text.replace(old, new, 1))

        def line(self, word):
            return self.path.read_text().partition(word)[0].count("\n") + 1

    made = Mine()
    made.path.write_text((root / "platforms" / "ideal.toml").read_text().replace('name = "ideal"', 'name = "mine"'))
    return made


MISTAKES = [
    # old text, new text, where it is, what is said
    ("hop_latency", "hop_latencies", "hop_latencies",
     "network.hop_latencies: unknown key, did you mean 'hop_latency'?"),
    ("[network]", "[network]\ncolour = { value = 3, kind = 'invented' }", "colour", "network.colour: unknown key"),
    ('value = 100, unit = "ns", kind = "invented", source = "made up: a router', 'value = 100, unit = "MB/s", kind = '
     '"invented", source = "made up: a router', "hop_latency", "network.hop_latency: 'MB/s' is no unit of a time"),
    ('value = 300, unit = "MB/s"', 'value = "300", unit = "MB/s"', "link_bandwidth",
     "network.link_bandwidth: '300' is not a number: here belongs one without quotes"),
    ('value = "square", one_of = ["square"]', "value = [64, 64, 1024]", "dimensions",
     "network.dimensions: 64x64x1024 are more than the 1048576 nodes that a network can have"),
    ('value = "square", one_of = ["square"]', 'value = "square", one_of = ["square"', "dimensions",
     ":43 is still open here: is its ] missing?"),
    ("[network]", "[network", "[network", "Error while parsing table header: expected ']', saw '\\n'\n"),
    ("default_nodes = { value = 64", "default_nodes = { value = 1048577", "default_nodes",
     "machine.default_nodes: 1048577 are more than machine.nodes_max, 1048576"),
    ('value = 500, unit = "Mflop/s"', 'value = 100, unit = "flop/s"', "flop_rate",
     "processor.flop_rate: less than 250 a second, one in 4 ms"),
    ('value = 100, unit = "ns", kind = "invented", source = "made up: a router', 'value = 100, unit = "ns", kind = '
     '"fitted", fits = "A-01", follows = "1 us - processor.pol", source = "made up: a router', "hop_latency",
     'network.hop_latency: follows = "1 us - processor.pol": processor.pol: no number of this file has that key, did '
     "you mean 'processor.poll'?"),
    ('value = 100, unit = "ns", kind = "invented", source = "made up: a router', 'value = 100, unit = "ns", kind = '
     '"assumed", range = [1, 200], at_most = "(1 us", source = "made up: a router', "hop_latency",
     'network.hop_latency: at_most = "(1 us": a bracket is not closed'),
    ('value = 100, unit = "ns", kind = "invented", source = "made up: a router', 'value = 100, unit = "ns", kind = '
     '"assumed", range = [1, 200], at_most = "2 processor.pol", source = "made up: a router', "hop_latency",
     'network.hop_latency: at_most = "2 processor.pol": processor.pol: no number of this file has that key, did you '
     "mean 'processor.poll'?"),
    ('scatter = { value = ["linear', 'scatter = { value = ["liner', "scatter =", "collectives.scatter: liner if bytes"),
]  # fmt: skip
READERS = [["check"], ["show"], ["collectives", "-m"], ["platform", "--xml"], ["explain", "--bytes", "8", "-m"]]


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader[0])
@pytest.mark.parametrize(("old", "new", "where", "said"), MISTAKES, ids=[mistake[3][:40] for mistake in MISTAKES])
def test_every_reader_checks_the_whole_file(hindcast, mine, reader, old, new, where, said):
    mine.change(old, new)
    done = hindcast(*reader, mine.path)
    assert done.returncode == 1
    assert done.stdout == ""
    assert f"mine.toml:{mine.line(where)}:" in done.stderr
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_what_bounds_a_number_may_be_of_a_part_that_is_not_chosen_but_no_key_of_nobodys(hindcast, root, mine):
    text = (root / "platforms" / "t3e-900.toml").read_text()
    without_queue = re.sub(r"^\[locked_queue\]\n(?:.+\n|\n(?!\[|#))*", "", text, count=1, flags=re.M)
    assert "[locked_queue]" not in without_queue
    mine.path.write_text(without_queue)
    done = hindcast("check", mine.path)
    assert (done.returncode, done.stderr) == (0, "")
    for whole in (text, without_queue):
        mine.path.write_text(whole)
        mine.change('at_most = "locked_queue.slots', 'at_most = "locked_queue.slos')
        for reader in READERS:
            done = hindcast(*reader, mine.path)
            assert done.returncode == 1
            assert f"mine.toml:{mine.line('locked_queue.slos')}:" in done.stderr
            assert "locked_queue.slos: no number of this file has that key, did you mean 'locked_queue.slots'?" in (
                done.stderr
            )


def test_a_missing_key_is_told_with_its_table_unit_and_a_line_that_can_be_used(hindcast, mine):
    line = re.search(r"^service_cost = .*\n", mine.path.read_text(), re.MULTILINE)[0]
    mine.change(line, "")
    mine.change('value = "hardware"', 'value = "polling"')
    done = hindcast("check", mine.path)
    assert done.returncode == 1
    assert f"mine.toml:{mine.line('[messages]')}:1: messages.service_cost: this key is missing: a time in ps, ns" in (
        done.stderr
    )
    offered = re.search(r"to begin with, (.*), as ideal has", done.stderr)[1]
    mine.change("[messages]\n", f"[messages]\n{offered}\n")
    done = hindcast("check", mine.path)
    assert (done.returncode, done.stderr) == (0, "")


def test_who_gives_a_key_that_the_file_has_not_is_told_a_command_that_lists_its_keys(hindcast, mine):
    for machine in (mine.path.name, mine.path, "ideal"):
        done = hindcast("check", machine, "--set", "qqqqqq=3", cwd=mine.path.parent)
        assert done.returncode == 1
        assert done.stderr == f"hindcast: --set qqqqqq=3: unknown key; 'hindcast show {machine}' lists them\n"
        assert "network.hop_latency" in hindcast("show", machine, cwd=mine.path.parent).stdout


def test_a_right_file_is_told_so(hindcast, mine):
    done = hindcast("check", mine.path)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r".*mine.toml: ready to run on: 1-1048576 nodes, \d+ parameters\n", done.stdout)
    assert "ready to run on" in hindcast("check", "ideal").stdout
    refused = hindcast("check", "ideal", "--set", "network.hop_latency=3 MB")
    assert refused.returncode == 1
    assert "'MB' is no unit of this number" in refused.stderr


def test_whether_a_run_could_begin_is_told_without_a_program(hindcast, mine, tmp_path):
    done = hindcast("check", "t3e-900", "-n", "2048", "--map", "reverse")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("parameters\nthere is room for 2048 ranks\n")
    for words, said in (
        (["-n", "2049"], "2049 ranks, but the machine has at most 2048 nodes, so give -n 2048 or less"),
        (["-n", "4", "--map", "block:2"], "--map: ranks 0 and 1 are both on node 0"),
        (["-n", "4", "--map", "blok"], "--map blok: not a placement"),
        (["--map", "reverse"], "check: --map reverse places ranks: give -n, how many"),
    ):
        done = hindcast("check", "t3e-900", *words)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith(f"hindcast: {said}")
    assert '"fit": false' in hindcast("check", "t3e-900", "--json", "-n", "2049").stdout
    assert "-n puts ranks on a machine, and /bin/true is none" in hindcast("check", "/bin/true", "-n", "2").stderr
    other_name = tmp_path / "machine"
    mine.path.rename(other_name)
    assert "there is room for 9 ranks" in hindcast("check", other_name, "-n", "9").stdout


@pytest.mark.parametrize(
    ("pair", "other", "apart"), [("site", "sites", "of one site"), ("sites", "site", "of different sites")]
)
def test_a_pair_without_a_method_is_told_before_a_run(hindcast, root, tmp_path, pair, other, apart):
    text = (root / "platforms" / "grid.toml").read_text()
    between = f'between = {{ value = ["{pair}"]'
    assert between in text
    path = tmp_path / "grid.toml"
    path.write_text(text.replace(between, f'between = {{ value = ["{other}"]', 1))
    done = hindcast("check", path)
    assert done.returncode == 1
    assert f"no [[method]] carries messages of any length between ranks {apart} (" in done.stderr


def test_without_a_table_of_collectives_it_is_said_what_is_taken(hindcast, mine):
    mine.path.write_text(mine.path.read_text().partition("\n# Which algorithm a collective takes")[0])
    for words in (["check", mine.path], ["show", mine.path], ["collectives", "-m", mine.path]):
        done = hindcast(*words)
        assert done.returncode == 0, done.stderr
        assert "there is no table [collectives]: the first algorithm that can serve is taken" in done.stdout


def test_a_broken_file_does_not_hide_the_others(hindcast, mine):
    mine.change("[network]", "[network")
    done = hindcast("machines", env={"HINDCAST_PLATFORMS": str(mine.path.parent)})
    assert done.returncode == 1
    assert {line.split()[0] for line in done.stdout.splitlines()} >= {"ideal", "t3d"}
    assert re.fullmatch(r"hindcast: left out: .*mine.toml:\d+:\d+: .*\n", done.stderr)


COUNTS = ["t3e-900 barrier.branching", "ap1000 snet.branching", "ap1000 cellos.domains_max", "ap1000 mpi.small_group",
          "ap1000 mpi.domain_stack", "ap3000 pvm.reduce_members_max", "argonne-sp mpl.partition_nodes",
          "i-way nexus.tcp_every"]  # fmt: skip


@pytest.mark.parametrize("count", COUNTS)
def test_a_count_that_is_too_large_is_refused_and_not_taken_for_another(hindcast, count):
    machine, key = count.split()
    for command in (["check", machine], ["explain", "--bytes", "8", "-m", machine]):
        done = hindcast(*command, "--set", f"{key}=4294967296", timeout=60)
        assert done.returncode == 1
        assert done.stderr == f"hindcast: --set {key}=4294967296: must be no more than 2147483647\n"


def test_a_machine_that_is_made_smaller_is_usually_all_of_it(hindcast):
    done = hindcast("platform", "ideal", "--xml", "--set", "machine.nodes_max=16")
    assert (done.returncode, done.stderr) == (0, "")
    assert 'radical="0-15"' in done.stdout
    refused = hindcast("check", "ideal", "--set", "machine.nodes_max=16", "--set", "machine.default_nodes=17")
    assert refused.returncode == 1
    assert "--set machine.default_nodes=17: 17 are more than machine.nodes_max, 16" in refused.stderr


def test_extents_are_held_to_the_largest_machine(hindcast, mine):
    mine.change("value = 1048576", "value = 63")
    mine.change("default_nodes = { value = 64", "default_nodes = { value = 63")
    mine.change('value = "square", one_of = ["square"]', "value = [8, 8]")
    done = hindcast("check", mine.path)
    assert "network.dimensions: 8x8 are 64 nodes, more than machine.nodes_max, 63" in done.stderr


def test_a_machine_of_fixed_extents_is_exported_whole(hindcast, mine):
    mine.change('value = "square", one_of = ["square"]', "value = [8, 8]")
    done = hindcast("platform", mine.path, "--xml", "-n", "16")
    assert done.returncode == 1
    assert "-n 16: the extents of" in done.stderr
    assert "8x8, which are 64 nodes" in done.stderr
    whole = hindcast("platform", mine.path, "--xml")
    assert "platform mine -n 64 - -xml" in whole.stdout
    assert 'radical="0-63"' in whole.stdout
    changed = hindcast("platform", mine.path, "--set", "network.dimensions=4x4", "--xml")
    assert "platform mine -n 16 - -set 'network.dimensions=4x4' - -xml" in changed.stdout


def test_what_is_shown_keeps_to_columns_that_can_be_read(hindcast):
    for machine in ("ideal", "ap1000", "t3e-900", "t3d"):
        done = hindcast("show", machine)
        assert done.returncode == 0, done.stderr
        heads = next(line for line in done.stdout.splitlines() if line.startswith("PARAMETER"))
        assert heads.index("SOURCE") <= 90
    lines = hindcast("show", "ideal").stdout.splitlines()
    bcast = next(i for i, line in enumerate(lines) if line.startswith("collectives.bcast"))
    assert "8 rows" in lines[bcast]
    assert lines[bcast + 1] == "    1. scatter_recursive_doubling if bytes >= 2 KiB and bytes <= 16 KiB and ranks >= 16"


ACROSS = """
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) MPI_Send(&rank, 0, MPI_INT, size - 1, 0, MPI_COMM_WORLD);
  if (rank == size - 1) {
    MPI_Recv(&rank, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%.0f\\n", MPI_Wtime() * 1e9);
  }
  MPI_Finalize();
  return 0;
}
"""


def test_a_mesh_has_no_way_around(run_program, hindcast):
    settings = ["--set", "network.dimensions=8"]
    torus = int(run_program(ACROSS, 8, launcher=settings).stdout)
    mesh = int(run_program(ACROSS, 8, launcher=[*settings, "--set", "machine.topology=mesh"]).stdout)
    assert mesh - torus == 6 * 100  # seven hops, and not one
    done = hindcast("platform", "ideal", "--xml", "--set", "machine.topology=mesh")
    assert "SimGrid's clusters have tori, but no meshes" in done.stderr


ALL_TO_ALL = """
#include <mpi.h>
#include <stdio.h>
static char from[32][16384], to[32][16384];
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Alltoall(from, 16384, MPI_CHAR, to, 16384, MPI_CHAR, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("%.0f\\n", MPI_Wtime() * 1e9);
  MPI_Finalize();
  return 0;
}
"""


def test_packets_may_choose_their_way(run_program):
    def time(**settings):
        changed = [word for key, value in settings.items() for word in ("--set", f"network.{key}={value}")]
        return int(run_program(ALL_TO_ALL, 32, machine="t3e-900", launcher=changed).stdout)

    adaptive = time(routing="adaptive")
    assert adaptive < time(routing="fixed") == time(routing="fixed", packet_bytes=1024)
    assert adaptive != time(routing="adaptive", packet_bytes="1MiB")


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("", "network.packet_bytes: this key is missing: a size in B"),
        ('packet_bytes = { value = 0, unit = "B", kind = "invented" }\n', "network.packet_bytes: must be more than 0"),
    ],
    ids=["missing", "none"],
)
def test_packets_that_choose_their_way_have_a_length(hindcast, mine, keys, said):
    routing = 'routing = { value = "adaptive", one_of = ["fixed", "adaptive"], kind = "invented" }'
    mine.change("[network]\n", f"[network]\n{routing}\n{keys}")
    done = hindcast("check", mine.path)
    assert done.returncode == 1
    assert said in done.stderr


@pytest.fixture
def alike(root, mine):
    """A cluster's file, whose kind of node and network are as those of other machines."""

    def write(node="t3d", network="t3d", more=""):
        text = (root / "platforms" / "cluster.toml").read_text().replace('name = "cluster"', 'name = "mine"')
        size = 'dimensions = { value = [4, 4, 4], kind = "invented" }\n'
        of_node = f'as = "{node}"\nprocessors = {{ value = 1, kind = "invented" }}\n'
        for name, body in (("smp", of_node), ("san", f'as = "{network}"\n{size}')):
            text = re.sub(rf'^(name = "{name}"\n)(?:\w.*\n|#.*\n)*', rf"\1{body}", text, flags=re.M)
        mine.path.write_text(text + more)
        return mine

    return write


def test_a_node_and_a_network_can_be_as_another_machines(hindcast, alike):
    shown = [line.split() for line in hindcast("show", alike().path).stdout.splitlines()]
    values = {line[0]: " ".join(line[1:]) for line in shown if line}
    assert values["node.smp.copy_bandwidth"].startswith("160 MB/s tied as t3d: half of")
    assert values["network.san.hop_latency"].startswith("20 ns assumed as t3d: nobody says; three clocks")
    assert values["network.san.dimensions"].startswith("4x4x4 invented")
    assert values["network.san.topology"].startswith("torus stated as t3d")
    changed = hindcast("show", alike(node="cluster.smp", network="grid.mesh").path, "--set", "node.smp.poll=7us")
    assert re.search(r"node.smp.poll +7 us +set", changed.stdout)
    assert re.search(r"node.smp.processors +1 +invented", changed.stdout)
    assert re.search(r"node.smp.flop_rate +400 Mflop/s +invented +as cluster: made up", changed.stdout)


@pytest.mark.parametrize(
    ("tables", "where", "said"),
    [
        ({"node": "t4d"}, 'as = "t4d"', "node.smp: as = \"t4d\": unknown machine 't4d', did you mean 't3d'?"),
        ({"node": "grid"}, 'as = "grid"', "'grid' has no [processor]; name one of several, as \"grid.NAME\""),
        ({"network": "grid.no"}, 'as = "grid.no"', "'grid' has no [network.no]"),
        ({"node": "mine.smp"}, 'as = "mine.smp"', "machines are as each other too often, or in a circle"),
        ({"more": '[[link]]\nname = "l"\nas = "grid"\n'}, 'as = "grid"', "only a [[node]] or a [[network]] can be as"),
    ],
)
def test_what_nothing_can_be_as_is_told_with_its_line(hindcast, alike, tables, where, said):
    mine = alike(**tables)
    done = hindcast("show", mine.path, env={"HINDCAST_PLATFORMS": str(mine.path.parent)})
    assert (done.returncode, done.stdout) == (1, "")
    assert f"mine.toml:{mine.line(where)}:" in done.stderr
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
