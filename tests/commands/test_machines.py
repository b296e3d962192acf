"""hindcast machines, show and platform."""

import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest


def test_machines_lists_names_and_sizes(hindcast):
    done = hindcast("machines")
    assert done.returncode == 0
    assert done.stderr == ""
    ideal = [line for line in done.stdout.splitlines() if line.startswith("ideal ")]
    assert len(ideal) == 1
    assert "1-1048576 nodes" in ideal[0]


@pytest.mark.parametrize("words", ["machines", "show ideal", "check ideal"])
def test_machines_are_read_in_a_folder_that_has_been_removed(build, tmp_path, words):
    (tmp_path / "removed").mkdir()
    command = f"rmdir ../removed; {build}/bin/hindcast {words}"
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path / "removed", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "ideal" in done.stdout


def test_machines_are_also_found_where_the_environment_says(hindcast, tmp_path):
    (tmp_path / "mine.toml").write_text(
        "[machine]\nname = 'mine'\ndescription = 'my own'\n"
        "nodes_max = { value = 4, kind = 'stated', source = 's' }\n"
        "default_nodes = { value = 4, kind = 'stated', source = 's' }\n"
        "topology = { value = 'torus', one_of = ['torus'], kind = 'stated', source = 's' }\n"
        "[network]\ndimensions = { value = [2, 2], kind = 'stated', source = 's' }\n"
    )
    done = hindcast("machines", env={"HINDCAST_PLATFORMS": str(tmp_path)})
    assert "mine" in done.stdout
    assert "1-4 nodes  my own" in done.stdout


def table(text):
    """The rows of show's table, by parameter."""
    return {line.split()[0]: line for line in text.splitlines() if "." in line.partition(" ")[0]}


def test_show_has_every_parameter_with_value_kind_and_source(hindcast, root):
    done = hindcast("show", "ideal")
    assert done.returncode == 0
    rows = table(done.stdout)
    assert rows["network.link_bandwidth"].split()[1:4] == ["300", "MB/s", "invented"]
    assert "each of a link's two directions" in rows["network.link_bandwidth"]
    assert "one of hardware, interrupt, polling" in rows["messages.progress"]
    in_file = (root / "platforms" / "ideal.toml").read_text()
    assert len(rows) == in_file.count("value = ")


def test_show_takes_a_file_and_settings(hindcast, root):
    done = hindcast(
        "show",
        root / "platforms" / "ideal.toml",
        "--set",
        "network.link_bandwidth=10 MB/s",
        "--set",
        "messages.progress=polling",
    )
    rows = table(done.stdout)
    assert rows["network.link_bandwidth"].split()[1:4] == ["10", "MB/s", "set"]
    assert rows["messages.progress"].split()[1:3] == ["polling", "set"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "idael"], "unknown machine 'idael', did you mean 'ideal'?"),
        (["show", "no/such.toml"], "no/such.toml: cannot be read: No such file or directory"),
        (["show", "/tmp/"], "/tmp/: cannot be read: not a file"),
        (["show", "ideal", "--set", "network.link_bandwith=3"], "did you mean 'network.link_bandwidth'?"),
        (["show", "cluster", "--set", "network=fluid"], "unknown key, did you mean 'network.san.model'?"),
        (["show", "cluster", "--set", "method.latency=1us"], "unknown key, did you mean 'method.memory.latency'?"),
        (["show", "ideal", "--set", "network.link_bandwidth=3 us"], "'us' is no unit of this number, which is in MB/s"),
        (["show", "ideal", "--set", "messages.progress=magic"], "'magic' is not one of hardware, interrupt, polling"),
        (["platform", "ideal", "--xml", "-n", "2000000"], "ideal has at most 1048576 nodes, and 2000000 are asked for"),
        (
            ["platform", "ideal", "--xml", "-n", "17", "--set", "network.dimensions=4x4"],
            "ideal has at most 16 nodes, and 17 are asked for",
        ),
    ],
)
def test_mistakes_get_one_clear_line(hindcast, arguments, message):
    done = hindcast(*arguments)
    assert done.returncode != 0
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert message in done.stderr


