"""The list of known violations, which may only shrink.

A line is a rule, what violates it, and, for rules about a size, today's size. Subjects name files without folders, so
that a moved file stays on the list.
"""

import collections
import dataclasses


@dataclasses.dataclass(order=True)
class Violation:
    """A violation of a rule at a line of a file. Those of one rule with the same subject are one entry of the list."""

    rule: str
    subject: str
    file: str
    line: int
    text: str
    size: int = 0

    @property
    def entry(self):
        return f"{self.rule}: {self.subject}"


def read(path):
    """The sizes by entry, and the line of each entry."""
    sizes, lines = {}, {}
    for number, line in enumerate(path.read_text().splitlines() if path.exists() else [], 1):
        if line and not line.startswith("#"):
            entry, _, size = line.partition(" = ")
            sizes[entry], lines[entry] = int(size or 0), number
    return sizes, lines


def faults(violations, path, name):
    """Violations that are not on the list or have grown, and entries that are no longer true: (file, line, text)."""
    sizes, lines = read(path)
    found, today = [], {}
    for violation in violations:
        today[violation.entry] = max(violation.size, today.get(violation.entry, 0))
        if violation.entry not in sizes or violation.size > sizes[violation.entry]:
            found.append((violation.file, violation.line, violation.text))
    for entry, size in sizes.items():
        if today.get(entry, -1) < size:
            change = f"is {today[entry]} now" if entry in today else "is gone"
            found.append((name, lines[entry], f"{entry} {change}: run Tests/Lint/ratchets --update"))
    return found


def totals(sizes):
    """The number of entries by rule, and the sum of their sizes."""
    entries, sums = collections.Counter(), collections.Counter()
    for entry, size in sizes.items():
        rule = entry.partition(": ")[0]
        entries[rule] += 1
        sums[rule] += size
    return entries, sums


def update(violations, path):
    """Writes the list of today's violations, unless a rule has more of them than before. An absent list is written
    whole. Returns the rules that grew."""
    sizes = {}
    for violation in sorted(violations):
        sizes[violation.entry] = max(violation.size, sizes.get(violation.entry, 0))
    if path.exists():
        before, after = totals(read(path)[0]), totals(sizes)
        grown = sorted({rule for old, new in zip(before, after) for rule in new if new[rule] > old[rule]})
        if grown:
            return grown
    text = "".join(f"{entry} = {size}\n" if size else f"{entry}\n" for entry, size in sizes.items())
    path.write_text("# Known violations. The list may only shrink: Tests/Lint/ratchets --update\n" + text)
    return []
