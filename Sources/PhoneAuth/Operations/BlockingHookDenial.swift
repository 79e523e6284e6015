public import Encodings

/// A hook's denial of an operation.
public struct BlockingHookDenial: Sendable, Confidential {
    /// The maximum length of a message for the app, in characters.
    static let maximumMessageCharacters = 1000
    private static let maximumStatusCharacters = 64

    /// The event.
    public let event: BlockingHookEvent
    /// The hook that denied it.
    public let hook: ServiceURL
    /// The HTTP status of the hook's response.
    public let status: Int
    /// The hook's message for the app: the JSON `{"error":{"message":…,"status":…}}`, for which SDKs look. nil if the
    /// response has no message.
    public let explanation: String?

    /// Reads a response. Only a message in the agreed form is passed on to the app, so that error pages of a failing
    /// server do not leak.
    init(_ event: BlockingHookEvent, _ hook: ServiceURL, status: Int, _ body: [UInt8]) {
        self.event = event
        self.hook = hook
        self.status = status
        explanation = Self.explanation(body)
    }

    private static func explanation(_ body: [UInt8]) -> String? {
        guard case .object(let answer) = try? JSONValue.parse(body), case .object(let error) = answer["error"],
            case .string(let message) = error["message"]
        else { return nil }
        let json = JSONWriter.object { json in
            json.object("error") { json in
                json.member("message", String(message.prefix(maximumMessageCharacters)))
                if case .string(let status) = error["status"] {
                    json.member("status", String(status.prefix(maximumStatusCharacters)))
                }
            }
        }
        return String(decoding: json, as: UTF8.self)
    }
}
