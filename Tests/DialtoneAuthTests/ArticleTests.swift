import Foundation
import Testing

@Suite struct ArticleTests {
    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    private static let catalog = tests.appendingPathComponent("../../Sources/DialtoneAuth/DialtoneAuth.docc")

    static let articles: [String] = {
        let files = try? FileManager.default.contentsOfDirectory(atPath: catalog.path)
        return (files ?? []).filter { $0.hasSuffix(".md") }.sorted()
    }()

    /// The lines of a text without indentation, empty lines and imports.
    private static func lines(_ text: some StringProtocol) -> [String] {
        text.split(separator: "\n")
            .map { $0.split(separator: " ").joined(separator: " ") }
            .filter { !$0.isEmpty && !$0.hasPrefix("import ") }
    }

    @Test("there are articles to compare")
    func found() { #expect(Self.articles.count >= 8) }

    @Test("the Swift code of an article is code that these tests compile", arguments: articles)
    func compiled(article: String) throws {
        let source = Self.tests.appendingPathComponent("Support/ArticleApp.swift")
        let app = Self.lines(try String(contentsOf: source, encoding: .utf8)).joined(separator: "\n")
        let text = try String(contentsOf: Self.catalog.appendingPathComponent(article), encoding: .utf8)
        for block in text.components(separatedBy: "```swift\n").dropFirst() {
            let code = Self.lines(block.components(separatedBy: "```")[0]).joined(separator: "\n")
            #expect(app.contains(code), "not in Tests/DialtoneAuthTests/Support/ArticleApp.swift:\n\(code)")
        }
    }
}
