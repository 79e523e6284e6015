"""The width of lines, as .editorconfig says for each file.

Three kinds of lines cannot be broken and may be wider: rows of Markdown tables, lines with a word that is wider than
half a line (an address, a pattern), and in Swift lines that hold one text (a message that is searched for as a whole).
"""

import re

UNBREAKABLE = 60
ONE_TEXT = re.compile(r'\s*(?:(?:==|\+|\?|:|[\w ]+:) )?#?"[^"]*(?:"[^"]+)*"#?[,)]*')


def pattern(glob):
    """The regular expression of a section's name: `*`, `**`, `{a,b}`. Without a slash it means files of any folder."""
    parts = {"**": ".*", "*": "[^/]*", "{": "(?:", "}": ")", ",": "|"}
    expression = re.sub(r"\*\*|[*{},]|[^*{},]+", lambda part: parts.get(part[0]) or re.escape(part[0]), glob)
    return re.compile(expression if "/" in glob else "(?:.*/)?" + expression)


def sections(text):
    """The sections of an .editorconfig that set a width: which files they mean, and the width or None for any."""
    found, glob = [], None
    for line in text.split("\n"):
        if line.startswith("["):
            glob = line.strip()[1:-1]
        elif glob and (match := re.match(r"max_line_length\s*=\s*(\w+)", line)):
            found.append((pattern(glob), None if match[1] in ("off", "unset") else int(match[1])))
    return found


def faults(texts):
    """Lines that are wider than .editorconfig allows for their file."""
    rules = sections(texts.get(".editorconfig", ""))
    found = []
    for name, text in texts.items():
        limit = next((limit for files, limit in reversed(rules) if files.fullmatch(name)), None)
        if limit is None:
            continue
        for number, line in enumerate(text.split("\n"), 1):
            columns = len(line.expandtabs(4))
            if columns > limit and not is_unbreakable(line, name):
                found.append((name, number, f"{columns} columns, {limit} are allowed"))
    return found


def is_unbreakable(line, name):
    """Whether a line cannot be broken."""
    return (
        name.endswith(".md") and line.startswith("|")
        or name.endswith(".swift") and ONE_TEXT.fullmatch(line)
        or max(len(word) for word in line.split()) > UNBREAKABLE
    )
