"""The AP1000's limits of communicators and domains: claims that fail when the mechanism is taken away."""

import json
import shutil

import pytest


def verdicts(hindcast, tmp_path, experiment, claim, change):
    """Of a claim, as published and changed, as `experiment run` says it for each value of a change."""
    done = hindcast("experiment", "run", experiment, "--set", change, "--out", tmp_path, timeout=300)
    assert done.returncode == 0, done.stderr
    return ["yes" in line.split() for line in done.stdout.splitlines() if claim in line]


def test_a_larger_stack_of_domains_makes_more_communicators(hindcast, tmp_path):
    assert verdicts(hindcast, tmp_path, "ap1000-domains", "AP1000-45", "mpi.domain_stack=100,104") == [True, False]


def test_room_for_more_domains_has_no_error_at_the_301st(hindcast, tmp_path):
    assert verdicts(hindcast, tmp_path, "ap1000-domains", "AP1000-46", "cellos.domains_max=300,302") == [True, False]


@pytest.mark.parametrize("context", ["packed", "extra message"])
def test_contexts_that_nobody_has_to_be_ready_for_let_constructors_return_early(context, hindcast, tmp_path):
    change = f"mpi.context=header,{context}"
    assert verdicts(hindcast, tmp_path, "ap1000-meeting", "AP1000-47", change) == [True, False]


def test_cells_that_are_members_discard_nothing_and_need_room(hindcast, root, tmp_path):
    folder = tmp_path / "experiments"
    shutil.copytree(root / "experiments" / "ap1000", folder)
    program = folder / "programs" / "discard_mpi.c"
    text = program.read_text()
    program.write_text(
        text.replace("MPI_Comm_split(MPI_COMM_WORLD, is_member, 0, &group)", "MPI_Comm_dup(MPI_COMM_WORLD, &group)")
    )
    assert program.read_text() != text
    done = hindcast("score", "--run", folder / "discard.toml", "--out", tmp_path / "out", timeout=300)
    assert done.returncode == 0, done.stderr
    claims = json.loads((tmp_path / "out" / "scoreboard.json").read_text())["claims"]
    assert {claim["id"]: claim["holds"] for claim in claims if claim["holds"] is not None} == {"AP1000-51": False}
