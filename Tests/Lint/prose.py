"""The prose of a file: comments of programs, and Markdown without code.

Everything else is replaced by blanks, so that each word keeps its line.
"""

import re

SLASHES = re.compile(r"(?:^|(?<=\s))//+(.*)")
HASHES = re.compile(r"(?:^|(?<=\s))#+(?!!)(\s.*)")
DASHES = re.compile(r"(?:^|(?<=\s))--+(?!\[)(.*)")

COMMENTS = {
    ".swift": SLASHES, ".c": SLASHES, ".h": SLASHES, ".cpp": SLASHES, ".hpp": SLASHES, ".js": SLASHES,
    ".modulemap": SLASHES, ".lua": DASHES, ".py": HASHES, ".conf": HASHES, ".service": HASHES, ".socket": HASHES,
    ".target": HASHES, ".sysusers": HASHES, ".example": HASHES, "": HASHES,
}

CODE_SPAN = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.S)
# URLs, tags, paths and names of code, which are not English.
IDENTIFIER = re.compile(r"https?://\S+|<[^>\n]+>|\S*[/_@\\=:]\w\S*|\S*\d\S*|\w+\.\w+\S*|[\w-]*[a-z][A-Z]\w*|\b[A-Z]{2,}[a-z]\w+")


def blank(match):
    """The blanks that replace a match."""
    return re.sub(r"[^\n]", " ", match.group())


def without_fences(text):
    """Markdown with its fenced code blanked."""
    lines, fence = [], None
    for line in text.split("\n"):
        mark = re.match(r"\s*(```+|~~~+)", line)
        if mark and fence is None:
            fence = mark.group(1)
            lines.append("")
        elif fence is not None:
            if line.strip() == fence:
                fence = None
            lines.append("")
        else:
            lines.append(line)
    return "\n".join(lines)


def without_code(text):
    """Markdown with its code, its comments and the targets of its links blanked."""
    text = without_fences(text)
    text = re.sub(r"<!--.*?-->", blank, text, flags=re.S)
    # A span does not reach beyond its paragraph.
    return "\n\n".join(CODE_SPAN.sub(blank, paragraph) for paragraph in text.split("\n\n"))


def comments(text, suffix):
    """The comments of a program, and in Python its documentation."""
    if suffix == ".py":
        text = re.sub(r'(?ms)^\s*"""(.*?)"""', lambda match: re.sub(r"(?m)^", "# ", match.group(1)), text)
    pattern, lines = COMMENTS[suffix], []
    for line in text.split("\n"):
        match = pattern.search(line)
        lines.append(match.group(1) if match else "")
    # Documentation comments have Markdown's fences and spans too.
    return without_code("\n".join(line[1:] if line.startswith(" ") else line for line in lines))


def prose(text, suffix):
    """The prose of a file; None if its kind has none."""
    if suffix == ".md":
        text = re.sub(r"\]\([^)\s]*\)", lambda match: "]" + " " * (len(match.group()) - 1), without_code(text))
        text = re.sub(r"(?m)^\[[^\]]+\]: .*$", "", text)
    elif suffix in COMMENTS:
        text = comments(text, suffix)
    else:
        return None
    return IDENTIFIER.sub(blank, text)
