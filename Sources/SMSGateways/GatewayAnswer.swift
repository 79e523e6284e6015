internal import Encodings
public import OutgoingHTTP

/// A gateway's HTTP response.
struct GatewayAnswer: Sendable, Confidential {
    let status: Int
    /// The value of `Retry-After` (RFC 9110 § 10.2.3).
    let retryAfter: Duration?
    /// The body; empty if the response exceeded the size limit.
    let body: [UInt8]

    var isSuccess: Bool { (200..<300).contains(status) }

    /// The body as a JSON object; nil if the body is not a JSON object.
    var object: JSONObject? { JSONObject(parsing: body, maximumDepth: 8) }
}

extension JSONObject {
    /// Returns the code in a member, which may be a number or a string.
    func code(_ name: String) -> GatewayCode? {
        switch self[name] {
        case .string(let text)?, .number(let text)?: GatewayCode(text)
        default: nil
        }
    }
}

extension GatewayOutcome {
    /// Maps an unsuccessful response to an outcome by its status alone (RFC 9110 § 15).
    ///
    /// - Parameters:
    ///   - answer: the response.
    ///   - code: the gateway's own error code, which is logged instead of the status.
    init(failed answer: GatewayAnswer, _ code: GatewayCode? = nil) {
        let code = code ?? GatewayCode(answer.status)
        switch answer.status {
        case 300..<400: self = .misconfigured(GatewayMisconfiguration(.redirected, code))
        case 401, 403: self = .misconfigured(GatewayMisconfiguration(.credentialsRefused, code))
        case 408: self = .retry(after: answer.retryAfter, GatewayTrouble(.timedOut, code))
        case 429: self = .retry(after: answer.retryAfter, GatewayTrouble(.throttled, code))
        case 400..<500: self = .refused(GatewayRefusal(.other, code))
        // A proxy or load balancer in front of the gateway lost the response; the gateway may have sent the message.
        case 502, 504: self = .uncertain(GatewayTrouble(.serverError, code))
        case 500..<600: self = .retry(after: answer.retryAfter, GatewayTrouble(.serverError, code))
        default: self = .uncertain(GatewayTrouble(.malformedAnswer, code))
        }
    }

    /// Maps a request without a response to an outcome.
    public init(_ failure: RequestFailure) {
        let trouble = GatewayTrouble(TroubleKind(failure.reason))
        self = failure.mayBeSent ? .uncertain(trouble) : .retry(after: nil, trouble)
    }
}
