import DialtoneTexts
import Glibc
import TestServers
import Testing

@testable import IdentityToolkit

/// The lines of nginx's files that follow from the table of routes and from the texts of pages.
@Suite struct NginxFilesTests {
    @Test(
        "nginx's files have the paths of the table of routes, and the words of the workers' pages",
        arguments: ["http", "locations"]
    )
    func generated(file: String) throws {
        let folder = #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" } + "/nginx"
        let text = readFile("\(folder)/dialtone-\(file).conf")
        let expected = Self.generated(in: text)
        guard text != expected else { return }
        let stream = try #require(fopen("\(folder)/dialtone-\(file).conf", "w"))
        defer { fclose(stream) }
        fputs(expected, stream)
        Issue.record("nginx/dialtone-\(file).conf was not up to date. It is now: review and commit it.")
    }

    /// Returns the text of a file with its lines between `# Generated: …` and `# End` as they should be.
    private static func generated(in text: String) -> String {
        var lines: [String] = []
        var isGenerated = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let comment = line.trimmingPrefix { $0 == " " }
            if comment == "# End" { isGenerated = false }
            if !isGenerated { lines.append(String(line)) }
            guard comment.hasPrefix("# Generated: ") else { continue }
            isGenerated = true
            lines += Self.lines(comment.dropFirst("# Generated: ".count))
        }
        #expect(!isGenerated)
        return lines.joined(separator: "\n")
    }

    private static func lines(_ name: Substring) -> [String] {
        switch name {
        case "every route":
            // Names with seven or more digits could be phone numbers.
            expressions(parameter: "(?!(?:[^/:0-9]*[0-9]){7})[a-z0-9-]{1,63}") { _ in true }
                .map { "    \"~^\($0)$\"  $uri;" }
        case "cheap": expressions { $0.contains(.cheap) }.map { "    \"~^POST \($0)$\"  \"\";" }
        case "repeatable": expressions { $0.contains(.repeatable) }.map { "    \"~^POST \($0)$\"  yes;" }
        case "page": expressions { $0.contains(.page) }.map { "    \"~^\($0) \"  @failure_page;" }
        case "plain text":
            expressions { $0.contains(.plainTextFaults) }.map { "    \"~^\($0) .*JsCore\"  @failure_in_plain_text;" }
        case "hooked": [location(expressions { $0.contains(.hooked) })]
        case "compressed": [location(expressions { !$0.isDisjoint(with: [.page, .compressed]) })]
        case "spoken languages":
            [
                "    \"~*^\\|(?:[^,]*,)*? *(?<dialtone_spoken>(?:\(tags(["in", "iw", "zh"])))(?![a-z])[^,; ]*)\"  $dialtone_spoken;"
            ]
        case "languages": ["    \"~*^(?<dialtone_known>\(tags([])))(?![a-z])\"  $dialtone_known;"]
        case "heading": texts { $0.text(.failedHeading) }
        case "text": texts { $0.text(.serverFailed) }
        case "link": texts { $0.text(.tryAgain) }
        default: []
        }
    }

    private static func location(_ expressions: [String]) -> String {
        "location ~ \"^(?:\(expressions.joined(separator: "|")))$\" {"
    }

    /// Returns regular expressions for the paths of routes: one for each folder or resource, and production host.
    private static func expressions(
        parameter: String = "[^/:]+",
        _ isIncluded: (Route.Traits) -> Bool
    ) -> [String] {
        let hosts: [ProductionHost] = [.identityToolkit, .secureToken, .www]
        let paths = IdentityToolkitHandler.routes.filter { isIncluded($0.traits) }.flatMap(\.paths)
        var groups: [(start: String, names: [String])] = []
        for path in paths where !hosts.contains(where: { path.hasPrefix($0.path("/")) }) {
            let host = hosts.first { paths.contains($0.path(path)) }
            let end = path.lastIndex { "/:".contains($0) } ?? path.startIndex
            let start = escaped(host.map { "(?:\($0.path("")))?" } ?? "") + escaped(path[...end])
            let name = escaped(path[end...].dropFirst())
            if let group = groups.firstIndex(where: { $0.start == start }) {
                if !groups[group].names.contains(name) { groups[group].names.append(name) }
            } else {
                groups.append((start, [name]))
            }
        }
        return groups.map { group in
            let names = group.names.count == 1 ? group.names[0] : "(?:\(group.names.joined(separator: "|")))"
            return (group.start + names).replacing("{hash}", with: "[0-9a-f]{16}")
                .replacing(/\{[a-z]+\}/, with: parameter)
        }
    }

    private static func escaped(_ text: some StringProtocol) -> String {
        String(text).replacing(".", with: #"\."#)
    }

    /// Returns the tags of the languages without a script, and others.
    private static func tags(_ others: [String]) -> String {
        (Language.allCases.map(\.tag).filter { !$0.contains("-") } + others).sorted().joined(separator: "|")
    }

    private static func texts(_ text: (Language) -> String) -> [String] {
        Language.allCases.map { language in
            let key = language == .english ? "default" : language.tag
            return "    \(key)\(String(repeating: " ", count: 8 - key.count))'\(text(language))';"
        }
    }
}
