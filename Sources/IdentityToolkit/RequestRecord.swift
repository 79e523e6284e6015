internal import Logging
internal import PhoneNumbers

/// What one request leaves in the log. It has no room for a code, a token or a readable number.
struct RequestRecord {
    let requestID: String
    let method: String
    var route = "unknown"
    var project: String?
    var phone: E164?
    /// What came of it: an outcome such as `opened`, or the error's code.
    var reason: String?
    var detail: String?
    private let startedAt = ContinuousClock.now

    init(requestID: String, method: String) {
        self.requestID = requestID
        self.method = method
    }

    func write(to logger: Logger, status: Int) {
        let duration = ContinuousClock.now - startedAt
        let level: Logger.Level = status >= 500 ? .error : .info
        guard logger.logLevel <= level else { return }
        var metadata: Logger.Metadata = [
            "method": .string(method),
            "route": .string(route),
            "status": .stringConvertible(status),
            "durationMicroseconds": .stringConvertible(
                Int(duration.components.seconds * 1_000_000 + duration.components.attoseconds / 1_000_000_000_000)
            ),
            "requestId": .string(requestID),
        ]
        if let project { metadata["project"] = .string(project) }
        if let phone {
            metadata["number"] = .string(phone.description)
            if let region = phone.region { metadata["region"] = .string(region.description) }
        }
        if let reason { metadata["reason"] = .string(reason) }
        if let detail { metadata["detail"] = .string(detail) }
        logger.log(level: level, "request", metadata: metadata)
    }
}
