internal import Encodings
internal import PhoneAuth
internal import RedisStore
internal import SMSGateways

/// What one dispatcher knows of the gateways that it has asked to send a message.
struct MessageSending {
    let message: PendingMessage
    private let routes: MessageRoutes
    /// How many attempts failed for reasons that may pass.
    private var failures: Int
    /// Those that will not send it.
    private(set) var refusedBy: [GatewayName]
    /// Those that may have sent it without saying so.
    private var doubted: [GatewayName]
    /// What the last of them said, or what is known where none was asked.
    private(set) var lastRefusal: String

    init(_ message: PendingMessage, routes: MessageRoutes) {
        self.message = message
        self.routes = routes
        let history = message.item.history
        failures = history.failures
        refusedBy = history.refusedBy.compactMap { GatewayName($0) }
        doubted = history.doubted.compactMap { GatewayName($0) }
        lastRefusal =
            message.tried.isEmpty && refusedBy.isEmpty
            ? "there is no gateway for the number" : "no gateway is left to try"
    }

    /// Whom to ask, in this order: those that left it open last time come last.
    var gateways: [any SMSGateway] {
        let left = routes.gateways(for: message, besides: refusedBy)
        return left.filter { !doubted.contains($0.name) } + left.filter { doubted.contains($0.name) }
    }

    mutating func refuse(_ gateway: GatewayName, _ reason: String) {
        refusedBy.append(gateway)
        lastRefusal = reason
    }

    /// Has the message tried again after a while that grows with each failure.
    mutating func fail(retryAfter: Duration? = nil, at now: Instant) -> Postponement {
        failures += 1
        let delay = RetryBackoff.betweenAttempts.delay(afterFailures: failures, retryAfter: retryAfter)
        return waiting(min(delay, message.expiresAt - now))
    }

    /// Has the message tried as soon as one of its gateways has room. No gateway has failed meanwhile.
    func waitForRoom() -> Postponement { waiting(.zero) }

    /// Has the message wait for room at one gateway, and go to the next one after ``patience``.
    func waitForRoom(at gateway: GatewayName) -> Postponement {
        waiting(.zero, until: min(message.queuedAt + Self.patience, message.expiresAt), [gateway])
    }

    /// How long a message waits for room at a gateway before it goes to the next one of its route.
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
