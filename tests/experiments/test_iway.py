"""The experiments on the SP and the I-WAY: their claims fail when what they are about is taken away."""

import json
from collections import Counter

import pytest


def claims_of_machine():
    from experiments.load import load, names

    experiments = [load(path) for name, path in names().items() if name.startswith("iway-")]
    return [claim for experiment in experiments for claim in experiment.data.claim]


def test_every_claim_is_scored_once():
    scored = Counter(claim.id for claim in claims_of_machine())
    assert set(scored.values()) == {1}
    assert scored.keys() == {f"IWAY-{number:02}" for number in range(1, 33)} - {"IWAY-18"}  # which measures nothing


CASES = {
    "MPI's messages are MPL's": (
        "iway-fig3-left",
        ["mpl.overhead=70 us"],
        {"IWAY-01": False, "IWAY-05": False, "IWAY-08": True},
    ),
    "MPICH's own work is its alone": ("iway-fig3-left", ["mpi.overhead=30 us"], {"IWAY-01": True, "IWAY-05": False}),
    "the jump comes of MPL's change of protocol": (
        "iway-fig3-left",
        ["mpl.long_set_up=0 us"],
        {"IWAY-01": True, "IWAY-08": False},
    ),
    "and MPICH's header is in it": ("iway-fig3-left", ["mpi.header_bytes=48 B"], {"IWAY-01": True, "IWAY-08": False}),
    "the adapter is what moves the bytes": (
        "iway-fig3-right",
        ["network.injection_bandwidth=30 MB/s"],
        {"IWAY-14": False},
    ),
    "who knows the sites crosses no more than need be": (
        "iway-crossings",
        ["collectives.bcast=two_level:level=site"],
        {"IWAY-21": False, "IWAY-32": True},
    ),
    "without another interface there is none to choose": (
        "iway-status",
        ["link.internet-west.latency=1ms"],
        {"IWAY-31": False},
    ),
    "a request's header is on the wire": ("iway-fig3-left", ["nexus.header_bytes=40 B"], {"IWAY-04": False}),
    "the handler is looked up": ("iway-fig3-left", ["nexus.handler_lookup=9 us"], {"IWAY-19": False}),
    "a look by MPL": ("iway-polls", ["mpl.status=20 us"], {"IWAY-10": False, "IWAY-11": True}),
    "a look by TCP": ("iway-polls", ["tcp.select=50 us"], {"IWAY-10": True, "IWAY-11": False}),
    "without other methods all go by TCP": ("iway-methods", ["nexus.methods=tcp"], {"IWAY-20": False}),
    "what comes in two pieces is not put aside": ("iway-arrivals", ["mpi.in_one_max=0 B"], {"IWAY-23": False}),
    "without its lock nobody is alone in MPL": (
        "iway-receivers",
        ["nexus.version=non-threaded"],
        {"IWAY-27": False, "IWAY-28": True},
    ),
    "copies go with messages in one piece": ("iway-fig3-right", ["mpi.in_one_max=1 MB"], {"IWAY-22": False}),
}


@pytest.mark.parametrize("case", CASES)
def test_without_its_mechanism_a_claim_fails(case, verdicts_with):
    experiment, settings, expected = CASES[case]
    holds = verdicts_with(experiment, *settings)
    assert {name: holds[name] for name in expected} == expected


# IWAY-26 counts such steps of a run on the I-WAY, where MPICH stands on Nexus alone.
@pytest.mark.parametrize(("channel", "pointers"), [("nexus", 5 * 4), ("mpl", 0)])
def test_global_pointers_are_those_of_the_channel_on_nexus(root, run_program, tmp_path, channel, pointers):
    counts = tmp_path / "steps.json"
    source = root / "experiments" / "iway" / "programs" / "crossings.c"
    launcher = ["--count", str(counts), "--set", f"mpi.channel={channel}"]
    done = run_program(source, 5, 8, "nothing", 8, machine="argonne-sp", launcher=launcher)
    assert done.returncode == 0, done.stderr
    steps = json.loads(counts.read_text())
    assert sum(step["count"] for step in steps if step["name"] == "global pointer to another rank") == pointers


# In place of MPI's, for the program of the claim: what one thread has received another is given as well.
TO_TWO_THREADS = r"""
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static int calls, last;

int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm of, MPI_Status* status) {
  pthread_mutex_lock(&turn);
  if (calls++ % 2 == 0) PMPI_Recv(&last, count, type, from, tag, of, status);
  *(int*)data = last;
  pthread_mutex_unlock(&turn);
  return MPI_SUCCESS;
}
"""


def test_a_message_that_comes_to_two_threads_fails_its_claim(root, verdicts_with, tmp_path):
    iway = root / "experiments" / "iway"
    (tmp_path / "programs").mkdir()
    program = (iway / "programs" / "receiving_threads.c").read_text()
    (tmp_path / "programs" / "receiving_threads.c").write_text(program + TO_TWO_THREADS)
    experiment = tmp_path / "receivers.toml"
    experiment.write_text((iway / "receivers.toml").read_text())
    assert verdicts_with(experiment)["IWAY-28"] is False
    (tmp_path / "programs" / "receiving_threads.c").write_text(program)
    assert verdicts_with(experiment) == {"IWAY-27": True, "IWAY-28": True}
