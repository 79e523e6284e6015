/// A client for one of the operator's SMS gateways.
///
/// A gateway makes one attempt per message. The caller uses the outcome to decide whether and where to retry.
public protocol SMSGateway: Sendable {
    /// The gateway's name in routes, logs and receipt URLs.
    var name: GatewayName { get }

    /// Sends a message.
    ///
    /// - Parameter message: the message to send.
    /// - Returns: the outcome, within the client's deadline.
    func send(_ message: OutgoingMessage) async -> GatewayOutcome
}
