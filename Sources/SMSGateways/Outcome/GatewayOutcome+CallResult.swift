public import OutgoingHTTP

extension GatewayOutcome {
    /// The outcome for the circuit breaker of the gateway. Only an error of the gateway or of its account is a failure,
    /// not one of a number or message.
    public var callResult: CircuitBreaker.CallResult {
        switch self {
        case .accepted, .refused: .success
        case .retry(_, let trouble), .uncertain(let trouble): trouble.kind == .cancelled ? .cancelled : .failure
        case .misconfigured: .failure
        }
    }
}
