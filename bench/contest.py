"""Who is measured, on what: the contestants, the cases, and one measurement."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent

HINDCAST, SMPI, SMPI_ASYNC, BARE = "hindcast", "SMPI", "SMPI, async", "bare"
CONTESTANTS = [HINDCAST, SMPI, SMPI_ASYNC, BARE]

# The machine that all are measured on, and others beside it, on which hindcast alone is measured.
IDEAL = "ideal"
ON_MACHINE = f"{HINDCAST} on "

# SMPI does the same work: the program is the same, and so are the torus, the node of each rank, and the algorithm of a
# collective. Both let a message of up to 16 KiB leave before its receive is posted, and both keep one of 64 KiB until
# then; no case lies in between, where they differ. What they do not have in common:
# - SMPI sends a long message as one; hindcast also sends the two short messages that ask and allow.
# - SMPI lets calls and combining take no simulated time, and its messages have no header. hindcast simulates these.
# - SMPI lets messages share links; in hindcast they pass one after the other, and through the ports of their nodes.
# - SMPI's start-up has the shell script smpirun in it, as users start it.
SMPI_OPTIONS = [
    "--cfg=smpi/simulate-computation:no",
    "--cfg=network/model:CM02",
    "--cfg=network/crosstraffic:0",
    "--cfg=contexts/factory:raw",
    "--cfg=smpi/privatization:dlopen",
    "--log=root.threshold:critical",
]
SMPI_ASYNC_OPTION = "--cfg=smpi/async-small-thresh:65536"


@dataclass(frozen=True)
class Case:
    """One row of the table: a program on so many ranks, and what an iteration of it sends."""

    name: str
    program: str
    ranks: int
    bytes: int
    bare_mode: str  # "": the bare program has no such case
    messages: int  # an iteration
    target: float | None = None  # times the faster SMPI
    extra: tuple[str, ...] = ()
    algorithm: str = ""  # of a collective, as hindcast takes it,
    smpi_algorithm: str = ""  # and SMPI
    smpi_exceeds_s: float | None = None  # an iteration takes SMPI longer, so it is not asked at all
    share_of_limit: float | None = None  # of what the bare program does, to be reached besides

    def arguments(self, iterations):
        return [str(iterations), str(self.bytes), *self.extra]


def halo(ranks, size, target):
    share = {8: 0.4, 4096: 0.6}[size]
    return Case(f"halo {size} B, {ranks} ranks", "halo", ranks, size, "halo", 4 * ranks, target, share_of_limit=share)


def alltoall(ranks, target=None):
    name = f"all-to-all 1 KiB, {ranks} ranks"
    return Case(name, "alltoall_by_hand", ranks, 1024, "alltoall", ranks * (ranks - 1), target)


CASES = [
    Case("ping-pong 8 B", "pingpong", 2, 8, "pingpong", 2, 10),
    Case("ring 8 B, 128 ranks", "ring", 128, 8, "ring", 128, 10),
    halo(64, 8, 30),
    halo(256, 8, 40),
    halo(1024, 8, 80),
    halo(64, 4096, 20),
    halo(256, 4096, 20),
    halo(1024, 4096, 40),
    alltoall(64),
    alltoall(256, 40),
    Case("all-to-all 1 KiB, 256 ranks, all posted at once", "alltoall_by_hand", 256, 1024, "alltoall-at-once",
         256 * 255, None, ("at-once",)),
]  # fmt: skip


def window(name, what, ranks, operations):
    """Of windows, which the bare program does not have; an iteration is so many operations. To create a window SMPI
    gathers by itself from all at once, which on 256 ranks it does not end in minutes: it is told to double distances.
    """
    return Case(name, "windows", ranks, 8, "", operations, 8, (what,), smpi_algorithm="smpi/allgather:rdb")


WINDOW_CASES = [
    window("put and flush 8 B", "put", 2, 1),
    window("fetch and op", "count", 2, 1),
    window("fence, 4 puts of 8 B, 64 ranks", "fence", 64, 4 * 64),
    window("fence, 4 puts of 8 B, 256 ranks", "fence", 256, 4 * 256),
    window("lock, put 8 B, unlock, 64 ranks", "lock", 64, 64),
]

# Operation, bytes, the algorithm of both, the bare program's pattern, and the messages of an operation.
COLLECTIVES = [
    ("barrier", 0, "recursive_doubling", "ompi_recursivedoubling", "doubling", lambda n: n * log2(n)),
    ("bcast", 8, "binomial", "binomial_tree", "binomial", lambda n: n - 1),
    ("bcast", 65536, "binomial", "binomial_tree", "binomial", lambda n: n - 1),
    ("allreduce", 8, "recursive_doubling", "rdb", "doubling", lambda n: n * log2(n)),
    ("allreduce", 65536, "recursive_doubling", "rdb", "doubling", lambda n: n * log2(n)),
    ("alltoall", 1024, "pairwise", "pair", "alltoall", lambda n: n * (n - 1)),
    ("allgather", 1024, "recursive_doubling", "rdb", "allgather", lambda n: n * log2(n)),
]
COLLECTIVE_RANKS = [64, 256, 1024]

# What SMPI takes too long for: while messages are under way it solves anew, time and again, how they share links.
# So it is not asked; it does less than one operation in so many seconds.
TOO_LONG_FOR_SMPI = {("alltoall", 1024): 120}


def log2(n):
    return n.bit_length() - 1


def collective(row, ranks):
    operation, size, algorithm, smpi_algorithm, bare_mode, messages = row
    words = {0: "", 8: " 8 B", 1024: " 1 KiB", 65536: " 64 KiB"}
    return Case(
        f"{operation}{words[size]}, {ranks} ranks", "collectives", ranks, size, bare_mode, messages(ranks),
        15 if ranks >= 256 or operation == "barrier" else 8, (operation,), f"{operation}={algorithm}",
        f"smpi/{operation}:{smpi_algorithm}",
        TOO_LONG_FOR_SMPI.get((operation, ranks)),
    )  # fmt: skip


COLLECTIVE_CASES = [collective(row, ranks) for row in COLLECTIVES for ranks in COLLECTIVE_RANKS]


@dataclass(frozen=True)
class BuiltMachine:
    """One that was built, whose library takes more steps for a message than the ideal machine's."""

    name: str
    options: tuple[str, ...]  # of `hindcast run`
    shares: dict[str, float]  # of the ideal machine's messages a second, to be reached: by case


