"""On which machine a result was measured, for the tables of this study. Needs Python 3.8, nothing else."""

# Vendor, family and model of processors that have one name, and what tells them apart.
KINDS = {("AuthenticAMD", 25, 1): "Zen 3", ("AuthenticAMD", 25, 17): "Zen 4"}
# How two results lie to each other, and how the tables say it.
WITHIN, ACROSS = "within one machine", "across two machines"


def noted(directory):
    """What machines.txt in a directory says of results that do not name their machine: lines of NAME-REPEAT or `default`, a tab, and the machine."""
    path = directory / "machines.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return dict(line.split("\t") for line in lines if line.strip() and not line.startswith("#"))


def machine_of(name, result, notes):
    """`AMD EPYC (Zen 4)`; None where neither the result nor the notes of its directory say it."""
    machine = result.get("machine")
    if machine is None:
        return notes.get(name, notes.get("default"))
    family, model = machine.get("family"), machine.get("model")
    kind = KINDS.get((machine["vendor"], family, model), f"{machine['vendor']}, family {family}, model {model}")
    return f"{machine['model_name']} ({kind})"


def lie(a, b):
    """How results of two machines lie to each other; None where one of both is not known."""
    if a is None or b is None:
        return None
    return WITHIN if a == b else ACROSS