def test_a_mistake_in_a_file_is_told_with_file_line_and_key(hindcast, root, tmp_path):
    text = (root / "platforms" / "ideal.toml").read_text()
    line = 1 + text[: text.index("link_bandwidth")].count("\n")
    file = tmp_path / "mistaken.toml"
    file.write_text(text.replace("link_bandwidth", "link_bandwith", 1))
    done = hindcast("platform", file, "--xml")
    assert done.returncode != 0
    assert f"{file}:{line}:1: network.link_bandwith: unknown key, did you mean 'link_bandwidth'?" in done.stderr
    file.write_text(text.replace("[network]", "[network", 1))
    done = hindcast("show", file)
    assert done.returncode != 0
    assert f"{file}:" in done.stderr


def test_a_run_refuses_a_key_that_nobody_knows(run_program, root, tmp_path):
    program = "#include <mpi.h>\nint main(int c, char** v) { MPI_Init(&c, &v); MPI_Finalize(); return 0; }\n"
    text = (root / "platforms" / "ideal.toml").read_text()
    file = tmp_path / "mine.toml"
    file.write_text(text)
    assert run_program(program, 2, machine=file).returncode == 0
    file.write_text(text + 'colour = { value = 3, kind = "stated", source = "s" }\n')
    done = run_program(program, 2, machine=file)
    assert done.returncode != 0
    line = text.count("\n") + 1
    assert f"{file}:{line}:1: collectives.colour: unknown key: no part of ideal uses it" in done.stderr


def test_a_changed_link_bandwidth_changes_the_time_of_a_run(run_program):
    program = """
    #include <mpi.h>
    #include <stdio.h>
    int main(int argc, char** argv) {
      int rank;
      static char data[1000];
      MPI_Init(&argc, &argv);
      MPI_Comm_rank(MPI_COMM_WORLD, &rank);
      if (rank == 0) MPI_Send(data, 1000, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
      if (rank == 1) {
        MPI_Recv(data, 1000, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("%.12f\\n", MPI_Wtime());
      }
      MPI_Finalize();
      return 0;
    }
    """
    quick = float(run_program(program, 2).stdout)
    slow = float(run_program(program, 2, launcher=("--set", "network.link_bandwidth=30 MB/s")).stdout)
    header = 32
    assert slow - quick == pytest.approx((1000 + header) * (1 / 30e6 - 1 / 300e6), abs=2e-12)


PING_PONG = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  int rank, partner = atoi(argv[1]);
  char byte = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double start = MPI_Wtime();
  if (rank == 0) {
    MPI_Send(&byte, 1, MPI_CHAR, partner, 0, MPI_COMM_WORLD);
    MPI_Recv(&byte, 1, MPI_CHAR, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%.9f\\n", MPI_Wtime() - start);
  } else if (rank == partner) {
    MPI_Recv(&byte, 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&byte, 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
"""


MACHINES = [path.stem for path in sorted((Path(__file__).parents[2] / "platforms").glob("*.toml"))]


@pytest.mark.parametrize(
    "words",
    [*([machine] for machine in MACHINES), ["ideal", "--set", "network.hop_latency=3 us"], ["ap1000", "--host"]],
    ids=" ".join,
)
def test_the_exported_platform_is_well_formed(hindcast, words):
    done = hindcast("platform", "--xml", *words)
    assert done.returncode == 0, done.stderr
    assert ET.fromstring(done.stdout).tag == "platform"


@pytest.mark.skipif(shutil.which("smpirun") is None, reason="Debian's package simgrid is not installed")
def test_smpirun_accepts_the_exported_platform(hindcast, tmp_path):
    platform = tmp_path / "ideal.xml"
    platform.write_text(hindcast("platform", "ideal", "-n", "8", "--xml").stdout)
    (tmp_path / "ping_pong.c").write_text(PING_PONG)
    subprocess.run(["smpicc", "-o", "ping_pong", "ping_pong.c"], cwd=tmp_path, check=True, capture_output=True)
    command = ["smpirun", "-platform", platform, "-np", "8", "--cfg=smpi/simulate-computation:no"]
    command += ["--cfg=network/model:CM02", "--cfg=network/crosstraffic:0", "./ping_pong"]

    def there_and_back(partner):
        done = subprocess.run(
            [*command, partner], cwd=tmp_path, check=False, capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 0, done.stderr
        return float(done.stdout)

    # On a torus of 4 x 2, 1 is a neighbour of 0, 5 is 2 hops away and 6 is 3: each hop more is 100 ns each way.
    neighbour = there_and_back("1")
    assert there_and_back("5") - neighbour == pytest.approx(200e-9, abs=3e-9)
    assert there_and_back("6") - neighbour == pytest.approx(400e-9, abs=3e-9)
