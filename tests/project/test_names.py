"""No source outside of a message-passing library's folder names the library or its machines. The words come from the
folders, the libraries' descriptors and headers, the machines' files, and a list in each folder: words.txt."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

LIBRARIES = Path("mpi_impl/libraries")
ANYBODYS = {"common", "plain", "tcp"}  # the last is a protocol's name, and nobody's own
TOPS = ("simulator/", "mpi_impl/", "commands/", "traces/")
SKIPPED = {".git", ".venv", "build", "out", "__pycache__"}
# What is left of such names, by file. The list may only shrink.
KNOWN: dict[str, set[str]] = {}


@dataclass(frozen=True)
class Library:
    folder: str  # its name
    words: frozenset[str]
    stands_on: frozenset[str]  # names of descriptors
    name: str


def strings_of(field, descriptor):
    """The strings that a field of a descriptor is given."""
    given = re.search(rf"\.{field}\s*=\s*(\{{[^}}]*\}}|\"[^\"]*\")", descriptor)
    return re.findall(r'"([^"]+)"', given[1]) if given else []


def words_of_machine(name):
    """t3e-900 is called t3e as well."""
    return {name, re.sub(r"-\d+$", "", name)}


def listed_words(folder):
    file = folder / "words.txt"
    lines = file.read_text().splitlines() if file.exists() else []
    return {line for line in lines if line and not line.startswith("#")}


def read_library(folder, machines):
    descriptor = (folder / "library.cpp").read_text()
    [name] = strings_of("name", descriptor)[:1]
    words = {folder.name, name, *listed_words(folder)}
    words |= {header.stem for header in folder.glob("include/**/*.h")}
    for machine, library in machines.items():
        words |= words_of_machine(machine) if library == name else set()
    stands_on = frozenset(strings_of("stands_on", descriptor))
    return Library(folder.name, frozenset(word.lower() for word in words), stands_on, name)


def read_libraries(root):
    tables = [tomllib.loads(file.read_text()) for file in sorted((root / "platforms").glob("*.toml"))]
    machines = {table["machine"]["name"]: table["messages"]["library"]["value"] for table in tables}
    folders = sorted(folder for folder in (root / LIBRARIES).iterdir() if folder.is_dir())
    return [read_library(folder, machines) for folder in folders if folder.name not in ANYBODYS]


def forbidden_words(path, libraries):
    """What a file, by its path from the root, must not say."""
    mine = next((library for library in libraries if path.startswith(f"{LIBRARIES}/{library.folder}/")), None)
    may_say = {mine.name, *mine.stands_on} if mine else set()
    own_words = {word for library in libraries if library.name in may_say for word in library.words}
    return {word for library in libraries for word in library.words} - own_words


def beyond(words_of_files, others):
    """The words of each file that it has not among the others."""
    more = {path: words - others.get(path, set()) for path, words in words_of_files.items()}
    return {path: words for path, words in more.items() if words}


# Words that have others in them: what mpi_impl is short for, and libraries and a call of this computer's own.
LONGER = ("implement", "libmpich", "warnx")


def says(text, word):
    """A word that longer ones have in them counts only where it begins and ends by itself."""
    if not any(word in longer for longer in LONGER):
        return word in text.lower()
    return re.search(rf"(?:(?<![A-Za-z])|(?<=[a-z])(?=[A-Z]))(?i:{word})(?![a-z])", text) is not None


def words_in(path, text, libraries):
    said = path + "\n" + text
    return {word for word in forbidden_words(path, libraries) if says(said, word)}


def sources(root):
    for file in sorted(root.rglob("*")):
        path = str(file.relative_to(root))
        if SKIPPED & set(file.relative_to(root).parts) or not file.is_file() or file.suffix == ".md":
            continue
        if path.startswith(TOPS) or file.name == "CMakeLists.txt":
            yield path, file.read_text()


def test_libraries_and_machines_are_named_in_their_folders_only(root):
    libraries = read_libraries(root)
    files = list(sources(root))
    assert len(files) > 300
    found = {path: words for path, text in files if (words := words_in(path, text, libraries))}
    assert beyond(found, KNOWN) == {}
    assert beyond(KNOWN, found) == {}, "to be taken off the list of what is known"


def test_every_library_is_known_by_its_machines_and_headers(root):
    words = {library.folder: library.words for library in read_libraries(root)}
    assert {"cellos", "ap1000", "bnet", "t-net"} <= words["cellos"]
    assert {"cray", "shmem", "t3e-900", "t3e", "t3d", "e-register"} <= words["cray"]
    assert not words.keys() & ANYBODYS


A = Library("a", frozenset({"alpha", "a-net"}), frozenset(), "alpha")
B = Library("b", frozenset({"beta"}), frozenset({"alpha"}), "beta")


@pytest.mark.parametrize(
    ("path", "text", "words"),
    [
        ("mpi_impl/core/a.cpp", "// As Alpha does it, by its A-Net", {"alpha", "a-net"}),
        ("mpi_impl/core/alpha.cpp", "", {"alpha"}),
        ("mpi_impl/core/a.cpp", "class AlphaDevice;", {"alpha"}),
        ("simulator/CMakeLists.txt", "add_library(beta)", {"beta"}),
        ("mpi_impl/libraries/common/a.hpp", "enum { beta };", {"beta"}),
        ("mpi_impl/libraries/a/a.cpp", "alpha and Beta", {"beta"}),
        ("mpi_impl/libraries/b/b.cpp", "alpha and Beta", set()),
        ("commands/run.cpp", "a library", set()),
    ],
)
def test_the_rule_notices_a_breach(path, text, words):
    assert words_in(path, text, [A, B]) == words


@pytest.mark.parametrize("text", ["Mpl", "class MplNode;", "<mpl.h>", "mpl::Node", "of MPL's"])
def test_a_word_that_is_in_longer_ones_is_noticed_by_itself(text):
    assert says(text, "mpl")
    assert not says("mpi_impl/implemented Implausible complete", "mpl")


def test_a_descriptor_says_its_name_and_what_it_stands_on():
    text = 'const Row<Library> row{{.name = "beta", .stands_on = {"alpha", "gamma"}, .start = start}};'
    assert strings_of("name", text) == ["beta"]
    assert strings_of("stands_on", text) == ["alpha", "gamma"]
    assert strings_of("shorthands", text) == []
