"""The programs that hold algorithms of collectives to what they should do, and which algorithms they are run with."""

from pathlib import Path

from tests.collectives.registry import read_registry

FOLDER = Path(__file__).parent
FLAGS = ["-std=c99", "-Wall", "-Wextra", "-Werror"]
# What programs are told of an algorithm's needs; a library's own have tests of their own.
WORDS = {
    "nothing": [],
    "a power of two of ranks": ["power"],
    "an even number of ranks": ["even"],
    "a commutative operation": ["commutative"],
    "the machine's broadcast": [],
    "the machine's barrier": [],
    "the machine's reduction of an element": ["commutative"],
    "a commutative operation and the machine's broadcast": ["commutative"],
    "a Cartesian topology": ["grid"],
}
PARAMETERS = {"radix": [2, 3, 5, 64], "segment": ["16B", "100B"]}


def choices(of_the_machine=False):
    """Each algorithm as it stands and with other parameters: (operation, what follows --coll, its needs)."""
    found = []
    for row in read_registry():
        if row.needs not in WORDS or row.asks_the_machine != of_the_machine:
            continue
        name, *parameters = row.algorithm.split(":")
        found.append((row.operation, f"{row.operation}={name}", row.needs))
        for parameter in parameters:
            key = parameter.split("=")[0]
            found += [(row.operation, f"{row.operation}={name}:{key}={value}", row.needs) for value in PARAMETERS[key]]
    return found


def program_of(operation):
    return FOLDER / ("neighbourhoods.c" if operation.startswith("neighbor") else "algorithms.c")
