internal import Metrics
internal import OutgoingHTTP
internal import PhoneAuth
internal import SMSGateways
internal import Synchronization
internal import Threads

/// The calls of this process to its gateways: limited for each gateway, and subject to its circuit breaker.
final class GatewayCalls: Sendable {
    /// The permission for one call to a gateway. It must be used or released.
    struct Permit: Sendable {
        let gateway: GatewayName
        fileprivate let breaker: CircuitBreaker.Permit
    }

    enum Entry {
        case permitted(Permit)
        /// The gateway has reached its maximum number of concurrent calls.
        case full
        /// The circuit breaker is open.
        case breakerOpen
    }

    private let names: [GatewayName]
    private let gate: CountingGate
    private let breakers = Mutex<[GatewayName: CircuitBreaker]>([:])

    /// - Parameters:
    ///   - gateways: the gateways.
    ///   - most: the maximum number of concurrent calls to each: enough to keep its connections busy.
    init(_ gateways: some Sequence<GatewayName>, most: Int) {
        names = Array(gateways)
        gate = CountingGate(destinations: names.count, most: most)
        for name in names { MetricFamily.gatewayCalls.count(name.text, "misconfigured", by: 0) }
        showBreakers()
    }

    /// Requests permission for one call to a gateway.
    func enter(_ gateway: GatewayName) -> Entry {
        guard gate.enter(gateway.text) else { return isBreakerOpen(gateway) ? .breakerOpen : .full }
        guard let permit = breakers.withLock({ $0[gateway, default: CircuitBreaker()].permit(at: .now) }) else {
            gate.leave(gateway.text)
            return .breakerOpen
        }
        return .permitted(Permit(gateway: gateway, breaker: permit))
    }

    /// Calls a gateway, which uses up the permit. The outcome counts in the gateway's circuit breaker and metrics.
    func call<Message>(
        _ gateway: any Gateway<Message>,
        with message: Message,
        _ permit: Permit
    ) async -> GatewayOutcome {
        let start = ContinuousClock.now
        let outcome = await gateway.send(message)
        let end = ContinuousClock.now
        breakers.withLock {
            $0[permit.gateway]?.record(outcome.callResult, took: end - start, permit: permit.breaker, at: end)
        }
        MetricFamily.gatewayCalls.count(permit.gateway.text, outcome.word)
        if let reason = outcome.reason { MetricFamily.gatewayFailures.count(permit.gateway.text, reason) }
        MetricRegistry.process.histogram(.gatewayCallDuration, permit.gateway.text).observe(end - start)
        gate.leave(permit.gateway.text)
        return outcome
    }

    /// Releases an unused permit.
    func release(_ permit: Permit) {
        breakers.withLock { $0[permit.gateway]?.release(permit.breaker) }
        gate.leave(permit.gateway.text)
    }

    /// Reports the states of the circuit breakers in the metrics. The circuit breaker of a gateway that was not called
    /// yet is closed.
    func showBreakers() {
        let states = breakers.withLock { $0.mapValues(\.state) }
        for name in names {
            for state in CircuitBreaker.State.allCases {
                MetricRegistry.process.gauge(.gatewayBreakers, name.text, state.rawValue)
                    .set((states[name] ?? .closed) == state ? 1 : 0)
            }
        }
    }

    /// Returns the room that each gateway has for waiting messages.
    func room() -> [String: DestinationRoom] {
        var room = gate.room(of: names.map(\.text))
        let now = ContinuousClock.now
        breakers.withLock { breakers in
            for (gateway, breaker) in breakers {
                switch breaker.prospect(at: now) {
                case .any: break
                case .one: room[gateway.text] = .items(1)
                case .none: room[gateway.text] = .breakerOpen
                }
            }
        }
        return room
    }

    private func isBreakerOpen(_ gateway: GatewayName) -> Bool {
        breakers.withLock { $0[gateway]?.prospect(at: .now) == CircuitBreaker.Prospect.none }
    }
}

extension GatewayOutcome {
    /// Why the message was not accepted, as a metric label.
    fileprivate var reason: String? {
        switch self {
        case .accepted: nil
        case .refused(let refusal): refusal.kind.rawValue
        case .retry(_, let trouble), .uncertain(let trouble): trouble.kind.rawValue
        case .misconfigured(let fault): fault.kind.rawValue
        }
    }

    /// The outcome as a metric label.
    fileprivate var word: String {
        switch self {
        case .accepted: "accepted"
        case .refused: "refused"
        case .retry: "retry"
        case .uncertain: "uncertain"
        case .misconfigured: "misconfigured"
        }
    }
}
