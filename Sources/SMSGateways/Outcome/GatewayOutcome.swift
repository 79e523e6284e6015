/// What became of a message that was handed to a gateway. Each case names what the caller can do about it.
///
/// No case shows a word that came from a gateway, nor a number or a text: only our own words and numeric codes.
public enum GatewayOutcome: Hashable, Sendable {
    /// The gateway took it, and called it so where it said. It may still fail to deliver it: its receipt tells.
    case accepted(GatewayMessageID?)
    /// This gateway will not send this message to this number, now or later: try the next gateway.
    case refused(GatewayRefusal)
    /// It was not sent; the same gateway may take it later, not before `after` where it named a time.
    case retry(after: Duration?, GatewayTrouble)
    /// It may have been sent, and it may not. Another try may be a second message, which carries the same code.
    case uncertain(GatewayTrouble)
    /// It was not sent, and will not be until the operator corrects something: alert, and try the next gateway.
    case misconfigured(GatewayMisconfiguration)
}

extension GatewayOutcome: CustomStringConvertible {
    /// A few words for a log or a metric's label.
    public var description: String {
        switch self {
        case .accepted: "accepted"
        case .refused(let refusal): "refused: \(refusal)"
        case .retry(_, let trouble): "to be tried again: \(trouble)"
        case .uncertain(let trouble): "uncertain: \(trouble)"
        case .misconfigured(let fault): "misconfigured: \(fault)"
        }
    }
}
