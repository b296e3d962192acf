"""Runs the Fortran examples on all machines and draws how they scale: a panel for each program, a curve for each
machine.

.venv/bin/python examples/fortran/scaling.py FIGURE.png
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from matplotlib import style
from matplotlib.figure import Figure

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
HINDCAST = Path(os.environ.get("HINDCAST_BUILD") or ROOT / "build" / "release").resolve() / "bin" / "hindcast"
MACHINES = (
    "ap1000",
    "t3d",
    "t3e-900",
    "ap3000",
    "earth-simulator",
    "argonne-sp",
    "i-way",
    "ideal",
    "cluster",
    "grid",
)
INVENTED = ("ideal", "cluster", "grid")
RANKS = (1, 2, 4, 8, 16, 32)
PROGRAMS = {
    "sparse_cg.f": "us a step",
    "spectral_heat.f90": "ms a step",
    "multigrid.f90": "ms a cycle",
    "integer_sort.f90": "ms",
}
KEYS = 65536  # of integer_sort, on all ranks together
MM = 1 / 25.4


def time_of(program: Path, machine: str, ranks: int) -> float:
    arguments = [str(KEYS // ranks)] if program.name == "integer_sort" else []
    command = [HINDCAST, "run", "-m", machine, "-n", str(ranks), program, *arguments]
    written = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    match = re.search(r"right T,.*?([\d.]+) (us|ms)", written)
    if match is None:
        raise SystemExit(f"{program.name} on {ranks} ranks of {machine} is not right: {written}")
    return float(match[1])


def curves(source: str) -> dict[str, list[float]]:
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / source.partition(".")[0]
        subprocess.run([HINDCAST, "fc", "-O2", "-J", folder, "-o", program, HERE / source], check=True)
        return {machine: [time_of(program, machine, ranks) for ranks in RANKS] for machine in MACHINES}


def main() -> None:
    with style.context(ROOT / "plots" / "hindcast.mplstyle"):
        figure = Figure(figsize=(176 * MM, 72 * MM), layout="constrained")
        for axes, (source, unit) in zip(figure.subplots(1, len(PROGRAMS)), PROGRAMS.items()):
            for (machine, times), mark in zip(curves(source).items(), "os^Dvx+*ph"):
                axes.loglog(RANKS, times, mark + ("--" if machine in INVENTED else "-"), markersize=3, label=machine)
            axes.set_title(source.partition(".")[0])
            axes.set_xlabel("ranks")
            axes.set_ylabel(unit)
            axes.set_xticks(RANKS, [str(ranks) for ranks in RANKS])
            axes.minorticks_off()
        lines, machines = figure.axes[0].get_legend_handles_labels()
        figure.legend(lines, machines, loc="outside upper center", ncols=len(machines) // 2)
        figure.savefig(sys.argv[1], dpi=200, metadata={"Software": None})


if __name__ == "__main__":
    main()
