"""Writes the table of functions in docs/mpi.md anew: what MPI-3.1 names, what of it is there, and what tests it.

document.py
"""

import sys
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from generate import HERE, read_functions

PAGE = HERE.parent.parent / "docs" / "mpi.md"
COVERAGE = HERE.parent.parent / "tests" / "mpi" / "coverage.toml"
BEGIN = "<!-- made by mpi_impl/api/document.py -->\n"
END = "<!-- end -->\n"
# What C has not; tests/fortran looks at it.
ONLY_IN_FORTRAN = {"F_sync_reg", "Sizeof"}


def names_by_version() -> dict[str, list[str]]:
    """A name that was deprecated later is listed there only."""
    versions = tomllib.loads((HERE / "names.toml").read_text())
    seen: set[str] = set()
    unique = {}
    for version in reversed(versions):
        unique[version] = [name for name in versions[version] if name not in seen]
        seen.update(versions[version])
    return dict(reversed(unique.items()))


def tests_of(name: str, coverage: dict[str, dict[str, str]]) -> list[str]:
    """The tests of the normal case, the edge and the error, each without its suffix."""
    row = coverage.get(f"MPI_{name}", {})
    return [row.get(case, "").split(":")[0].removesuffix(".c") for case in ("normal", "edge", "error")]


def table() -> str:
    coverage = tomllib.loads(COVERAGE.read_text())
    chapters = {f.name: f.chapter for f in read_functions()}
    versions = names_by_version()
    unknown = sorted(set(chapters) - {name for names in versions.values() for name in names})
    if unknown:
        raise SystemExit(f"functions.toml has what names.toml does not know: {', '.join(unknown)}")
    rows = sorted((name, version) for version, names in versions.items() for name in names)
    there = sum(name in chapters or name in ONLY_IN_FORTRAN for name, _ in rows)
    lines = [
        f"{there} of {len(rows)} are there.",
        "",
        "| function | since | state | chapter | normal case | edge | error |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, version in rows:
        state = "there" if name in chapters else "in Fortran" if name in ONLY_IN_FORTRAN else "later"
        tests = " | ".join(tests_of(name, coverage))
        lines.append(f"| `MPI_{name}` | {version} | {state} | {chapters.get(name, '')} | {tests} |")
    return "\n".join(lines) + "\n"


def page_with_table(page: str) -> str:
    head, rest = page.split(BEGIN)
    return head + BEGIN + table() + END + rest.split(END)[1]


if __name__ == "__main__":
    PAGE.write_text(page_with_table(PAGE.read_text()))
