internal import Encodings
internal import OutgoingHTTP

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
        let members = JSONObject(parsing: body, maximumDepth: 4)
        self = .refused(
            APNsRefusal(
                reason: APNsReason(name: members?["reason"]?.text, status: status),
                status: status,
                retryAfter: retryAfter.flatMap {
                    RetryAfter.duration($0, at: now, maximum: Self.longestWait)
                },
                invalidSince: members?["timestamp"]?.wholeNumber.map(Instant.init(milliseconds:))
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

/// The reason why APNs refused a push, by its documented names. If the name is unknown, only the HTTP status is kept.
public enum APNsReason: Hashable, Sendable, CustomStringConvertible {
    // The device token.
    case badDeviceToken
    case deviceTokenNotForTopic
    case expiredToken
    case missingDeviceToken
    case unregistered
    // The topic.
    case badTopic
    case missingTopic
    case topicDisallowed
    // The credential.
    case badCertificate
    case badCertificateEnvironment
    case badEnvironmentKeyInToken
    case expiredProviderToken
    case forbidden
    case invalidProviderToken
    case missingProviderToken
    case unrelatedKeyInToken
    // The request.
    case badCollapseID
    case badExpirationDate
    case badMessageID
    case badPath
    case badPriority
    case duplicateHeaders
    case invalidPushType
    case methodNotAllowed
    case payloadEmpty
    case payloadTooLarge
    // Load and faults.
    case idleTimeout
    case internalServerError
    case serviceUnavailable
    case shutdown
    case tooManyProviderTokenUpdates
    case tooManyRequests
    /// A response with this HTTP status and no known reason.
    case other(status: Int)

    /// Returns the reason with this name; ``other(status:)`` if the name is unknown or nil.
    public init(name: String?, status: Int) {
        self = name.flatMap { Self.reasons[$0] } ?? .other(status: status)
    }

    /// APNs' name of the reason, or the status.
    public var description: String {
        if case .other(let status) = self { return "status \(status)" }
        return Self.names[self] ?? "unknown"
    }

    /// Whether the device token, which the client chose, may be the cause: the token may belong to another app, or to
    /// an environment for which the app's credential is not valid. A mistake in the app's settings causes the same
    /// responses.
    public var mayBeAboutDevice: Bool {
        switch self {
        case .deviceTokenNotForTopic, .badEnvironmentKeyInToken, .badCertificateEnvironment, .missingDeviceToken: true
        default: false
        }
    }

    private static let reasons = Dictionary(spellings) { first, _ in first }
    private static let names = Dictionary(spellings.map { ($0.1, $0.0) }) { first, _ in first }

    /// Apple's table of reasons. The environment error has two spellings: the table's and the servers'.
    static let spellings: [(String, APNsReason)] = [
        ("BadCertificate", .badCertificate),
        ("BadCertificateEnvironment", .badCertificateEnvironment),
        ("BadCollapseId", .badCollapseID),
        ("BadDeviceToken", .badDeviceToken),
        ("BadEnvironmentKeyInToken", .badEnvironmentKeyInToken),
        ("BadEnvironmentKeyIdInToken", .badEnvironmentKeyInToken),
        ("BadExpirationDate", .badExpirationDate),
        ("BadMessageId", .badMessageID),
        ("BadPath", .badPath),
        ("BadPriority", .badPriority),
        ("BadTopic", .badTopic),
        ("DeviceTokenNotForTopic", .deviceTokenNotForTopic),
        ("DuplicateHeaders", .duplicateHeaders),
        ("ExpiredProviderToken", .expiredProviderToken),
        ("ExpiredToken", .expiredToken),
        ("Forbidden", .forbidden),
        ("IdleTimeout", .idleTimeout),
        ("InternalServerError", .internalServerError),
        ("InvalidProviderToken", .invalidProviderToken),
        ("InvalidPushType", .invalidPushType),
        ("MethodNotAllowed", .methodNotAllowed),
        ("MissingDeviceToken", .missingDeviceToken),
        ("MissingProviderToken", .missingProviderToken),
        ("MissingTopic", .missingTopic),
        ("PayloadEmpty", .payloadEmpty),
        ("PayloadTooLarge", .payloadTooLarge),
        ("ServiceUnavailable", .serviceUnavailable),
        ("Shutdown", .shutdown),
        ("TooManyProviderTokenUpdates", .tooManyProviderTokenUpdates),
        ("TooManyRequests", .tooManyRequests),
        ("TopicDisallowed", .topicDisallowed),
        ("UnrelatedKeyIdInToken", .unrelatedKeyInToken),
        ("Unregistered", .unregistered),
    ]
}
