"""The folders of a target form floors: a file depends only on its own floor and on lower ones.

The file `floors` has a paragraph for each target: its name with a colon, then a floor a line, the lowest first.
Folders that share a line may depend on one another. `.` stands for the files outside all folders.
"""

import re

from known import Violation


def read(text):
    """The floor of each folder, by target, and the lines of the targets."""
    floors, lines, height = {}, {}, 0
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#") or not line.strip():
            continue
        if line.endswith(":"):
            target = line[:-1]
            floors[target], lines[target], height = {}, number, 0
        else:
            height += 1
            floors[target] |= {folder: height for folder in line.split()}
    return floors, lines


def place(file):
    """The target of a source file, and its folder in the target."""
    _, target, *folders, _ = file.split("/")
    return target, folders[0] if folders else "."


def arrows(index):
    """The first reference to each declaration of another file of the same target, by the pair of files."""
    found = {}
    for reference in index.references:
        declaration = index.declarations.get(reference.usr)
        if declaration and declaration.file != reference.file:
            pair = reference.file, declaration.file
            if place(pair[0])[0] == place(pair[1])[0] and pair not in found:
                found[pair] = reference.line, declaration.name
    return found


def violations(index, list_text):
    floors, lines = read(list_text)
    found = []
    existing = {place(file) for file in index.files}
    for target, folders in floors.items():
        present = {folder for owner, folder in existing if owner == target}
        for folder in sorted(present ^ folders.keys()):
            text = f"{target}/{folder} has no floor" if folder in present else f"{target}/{folder} does not exist"
            found.append(Violation("floors", text, "Tests/Lint/floors", lines[target], text))
    for (user, used), (line, name) in arrows(index).items():
        (target, folder), (_, other) = place(user), place(used)
        heights = floors.get(target, {})
        if heights.get(other, 0) > heights.get(folder, len(heights) + 1):
            subject = f"{target} {file_name(user)} -> {file_name(used)}"
            text = f"{name} is in {other}, a higher floor than {folder}"
            found.append(Violation("floors", subject, user, line, text))
    return found


def file_name(file):
    return re.sub(r".*/|\.swift$", "", file)


def circles(graph):
    """The sizes of the sets of nodes that depend on one another in a circle, the largest first."""
    reach = {}
    for start in graph:
        reach[start], open_nodes = set(), [start]
        while open_nodes:
            for node in graph.get(open_nodes.pop(), ()):
                if node not in reach[start]:
                    reach[start].add(node)
                    open_nodes.append(node)
    sets = {frozenset(other for other in reach[node] if node in reach.get(other, ())) for node in graph}
    return sorted((len(each) for each in sets if each), reverse=True)
