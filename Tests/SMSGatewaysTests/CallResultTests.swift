import OutgoingHTTP
import SMSGateways
import Testing

@Suite struct CallResultTests {
    @Test(
        "for the circuit breaker, a refusal is a success, and outages and misconfigurations are failures",
        arguments: [
            (.accepted(nil), .success), (.refused(GatewayRefusal(.numberInvalid)), .success),
            (.retry(after: nil, GatewayTrouble(.serverError)), .failure),
            (.retry(after: nil, GatewayTrouble(.cancelled)), .cancelled),
            (.uncertain(GatewayTrouble(.timedOut)), .failure), (.uncertain(GatewayTrouble(.cancelled)), .cancelled),
            (.misconfigured(GatewayMisconfiguration(.credentialsRefused)), .failure),
        ] as [(GatewayOutcome, CircuitBreaker.CallResult)]
    )
    func result(outcome: GatewayOutcome, expected: CircuitBreaker.CallResult) {
        #expect(outcome.callResult == expected)
    }
}
