"""What is kept of a study: tables of claims, bands and effects beside the draws, each with its origin in its head."""

import csv
import io
from pathlib import Path

from experiments.uncertainty.bands import bands_csv
from experiments.uncertainty.quantiles import QUANTILES, column_of, error_column_of
from experiments.uncertainty.study import Request, Study


def files_of(study: Study, request: Request, folder: Path) -> dict[Path, bytes]:
    name, head = study.experiment.data.name, head_of(study, request)
    return {
        folder / f"{name}.claims.csv": _table(head, _claims(study)),
        folder / f"{name}.effects.csv": _table(head, _effects(study)),
        folder / f"{name}.parameters.csv": _table(head, _parameters(study)),
        folder / f"{name}.bands.csv": bands_csv(study.bands, head),
    }


def head_of(study: Study, request: Request) -> list[str]:
    return [
        f"# {study.draws} independent draws of {len(study.design.draws)}, method {request.method}, seed {request.seed}",
        f"# failed draws, which count for nothing: {len(study.failures)}"
        + "".join(f"; {failure}" for failure in list(dict.fromkeys(study.failures))[:3]),
    ]


def _table(head: list[str], rows: list[list]) -> bytes:
    text = io.StringIO()
    text.writelines(f"{line}\n" for line in head)
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def _claims(study: Study) -> list[list]:
    names = ["claim", "kind", "published", "unit", "share", "share_low", "share_high"]
    rows: list[list] = [[*names, *map(column_of, QUANTILES), *map(error_column_of, QUANTILES)]]
    for one in study.shares:
        known = [*one.quantiles, *one.errors] if one.quantiles and one.errors else []
        values = [f"{value:.6g}" for value in known] or [""] * 2 * len(QUANTILES)
        shares = [f"{share:.4f}" for share in (one.share, one.share_low, one.share_high)]
        rows.append([one.claim, one.kind, one.published, one.unit, *shares, *values])
    return rows


def _effects(study: Study) -> list[list]:
    rows = [["result", "parameter", "total_effect", "error"]]
    return rows + [[one.result, one.parameter, f"{one.total:.4f}", f"{one.error:.4f}"] for one in study.effects]


def _parameters(study: Study) -> list[list]:
    rows: list[list] = [["parameter", "kind", "value", "low", "high", "unit", "noticed"]]
    for parameter in [*study.parameters, *study.unnoticed]:
        numbers = [f"{number:.6g}" for number in (parameter.value, parameter.low, parameter.high)]
        rows.append([parameter.key, parameter.kind, *numbers, parameter.unit, parameter in study.parameters])
    return rows
