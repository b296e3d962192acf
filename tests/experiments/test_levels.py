"""The tables of machines of several processors a node, or several sites: what they take is near to the best where they
change from one algorithm to another."""

import csv
import re
import shutil
import tomllib

import pytest

OPERATIONS = ["bcast", "reduce", "allreduce", "barrier", "gather", "scatter", "allgather", "alltoall"]
UNITS = {"B": 1, "": 1, "KiB": 1024, "MiB": 1 << 20}
WITHIN = 0.15
# Where ranks share nodes, and where they are at several sites.
RUNS = [("cluster", 64, "slot"), ("cluster", 24, "slot"), ("grid", 80, "slot"), ("grid", 48, "slot")]
# These take minutes.
LONG_RUNS = [("cluster", 256, "slot"), ("grid", 144, "slot")]
# With more nodes than the machine's file has.
WITH_MORE_NODES = {("grid", 144): ["network.mesh.dimensions=4x4x4", "site.east.nodes=64", "site.midland.nodes=16"]}


def rows_of_table(root, machine, operation):
    tables = tomllib.loads((root / "platforms" / f"{machine}.toml").read_text())["collectives"]
    return tables[operation]["value"]


def sizes_around(rows):
    """On both sides of each number of bytes that the table's rows name, in whole doubles."""
    named = [
        int(number) * UNITS[unit]
        for row in rows
        for number, unit in re.findall(r"bytes [<=>]+ (\d+) ?([KM]?i?B?)", row)
    ]
    return sorted({8, *named, *(size + 8 for size in named), *(size - 8 for size in named if size > 8)})


@pytest.fixture
def experiment(tmp_path, root):
    """experiment(machine, ranks, placed, sizes): the path of a comparison of algorithms at these sizes."""

    def write(machine, ranks, placed, sizes):
        text = (root / "experiments" / "collectives" / "collectives.toml").read_text()
        head = text[: text.index("[machine]")]
        (tmp_path / "few.toml").write_text(
            f'{head}[machine]\nname = "{machine}"\nranks = {ranks}\nmap = "{placed}"\n'
            f'[sizes]\nname = "bytes"\nlabel = "bytes of a block"\nvalues = {sizes}\n'
            f'[algorithms]\noperations = {OPERATIONS}\nprogram = "collective.c"\nranks = [2, {ranks}]\nbytes = [8]\n'
        )
        shutil.copy(root / "experiments" / "collectives" / "collective.c", tmp_path)

    return write


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize(
    ("machine", "ranks", "placed"), [*RUNS, *(pytest.param(*run, marks=pytest.mark.long) for run in LONG_RUNS)]
)
def test_the_table_takes_what_is_near_to_the_best(
    machine, ranks, placed, operation, root, experiment, in_folder, tmp_path
):
    sizes = sizes_around(rows_of_table(root, machine, operation))
    experiment(machine, ranks, placed, sizes)
    changes = [f"operation={operation}", *WITH_MORE_NODES.get((machine, ranks), [])]
    words = [word for change in changes for word in ("--set", change)]
    done = in_folder("experiment", "run", "few.toml", *words, timeout=1200)
    assert done.returncode == 0, done.stderr
    (path,) = (tmp_path / "out").glob("*/*.csv")
    rows = list(csv.DictReader(line for line in path.read_text().splitlines() if not line.startswith("#")))
    assert {row["bytes"] for row in rows} <= {"0", *map(str, sizes)}
    off = []
    for size in sorted({row["bytes"] for row in rows}, key=int):
        here = [row for row in rows if (row["bytes"], row["ranks"]) == (size, str(ranks))]
        times = {row["algorithm"]: float(row["time_us"]) for row in here}
        (taken,) = (row["algorithm"] for row in here if row["is_chosen"] == "true")
        best = min(times, key=times.get)
        if times[taken] > times[best] * (1 + WITHIN):
            off.append(f"{size} bytes: {taken} takes {times[taken] / times[best]:.2f} times as long as {best}")
    assert not off


@pytest.mark.parametrize("machine", ["cluster", "grid"])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_the_tables_have_rows_of_two_levels(machine, operation, root):
    assert any(row.startswith("two_level") for row in rows_of_table(root, machine, operation))
