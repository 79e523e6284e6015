"""Packed arguments of scripts: MessagePack strings, and lists of them. See Sources/Redis/Argument.swift."""

SIZES = {0xD9: 1, 0xDA: 2, 0xDB: 4}


class Packed(list):
    """The values of an argument, or of a list in it. A value may be packed itself."""

    def __init__(self, values=(), is_list=False):
        super().__init__(values)
        self.is_list = is_list


def unpacked(word):
    """The values of a packed argument, or the argument itself if it is not packed."""
    values, position = Packed(), 0
    while position < len(word):
        header = word[position]
        position += 1
        if header == 0xDD:
            return Packed([*values, Packed(unpacked(word[position + 4 :]), is_list=True)])
        size = header - 0xA0
        if header in SIZES:
            size = int.from_bytes(word[position : position + SIZES[header]], "big")
            position += SIZES[header]
        elif not 0 <= size < 32:
            return word
        values.append(unpacked(word[position : position + size]))
        position += size
    return values or word


def packed(word):
    """An argument's bytes."""
    return b"".join(map(_with_header, word)) if isinstance(word, Packed) else word


def plain(words):
    """The words, with packed ones replaced by their values."""
    return [each for word in words for each in (plain(word) if isinstance(word, Packed) else [word])]


def _with_header(value):
    if isinstance(value, Packed) and value.is_list:
        return b"\xdd" + len(value).to_bytes(4, "big") + packed(value)
    value = packed(value)
    size = len(value)
    if size < 32:
        return bytes([0xA0 + size]) + value
    header = next(header for header, count in SIZES.items() if size < 256**count)
    return bytes([header]) + size.to_bytes(SIZES[header], "big") + value
