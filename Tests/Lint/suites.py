"""The names of test files, of suites in Markdown, and of scripts.

A file `XTests.swift` declares the suite `XTests`, so that the suite of an operation is found by its name. The
`Makefile` also relies on this: it finds the names of the suites with a tag in the names of their files. A guide that
names `XTests` means this file or the test target `XTests`. A guide or a comment that names `x.lua` means this file.
"""

import pathlib
import re

import prose

NAMED = re.compile(r"(?<!`)`(\w+Tests)`(?!`)")
SCRIPT = re.compile(r"[\w-]+\.lua\b")


def faults(texts):
    """Test files that do not declare the suite that their name promises, and named suites and scripts that do not
    exist."""
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
    scripts = {pathlib.PurePosixPath(name).name for name in texts if name.endswith(".lua")}
    for name, text in texts.items():
        if name.endswith((".md", ".swift", ".lua")):
            for match in SCRIPT.finditer(text):
                if match[0] not in scripts:
                    found.append((name, text.count("\n", 0, match.start()) + 1, f"{match[0]} does not exist"))
    return found
