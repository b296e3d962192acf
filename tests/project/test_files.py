"""Rules on the files themselves: short enough to read, licensed, and a README whose commands exist."""

import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest

# Of a source, and of what else is written by hand in a language of computers.
SOURCE_LINES_MAX, OTHER_LINES_MAX = 400, 700
SOURCES = {".hpp", ".cpp", ".h", ".c", ".py"}
SOURCE_FOLDERS = {"simulator", "mpi_impl", "traces", "commands", "experiments", "plots", "tests"}
OTHERS = {*SOURCES, ".sh", ".cmake", ".toml"}
FILES_IN_FOLDER_MAX = 28


def tracked_files(root):
    if shutil.which("git") and (root / ".git").exists():
        listing = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=True)
        return [root / name for name in listing.stdout.split("\0") if name and (root / name).is_file()]
    skipped = {".git", ".venv", "build", "out"}
    return [file for file in root.rglob("*") if file.is_file() and not skipped & set(file.relative_to(root).parts)]


def lines_max(path):
    """Of a file, by its path from the root; nothing if any length will do."""
    if path.suffix in SOURCES and path.parts[0] in SOURCE_FOLDERS:
        return SOURCE_LINES_MAX
    return OTHER_LINES_MAX if path.suffix in OTHERS or path.name == "CMakeLists.txt" else None


def test_files_are_short_enough_to_read(root):
    paths = [file.relative_to(root) for file in tracked_files(root)]
    lengths = {str(path): (root / path).read_text().count("\n") for path in paths if lines_max(path)}
    assert len(lengths) > 500
    assert not {name: lines for name, lines in lengths.items() if lines > lines_max(Path(name))}


def test_folders_are_small_enough_to_look_through(root):
    files_of_folder = Counter(str(file.relative_to(root).parent) for file in tracked_files(root))
    assert len(files_of_folder) > 50
    assert not {folder: files for folder, files in files_of_folder.items() if files > FILES_IN_FOLDER_MAX}


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("simulator/engine/thread.cpp", SOURCE_LINES_MAX),
        ("tests/project/test_files.py", SOURCE_LINES_MAX),
        ("bench/run.py", OTHER_LINES_MAX),
        ("tests/CMakeLists.txt", OTHER_LINES_MAX),
        ("platforms/ideal.toml", OTHER_LINES_MAX),
        ("docs/design.md", None),
    ],
)
def test_how_long_a_file_may_be_depends_on_what_it_is(name, lines):
    assert lines_max(Path(name)) == lines


def test_version_and_licence_agree(root, hindcast):
    version = re.search(r"project\(hindcast VERSION (\S+)", (root / "CMakeLists.txt").read_text())[1]
    assert tomllib.loads((root / "pyproject.toml").read_text())["project"]["version"] == version
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in (root / "LICENSE").read_text()
    assert version in hindcast("--version").stdout


def test_the_version_is_asked_for_in_one_source(root):
    sources = [path for path in tracked_files(root) if path.suffix in {".cpp", ".hpp"}]
    asking = [str(path.relative_to(root)) for path in sources if "HINDCAST_VERSION" in path.read_text()]
    assert asking == ["simulator/engine/name_and_version.hpp"]


def readme_commands(root):
    """The lines of the README's shell blocks: what stands there must work."""
    blocks = re.findall(r"^```sh\n(.*?)^```", (root / "README.md").read_text(), re.S | re.M)
    return [line.split("#")[0].strip() for block in blocks for line in block.splitlines() if line.split("#")[0].strip()]


def test_readme_names_commands_that_exist(root, hindcast, build):
    commands = readme_commands(root)
    assert "./hindcast test" in commands
    script = (root / "hindcast").read_text()
    listed = hindcast("--help").stdout
    for command in commands:
        words = command.replace('eval "$(', "").replace(')"', "").split()
        if words[0] == "./hindcast" and len(words) > 1:
            in_script = re.search(rf"^  {re.escape(words[1])}\)$", script, re.M)
            assert in_script or re.search(rf"^\s+{re.escape(words[1])}\b", listed, re.M), command
        elif words[0] == "hindcast":
            assert re.search(rf"^\s+{re.escape(words[1])}\b", listed, re.M), command
        elif words[0].startswith("hindcast-"):
            assert (build / "bin" / words[0]).exists(), command


def test_readme_names_files_that_exist(root):
    named = re.findall(r"`(\w[\w./-]*/[\w.-]*|[\w-]+\.(?:md|toml|txt|py))`", (root / "README.md").read_text())
    assert named
    assert not [name for name in named if not (root / name).exists()]


def test_files_are_listed_with_what_they_say_of_themselves(root, run_command):
    if not (root / ".git").exists():
        pytest.skip("no repository")
    done = run_command([sys.executable, root / "docs" / "files.py", "simulator/engine"])
    assert done.returncode == 0
    assert "\nsimulator/engine/\n" in done.stdout
    assert re.search(r"^  event_queue.hpp +The pending events, earliest first\.$", done.stdout, re.M)
    assert "mpi_impl" not in done.stdout


def test_every_header_says_what_it_is_for(root):
    if not (root / ".git").exists():
        pytest.skip("no repository")
    folders = ["simulator", "mpi_impl", "traces", "commands"]
    said = runpy.run_path(str(root / "docs" / "files.py"))["entries"](folders)
    listed = {name.replace(".{hpp,cpp}", ".hpp") for name in said}
    headers = [file.relative_to(root) for file in tracked_files(root) if file.suffix == ".hpp"]
    ours = {str(file) for file in headers if file.parts[0] in folders and "tests" not in file.parts}
    assert ours
    assert not ours - listed
