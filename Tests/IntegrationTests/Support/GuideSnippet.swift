import TestServers

/// A code block in a guide, made runnable.
struct GuideSnippet {
    /// The block's text, in which tests replace the guide's server by their own.
    private(set) var text: String

    /// Finds the first block in this language under a heading of a guide of `IdentityToolkit`.
    init(_ guide: String, under heading: String, language: String) throws {
        let path = "Sources/IdentityToolkit/IdentityToolkit.docc/\(guide).md"
        guard let first = try Self.all(in: path, under: heading, language: language).first else {
            throw ServerFailure(description: "\(guide) has no \(language) under \(heading)")
        }
        self = first
    }

    private init(_ text: String) { self.text = text }

    /// Finds all blocks in this language after a heading.
    ///
    /// - Parameters:
    ///   - path: the guide's path in the package.
    ///   - heading: the heading, without its `#`.
    ///   - language: the word after the opening fence.
    /// - Returns: the blocks in their order, without the indentation of the list item that contains them.
    /// - Throws: ``ServerFailure`` if the guide has no such heading.
    static func all(in path: String, under heading: String, language: String) throws -> [GuideSnippet] {
        let article = readFile("\(RunningServer.packageFolder)/\(path)")
        guard let title = article.firstRange(of: "# \(heading)\n") else {
            throw ServerFailure(description: "\(path) has no heading \(heading)")
        }
        var snippets: [GuideSnippet] = []
        var block: (indentation: Int, lines: [Substring])?
        for line in article[title.upperBound...].split(separator: "\n", omittingEmptySubsequences: false) {
            let content = line.drop { $0 == " " }
            if let open = block {
                if content == "```" {
                    snippets.append(GuideSnippet(open.lines.joined(separator: "\n") + "\n"))
                    block = nil
                } else {
                    block?.lines.append(line.dropFirst(open.indentation))
                }
            } else if content == "```\(language)" {
                block = (line.count - content.count, [])
            }
        }
        return snippets
    }

    /// Replaces every occurrence of a text, which the block must contain.
    mutating func replace(_ shown: String, by own: String) throws {
        let changed = text.replacing(shown, with: own)
        guard changed != text else { throw ServerFailure(description: "the snippet has no \(shown)") }
        text = changed
    }
}
