internal import Encodings
internal import OutgoingHTTP
internal import PhoneAuth

/// What APNs answered to one request.
enum APNsAnswer: Equatable, Sendable {
    case accepted
    case refused(APNsRefusal)

    /// More than anybody should be told to wait.
    private static let longestWait: Duration = .seconds(24 * 60 * 60)

    /// Reads an answer. APNs explains a refusal in a small JSON object: `reason`, and with status 410 `timestamp` in milliseconds.
    init(status: Int, retryAfter: String?, body: [UInt8], at now: Instant) {
        guard status != 200 else {
            self = .accepted
            return
        }
        var members = JSONObject()
        if case .object(let object)? = try? JSONValue.parse(body, maximumDepth: 4) { members = object }
        var name: String?
        if case .string(let text)? = members["reason"] { name = text }
        var since: Instant?
        if case .number(let text)? = members["timestamp"] { since = Int64(text).map(Instant.init(milliseconds:)) }
        self = .refused(
            APNsRefusal(
                reason: APNsReason(name: name, status: status),
                status: status,
                retryAfter: retryAfter.flatMap {
                    RetryAfter.duration($0, nowMilliseconds: now.milliseconds, maximum: Self.longestWait)
                },
                invalidSince: since
            )
        )
    }
}

/// An answer other than 200.
struct APNsRefusal: Equatable, Sendable {
    let reason: APNsReason
    /// The HTTP status.
    let status: Int
    /// How long APNs asks to be left alone.
    let retryAfter: Duration?
    /// Since when the device token has been of no use, with status 410.
    let invalidSince: Instant?

    /// Whether the other environment may take what this one turned down.
    var isAboutEnvironment: Bool {
        switch reason {
        case .badDeviceToken, .badEnvironmentKeyInToken, .badCertificateEnvironment: true
        default: false
        }
    }
}
