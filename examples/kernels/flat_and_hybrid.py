"""Runs kernels on nodes of the Earth Simulator, flat (a rank on each of eight processors) and hybrid (a rank on each
node, of eight threads), and draws their times over the number of nodes: a panel for each program.

.venv/bin/python examples/kernels/flat_and_hybrid.py FIGURE.png
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
NODES = (1, 2, 4, 8, 16)
PROCESSORS = 8
PROGRAMS = {
    "conjugate_gradient": (["256"], "us a step", "256 x 256 points"),
    "spectral": (["85", "16"], "ms there and back", "T85, 16 levels"),
    "lu": (["768"], "ms", "order 768"),
}
WAYS = {"flat": ([], []), "hybrid": (["-fopenmp"], ["--map", "node"])}
MM = 1 / 25.4


def times_of(program: str, way: str, folder: Path) -> list[float]:
    flags, launcher = WAYS[way]
    binary = folder / f"{program}_{way}"
    source = HERE / f"{program}.c"
    subprocess.run([HINDCAST, "cc", "-O2", *flags, "-o", binary, source, "-lm"], check=True)
    times = []
    for nodes in NODES:
        ranks = nodes * (PROCESSORS if way == "flat" else 1)
        command = [HINDCAST, "run", "-m", "earth-simulator", *launcher, "-n", str(ranks), binary, *PROGRAMS[program][0]]
        written = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        match = re.search(r"right, .*?([\d.]+) (us|ms)", written)
        if match is None:
            raise SystemExit(f"{program} on {ranks} ranks is not right: {written}")
        times.append(float(match[1]))
        print(f"{program:20} {way:8} {nodes:4} nodes {match[1]:>12} {match[2]}", flush=True)
    return times


def main() -> None:
    with style.context(ROOT / "plots" / "hindcast.mplstyle"), tempfile.TemporaryDirectory() as folder:
        figure = Figure(figsize=(176 * MM, 64 * MM), layout="constrained")
        for axes, (program, (_, unit, title)) in zip(figure.subplots(1, len(PROGRAMS)), PROGRAMS.items()):
            for way, mark in zip(WAYS, "os"):
                axes.semilogx(NODES, times_of(program, way, Path(folder)), marker=mark, markersize=3, label=way)
            axes.set_title(f"{program}, {title}")
            axes.set_xlabel("nodes")
            axes.set_ylim(bottom=0)
            axes.set_ylabel(unit)
            axes.set_xticks(NODES, [str(nodes) for nodes in NODES])
            axes.minorticks_off()
        figure.legend(*figure.axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=len(WAYS))
        figure.savefig(sys.argv[1], dpi=200, metadata={"Software": None})


if __name__ == "__main__":
    main()
