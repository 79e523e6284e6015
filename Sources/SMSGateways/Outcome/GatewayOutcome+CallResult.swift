public import OutgoingHTTP

extension GatewayOutcome {
    /// The outcome as seen by the gateway's circuit breaker. Only an error of the gateway or of the operator's account
    /// is a failure, not an error of a number or message.
    public var callResult: CircuitBreaker.CallResult {
        switch self {
        case .accepted, .refused: .success
        case .retry(_, let trouble), .uncertain(let trouble): trouble.kind == .cancelled ? .cancelled : .failure
        case .misconfigured: .failure
        }
    }
}