MACHINE_CASES = [
    "ping-pong 8 B", "ring 8 B, 128 ranks", "halo 8 B, 64 ranks", "halo 8 B, 1024 ranks", "halo 4096 B, 64 ranks",
    "halo 4096 B, 1024 ranks",
]  # fmt: skip


def shares_of_halos(*shares):
    return dict(zip(MACHINE_CASES[2:], shares, strict=True))


# Half of the ideal machine's; on the T3E twice, and with its old library three times, the shares once measured.
MACHINES = [
    BuiltMachine("ap1000", ("-m", "ap1000"), dict.fromkeys(MACHINE_CASES, 0.5)),
    BuiltMachine("t3e-900", ("-m", "t3e-900"), shares_of_halos(0.54, 0.70, 0.58, 0.31)),
    BuiltMachine(
        "t3e-900, old library",
        ("-m", "t3e-900", "--set", "mpi.library=old"),
        shares_of_halos(0.21, 0.28, 0.29, 0.23),
    ),
]

PROGRAMS = ["pingpong", "ring", "halo", "alltoall_by_hand", "windows", "collectives", "startup"]

# On SHMEM, which SMPI does not have; a put of this one is held against a message of the MPI program.
PUTS_MACHINE = "t3e-900"
PUTS = Case("put ping-pong 8 B", "put_pingpong", 2, 8, "", 2, 1)

# Two threads of a rank, which SMPI does not simulate.
HANDOVERS = Case("mutex handed over", "mutex_handover", 1, 0, "", 2, 2e6)
ALONE = [PUTS.program, HANDOVERS.program]  # programs that hindcast alone can run


