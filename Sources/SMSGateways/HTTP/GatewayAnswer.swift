internal import Encodings

/// A gateway's HTTP response.
struct GatewayAnswer: Sendable, Confidential {
    let status: Int
    /// The value of `Retry-After` (RFC 9110 § 10.2.3).
    let retryAfter: Duration?
    /// The body; empty if the response exceeded the size limit.
    let body: [UInt8]

    var isSuccess: Bool { (200..<300).contains(status) }

    /// The body as a JSON object; nil if the body is not a JSON object.
    var object: JSONObject? {
        guard case .object(let object)? = try? JSONValue.parse(body, maximumDepth: 8) else { return nil }
        return object
    }
}

extension JSONObject {
    /// Returns the value of a string member.
    func text(_ name: String) -> String? {
        guard case .string(let text)? = self[name] else { return nil }
        return text
    }

    /// Returns the code in a member, which may be a number or a string.
    func code(_ name: String) -> GatewayCode? {
        switch self[name] {
        case .string(let text)?, .number(let text)?: GatewayCode(text)
        default: nil
        }
    }
}
