"""An assumed number has a range over which no claim changes its verdict: held at both its ends, for every machine that
claims are scored on. Some minutes for a machine."""

import json
import tomllib

import pytest

MACHINES = ["ap1000"]


def assumed_numbers(root, machine):
    """(key, end, unit) of all assumed numbers with a range."""
    found = []

    def look(table, key):
        if "value" not in table or "kind" not in table:
            for name, inner in table.items():
                if isinstance(inner, dict):
                    look(inner, [*key, name])
        elif table["kind"] == "assumed" and "range" in table:
            found.extend((".".join(key), end, table.get("unit", "")) for end in table["range"])

    look(tomllib.loads((root / "platforms" / f"{machine}.toml").read_text()), [])
    return found


@pytest.fixture
def verdicts(hindcast, root, tmp_path):
    """What all claims come to on a copy of the machine's file with one number changed."""

    def verdicts_with(machine, key=None, value=None, unit=""):
        folder = tmp_path / f"{key}={value}"
        folder.mkdir()
        lines = (root / "platforms" / f"{machine}.toml").read_text().splitlines(keepends=True)
        table, name = key.rsplit(".", 1) if key else ("", "")
        current = ""
        for number, line in enumerate(lines):
            if line.startswith("["):
                current = line.strip()[1:-1]
            if key and current == table and line.startswith(f"{name} = "):
                start = line.index("value = ") + len("value = ")
                lines[number] = line[:start] + str(value) + line[line.index(",", start) :]
        (folder / f"{machine}.toml").write_text("".join(lines))
        done = hindcast(
            "score", "--run", "--out", folder, cwd=folder, env={"HINDCAST_PLATFORMS": str(folder)}, timeout=600
        )
        assert done.returncode == 0, done.stderr
        claims = json.loads((folder / "scoreboard.json").read_text())["claims"]
        return {claim["id"]: claim["holds"] for claim in claims}

    return verdicts_with


@pytest.mark.long
@pytest.mark.parametrize("machine", MACHINES)
def test_no_verdict_changes_within_the_ranges_of_assumed_numbers(machine, root, verdicts):
    as_it_is = verdicts(machine)
    assert any(as_it_is.values())
    changed = [
        f"{key} = {end} {unit}: {claim} {'holds' if verdict else 'fails'}"
        for key, end, unit in assumed_numbers(root, machine)
        for claim, verdict in verdicts(machine, key, end, unit).items()
        if verdict != as_it_is[claim]
    ]
    assert changed == []
