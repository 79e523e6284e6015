"""The spelling of prose, by hunspell's American and British dictionaries and by words.txt.

Names in code spans, acronyms and what looks like an identifier are not checked.
"""

import pathlib
import re
import subprocess

import prose

DICTIONARIES = "en_US"
WORDS = pathlib.Path(__file__).with_name("words.txt")


def known_words():
    """The words of words.txt in lower case; lines with `#` are headings."""
    lines = WORDS.read_text(encoding="utf-8").split("\n")
    return {word.lower() for line in lines if not line.startswith("#") for word in line.split()}


def words(line):
    """The words of a line, without acronyms and possessive endings."""
    for word in re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)*", line):
        word = re.sub(r"['’]s$|['’]$", "", word)
        if len(word) > 1 and not re.fullmatch(r"[A-Z]+s?", word):
            yield word


def faults(texts):
    """Words that are in no dictionary, at each of their places."""
    places = {}
    for name, text in texts.items():
        kind = pathlib.PurePath(name).suffix if not is_script(name, text) else ""
        for number, line in enumerate((prose.prose(text, kind) or "").split("\n"), 1):
            for word in words(line):
                places.setdefault(word, []).append((name, number))
    # hunspell reads one word per line from its standard input, so words need no quoting.
    answer = subprocess.run(
        ["hunspell", "-l", "-i", "utf-8", "-d", DICTIONARIES], input="\n".join(places) + "\n",
        check=True, capture_output=True, text=True,
    )
    known = known_words()
    unknown = sorted(word for word in set(answer.stdout.split()) & places.keys() if word.lower() not in known)
    return [(*place, f'"{word}" is in no dictionary') for word in unknown for place in places[word]]


def is_script(name, text):
    """Whether comments begin with `#`, though the name does not say so."""
    return text.startswith("#!") or name == "Makefile"
