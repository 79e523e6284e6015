/// A file of Lua. Its header, the comment at its beginning, declares:
///
/// - `-- USES a, b`: the files whose functions it uses. They precede the file's code.
/// - `-- REPEATABLE: …` or `-- NOT REPEATABLE: …`, for a script: whether a call may be resent after its reply was lost
///   (``Script/isRepeatable``), and how a second execution recognizes the first one, or why not.
/// - `-- PACKED: …`, for a script: its many arguments are packed into one. A list among them is a table.
/// - `-- KEYS` and `-- ARGV`: the meaning and the unit of each key and argument, by its name in backticks. A name that
///   ends with `Key` is a key, a name that ends with `Prefix` is a key without its last part, and `…` follows a name
///   that stands for any number of values. All arguments are strings.
/// - `-- RETURNS`: the replies.
///
/// **Keys that move**: while a slot of a cluster is moved, its master runs a script if all the script's keys are there.
/// But it refuses to create keys, and does not roll back the script's earlier writes. So a script must not delete a
/// key, or remove its last field or member, and then write it again: it adds first. A script with a `Prefix`, or with a
/// key that is new in each call, such as `executedKey`, does not run there.
///
/// Lua creates each function of a script in each call. Files that only rare calls need are therefore named in the
/// branch that needs them, in a separate line `-- USES a, b`, which they replace. If the line is indented, their
/// functions exist only in its block.
struct LuaFile: Sendable {
    let name: String
    let text: [UInt8]
    /// Returns the text of a file of functions by its name; nil if there is none.
    let functions: @Sendable (String) -> [UInt8]?

    /// The lines of the header.
    var header: [String] { headerLines.map { String(decoding: $0, as: UTF8.self) } }

    private var headerLines: ArraySlice<ArraySlice<UInt8>> { lines.prefix { $0.starts(with: "--".utf8) } }

    /// The names of the files that this file uses directly, in its header or further down.
    var usedNames: [String] { lines.flatMap { Self.usedNames(in: $0) ?? [] } }

    private var lines: [ArraySlice<UInt8>] {
        text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    }

    /// Returns the names in a line that declares used files; nil for another line.
    private static func usedNames(in line: ArraySlice<UInt8>) -> [String]? {
        let words = line.drop { $0 == UInt8(ascii: " ") }
        guard words.starts(with: "-- USES ".utf8) else { return nil }
        return String(decoding: words, as: UTF8.self).split { " ,".contains($0) }.dropFirst(2).map(String.init)
    }

    var packsArguments: Bool { header.contains { $0.hasPrefix("-- PACKED: ") } }

    var isRepeatable: Bool { header.contains { $0.hasPrefix("-- REPEATABLE: ") } }

    /// The names of keys and arguments that the header documents.
    var documentedNames: Set<String> {
        var names: Set<String> = []
        var isList = false
        for line in header {
            isList = line.hasPrefix("-- KEYS ") || line.hasPrefix("-- ARGV ") || isList && line.hasPrefix("--   ")
            guard isList else { continue }
            let parts = line.split(separator: "`", omittingEmptySubsequences: false)
            for index in stride(from: 1, to: parts.count, by: 2) { names.insert(String(parts[index])) }
        }
        return names
    }

    /// This file and those that it uses, directly or indirectly, each once.
    var withUsedFiles: [LuaFile] {
        var files: [LuaFile] = []
        func add(_ file: LuaFile) {
            guard !files.contains(where: { $0.name == file.name }) else { return }
            files.append(file)
            for name in file.usedNames { add(used(name)) }
        }
        add(self)
        return files
    }

    /// The text with the used files inserted, each once per block.
    var completeText: [UInt8] {
        var present: Set<String> = []
        return completeText(&present)
    }

    /// Returns the text without the files that are already `present`, and adds the inserted ones to these.
    private func completeText(_ present: inout Set<String>) -> [UInt8] {
        var complete: [UInt8] = []
        func add(_ names: [String], _ visible: inout Set<String>) {
            for name in names where visible.insert(name).inserted {
                complete += used(name).completeText(&visible)
            }
        }
        add(headerLines.flatMap { Self.usedNames(in: $0) ?? [] }, &present)
        for line in lines {
            var visible = present
            add(Self.usedNames(in: line) ?? [], &visible)
            if line.first != UInt8(ascii: " ") { present = visible }
            complete += line + [UInt8(ascii: "\n")]
        }
        // The last line has no line break.
        return Array(complete.dropLast())
    }
}

extension LuaFile {
    private func used(_ name: String) -> LuaFile {
        let common: [UInt8]? =
            switch name {
            case "executed-calls": PackageResources.executed_calls_lua
            case "full-memory": PackageResources.full_memory_lua
            case "hash-fields": PackageResources.hash_fields_lua
            default: nil
            }
        guard let text = common ?? functions(name) else {
            preconditionFailure("no file of functions is called \(name)")
        }
        return LuaFile(name: name, text: text, functions: functions)
    }
}
