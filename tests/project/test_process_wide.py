"""What all ranks share is named in one place, so that it is known what keeps them from running on several cores."""

import re
import shutil
import subprocess
import tomllib
from fnmatch import fnmatchcase

import pytest

WRITABLE = {".data", ".bss", ".tdata", ".tbss"}
# Of libraries that are compiled into ours, and of the compiler's own.
FOREIGN = re.compile(r"(CLI|std|boost|toml|fmt|__gnu_cxx)::|_|DW\.ref\.|completed\.0$|guard variable for ")


def variables_in(listing):
    """The variables of `objdump -tC` that can be written to, without namespaces and parameters."""
    for line in listing.splitlines():
        found = re.match(r"[0-9a-f]+ .{7} (\.\S+)\s+[0-9a-f]+\s+(?:\.hidden |\.protected )?(.*)", line)
        if not found or found[1] not in WRITABLE or found[2] == found[1] or FOREIGN.match(found[2]):
            continue
        name = re.sub(r"\(anonymous namespace\)::|\[abi:\w+\]| const(?=::)", "", found[2])
        yield without_parameters(name)


def without_parameters(name):
    while True:
        shorter = re.sub(r"\([^()]*\)|<[^<>]*>", "", name)
        if shorter == name:
            return name
        name = shorter


def is_named(variable, names):
    """A name may have stars in it, that stand for anything."""
    return any(fnmatchcase(variable, name) or fnmatchcase(variable, "*::" + name) for name in names)


def named(root):
    tables = tomllib.loads((root / "tests/project/process_wide.toml").read_text())
    return {name: why for table in tables.values() for name, why in table.items()}


@pytest.fixture(scope="module")
def variables(build):
    if not shutil.which("objdump"):
        pytest.skip("needs objdump")
    library = build / "lib/libhindcast.so"
    listing = subprocess.run(["objdump", "-tC", library], capture_output=True, text=True, check=True).stdout
    return set(variables_in(listing))


@pytest.mark.no_sanitizer
def test_what_ranks_share_is_named(root, variables):
    assert variables, "the library has lost its symbols"
    names = named(root)
    unnamed = sorted(variable for variable in variables if not is_named(variable, names))
    assert not unnamed, "shared by all ranks: say why in tests/project/process_wide.toml, or keep it with a rank"


@pytest.mark.no_sanitizer
def test_nothing_is_named_that_is_not_there(root, variables):
    assert not [name for name in named(root) if not any(is_named(variable, [name]) for variable in variables)]


def test_the_reasons_are_sentences(root):
    assert not {name: why for name, why in named(root).items() if not why.endswith(".")}


LISTING = """
0000000000001000 l     O .bss	0000000000000008              hindcast::programs::(anonymous namespace)::count
0000000000001008 l     O .bss	0000000000000008              hindcast::known(A<B<int> > const&, void (*)(int))::all
0000000000001010 l       .tbss	0000000000000001              hindcast::mpi::mine
0000000000001018 g     O .data	0000000000000008 .hidden started
0000000000001020 l     O .bss	0000000000000008              guard variable for hindcast::known(int)::all
0000000000001028 l     O .rodata	0000000000000008              hindcast::table
0000000000001030 l     O .data.rel.ro	0000000000000008              hindcast::names
0000000000001038 l     O .bss	0000000000000001              std::__ioinit
0000000000001040 l    d  .bss	0000000000000000              .bss
"""


def test_finds_what_can_be_written_to():
    assert list(variables_in(LISTING)) == [
        "hindcast::programs::count",
        "hindcast::known::all",
        "hindcast::mpi::mine",
        "started",
    ]


def test_a_name_stands_for_whole_parts_of_one():
    assert is_named("hindcast::known::all", ["known::all"])
    assert not is_named("hindcast::unknown::all", ["known::all"])
    assert is_named("hindcast::row_of_reduce", ["row_of_*"])
    assert not is_named("hindcast::arrow_of_time", ["row_of_*"])
