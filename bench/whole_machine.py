"""What the whole Earth Simulator takes of this computer: a barrier, a sum, everybody to everybody with 8 bytes a pair,
and rims to four neighbours, flat (a rank on each processor) and hybrid (a rank on each node, of eight threads), by
the number of nodes.

    bench/whole_machine.py BUILD [--nodes 10,40,160,640] [--only WORD]

The results are checked by the program, experiments/earth_simulator/programs/whole_machine.c. In the hybrid runs the
threads compute before each round, in no simulated time to speak of, so that there are threads.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROGRAM = Path(__file__).resolve().parents[1] / "experiments" / "earth_simulator" / "programs" / "whole_machine.c"
OPERATIONS = ["barrier", "allreduce", "halo", "alltoall"]
FLAGS = {"flat": [], "hybrid": ["-fopenmp"]}
PROCESSORS = 8


def run(build, program, way, nodes, operation):
    """Simulated microseconds of a round, seconds and MB here."""
    ranks = nodes if way == "hybrid" else nodes * PROCESSORS
    options = ["--map", "node"] if way == "hybrid" else []
    computed = ["1"] if way == "hybrid" else []
    command = [build / "bin" / "hindcast", "run", "-m", "earth-simulator", *options, "-n", str(ranks), program]
    start = time.monotonic()
    process = subprocess.Popen([*command, str(ranks), operation, *computed], stdout=subprocess.PIPE, text=True)
    output = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"whole_machine.py: {operation} on {ranks} ranks failed")
    return float(output.splitlines()[-1].split(",")[1]), time.monotonic() - start, used.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description="time and memory of the Earth Simulator, whole and in part")
    parser.add_argument("build", type=Path)
    parser.add_argument("--nodes", default="10,40,160,640")
    parser.add_argument("--only", default="", help="flat, hybrid or an operation")
    options = parser.parse_args()
    print(f"{'':8} {'':10} {'nodes':>6} {'ranks':>6} {'simulated us':>13} {'s here':>8} {'MB':>6}")
    with tempfile.TemporaryDirectory() as folder:
        for way, flags in FLAGS.items():
            program = Path(folder) / way
            compiler = options.build.resolve() / "bin" / "hindcast-mpicc"
            subprocess.run([compiler, "-O2", *flags, "-o", program, PROGRAM], check=True)
            for operation in OPERATIONS:
                if options.only not in f"{way} {operation}":
                    continue
                for nodes in map(int, options.nodes.split(",")):
                    simulated, seconds, megabytes = run(options.build.resolve(), program, way, nodes, operation)
                    ranks = nodes if way == "hybrid" else nodes * PROCESSORS
                    row = (
                        f"{way:8} {operation:10} {nodes:6} {ranks:6} {simulated:13.2f} {seconds:8.1f} {megabytes:6.0f}"
                    )
                    print(row, flush=True)


if __name__ == "__main__":
    main()
