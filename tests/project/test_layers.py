"""Who may include whom, and who may know SimGrid: the rules of docs/design.md, held on every source file."""

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Each room of the simulator, and the rooms it may include from besides itself.
SIMULATOR = {
    "simulator/programs": {"simulator/engine"},
    "simulator/machine": {"simulator/simgrid", "simulator/hardware", "simulator/engine"},
    "simulator/simgrid": {"simulator/hardware", "simulator/engine"},
    "simulator/hardware": {"simulator/engine"},
    "simulator/engine": set(),
}
# From the top down: each may include from itself and from what is below it.
GENERAL = [
    "mpi_impl/api",
    "mpi_impl/collectives",
    "mpi_impl/core",
    "mpi_impl/transport",
    "mpi_impl/matching",
    "traces",
]
LIBRARIES = "mpi_impl/libraries/"
COMMON = LIBRARIES + "common"
# The topmost room that a part of a library may include from. Its other parts, such as its descriptor, its costs and its
# algorithms for groups, may include from all.
TOP_OF_PART = {"native": "mpi_impl/matching", "mpi": "mpi_impl/transport"}
OURS = ("simulator/", "mpi_impl/", "traces/", "commands/", "platforms/", "experiments/", "tests/", "bench/", "plots/")
SOURCES = {".hpp", ".cpp", ".h", ".c", ".inc"}
SIMGRID = "simulator/simgrid/"
# Tests that ask SimGrid what platform it was given, and the nodes that other tests start ranks on.
KNOWS_SIMGRID = (SIMGRID, "tests/machine/", "tests/support/")


def general_from(room):
    return {*GENERAL[GENERAL.index(room) :], *SIMULATOR}


def allowed_from(path):
    """The rooms that a file may include from; of a library its folder stands for all its parts."""
    room = room_of(path)
    if room == "commands":
        return {*SIMULATOR, *GENERAL, COMMON, "commands"}
    if room in SIMULATOR:
        return SIMULATOR[room] | {room}
    if room.startswith(LIBRARIES):
        part = path.split("/")[3]
        return general_from(TOP_OF_PART.get(part, GENERAL[0])) | {room, COMMON} | stands_on(room)
    return general_from(room)


@cache
def stands_on(room):
    """The libraries that a library's descriptor says it stands on."""
    descriptor = ROOT / room / "library.cpp"
    given = re.search(r"\.stands_on\s*=\s*\{([^}]*)\}", descriptor.read_text()) if descriptor.exists() else None
    return {LIBRARIES + name for name in re.findall(r'"([^"]+)"', given[1])} if given else set()


def is_above(path, included):
    """Whether it is a native library's way to a part of another one that is above native libraries."""
    mine, other = path.split("/"), included.split("/")
    return path.startswith(LIBRARIES) and mine[2] != other[2] and mine[3] == "native" and other[3] != "native"


def room_of(path):
    """The room that a file (a path from the root) belongs to; nothing if it is in none."""
    parts = path.split("/")
    if path.startswith(LIBRARIES) and len(parts) > 3:
        return "/".join(parts[:3])
    known = {*SIMULATOR, *GENERAL, "commands"}
    folders = ["/".join(parts[:count]) for count in range(len(parts) - 1, 0, -1)]
    return next((folder for folder in folders if folder in known), "")


def includes_of(text):
    found = re.compile(r'\s*#\s*include\s*[<"]([^>"]+)[>"]')
    lines = enumerate(text.splitlines(), 1)
    return [(number, match[1]) for number, line in lines if (match := found.match(line))]


def complaints(path, text):
    found = []
    for line, included in includes_of(text):
        if included.startswith(("simgrid/", "xbt/", "smpi/")):
            if not path.startswith(KNOWS_SIMGRID):
                found.append(f"{path}:{line}: {included}: only {SIMGRID} knows SimGrid")
            elif not path.endswith(".cpp"):
                found.append(f"{path}:{line}: {included}: SimGrid's headers stay out of our headers")
        elif not is_test(path) and included.startswith(OURS) and room_of(included) not in allowed_from(path):
            found.append(f"{path}:{line}: {room_of(path)} may not include {included}")
        elif room_of(included) in stands_on(room_of(path)) and is_above(path, included):
            found.append(f"{path}:{line}: a native library stands on native libraries only, not on {included}")
    return found


