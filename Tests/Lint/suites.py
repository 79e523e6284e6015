"""The names of test files, and of suites in Markdown.

A file `XTests.swift` declares the suite `XTests`, so that the suite of an operation is found by its name. The
`Makefile` also relies on this: it finds the names of the suites with a tag in the names of their files. A guide that
names `XTests` means this file or the test target `XTests`.
"""

import pathlib
import re

import prose

NAMED = re.compile(r"(?<!`)`(\w+Tests)`(?!`)")


def faults(texts):
    """Test files that do not declare the suite that their name promises, and suites in Markdown that do not exist."""
    found, known = [], set()
    for name, text in texts.items():
        path = pathlib.PurePosixPath(name)
        if path.parts[0] != "Tests":
            continue
        known.add(path.parts[1])
        if path.name.endswith("Tests.swift"):
            known.add(path.stem)
            if not re.search(rf"\b(?:struct|enum|class|actor) {re.escape(path.stem)}\b", text):
                found.append((name, 1, f"no suite {path.stem}"))
    for name, text in texts.items():
        if name.endswith(".md"):
            text = prose.without_fences(text)
            for match in NAMED.finditer(text):
                if match[1] not in known:
                    line = text.count("\n", 0, match.start()) + 1
                    found.append((name, line, f"{match[1]} is no test file or target"))
    return found
