"""What `hindcast collectives` prints, as rows."""

import os
import re
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = Path(os.environ.get("HINDCAST_BUILD") or ROOT / "build" / "release").resolve()


@dataclass(frozen=True)
class Row:
    operation: str
    algorithm: str  # with its parameters, ":radix=2"
    needs: str
    seconds: float | None
    cost: str
    taken: str

    @property
    def asks_the_machine(self) -> bool:
        return "the machine's" in self.needs


@cache
def printed(*options: str) -> str:
    command = [str(BUILD / "bin" / "hindcast"), "collectives", *options]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def read_registry(text: str | None = None, *options: str) -> list[Row]:
    lines = (printed(*options) if text is None else text).split("\n\n")[0].splitlines()
    has_seconds = "seconds" in lines[0]
    rows = []
    for line in lines[1:]:
        cells = re.split(r"  +", line)
        seconds = cells.pop(3) if has_seconds else "-"  # of what the machine does not offer
        rows.append(Row(cells[0], cells[1], cells[2], None if seconds == "-" else float(seconds), cells[3], cells[4]))
    return rows
