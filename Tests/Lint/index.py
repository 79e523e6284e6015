"""Reads the index that the compiler writes during a debug build: where each declaration is, and what refers to it."""

import collections
import ctypes
import dataclasses
import json
import pathlib
import subprocess

# Of indexstore.h: roles of an occurrence, and kinds of symbols.
DEFINITION, REFERENCE, IMPLICIT, CHILD, OVERRIDE, ACCESSOR, CONTAINED = (
    1 << bit for bit in (1, 2, 8, 9, 11, 15, 16)
)
RECORD = 2
KINDS = {
    5: "enum", 6: "struct", 7: "class", 8: "protocol", 9: "extension", 11: "typealias", 12: "function", 13: "variable",
    15: "case", 16: "method", 17: "method", 18: "method", 19: "property", 20: "property", 21: "property",
    22: "initializer", 23: "deinitializer",
}


@dataclasses.dataclass
class Declaration:
    """A declaration at a line of a file. `witnesses` is true if it overrides another or fulfills a protocol."""

    file: str
    line: int
    name: str
    kind: str
    parent: str | None = None
    witnesses: bool = False


# A reference to a declaration, from within the declaration `container`.
Reference = collections.namedtuple("Reference", "file line usr container")


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode() if self.length else ""


POINTER = ctypes.c_void_p
EACH_TEXT = ctypes.CFUNCTYPE(ctypes.c_bool, POINTER, Text)
EACH = ctypes.CFUNCTYPE(ctypes.c_bool, POINTER, POINTER)
FUNCTIONS = {
    "store_create": (POINTER, [ctypes.c_char_p, POINTER]),
    "store_units_apply_f": (ctypes.c_bool, [POINTER, ctypes.c_uint, POINTER, EACH_TEXT]),
    "unit_reader_create": (POINTER, [POINTER, ctypes.c_char_p, POINTER]),
    "unit_reader_get_main_file": (Text, [POINTER]),
    "unit_reader_dependencies_apply_f": (ctypes.c_bool, [POINTER, POINTER, EACH]),
    "unit_reader_dispose": (None, [POINTER]),
    "unit_dependency_get_kind": (ctypes.c_int, [POINTER]),
    "unit_dependency_get_name": (Text, [POINTER]),
    "record_reader_create": (POINTER, [POINTER, ctypes.c_char_p, POINTER]),
    "record_reader_occurrences_apply_f": (ctypes.c_bool, [POINTER, POINTER, EACH]),
    "record_reader_dispose": (None, [POINTER]),
    "occurrence_get_symbol": (POINTER, [POINTER]),
    "occurrence_get_roles": (ctypes.c_uint64, [POINTER]),
    "occurrence_get_line_col": (None, [POINTER, POINTER, POINTER]),
    "occurrence_relations_apply_f": (ctypes.c_bool, [POINTER, POINTER, EACH]),
    "symbol_get_usr": (Text, [POINTER]),
    "symbol_get_name": (Text, [POINTER]),
    "symbol_get_kind": (ctypes.c_int, [POINTER]),
    "symbol_relation_get_roles": (ctypes.c_uint64, [POINTER]),
    "symbol_relation_get_symbol": (POINTER, [POINTER]),
}


class Library:
    """The functions of the compiler's libIndexStore, without their prefix."""

    def __init__(self):
        target = json.loads(subprocess.check_output(["swiftc", "-print-target-info"]))
        library = ctypes.CDLL(str(pathlib.Path(target["paths"]["runtimeResourcePath"]).parent / "libIndexStore.so"))
        for name, (result, arguments) in FUNCTIONS.items():
            function = getattr(library, f"indexstore_{name}")
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)

    def each(self, name, reader, read):
        """What `read` makes of each item with which a function calls back. An item is valid during its call only."""
        found = []
        callback = EACH(lambda _, item: found.append(read(item)) or True)
        getattr(self, name)(reader, None, callback)
        return found


class Index:
    """The declarations by their USR (the compiler's name of a symbol), and the references, of the files in `folder`.

    Only the newest unit of a file is read, because a build leaves those of former builds.
    """

    def __init__(self, store, root, folder="Sources"):
        self.library = Library()
        self.store = self.library.store_create(str(store).encode(), None)
        self.prefix = f"{root}/"
        self.declarations, self.references = {}, []
        times, records = {}, {}
        for unit in self.units():
            file, read = self.unit(unit, f"{root}/{folder}/")
            time = (store / "v5" / "units" / unit).stat().st_mtime_ns if file else 0
            if file and time > times.get(file, 0):
                times[file], records[file] = time, read
        self.files = records.keys()
        for file in sorted(records):
            for record in records[file]:
                self.read(record, file)

    def units(self):
        names = []
        callback = EACH_TEXT(lambda _, name: names.append(str(name)) or True)
        self.library.store_units_apply_f(self.store, 0, None, callback)
        return names

    def unit(self, name, folder):
        """The file of a unit, and the names of its records; no file if it is not in the folder."""
        library = self.library
        reader = library.unit_reader_create(self.store, name.encode(), None)
        file, records = str(library.unit_reader_get_main_file(reader)), []
        if file.startswith(folder) and pathlib.Path(file).exists():
            dependencies = library.each("unit_reader_dependencies_apply_f", reader, lambda dependency: (
                library.unit_dependency_get_kind(dependency), str(library.unit_dependency_get_name(dependency))))
            records = [name for kind, name in dependencies if kind == RECORD]
            file = file.removeprefix(self.prefix)
        else:
            file = None
        library.unit_reader_dispose(reader)
        return file, records

    def read(self, record, file):
        """Reads the declarations and references of a file."""
        library, symbols, line = self.library, {}, ctypes.c_uint()
        reader = library.record_reader_create(self.store, record.encode(), None)
        place = ctypes.byref(line)

        def usr(symbol):
            if symbol not in symbols:
                symbols[symbol] = str(library.symbol_get_usr(symbol))
            return symbols[symbol]

        def relation(item):
            return library.symbol_relation_get_roles(item), usr(library.symbol_relation_get_symbol(item))

        def occurrence(item):
            roles = library.occurrence_get_roles(item)
            if not roles & (DEFINITION | REFERENCE):
                return
            symbol = library.occurrence_get_symbol(item)
            library.occurrence_get_line_col(item, place, None)
            relations = library.each("occurrence_relations_apply_f", item, relation)

            def related(role):
                return next((usr for roles, usr in relations if roles & role), None)

            if roles & REFERENCE:
                self.references.append(Reference(file, line.value, usr(symbol), related(CONTAINED)))
            elif not roles & IMPLICIT and not any(roles & ACCESSOR for roles, _ in relations):
                kind = KINDS.get(library.symbol_get_kind(symbol))
                witnesses = any(roles & OVERRIDE for roles, _ in relations)
                name = str(library.symbol_get_name(symbol))
                self.declarations[usr(symbol)] = Declaration(file, line.value, name, kind, related(CHILD), witnesses)

        library.each("record_reader_occurrences_apply_f", reader, occurrence)
        library.record_reader_dispose(reader)
