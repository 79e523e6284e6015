/// A file of the folder `Scripts`. Its header, the comment that it begins with, declares:
///
/// - `-- USES a, b`: the files whose functions it uses.
/// - `-- REPEATABLE: …` or `-- NOT REPEATABLE: …`, for a script: whether a call may be resent after its reply was lost
///   (``Script/isRepeatable``), and how a second execution recognizes the first one, or why not.
/// - `-- KEYS` and `-- ARGV`: the meaning and the unit of each key and argument, by its name in code marks. A name that
///   ends with `Key` is a key, one that ends with `Prefix` is a key without its last part, and `…` follows the name of
///   any number of values. All arguments are strings.
/// - `-- RETURNS`: the replies.
struct LuaFile: Sendable {
    let name: String
    let text: [UInt8]

    /// The lines of the header.
    var header: [String] {
        var lines: [String] = []
        var rest = text[...]
        while rest.starts(with: "--".utf8) {
            let line = rest.prefix { $0 != UInt8(ascii: "\n") }
            lines.append(String(decoding: line, as: UTF8.self))
            rest = rest.dropFirst(line.count + 1)
        }
        return lines
    }

    /// The names of the files that this file uses itself.
    var usedNames: [String] {
        header.filter { $0.hasPrefix("-- USES ") }.flatMap {
            $0.split(whereSeparator: { " ,".contains($0) }).dropFirst(2)
        }
        .map(String.init)
    }

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

    /// The files that this file needs in front of it, each once and after those that it uses, and this file.
    var withUsedFiles: [LuaFile] {
        var files: [LuaFile] = []
        func add(_ file: LuaFile) {
            guard !files.contains(where: { $0.name == file.name }) else { return }
            for name in file.usedNames { add(LuaFile(used: name)) }
            files.append(file)
        }
        add(self)
        return files
    }
}

extension LuaFile {
    private init(used name: String) {
        let text =
            switch name {
            case "account-changes": PackageResources.account_changes_lua
            case "account-list": PackageResources.account_list_lua
            case "audit": PackageResources.audit_lua
            case "described-account": PackageResources.described_account_lua
            case "executed-calls": PackageResources.executed_calls_lua
            case "full-memory": PackageResources.full_memory_lua
            case "id-token": PackageResources.id_token_lua
            case "number-ranges": PackageResources.number_ranges_lua
            case "recycled-numbers": PackageResources.recycled_numbers_lua
            case "region-ranges": PackageResources.region_ranges_lua
            case "revocation": PackageResources.revocation_lua
            case "second-factors": PackageResources.second_factors_lua
            case "sliding-windows": PackageResources.sliding_windows_lua
            case "user-session": PackageResources.user_session_lua
            default: preconditionFailure("no file of functions is called \(name)")
            }
        self.init(name: name, text: text)
    }
}
