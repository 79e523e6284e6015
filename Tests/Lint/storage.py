"""Only the files `X+Store.swift` and `KeyNames….swift` of the domain name keys and send commands and scripts.

Everything else calls their operations, so that what is stored, and under which names, is found in few files.
"""

import re

from known import Violation

STORAGE = re.compile(r"Sources/RedisScripts/|.*(\+Store|/KeyNames[^/]*)\.swift$")
TARGET = "Sources/RedisScripts/"
TYPES = re.compile(r"(KeyNames|ScriptCall|NamedValues|StoreRead)$")
SENDING = re.compile(r"(run|send|sendAll|sendConfirmed|sendEach|pipeline|read|replies|command)\(")


def violations(index):
    forbidden = {
        usr: declaration.name for usr, declaration in index.declarations.items()
        if re.search(r"/KeyNames[^/]*\.swift$", declaration.file) or declaration.file.startswith(TARGET) and (
            TYPES.match(declaration.name) or "/Store" in declaration.file and SENDING.match(declaration.name))
    }
    found = {}
    for file, line, usr, _ in index.references:
        if usr in forbidden and not STORAGE.match(file):
            text = f"{forbidden[usr]} belongs in a file X+Store.swift or KeyNames+X.swift"
            found.setdefault((file, line), Violation("storage", file.rpartition("/")[2], file, line, text))
    return list(found.values())
