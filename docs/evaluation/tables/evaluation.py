"""What `proofmark evaluate` left, as far as the tables need it."""

import collections
import json
from pathlib import Path

from .text import short, table

DOCUMENT = Path(__file__).resolve().parent.parent

# A plan of a program, and the file that it is in.
Plan = collections.namedtuple("Plan", "result program plan name")


class Evaluation:
    """Files of one directory."""

    def __init__(self, name, paths):
        self.name = name
        self.paths = paths
        self.documents = [(path.stem, json.loads(path.read_text(encoding="utf-8"))) for path in paths]
        self.programs = [(result, program) for result, document in self.documents for program in document["programs"]]
        targets = {plan["target_pct"] for _, program in self.programs for plan in program["plans"]}
        self.plans = []
        for result, program in self.programs:
            for plan in program["plans"]:
                name = short(program["program"]) + ("" if targets == {100.0} else f" +{plan['target_pct']:.0f} %")
                self.plans.append(Plan(result, program, plan, name))

    def of_result(self, header, rows):
        """A table with a column that says the file, if there are several. `rows`: file and cells."""
        if len(self.documents) == 1:
            return table(header, [cells for _, cells in rows])
        return table([header[0], "result", *header[1:]], [[cells[0], result, *cells[1:]] for result, cells in rows])

    def failed(self):
        return [f"- {short(program['program'])} failed: {program['failed']}." for _, program in self.programs if program["failed"]]

    def links(self):
        """The files and the page beside them, as the README names them; none that lies elsewhere."""
        beside = [path for path in map(Path.resolve, self.paths) if DOCUMENT in path.parents]
        pages = sorted({path.with_name("report.html") for path in beside})
        named = [(path.name, path) for path in beside] + [("page", page) for page in pages if page.exists()]
        return ", ".join(f"[{name}]({path.relative_to(DOCUMENT)})" for name, path in named)

    def machines(self):
        """Where it was measured, and with what."""
        places = [place for _, document in self.documents for place in document.get("environments", [])]
        return list(dict.fromkeys(f"{place['machine']}, {place['jdk']}, Graal {place['graal']}, {place['event']}" for place in places))
