/// What a gateway says of a message that it had accepted.
public struct DeliveryReceipt: Equatable, Sendable {
    /// Which message, by our id.
    public let message: MessageID
    /// What the gateway calls it, where it says so.
    public let gatewayMessage: GatewayMessageID?
    /// How far it got.
    public let state: State

    /// How far a message got.
    public enum State: Hashable, Sendable, CustomStringConvertible {
        /// It reached the phone, as far as the network tells.
        case delivered
        /// It will not reach the phone, for a reason that the gateway has this number for.
        case undelivered(GatewayCode?)
        /// It is on its way, or the gateway uses a word that is not known here.
        case pending

        /// A few words for a log.
        public var description: String {
            switch self {
            case .delivered: "delivered"
            case .undelivered(let code): code.map { "undelivered (\($0))" } ?? "undelivered"
            case .pending: "pending"
            }
        }
    }

    /// A receipt that was checked elsewhere.
    public init(message: MessageID, gatewayMessage: GatewayMessageID?, state: State) {
        self.message = message
        self.gatewayMessage = gatewayMessage
        self.state = state
    }
}
