public import Encodings
internal import TestServers

/// What a browser saw on a visit.
public struct VisitedPage: Sendable {
    private let object: JSONObject

    init(json: [UInt8]) throws {
        guard case .object(let object) = try JSONValue.parse(json) else {
            throw ServerFailure(description: "the browser told nothing")
        }
        self.object = object
    }

    /// The document's language.
    public var language: String? { text("lang") }
    /// `ltr` or `rtl`, as it is drawn.
    public var direction: String? { text("dir") }
    /// The state that the challenge page shows.
    public var state: String? { text("state") }
    /// The text that is to be seen.
    public var text: String { text("text") ?? "" }
    /// The text of the element that has the focus.
    public var focus: String { text("focus") ?? "" }
    /// What the page finds in its cookies.
    public var cookies: String { text("storage") ?? "" }
    /// The links into the app that the page opened, in order.
    public var links: [String] { texts("links") }
    /// Every URL that was asked for.
    public var requests: [String] { texts("requests") }
    /// What went wrong in the page's own eyes: exceptions, and what its policy forbade.
    public var faults: [String] { texts("exceptions") + texts("policyViolations") }
    /// What the `evaluate` steps gave.
    public var values: [JSONValue] {
        guard case .array(let values) = object["values"] else { return [] }
        return values
    }
    /// The width that the content takes.
    public var width: Int? {
        guard case .number(let spelling) = object["width"] else { return nil }
        return Int(spelling)
    }

    private func text(_ name: String) -> String? {
        guard case .string(let text) = object[name] else { return nil }
        return text
    }

    private func texts(_ name: String) -> [String] {
        guard case .array(let values) = object[name] else { return [] }
        return values.map { if case .string(let text) = $0 { text } else { "\($0)" } }
    }
}
