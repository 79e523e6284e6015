internal import Encodings
internal import PhoneAuth
internal import SMSGateways
internal import Threads

/// One item and its history of attempts at the gateways.
struct GatewayHistory<Item: GatewayItem>: Sendable {
    let content: Item
    private let route: [any Gateway<Item.Outgoing>]
    /// The number of attempts that failed for transient reasons.
    private var failures: Int
    /// The gateways that refused the item.
    private(set) var refusedBy: [GatewayName]
    /// The gateways that may have sent the item without confirming it.
    private var doubted: [GatewayName]
    /// The last answer of a gateway, for operators.
    private var lastAnswer: String?
    /// The reason of the last gateway, or the reason why no gateway was called.
    private(set) var lastRefusal: String

    /// Creates the history of an item for the gateways of its route.
    init(_ content: Item, route: [any Gateway<Item.Outgoing>]) {
        self.content = content
        self.route = route.filter { !content.tried.contains($0.name.text) }
        let history = content.item.history
        failures = history.failures
        refusedBy = history.refusedBy.compactMap { GatewayName($0) }
        doubted = history.doubted.compactMap { GatewayName($0) }
        lastAnswer = history.lastAnswer
        lastRefusal =
            content.tried.isEmpty && refusedBy.isEmpty ? Item.noGateway : "all gateways of the route failed"
    }

    /// The gateways to call, in order. Those with an uncertain outcome come last.
    var gateways: [any Gateway<Item.Outgoing>] {
        let left = route.filter { !refusedBy.contains($0.name) }
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

    /// Postpones the item with a delay that grows with each failure.
    mutating func fail(retryAfter: Duration? = nil, at now: Instant) -> Postponement {
        failures += 1
        let delay = Backoff.betweenAttempts.delay(afterFailures: failures, notBefore: retryAfter)
        return waiting(min(delay, content.expiresAt - now))
    }

    /// Postpones the item until one of its gateways has room. This does not count as a failure.
    func waitForRoom() -> Postponement { waiting(.zero) }

    /// Postpones the item until this gateway has room, or until ``patience`` ends and the next gateway may take it.
    func waitForRoom(at gateway: GatewayName) -> Postponement {
        waiting(.zero, until: min(content.queuedAt + Self.patience, content.expiresAt), [gateway])
    }

    /// How long an item waits for room at a gateway before the next gateway of its route may take it.
    static var patience: Duration { .seconds(2) }

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
            until: (until ?? content.expiresAt).milliseconds,
            destinations: (destinations ?? gateways.map(\.name)).map(\.text),
            history: history
        )
    }

    mutating func doubt(_ gateway: GatewayName) {
        if !doubted.contains(gateway) { doubted.append(gateway) }
    }
}
