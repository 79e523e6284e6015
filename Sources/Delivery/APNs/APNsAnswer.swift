internal import Encodings
internal import OutgoingHTTP
internal import PhoneAuth

/// The response of APNs to one request.
enum APNsAnswer: Equatable, Sendable {
    case accepted
    case refused(APNsRefusal)

    /// The upper bound of a `Retry-After`.
    private static let longestWait: Duration = .seconds(24 * 60 * 60)

    /// Reads a response. APNs describes a refusal in a small JSON object: `reason` and, with status 410, `timestamp` in
    /// milliseconds.
    init(status: Int, retryAfter: String?, body: [UInt8], at now: Instant) {
        guard status != 200 else {
            self = .accepted
            return
        }
        var members = JSONObject()
        if case .object(let object)? = try? JSONValue.parse(body, maximumDepth: 4) { members = object }
        var name: String?
        if case .string(let text)? = members["reason"] { name = text }
        let since = members["timestamp"]?.wholeNumber.map(Instant.init(milliseconds:))
        self = .refused(
            APNsRefusal(
                reason: APNsReason(name: name, status: status),
                status: status,
                retryAfter: retryAfter.flatMap {
                    RetryAfter.duration($0, at: now, maximum: Self.longestWait)
                },
                invalidSince: since
            )
        )
    }
}

/// A response other than 200.
struct APNsRefusal: Equatable, Sendable {
    let reason: APNsReason
    /// The HTTP status.
    let status: Int
    /// The `Retry-After` of APNs.
    let retryAfter: Duration?
    /// With status 410, the time since which the device token has been invalid.
    let invalidSince: Instant?

    /// Whether the other environment may accept the push.
    var isAboutEnvironment: Bool {
        switch reason {
        case .badDeviceToken, .badEnvironmentKeyInToken, .badCertificateEnvironment: true
        default: false
        }
    }
}
