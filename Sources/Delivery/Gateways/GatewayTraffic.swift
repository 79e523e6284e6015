internal import Encodings
internal import Logging
internal import PhoneAuth
internal import SMSGateways

/// An outbox item that is sent through the operator's gateways.
protocol GatewayItem: OutboxContent {
    associatedtype Outgoing: GatewayMessage

    var id: QueuedMessageID { get }
    var project: String { get }
    var queuedAt: Instant { get }
    /// The gateways that had the item before, without success.
    var tried: [String] { get }
    /// Why an item without a gateway is not sent.
    static var noGateway: String { get }
}

/// One kind of items for gateways: what they are, and who waits for them.
protocol GatewayTraffic: Sendable {
    associatedtype Item: GatewayItem

    /// The name of the outbox in logs.
    var name: String { get }
    /// The name of an item in logs.
    var itemName: Logger.Message { get }
    /// All gateways.
    var gateways: [GatewayName] { get }
    /// The maximum number of concurrent calls to each gateway.
    var callsPerGateway: Int { get }

    /// Returns the gateways for an item, in order.
    func route(of item: Item) -> [any Gateway<Item.Outgoing>]

    /// Returns nil if the item is still needed, else why it is not.
    func reasonToEnd(_ item: Item, _ authenticator: Authenticator) throws(StoreUnavailable) -> String?

    /// Returns what the gateways send; nil if the project is not configured.
    func outgoing(_ item: Item, at now: Instant) -> Item.Outgoing?

    /// Returns what the log says about an item, besides its id and project.
    func metadata(_ item: Item) -> Logger.Metadata

    /// Records the final outcome and removes the item from the outbox.
    func finish(
        _ item: Item,
        _ outcome: GatewaySending<Self>.Outcome,
        refusedBy: [String],
        _ authenticator: Authenticator
    ) throws(StoreUnavailable)

    /// Performs maintenance, every few seconds.
    func runMaintenance(_ authenticator: Authenticator) throws(StoreUnavailable)
}
