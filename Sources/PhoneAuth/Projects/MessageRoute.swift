/// Which gateways of a number's route get a message first, and why. The other gateways of the route follow.
public struct MessageRoute: Hashable, Sendable {
    /// Why a gateway goes first that is not the first one of the settings.
    enum Reason: String, CaseIterable {
        /// The user requested the channel.
        case requested
        /// The message is sent again, for which the settings have a rule.
        case resend
        /// The gateway has a better verified share.
        case better
        /// The gateway gets a share of the messages, so that its verified share is known.
        case explored
    }

    let reasons: [Reason]
    /// The names of the gateways that go first.
    public let first: [String]

    /// The order of the settings.
    static let ofSettings = MessageRoute(reasons: [], first: [])
}

extension MessageRoute {
    /// The route in the outbox and in the message's record: reasons and gateways, or nothing for the order of the
    /// settings.
    var stored: String { reasons.isEmpty ? "" : "\(reasonText) \(first.joined(separator: ","))" }

    /// Reads a route from the outbox. Anything unknown is ignored.
    init(stored text: String) {
        let words = text.split(separator: " ")
        reasons = (words.first ?? "").split(separator: ",").compactMap { Reason(rawValue: String($0)) }
        first = words.dropFirst().first?.split(separator: ",").map(String.init) ?? []
    }

    /// The reasons in words.
    public var explanation: String {
        let words = reasons.map { reason in
            switch reason {
            case .requested: "the user requested the channel"
            case .resend: "the settings name the channel for messages that are sent again"
            case .better: "more of its codes are verified"
            case .explored: "a share of the messages compares gateways"
            }
        }
        return words.joined(separator: "; ")
    }

    /// The reasons, for metrics and operators.
    public var reasonText: String {
        reasons.isEmpty ? "settings" : reasons.map(\.rawValue).joined(separator: ",")
    }
}

/// A message's route and what the message costs if the first gateway accepts it.
struct PricedRoute: Hashable {
    let route: MessageRoute
    /// The channel of the first gateway; nil if the number has no gateway.
    let channel: MessageChannel?
    let price: Money
}
