"""The names of test files.

A file `XTests.swift` declares the suite `XTests`, so that the suite of an operation is found by its name. The
`Makefile` also relies on this: it finds the names of the suites with a tag in the names of their files.
"""

import pathlib
import re


def faults(texts):
    """Test files that do not declare the suite that their name promises."""
    found = []
    for name, text in texts.items():
        path = pathlib.PurePosixPath(name)
        if path.parts[0] == "Tests" and path.name.endswith("Tests.swift"):
            if not re.search(rf"\b(?:struct|enum|class|actor) {re.escape(path.stem)}\b", text):
                found.append((name, 1, f"no suite {path.stem}"))
    return found
