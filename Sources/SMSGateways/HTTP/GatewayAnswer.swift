internal import Encodings

/// What a gateway answered.
struct GatewayAnswer: Sendable, Confidential {
    let status: Int
    /// How long it asks to be left alone (RFC 9110 § 10.2.3).
    let retryAfter: Duration?
    /// The body; empty where it was longer than any answer that is agreed.
    let body: [UInt8]

    var isSuccess: Bool { (200..<300).contains(status) }

    /// The JSON object that the body is; nil where it is none.
    var object: JSONObject? {
        guard case .object(let object)? = try? JSONValue.parse(body, maximumDepth: 8) else { return nil }
        return object
    }
}

extension JSONObject {
    /// A member's text.
    func text(_ name: String) -> String? {
        guard case .string(let text)? = self[name] else { return nil }
        return text
    }

    /// A member's code, be it a number or a text.
    func code(_ name: String) -> GatewayCode? {
        switch self[name] {
        case .string(let text)?, .number(let text)?: GatewayCode(text)
        default: nil
        }
    }
}
