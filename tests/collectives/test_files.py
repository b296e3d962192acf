"""An algorithm stands in one file, with all that there is to say about it."""

import re

import pytest

from tests.collectives.registry import read_registry

FORMULA = re.compile(r"\b[TSRCKWBYQ]\(|Costs")


@pytest.fixture
def sources(root):
    """What is compiled of all rooms, by path, tests aside."""
    folders = [root / "simulator", root / "mpi_impl", root / "commands"]
    files = [file for folder in folders for file in folder.rglob("*.[ch]pp") if "tests" not in file.parts]
    return {file: file.read_text() for file in files}


@pytest.fixture
def of_algorithms(sources):
    found = {file: text for file, text in sources.items() if file.suffix == ".cpp" and "const Row<Algorithm>" in text}
    assert len(found) > 60
    return found


def test_they_say_what_they_do_and_need_and_leave_the_cost_to_the_row(of_algorithms):
    for file, text in of_algorithms.items():
        head = text.split("#include")[0]
        assert "Needs: " in head, file
        assert not FORMULA.search(head), file


def test_every_algorithm_has_its_row_in_one_of_them(of_algorithms):
    names = {name for text in of_algorithms.values() for name in re.findall(r'\.place = \d+,\s+\.name = "(\w+)"', text)}
    assert names == {row.algorithm.split(":")[0] for row in read_registry()}
    formulas = [
        formula for text in of_algorithms.values() for formula in re.findall(r'cost\s*=\s*((?:"[^"]*"\s*)+)', text)
    ]
    shown = {"".join(re.findall(r'"([^"]*)"', formula)) for formula in formulas}
    assert shown == {row.cost for row in read_registry()}


def test_no_other_file_names_an_algorithm(sources, of_algorithms):
    """But for what others are built of: that has a header beside it, which they include."""
    uses = 0
    for file, text in of_algorithms.items():
        header = f"{file.parent.name}/{file.stem}.hpp"
        for function in re.findall(r"\.function = (\w+)", text):
            is_named = re.compile(rf"\b{function}\b")
            for other, words in sources.items():
                if other == file or "Collective" not in words or not is_named.search(words):
                    continue
                assert str(other).endswith(header) or f'{header}"' in words, f"{other} names {function}"
                uses += 1
    assert uses > 10
