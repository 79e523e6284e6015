internal import Encodings
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
    /// By what operators can look the decision up, and what changed; becomes a `Dialtone-Reference` header.
    var reference: String?
    private let startedAt = ContinuousClock.now

    private enum Value {
        case text(String)
        case number(Int64)
    }

    init(requestID: String, method: String) {
        self.requestID = requestID
        self.method = method
    }

    func write(to logger: Logger, status: Int) {
        let level: Logger.Level = status >= 500 ? .error : .info
        guard logger.logLevel <= level else { return }
        if let handler = logger.handler as? any JSONMembersLogHandler {
            handler.log(level: level, message: "request") { json in
                forEachMember(status) { name, value in
                    switch value {
                    case .text(let text): json.member(name, text)
                    case .number(let number): json.member(name, number)
                    }
                }
            }
        } else {
            var metadata: Logger.Metadata = [:]
            forEachMember(status) { name, value in
                switch value {
                case .text(let text): metadata[name] = .string(text)
                case .number(let number): metadata[name] = .stringConvertible(Int(number))
                }
            }
            logger.log(level: level, "request", metadata: metadata)
        }
    }

    /// The members in the order of their names, as people look for them in a log.
    private func forEachMember(_ status: Int, _ body: (String, Value) -> Void) {
        let duration = (ContinuousClock.now - startedAt).components
        if let detail { body("detail", .text(detail)) }
        body(
            "durationMicroseconds",
            .number(duration.seconds * 1_000_000 + duration.attoseconds / 1_000_000_000_000)
        )
        body("method", .text(method))
        if let phone { body("number", .text(phone.description)) }
        if let project { body("project", .text(project)) }
        if let reason { body("reason", .text(reason)) }
        if let reference { body("reference", .text(reference)) }
        if let region = phone?.region { body("region", .text(region.description)) }
        body("requestId", .text(requestID))
        body("route", .text(route))
        body("status", .number(Int64(status)))
    }
}
