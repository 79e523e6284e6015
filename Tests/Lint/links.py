"""Checks the links of Markdown: the files, headings and articles that they lead to exist. The network is not used."""

import posixpath
import re

import prose

INLINE = re.compile(r"\]\(([^)\s]+)[^)]*\)|^\[[^\]]+\]: (\S+)|<doc:([^>]+)>|(?:src|srcset|href)=\"([^\"]+)\"", re.M)
REFERENCE = re.compile(r"\[[^\]]+\]\[([^\]]+)\]")


def anchors(text):
    """The anchors that code hosts give to a page's headings."""
    found, counts = set(), {}
    for heading in re.findall(r"(?m)^#{1,6}\s+(.*?)\s*#*$", prose.without_fences(text)):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        anchor = re.sub(r"\s", "-", re.sub(r"[^\w\- ]", "", heading))
        count = counts[anchor] = counts.get(anchor, -1) + 1
        found.add(f"{anchor}-{count}" if count else anchor)
    return found | set(re.findall(r'<a (?:id|name)="([^"]+)"', text))


def fault(target, name, texts, paths):
    """What is wrong with a link of a page; None if nothing is."""
    if re.match(r"[a-z][a-z0-9+.-]*:", target):
        return None
    path, _, anchor = target.partition("#")
    file = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
    if file not in paths:
        return f"{target}: {file} does not exist"
    if anchor and file.endswith(".md") and anchor not in anchors(texts[file]):
        return f"{target}: {file} has no such heading"
    return None


def faults(texts, names):
    """Links that lead nowhere, and references that are not defined."""
    paths = {*names, *(folder for name in names for folder in folders(name))}
    found = []
    for name, text in texts.items():
        if not name.endswith(".md"):
            continue
        text = prose.without_code(text)
        for match in INLINE.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            inline, defined, article, attribute = match.groups()
            if article:
                catalog = posixpath.dirname(name)
                files = (f"{catalog}/{article}.md", f"{catalog}/Tutorials/{article}.tutorial")
                found_fault = None if any(file in texts for file in files) else f"<doc:{article}> is not in {catalog}"
            else:
                found_fault = fault(inline or defined or attribute, name, texts, paths)
            if found_fault:
                found.append((name, line, found_fault))
        definitions = {label.lower() for label in re.findall(r"(?m)^\[([^\]]+)\]:", text)}
        for match in REFERENCE.finditer(text):
            if match[1].lower() not in definitions:
                found.append((name, text.count("\n", 0, match.start()) + 1, f"[{match[1]}] is not defined"))
    return found


def folders(name):
    """The folders that a file is in."""
    while name := posixpath.dirname(name):
        yield name
    yield "."
