"""The sizes of functions and folders, and files that are too small for a topic of their own."""

import collections

from known import Violation
from storage import STORAGE

LINES, PARAMETERS, FILES, SMALL = 70, 8, 26, 25
FUNCTIONS = {"function", "method", "initializer", "deinitializer"}


def indentation(line):
    return len(line) - len(line.lstrip())


def length(lines, start):
    """The number of lines of a formatted declaration, from the line of its name to the brace that closes it."""
    own = indentation(lines[start])
    for number in range(start + 1, len(lines)):
        line = lines[number].lstrip()
        if not line or line.startswith("#") or indentation(lines[number]) > own:
            continue
        if line.startswith("}") and indentation(lines[number]) == own:
            return number - start + 1
        if not line.startswith((")", "{", "where ", "->")):
            return number - start
    return len(lines) - start


def parameters(name):
    """The number of parameters in a name such as `send(_:to:)`."""
    return name[name.find("("):].count(":") if name.endswith(")") else 0


def of_functions(index, texts):
    """Functions that are too long, or have too many parameters."""
    lines = {file: text.splitlines() for file, text in texts.items()}
    for declaration in index.declarations.values():
        if declaration.file not in lines or declaration.kind not in FUNCTIONS:
            continue
        parent = index.declarations.get(declaration.parent)
        name = f"{parent.name}.{declaration.name}" if parent else declaration.name
        # Without labels, so that a parameter can be renamed.
        subject = f"{declaration.file.split('/')[1]} {name.partition('(')[0]}"
        for rule, size, limit in (
            ("lines", length(lines[declaration.file], declaration.line - 1), LINES),
            ("parameters", parameters(declaration.name), PARAMETERS),
        ):
            if size > limit:
                text = f"{name} has {size} {rule}; {limit} are allowed"
                yield Violation(rule, subject, declaration.file, declaration.line, text, size)


def of_folders(texts):
    folders = collections.Counter(file.rpartition("/")[0] for file in texts)
    for folder, size in folders.items():
        if size > FILES:
            text = f"the folder has {size} Swift files; {FILES} are allowed"
            yield Violation("folder", folder.removeprefix("Sources/"), folder, 1, text, size)


def small_files(index, texts):
    """Files that are small and used by one other file, of the same target. Storage has files of its own."""
    users = collections.defaultdict(set)
    for reference in index.references:
        declaration = index.declarations.get(reference.usr)
        if declaration and declaration.file != reference.file:
            users[declaration.file].add(reference.file)
    for file, text in texts.items():
        size = len(text.splitlines())
        target, name = file.split("/")[1], file.rpartition("/")[2]
        if size <= SMALL and len(users[file]) == 1 and not STORAGE.match(file):
            user, = users[file]
            if user.split("/")[1] == target:
                text = f"only {user} uses this file of {size} lines: join them"
                yield Violation("small", f"{target} {name}", file, 1, text)


def violations(index, texts):
    return [*of_functions(index, texts), *of_folders(texts), *small_files(index, texts)]
