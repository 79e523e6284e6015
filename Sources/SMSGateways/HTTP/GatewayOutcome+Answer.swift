extension GatewayOutcome {
    /// What an answer that is no success comes to by its status alone (RFC 9110 § 15).
    ///
    /// - Parameters:
    ///   - answer: the answer.
    ///   - code: the gateway's own code, which is shown in place of the status.
    init(failed answer: GatewayAnswer, _ code: GatewayCode? = nil) {
        let code = code ?? GatewayCode(answer.status)
        switch answer.status {
        case 300..<400: self = .misconfigured(GatewayMisconfiguration(.redirected, code))
        case 401, 403: self = .misconfigured(GatewayMisconfiguration(.credentialsRefused, code))
        case 408: self = .retry(after: answer.retryAfter, GatewayTrouble(.timedOut, code))
        case 429: self = .retry(after: answer.retryAfter, GatewayTrouble(.throttled, code))
        case 400..<500: self = .refused(GatewayRefusal(.other, code))
        // Something between the gateway and us lost the answer: what stands behind it may have done its work.
        case 502, 504: self = .uncertain(GatewayTrouble(.serverError, code))
        case 500..<600: self = .retry(after: answer.retryAfter, GatewayTrouble(.serverError, code))
        default: self = .uncertain(GatewayTrouble(.malformedAnswer, code))
        }
    }

    /// What an exchange without an answer comes to.
    init(_ failure: ExchangeFailure) {
        let trouble = GatewayTrouble(failure.kind)
        self = failure.mayBeSent ? .uncertain(trouble) : .retry(after: nil, trouble)
    }
}
