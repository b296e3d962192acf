"""generate.py LIBRARY FOLDER writes the source of what SimGrid's library wants of ns-3's, and prints their names.

Debian links SimGrid's library with eight of ns-3's, which need seven more and what these need. hindcast has nothing of
SimGrid's model that calls them, and to load them took three quarters of the time of a short run."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

FUNCTIONS = "tTwWi"  # as nm calls them


def output(*command: str | Path) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def needed_of_ns3(library: Path) -> dict[str, str]:
    """Names of libraries that it is linked with, and where they are."""
    named = re.findall(r"\(NEEDED\).*\[(libns3[^]]*)\]", output("readelf", "-dW", library))
    found = dict(re.findall(r"^\s*(\S+) => (/\S+)", output("ldd", library), re.MULTILINE))
    return {name: found[name] for name in named}


def defined(library: str) -> Iterator[tuple[str, str, int]]:
    """Each of its symbols, with its kind and its size."""
    for line in output("nm", "-D", "-S", "--defined-only", "--format=posix", library).splitlines():
        name, kind, _, size = (line.split() + ["0"])[:4]
        yield name.partition("@")[0], kind, int(size, 16)


def stand_ins(library: Path) -> Iterator[str]:
    """Functions do nothing: as it is loaded, the library makes some objects of ns-3's, and destroys them at the end."""
    undefined = output("nm", "-D", "--undefined-only", "--format=posix", library)
    wanted = {line.split()[0].partition("@")[0] for line in undefined.splitlines()}
    for other in needed_of_ns3(library).values():
        for name, kind, size in defined(other):
            if name not in wanted:
                continue
            wanted.remove(name)
            yield (
                f"long {name}(void) {{ return 0; }}"
                if kind in FUNCTIONS
                else f"_Alignas(16) char {name}[{max(size, 1)}];"
            )


def main() -> None:
    library, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "stand_ins.c").write_text("\n".join(stand_ins(library)) + "\n")
    print(";".join(needed_of_ns3(library)), end="")


main()
