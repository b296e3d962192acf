"""What each rank has mapped of a program's file: the code that is linked into all programs is to stay small."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

SOURCES = Path(__file__).parent / "sources"
PAGE = 4096
# What only the loader reads, once for all ranks.
FOR_LOADER = {"NOTE", "GNU_HASH", "DYNSYM", "STRTAB", "VERSYM", "VERNEED", "RELA"}


def sections(program):
    """Of what is in memory: name, kind, address, bytes."""
    command = ["readelf", "-SW", program]
    listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for line in listing.splitlines():
        found = re.match(r" *\[ *\d+\] (\S+) +(\S+) +([0-9a-f]{16}) [0-9a-f]+ ([0-9a-f]+) \S+ +(\w*A\w*) ", line)
        if found:
            yield found[1], found[2], int(found[3], 16), int(found[4], 16)


def test_a_small_program_has_little_text_and_one_page_of_variables(compile_program):
    if not shutil.which("readelf"):
        pytest.skip("needs readelf")
    program = list(sections(compile_program(SOURCES / "hello.c")))
    data_begin = next(address for name, _, address, _ in program if name in (".init_array", ".dynamic"))
    mapped = [row for row in program if row[1] not in FOR_LOADER]
    begin = min(address for _, _, address, _ in mapped)
    text_end = max(address + size for _, _, address, size in mapped if address < data_begin)
    data_end = max(address + size for _, _, address, size in mapped)
    # Three pages, or four where it begins near the end of one.
    assert text_end - begin <= 2 * PAGE + PAGE // 4
    assert data_end - data_begin // PAGE * PAGE <= PAGE
