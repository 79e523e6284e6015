/// A gateway's report on the delivery of a message that it had accepted.
public struct DeliveryReceipt: Equatable, Sendable {
    /// Dialtone's id of the message.
    public let message: MessageID
    /// The delivery state.
    public let state: State

    /// The delivery state of a message.
    public enum State: Hashable, Sendable, CustomStringConvertible {
        /// The message reached the phone, according to the network.
        case delivered
        /// The message will not reach the phone; the code is the gateway's reason.
        case undelivered(GatewayCode?)
        /// The message is on its way, or the gateway's state is unknown to Dialtone.
        case pending

        /// A short text for logs.
        public var description: String {
            switch self {
            case .delivered: "delivered"
            case .undelivered(let code): code.map { "undelivered (\($0))" } ?? "undelivered"
            case .pending: "pending"
            }
        }
    }

    /// Creates a receipt from values that are already verified.
    public init(message: MessageID, state: State) {
        self.message = message
        self.state = state
    }
}
