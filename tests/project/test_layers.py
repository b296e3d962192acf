"""Who may include whom, and who may know SimGrid: the rules of docs/design.md, held on every source file."""

import re

import pytest

# Each folder, from the top down, and the folders it may include from besides itself.
SIMULATOR = {
    "simulator/programs": {"simulator/engine"},
    "simulator/platform": {"simulator/hardware", "simulator/engine"},
    "simulator/hardware": {"simulator/engine"},
    "simulator/engine": set(),
}
MPI = [
    "mpi_impl/api",
    "mpi_impl/collectives",
    "mpi_impl/core",
    "mpi_impl/devices",
    "mpi_impl/native",
    "mpi_impl/matching",
    "traces",
]
OURS = ("simulator/", "mpi_impl/", "traces/", "commands/", "platforms/", "experiments/", "tests/", "bench/", "plots/")
SOURCES = {".hpp", ".cpp", ".h", ".c", ".inc"}


def allowed_from(folder):
    if folder == "commands":
        return {*SIMULATOR, *MPI, "commands"}
    if folder in SIMULATOR:
        return SIMULATOR[folder] | {folder}
    return {*MPI[MPI.index(folder) :], *SIMULATOR}


def folder_of(path):
    """The layer that a file (a path from the root) belongs to: its folder or the nearest one above that is a layer."""
    known = {*SIMULATOR, *MPI, "commands"}
    parts = path.split("/")[:-1]
    while parts and "/".join(parts) not in known:
        parts.pop()
    return "/".join(parts)


def includes_of(text):
    found = re.compile(r'\s*#\s*include\s*[<"]([^>"]+)[>"]')
    lines = enumerate(text.splitlines(), 1)
    return [(number, match[1]) for number, line in lines if (match := found.match(line))]


def complaints(path, text):
    folder = folder_of(path)
    found = []
    for line, included in includes_of(text):
        if included.startswith(("simgrid/", "xbt/", "smpi/")):
            if not path.startswith("simulator/"):
                found.append(f"{path}:{line}: {included}: only simulator/ knows SimGrid")
            elif not path.endswith(".cpp"):
                found.append(f"{path}:{line}: {included}: SimGrid's headers stay out of our headers")
        elif included.startswith(OURS) and folder_of(included) not in allowed_from(folder):
            found.append(f"{path}:{line}: {folder} may not include {included}")
    return found


def sources(root):
    for top in ("simulator", "mpi_impl", "traces", "commands"):
        for file in sorted((root / top).rglob("*")):
            if file.suffix in SOURCES:
                yield str(file.relative_to(root)), file.read_text()


def test_every_folder_includes_only_from_below(root):
    files = list(sources(root))
    assert len(files) > 20
    unknown = [path for path, _ in files if not folder_of(path)]
    assert not unknown, "files in no layer"
    assert not [complaint for path, text in files for complaint in complaints(path, text)]


@pytest.mark.parametrize(
    ("path", "include"),
    [
        ("simulator/engine/a.hpp", "simulator/hardware/torus.hpp"),
        ("simulator/programs/a.cpp", "simulator/platform/machine.hpp"),
        ("simulator/engine/a.cpp", "mpi_impl/core/request.hpp"),
        ("mpi_impl/matching/a.cpp", "mpi_impl/devices/device.hpp"),
        ("mpi_impl/devices/a.hpp", "mpi_impl/core/request.hpp"),
        ("mpi_impl/core/a.cpp", "mpi_impl/api/mpi.h"),
        ("mpi_impl/api/a.cpp", "commands/run.hpp"),
        ("simulator/engine/a.hpp", "simgrid/s4u.hpp"),
        ("commands/a.cpp", "simgrid/s4u.hpp"),
        ("mpi_impl/core/a.cpp", "xbt/log.h"),
    ],
)
def test_the_rule_notices_a_breach(path, include):
    assert complaints(path, f"#pragma once\n#include <vector>\n# include <{include}>\n")


@pytest.mark.parametrize(
    ("path", "include"),
    [
        ("simulator/engine/a.cpp", "simgrid/s4u.hpp"),
        ("simulator/platform/a.cpp", "simulator/hardware/torus.hpp"),
        ("mpi_impl/api/a.cpp", "mpi_impl/core/request.hpp"),
        ("mpi_impl/devices/a.hpp", "simulator/hardware/network.hpp"),
        ("commands/a.cpp", "mpi_impl/api/mpi.h"),
    ],
)
def test_the_rule_allows_what_lies_below(path, include):
    assert not complaints(path, f'#include "{include}"\n')
