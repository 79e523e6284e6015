public import Encodings
internal import TestServers

/// The result of a visit in a browser.
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
    /// The text direction that is displayed: `ltr` or `rtl`.
    public var direction: String? { text("dir") }
    /// The state that the challenge page shows.
    public var state: String? { text("state") }
    /// The visible text.
    public var text: String { text("text") ?? "" }
    /// The text of the element with the focus.
    public var focus: String { text("focus") ?? "" }
    /// The page's cookies.
    public var cookies: String { text("storage") ?? "" }
    /// The links into the app that the page opened, in order.
    public var links: [String] { texts("links") }
    /// The URLs of all requests.
    public var requests: [String] { texts("requests") }
    /// Errors that the page noticed: exceptions, and violations of its policy.
    public var faults: [String] { texts("exceptions") + texts("policyViolations") }
    /// The values of the `evaluate` steps.
    public var values: [JSONValue] {
        guard case .array(let values) = object["values"] else { return [] }
        return values
    }
    /// The width of the content.
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