def machine_options(contestant):
    if contestant == HINDCAST:
        return ("-m", IDEAL)
    name = contestant.removeprefix(ON_MACHINE)
    return next((machine.options for machine in MACHINES if machine.name == name), ("-m", name))


@dataclass
class Outcome:
    seconds: float
    cpu_seconds: float  # of the processor: what others do on this computer plays little part
    kilobytes: int
    failure: str | None  # why it does not count
    was_stopped: bool = False  # at the limit


class Bench:
    """The compiled programs and the machine's platform, and runs of them."""

    def __init__(self, build, folder, limit_s):
        self.build = build
        self.folder = folder
        self.limit_s = limit_s

    def build_beside(self):
        """What is held against hindcast and is no MPI program."""
        if subprocess.run(["cmake", "--build", self.build, "--target", "benchmarks"], check=False).returncode != 0:
            sys.exit(f"bench: its own programs could not be built in {self.build}")

    def compile(self, with_smpi=True, programs=None):
        """These, or all."""
        ours, smpis = (self.build / "bin" / "hindcast-mpicc", "hindcast"), ("smpicc", "smpi")
        for program in programs or [*PROGRAMS, *ALONE]:
            source = HERE / f"{program}.c"
            for compiler, suffix in [ours, smpis] if with_smpi and program not in ALONE else [ours]:
                target = self.folder / f"{program}.{suffix}"
                if subprocess.run([compiler, "-O2", "-o", target, source], check=False).returncode != 0:
                    sys.exit(f"bench: {compiler} could not compile {source}")

    def platform(self, ranks):
        """The machine as plain SimGrid reads it."""
        file = self.folder / f"{IDEAL}-{ranks}.xml"
        if not file.exists():
            command = [self.build / "bin" / "hindcast", "platform", IDEAL, "-n", str(ranks), "--xml"]
            file.write_text(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        return file

    def hosts(self, ranks):
        """The node of each rank, for smpirun, which otherwise sorts nodes by their names: 0, 1, 10, 11, ..., 2, 20."""
        file = self.folder / f"hosts-{ranks}"
        if not file.exists():
            file.write_text("".join(f"{IDEAL}-{node}\n" for node in range(ranks)))
        return file

    def command(self, contestant, program, ranks, arguments, case=None):
        if contestant.startswith(HINDCAST):
            chosen = ["--coll", case.algorithm] if case and case.algorithm else []
            launcher = [self.build / "bin" / "hindcast", "run", *machine_options(contestant), "-n", ranks]
            return [*launcher, *chosen, "--", self.folder / f"{program}.hindcast", *arguments]
        options = [*SMPI_OPTIONS, *([SMPI_ASYNC_OPTION] if contestant == SMPI_ASYNC else [])]
        if case and case.smpi_algorithm:
            options.append(f"--cfg={case.smpi_algorithm}")
        places = ["-platform", self.platform(ranks), "-hostfile", self.hosts(ranks)]
        launcher = ["smpirun", "-np", ranks, *places, *options]
        return [*launcher, self.folder / f"{program}.smpi", *arguments]

    def measure(self, command):
        timer = [sys.executable, "-S", "-E", HERE / "measure.py", str(self.limit_s)]
        measured = subprocess.run([*timer, *map(str, command)], check=True, capture_output=True, text=True)
        found = json.loads(measured.stdout)
        failure = None
        if found["stopped"]:
            failure = f"not finished in {self.limit_s:g} s"
        elif found["status"] != 0:
            last = (measured.stderr.strip().splitlines() or ["no message"])[-1]
            failure = f"exit status {found['status']}: {last}"
        return Outcome(found["seconds"], found["cpu_seconds"], found["kilobytes"], failure, found["stopped"])

    def run_case(self, contestant, case, iterations):
        if contestant == BARE:
            bare = self.build / "bench" / "bare"
            return self.measure([bare, case.bare_mode, case.ranks, iterations, case.bytes])
        return self.measure(self.command(contestant, case.program, case.ranks, case.arguments(iterations), case))
