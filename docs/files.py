#!/usr/bin/env python3
"""Prints the project's files with a line each, the first sentence that a file says of itself: `./hindcast files`, or
`./hindcast files FOLDER ...` for some folders."""

import re
import subprocess
import sys
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LISTED = ["simulator", "mpi_impl", "traces", "commands", "platforms", "experiments", "plots", "bench", "include"]


def comment_at_the_top(file: Path) -> str:
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".py":
        found = re.match(r'(?:#!.*\n)?"""(.*?)"""', text, re.DOTALL)
        return found[1] if found else ""
    marker = "//" if file.suffix in {".hpp", ".cpp", ".h", ".c", ".in"} else "#"
    found = re.match(rf"(?:/\*(.*?)\*/|((?:{marker}.*\n)+))", text, re.DOTALL if text.startswith("/*") else 0)
    return re.sub(rf"(?m)^ *(?:{marker}|\*) ?", "", found[1] or found[2]) if found else ""


def first_sentence(comment: str) -> str:
    prose = re.split(r"\n\n|\s{2,}", comment.strip())[0]  # what is indented is no prose
    paragraph = " ".join(prose.split())
    return re.split(r"(?<=[a-z0-9)\"'][.:]) (?=[A-Z`(])", paragraph, maxsplit=1)[0].rstrip(":")


def entries(folders: list[str]) -> dict[str, str]:
    """What each file is for, by its path. Of a header and its source the header says it."""
    command = ["git", "ls-files", *folders]
    files = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    kept = {}
    for name in files:
        file = ROOT / name
        sentence = "" if file.suffix == ".xml" else first_sentence(comment_at_the_top(file))
        header = file.with_suffix(".hpp")
        if file.suffix == ".cpp" and header.exists():
            continue
        shown = name.removesuffix(".hpp") + ".{hpp,cpp}" if file.with_suffix(".cpp").exists() else name
        if sentence:
            kept[name if file.suffix == ".cpp" else shown] = sentence
    return kept


def text(folders: list[str]) -> str:
    lines = []
    for folder, names in groupby(entries(folders).items(), lambda entry: str(Path(entry[0]).parent)):
        lines += [f"\n{folder}/\n"] + [f"  {Path(name).name:32} {sentence}\n" for name, sentence in names]
    return "".join(lines)


if __name__ == "__main__":
    print(text(sys.argv[1:] or LISTED), end="")
