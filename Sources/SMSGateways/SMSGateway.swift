/// A way to hand one text message to one of an operator's SMS gateways.
///
/// A gateway tries once. Whether and where a message is tried again is for its caller, who reads it from the outcome.
public protocol SMSGateway: Sendable {
    /// What routes, logs and receipt addresses call it.
    var name: GatewayName { get }

    /// Hands a message over.
    ///
    /// - Parameter message: what to send to whom.
    /// - Returns: what became of it, after the client's deadline at the latest.
    func send(_ message: OutgoingMessage) async -> GatewayOutcome
}
