"""What an experiment file may not say of [models] and of curves' models though each key of it is right."""

from experiments.fits.problems import NoFit
from experiments.problems import did_you_mean
from experiments.schema import Curve, Experiment

Wrong = tuple[tuple, str]  # a key's path, and why


def wrong_in_models(experiment: Experiment) -> Wrong | None:
    """The first mistake."""
    if experiment.models is None:
        named = next((index for index, curve in enumerate(experiment.curve) if curve.model), None)
        return None if named is None else (("curve", named, "model"), "needs a table [models]")
    if not any(curve.model for curve in experiment.curve):
        return ("models",), "no curve has a 'model'"
    if wrong := (_wrong_of_messages if experiment.is_of_messages else _wrong_of_collectives)(experiment):
        return wrong
    for index, curve in enumerate(experiment.curve):
        if curve.model and (wrong := _wrong_in_curve(curve, experiment)):
            return ("curve", index, "model", wrong[0]), wrong[1]
    return None


def _wrong_of_messages(experiment: Experiment) -> Wrong | None:
    if experiment.models.bytes:
        return ("models", "bytes"), "the sizes are the lengths: either has to go"
    if len(experiment.sizes.all()) < 2:
        return ("sizes", "values"), "a line needs two lengths or more"
    return None


def _wrong_of_collectives(experiment: Experiment) -> Wrong | None:
    if experiment.machine.ranks != experiment.sizes.name:
        name = experiment.sizes.name
        return ("machine", "ranks"), f"has to be '{name}': models are of several numbers of processors, the sizes"
    if too_few := [p for p in (*experiment.sizes.all(), *experiment.models.at) if p < 2]:
        return ("sizes", "values"), f"models are of two processors and more, not {too_few[0]}"
    if len(lengths := experiment.models.all_bytes()) < 2 or min(lengths) < 0:
        return ("models", "bytes"), "has to be two lengths or more, from 0 on"
    return None


def _wrong_in_curve(curve: Curve, experiment: Experiment) -> tuple[str, str] | None:
    from experiments.fits.expressions import parse
    from experiments.fits.forms import form_of

    model, known = curve.model, [other.name for other in experiment.curve]
    if model.without and model.without not in known:
        return "without", f"no curve '{model.without}'{did_you_mean(model.without, known)}"
    if model.t_c and not model.without:
        return "t_c", "needs 'without', the curve without arithmetic"
    if any(p < 2 for p in model.ranks):
        return "ranks", "has to be whole numbers from 2 on"
    for key in ("t_s", "t_b", "t_c", "carries"):
        text = getattr(model, key)
        try:
            if key == "carries" and parse(text).letters:
                return key, f"'{text}' has a letter other than p"
            if key != "carries" and text:
                form_of(text)
        except NoFit as reason:
            return key, str(reason)
    return None
