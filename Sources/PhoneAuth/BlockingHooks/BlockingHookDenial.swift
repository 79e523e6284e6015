public import Encodings

/// A hook's no.
public struct BlockingHookDenial: Sendable, Confidential {
    /// How long a message for the app may be, in characters.
    static let maximumMessageCharacters = 1000
    private static let maximumStatusCharacters = 64

    /// What it was asked about.
    public let event: BlockingHookEvent
    /// Who said so.
    public let hook: ServiceURL
    /// The HTTP status of its answer.
    public let status: Int
    /// What it tells the app: the JSON `{"error":{"message":…,"status":…}}`, which SDKs look for. nil where it gave no message.
    public let explanation: String?

    /// Reads an answer. Of its body nothing goes on to the app but a message that is meant for it: what a server says that
    /// broke down is nobody's business.
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
