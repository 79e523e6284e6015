import TestServers

/// A code block in a guide of `IdentityToolkit`, made runnable.
struct GuideSnippet {
    /// The block's text, in which tests replace the guide's server by their own.
    private(set) var text: String

    /// Finds a guide's first block in this language under a heading.
    init(_ guide: String, under heading: String, language: String) throws {
        let path = "\(RunningServer.packageFolder)/Sources/IdentityToolkit/IdentityToolkit.docc/\(guide).md"
        let article = readFile(path)
        guard let title = article.firstRange(of: "# \(heading)\n") else {
            throw ServerFailure(description: "\(guide) has no heading \(heading)")
        }
        let section = article[title.upperBound...]
        guard let begin = section.firstRange(of: "```\(language)\n"),
            let end = section[begin.upperBound...].firstRange(of: "```\n")
        else { throw ServerFailure(description: "\(guide) has no \(language) under \(heading)") }
        text = String(section[begin.upperBound..<end.lowerBound])
    }

    /// Replaces every occurrence of a text, which the block must contain.
    mutating func replace(_ shown: String, by own: String) throws {
        let changed = text.replacing(shown, with: own)
        guard changed != text else { throw ServerFailure(description: "the snippet has no \(shown)") }
        text = changed
    }
}
