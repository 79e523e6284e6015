public import PhoneNumbers

/// How a code reaches the user's phone. The raw values are those of the wire.
public enum MessageChannel: String, Sendable, CaseIterable {
    case sms
    case whatsapp
    case voice
    case telegram
}

/// The gateways of each number's route, and which of them goes first.
public struct RoutingPolicy: Hashable, Sendable {
    /// A gateway of a route.
    public struct Gateway: Hashable, Sendable {
        /// Its name in the settings.
        public let name: String
        /// How it sends.
        public let channel: MessageChannel

        /// Names a gateway.
        public init(name: String, channel: MessageChannel) {
            self.name = name
            self.channel = channel
        }
    }

    private let routes: NumberTable<[Gateway]>
    private let resendChannels: NumberTable<MessageChannel>?
    /// The percentage of messages that a gateway other than the best one of its channel gets first; 0 for the order of
    /// the settings.
    let exploration: Int

    /// Routes without gateways.
    public static let none = RoutingPolicy(routes: NumberTable(fallback: []))

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - routes: the gateways of each number, in order.
    ///   - resendChannels: the channel that goes first if a message is sent again; nil for that of the first message.
    ///   - exploration: the percentage of messages that a gateway other than the best one of its channel gets first; 0
    ///     for the order of the settings.
    public init(
        routes: NumberTable<[Gateway]>,
        resendChannels: NumberTable<MessageChannel>? = nil,
        exploration: Int = 0
    ) {
        self.routes = routes
        self.resendChannels = resendChannels
        self.exploration = exploration
    }

    /// Returns the gateways of a number, in order.
    func gateways(for phone: E164) -> [Gateway] { routes.value(for: phone) }

    /// Returns the channel of a gateway by its name; nil if no route has the gateway.
    func channel(of gateway: String) -> MessageChannel? {
        routes.values.lazy.joined().first { $0.name == gateway }?.channel
    }

    /// Returns the channel that goes first if a message to a number is sent again; nil if there is no rule.
    func resendChannel(for phone: E164) -> MessageChannel? { resendChannels?.value(for: phone) }

    /// Returns the channels that a number's route offers, in order; empty if it has fewer than two gateways.
    func channels(for phone: E164) -> [MessageChannel] {
        let gateways = gateways(for: phone)
        guard gateways.count > 1 else { return [] }
        return gateways.map(\.channel).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

extension Policy {
    /// Returns the gateways of a number's route that do not get a message that its first gateway has not delivered: in
    /// a region with a spending cap, those of other channels that cost more. The send has counted the price of the
    /// first gateway, so a text message that is not delivered would otherwise become a call that exceeds the cap.
    ///
    /// - Parameters:
    ///   - phone: the number.
    ///   - first: the name of the gateway that goes first; nil for the first one of the settings.
    /// - Returns: their names.
    func tooDear(for phone: E164, after first: String?) -> Set<String> {
        let (gateways, prices) = (routing.gateways(for: phone), tollFraud.prices)
        guard prices.cap(for: phone.effectiveRegion.description) != nil,
            let first = gateways.first(where: { $0.name == first }) ?? gateways.first
        else { return [] }
        let most = prices.price(of: first.name, for: phone)
        let dear = gateways.filter { $0.channel != first.channel && prices.price(of: $0.name, for: phone) > most }
        return Set(dear.map(\.name))
    }
}
