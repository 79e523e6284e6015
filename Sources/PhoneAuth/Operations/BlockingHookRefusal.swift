public import Encodings

/// Why hooks blocked an operation.
public enum BlockingHookRefusal: Error, Sendable {
    /// Too many requests are waiting for hooks: one more might delay requests without hooks.
    case busy
    /// A hook denied the operation.
    case denied(BlockingHookDenial)
    /// A hook gave no valid response. Hooks fail closed: without a hook's permission nothing is done.
    case failed(BlockingHookFault, of: BlockingHookEvent, hook: ServiceURL)
}

/// Why a hook's response is invalid.
public enum BlockingHookFault: Error, Equatable, Sendable {
    case timedOut
    /// A word for the log.
    case unreachable(String)
    /// The body is not a JSON object or is too long, or its `userRecord` is not an object.
    case malformed
    case updateMaskMissing
    /// The mask names a field that hooks may not change, or not for this event.
    case fieldNotChangeable
    /// The value of a field in the mask has the wrong type or is too long.
    case valueWrong(field: String)
    case claimsRefused(CustomClaimsError)
}

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
        guard let error = JSONObject(parsing: body)?["error"]?.object, let message = error["message"]?.text
        else { return nil }
        let json = JSONWriter.object { json in
            json.object("error") { json in
                json.member("message", String(message.prefix(maximumMessageCharacters)))
                if let status = error["status"]?.text {
                    json.member("status", String(status.prefix(maximumStatusCharacters)))
                }
            }
        }
        return String(decoding: json, as: UTF8.self)
    }
}
