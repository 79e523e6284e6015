/// The result of handing a message to a gateway. Each case names what the caller can do about it.
///
/// No description contains text from the gateway, a phone number or a message text: only fixed words and numeric codes.
public enum GatewayOutcome: Hashable, Sendable {
    /// The gateway accepted the message, and may have returned an id for it. Delivery may still fail; the delivery
    /// receipt reports it.
    case accepted(GatewayMessageID?)
    /// The gateway will never send this message to this number: try the next gateway.
    case refused(GatewayRefusal)
    /// The message was not sent. The same gateway may accept it later, but not before `after` if a time is given.
    case retry(after: Duration?, GatewayTrouble)
    /// The message may have been sent. A retry may send a second message, which carries the same code.
    case uncertain(GatewayTrouble)
    /// The message was not sent, and the gateway will send none until the operator corrects something: raise an alert,
    /// and try the next gateway.
    case misconfigured(GatewayMisconfiguration)
}

extension GatewayOutcome: CustomStringConvertible {
    /// A short text for logs and metric labels.
    public var description: String {
        switch self {
        case .accepted: "accepted"
        case .refused(let refusal): "refused: \(refusal)"
        case .retry(_, let trouble): "will be retried: \(trouble)"
        case .uncertain(let trouble): "uncertain: \(trouble)"
        case .misconfigured(let fault): "misconfigured: \(fault)"
        }
    }
}
