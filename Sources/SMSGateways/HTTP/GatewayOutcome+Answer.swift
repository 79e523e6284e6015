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
    init(_ failure: ExchangeFailure) {
        let trouble = GatewayTrouble(failure.kind)
        self = failure.mayBeSent ? .uncertain(trouble) : .retry(after: nil, trouble)
    }
}
