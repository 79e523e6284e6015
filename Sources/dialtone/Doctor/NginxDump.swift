import Glibc

/// nginx's configuration: the files that `nginx -T` prints, and their directives.
struct NginxDump {
    /// A directive, such as `listen 443 ssl;`, or a block.
    struct Directive {
        let words: [String]
        let block: [Directive]

        var name: String { words.first ?? "" }
    }

    /// The files, in the order in which nginx read them.
    let files: [(path: String, text: String)]
    private let parsed: [(path: String, directives: [Directive])]

    /// Reads the output of `nginx -T`.
    init(_ output: String) {
        let mark = "# configuration file "
        var files: [(path: String, text: String)] = []
        for line in output.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix(mark), line.hasSuffix(":") {
                files.append((String(line.dropFirst(mark.count).dropLast()), ""))
            } else if !files.isEmpty {
                files[files.count - 1].text += line + "\n"
            }
        }
        self.files = files
        parsed = files.map { path, text in
            var reader = DirectiveReader(rest: Array(text.utf8)[...])
            return (path, reader.directives())
        }
    }

    /// The directives of the main file, with those of included files in place of each `include`, which stays, too.
    var directives: [Directive] { parsed.first.map { expanded($0.directives) } ?? [] }

    private func expanded(_ directives: [Directive]) -> [Directive] {
        directives.flatMap { directive -> [Directive] in
            let own = Directive(words: directive.words, block: expanded(directive.block))
            guard directive.name == "include", directive.words.count == 2 else { return [own] }
            let pattern = directive.words[1]
            // Paths are relative to the folder of the main file.
            let isRelative = !pattern.hasPrefix("/")
            let included = parsed.filter { fnmatch(isRelative ? "*/\(pattern)" : pattern, $0.path, 0) == 0 }
            return [own] + included.flatMap { expanded($0.directives) }
        }
    }
}

extension [NginxDump.Directive] {
    /// All directives of a name, in blocks, too.
    func all(_ name: String) -> [NginxDump.Directive] {
        flatMap { ($0.name == name ? [$0] : []) + $0.block.all(name) }
    }

    /// Returns whether an `include` names a file.
    func includes(_ file: String) -> Bool {
        contains { $0.name == "include" && $0.words.last?.hasSuffix(file) == true }
    }
}

/// A reader of nginx's syntax: words, `;`, blocks in braces, comments and quotes.
private struct DirectiveReader {
    var rest: ArraySlice<UInt8>

    private enum Token {
        case word(String)
        case mark(UInt8)
    }

    /// Reads up to the end of the block or of the text.
    mutating func directives() -> [NginxDump.Directive] {
        var directives: [NginxDump.Directive] = []
        var words: [String] = []
        while let token = next() {
            switch token {
            case .word(let word): words.append(word)
            case .mark(UInt8(ascii: "}")): return directives
            case .mark(let mark):
                let block = mark == UInt8(ascii: "{") ? self.directives() : []
                directives.append(NginxDump.Directive(words: words, block: block))
                words = []
            }
        }
        return directives
    }

    private mutating func next() -> Token? {
        while let byte = rest.first, byte <= 0x20 || byte == UInt8(ascii: "#") {
            rest = byte <= 0x20 ? rest.dropFirst() : rest.drop { $0 != UInt8(ascii: "\n") }
        }
        guard let first = rest.popFirst() else { return nil }
        if "{};".utf8.contains(first) { return .mark(first) }
        let isQuoted = "\"'".utf8.contains(first)
        var word: [UInt8] = isQuoted ? [] : [first]
        while let byte = rest.first {
            if isQuoted ? byte == first : byte <= 0x20 || byte == UInt8(ascii: ";") { break }
            // The brace of ${variable} begins no block.
            if !isQuoted, byte == UInt8(ascii: "{"), word.last != UInt8(ascii: "$") { break }
            word.append(byte)
            rest.removeFirst()
            if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() { word.append(escaped) }
        }
        if isQuoted { rest = rest.dropFirst() }
        return .word(String(decoding: word, as: UTF8.self))
    }
}
