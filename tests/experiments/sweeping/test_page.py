"""docs/sweep.md: its commands, word for word, and what they print."""

import re


def test_the_pages_commands_print_what_it_says(root, tmp_path, path_env, succeeds):
    (tmp_path / "experiments").symlink_to(root / "experiments")
    page = (root / "docs" / "sweep.md").read_text()
    blocks = re.findall(r"^```sh\n(.*?)^```\n(?:\n^```text\n(.*?)^```)?", page, re.S | re.M)
    assert len(blocks) == 4
    for commands, printed in blocks:
        jobs = range(1, 5) if "SLURM_ARRAY_TASK_ID" in commands else [0]
        for job in jobs:
            env = {**path_env, "SLURM_ARRAY_TASK_ID": str(job)}
            done = succeeds(["sh", "-c", commands], cwd=tmp_path, env=env)
            assert printed in ("", done.stdout)
    assert done.stdout.endswith("16 runs: 16 kept from before, 0 failed\n")


def test_the_pages_table_is_the_sweeps(root, tmp_path, hindcast):
    page = (root / "docs" / "sweep.md").read_text()
    (tmp_path / "experiments").symlink_to(root / "experiments")
    words = ("-m", "ap1000", "-n", "4", "--with", "operation=bcast,allreduce", "experiments/collectives/collective.c")
    hindcast("sweep", *words, "{operation}", "8", "1024", cwd=tmp_path)
    rows = [
        line
        for line in (tmp_path / "out" / "sweep" / "collective" / "table.csv").read_text().splitlines()
        if not line.startswith("#")
    ]
    assert all(f"    {row}\n" in page for row in rows[:4])
