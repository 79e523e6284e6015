import Foundation
import Testing

@Suite struct ArticleTests {
    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    private static let catalog = tests.appendingPathComponent("../../Sources/DialtoneAuth/DialtoneAuth.docc")

    static let articles: [String] = {
        let files = try? FileManager.default.contentsOfDirectory(atPath: catalog.path)
        return (files ?? []).filter { $0.hasSuffix(".md") }.sorted()
    }()

    private static let apps = ["Support/ArticleApp.swift", "../AppleStubs/Articles/AppleArticles.swift"]

    /// Returns the lines of a text without indentation, empty lines and imports.
    private static func lines(_ text: some StringProtocol) -> [String] {
        text.split(separator: "\n")
            .map { $0.split(separator: " ").joined(separator: " ") }
            .filter { !$0.isEmpty && !$0.hasPrefix("import ") }
    }

    @Test("the tutorials show exactly the code files that AppleStubs/check compiles")
    func tutorials() throws {
        let folder = Self.catalog.appendingPathComponent("Tutorials")
        var shown: Set<String> = []
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasSuffix(".tutorial") {
            let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            for line in text.split(separator: "\n") where line.contains("@Code") {
                // The format that the check requires.
                let match = try #require(
                    try /@Code\(name: "[^" ]+", file: "([^" ]+)"\)/.firstMatch(in: line),
                    "\(line)"
                )
                shown.insert(String(match.1))
            }
        }
        let code = folder.appendingPathComponent("Code")
        #expect(!shown.isEmpty)
        #expect(shown == Set(try FileManager.default.contentsOfDirectory(atPath: code.path)))
    }

    @Test("there are articles to compare")
    func found() { #expect(Self.articles.count >= 8) }

    @Test("the Swift code in an article is compiled for the tests", arguments: articles)
    func compiled(article: String) throws {
        let apps = try Self.apps.map { app in
            let source = try String(contentsOf: Self.tests.appendingPathComponent(app), encoding: .utf8)
            return Self.lines(source).joined(separator: "\n")
        }
        let text = try String(contentsOf: Self.catalog.appendingPathComponent(article), encoding: .utf8)
        for block in text.components(separatedBy: "```swift\n").dropFirst() {
            let code = Self.lines(block.components(separatedBy: "```")[0]).joined(separator: "\n")
            #expect(apps.contains { $0.contains(code) }, "not in \(Self.apps):\n\(code)")
        }
    }
}
