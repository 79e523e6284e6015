"""Declarations that no source uses. The use by a test does not count.

What fulfills a protocol or is read from data is used by others: witnesses, members of `Codable` types, cases of enums
with raw values. So is the public API of the client library, and what apps copy.
"""

import re

from known import Violation

KINDS = {"enum", "struct", "class", "protocol", "function", "variable", "case", "method", "property", "initializer"}
CLIENT, COPIED = "DialtoneAuth", "AppRedirects"
OTHERS_READ = re.compile(r"\b(Codable|Decodable|Encodable|CodingKey)\b")
HAS_RAW_VALUES = re.compile(r"\benum \w+:.*\b(String|U?Int\d*|CaseIterable)\b")
PUBLIC = re.compile(r"\s*(@\w+ )*(public|open)\b")


def violations(index, texts):
    used = {reference.usr for reference in index.references if reference.usr != reference.container}
    required = {
        base(declaration.name) for declaration in index.declarations.values()
        if declaration.parent in index.declarations and index.declarations[declaration.parent].kind == "protocol"
    }
    client = "".join(text for file, text in texts.items() if file.split("/")[1] == CLIENT)
    lines = {file: text.splitlines() for file, text in texts.items()}
    found = []
    for usr, declaration in index.declarations.items():
        if usr in used or declaration.witnesses or declaration.kind not in KINDS or declaration.file not in texts:
            continue
        parent, target = index.declarations.get(declaration.parent), declaration.file.split("/")[1]
        line = lines[declaration.file][declaration.line - 1]
        owner = lines[parent.file][parent.line - 1] if parent and parent.file in lines else ""
        if (
            target == COPIED or declaration.name == "main()"
            or any(line.startswith("@main") for line in lines[declaration.file][:declaration.line])
            or declaration.kind == "case" and base(declaration.name) in required
            or declaration.kind == "case" and HAS_RAW_VALUES.search(owner)
            or declaration.kind == "property" and OTHERS_READ.search(owner)
            # Code for Apple's platforms is not compiled here, so its uses are found by the name.
            or target == CLIENT and (
                PUBLIC.match(line) or PUBLIC.match(owner) and declaration.kind in ("case", "property")
                or len(re.findall(rf"\b{base(declaration.name)}\b", client)) > 1)
        ):
            continue
        name = f"{parent.name}.{declaration.name}" if parent else declaration.name
        text = f"no source uses {name}"
        found.append(Violation("unused", f"{target} {name}", declaration.file, declaration.line, text))
    return found


def base(name):
    """The name without its labels."""
    return name.partition("(")[0]
