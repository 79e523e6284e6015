internal import Encodings
internal import PhoneAuth
internal import SMSGateways
internal import Threads

/// One message and its history of attempts at the gateways.
struct MessageSending {
    let message: PendingMessage
    private let routes: MessageRoutes
    /// The number of attempts that failed for transient reasons.
    private var failures: Int
    /// The gateways that refused the message.
    private(set) var refusedBy: [GatewayName]
    /// The gateways that may have sent the message without confirming it.
    private var doubted: [GatewayName]
    /// The last answer of a gateway, for operators.
    private var lastAnswer: String?
    /// The reason of the last gateway, or the reason why no gateway was called.
    private(set) var lastRefusal: String

    init(_ message: PendingMessage, routes: MessageRoutes) {
        self.message = message
        self.routes = routes
        let history = message.item.history
        failures = history.failures
        refusedBy = history.refusedBy.compactMap { GatewayName($0) }
        doubted = history.doubted.compactMap { GatewayName($0) }
        lastAnswer = history.lastAnswer
        lastRefusal =
            message.tried.isEmpty && refusedBy.isEmpty
            ? "the number has no gateway" : "all gateways of the route failed"
    }

    /// The gateways to call, in order. Those with an uncertain outcome come last.
    var gateways: [any SMSGateway] {
        let left = routes.gateways(for: message, besides: refusedBy)
        return left.filter { !doubted.contains($0.name) } + left.filter { doubted.contains($0.name) }
    }

    /// Notes an answer for operators.
    mutating func note(_ gateway: GatewayName, _ outcome: GatewayOutcome) {
        lastAnswer = "\(gateway): \(outcome)"
    }

    mutating func refuse(_ gateway: GatewayName, _ reason: String) {
        refusedBy.append(gateway)
        lastRefusal = reason
    }

    /// Postpones the message with a delay that grows with each failure.
    mutating func fail(retryAfter: Duration? = nil, at now: Instant) -> Postponement {
        failures += 1
        let delay = Backoff.betweenAttempts.delay(afterFailures: failures, notBefore: retryAfter)
        return waiting(min(delay, message.expiresAt - now))
    }

    /// Postpones the message until one of its gateways has room. This does not count as a failure.
    func waitForRoom() -> Postponement { waiting(.zero) }

    /// Postpones the message until this gateway has room, or until ``patience`` ends and the next gateway may take it.
    func waitForRoom(at gateway: GatewayName) -> Postponement {
        waiting(.zero, until: min(message.queuedAt + Self.patience, message.expiresAt), [gateway])
    }

    /// How long a message waits for room at a gateway before the next gateway of its route may take it.
    static let patience: Duration = .seconds(2)

    private func waiting(
        _ delay: Duration,
        until: Instant? = nil,
        _ destinations: [GatewayName]? = nil
    ) -> Postponement {
        var history = AttemptHistory()
        history.failures = failures
        history.refusedBy = refusedBy.map(\.text)
        history.doubted = doubted.map(\.text)
        history.lastAnswer = lastAnswer
        return Postponement(
            delayMilliseconds: max(0, delay.milliseconds),
            until: (until ?? message.expiresAt).milliseconds,
            destinations: (destinations ?? gateways.map(\.name)).map(\.text),
            history: history
        )
    }

    mutating func doubt(_ gateway: GatewayName) {
        if !doubted.contains(gateway) { doubted.append(gateway) }
    }
}