def is_test(path):
    return path.startswith("tests/") or "/tests/" in path


def sources(root):
    for top in ("simulator", "mpi_impl", "traces", "commands", "tests"):
        for file in sorted((root / top).rglob("*")):
            if file.suffix in SOURCES:
                yield str(file.relative_to(root)), file.read_text()


def test_every_folder_includes_only_from_below(root):
    files = list(sources(root))
    assert sum(is_test(path) for path, _ in files) > 20
    unknown = [path for path, _ in files if not room_of(path) and not is_test(path)]
    assert not unknown, "files in no room"
    assert not [complaint for path, text in files for complaint in complaints(path, text)]


@pytest.mark.parametrize(
    ("path", "include"),
    [
        ("simulator/engine/a.hpp", "simulator/hardware/network/torus.hpp"),
        ("simulator/programs/load/a.cpp", "simulator/machine/machine.hpp"),
        ("simulator/engine/a.cpp", "mpi_impl/core/requests/request.hpp"),
        ("mpi_impl/matching/a.cpp", "mpi_impl/transport/endpoint.hpp"),
        ("mpi_impl/transport/a.hpp", "mpi_impl/core/requests/request.hpp"),
        ("mpi_impl/core/a.cpp", "mpi_impl/api/mpi.h"),
        ("mpi_impl/core/a.cpp", "mpi_impl/libraries/common/native.hpp"),
        ("mpi_impl/api/a.cpp", "commands/run.hpp"),
        ("mpi_impl/libraries/some/native/a.cpp", "mpi_impl/transport/endpoint.hpp"),
        ("mpi_impl/libraries/some/mpi/a.cpp", "mpi_impl/core/process.hpp"),
        ("mpi_impl/libraries/some/library.cpp", "mpi_impl/libraries/another/native/a.hpp"),
        ("mpi_impl/libraries/aplib/native/a.cpp", "mpi_impl/libraries/ap3000/mpi/a.hpp"),
        ("mpi_impl/libraries/aplib/native/a.cpp", "mpi_impl/transport/endpoint.hpp"),
        ("commands/a.cpp", "mpi_impl/libraries/some/library.hpp"),
        ("simulator/engine/a.hpp", "simgrid/s4u.hpp"),
        ("simulator/machine/a.cpp", "simgrid/s4u.hpp"),
        ("commands/a.cpp", "simgrid/s4u.hpp"),
        ("mpi_impl/core/a.cpp", "xbt/log.h"),
        ("tests/engine/a.cpp", "simgrid/s4u.hpp"),
        ("mpi_impl/libraries/some/tests/a.cpp", "simgrid/s4u.hpp"),
        ("tests/machine/a.hpp", "simgrid/s4u.hpp"),
    ],
)
def test_the_rule_notices_a_breach(path, include):
    assert complaints(path, f"#pragma once\n#include <vector>\n# include <{include}>\n")


@pytest.mark.parametrize(
    ("path", "include"),
    [
        ("simulator/simgrid/a.cpp", "simgrid/s4u.hpp"),
        ("tests/machine/a.cpp", "simgrid/s4u.hpp"),
        ("tests/engine/a.cpp", "commands/run/run.hpp"),
        ("simulator/machine/a.cpp", "simulator/hardware/network/torus.hpp"),
        ("mpi_impl/api/a.cpp", "mpi_impl/core/requests/request.hpp"),
        ("mpi_impl/libraries/some/native/a.hpp", "simulator/hardware/network/network.hpp"),
        ("mpi_impl/libraries/some/mpi/a.hpp", "mpi_impl/libraries/some/native/a.hpp"),
        ("mpi_impl/libraries/aplib/native/a.cpp", "mpi_impl/libraries/ap3000/native/a.hpp"),
        ("mpi_impl/libraries/some/library.cpp", "mpi_impl/core/process.hpp"),
        ("mpi_impl/libraries/some/costs.cpp", "mpi_impl/libraries/common/native.hpp"),
        ("commands/a.cpp", "mpi_impl/libraries/common/message_library.hpp"),
    ],
)
def test_the_rule_allows_what_lies_below(path, include):
    assert not complaints(path, f'#include "{include}"\n')
