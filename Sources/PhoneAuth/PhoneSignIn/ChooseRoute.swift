internal import Encodings
internal import Metrics
internal import PhoneNumbers
internal import RedisScripts

/// The routes of a message that a send may queue.
struct MessageRouting {
    /// The route of the first message of a session, or of any message whose channel the user requested.
    let first: PricedRoute
    /// The route of a message that is sent again; nil if it is the same.
    let resend: PricedRoute?

    /// Counts a message that was queued.
    func count(asResend isResend: Bool) {
        let queued = isResend ? resend ?? first : first
        MetricFamily.messagesRouted.count(queued.channel?.rawValue ?? "none", queued.route.reasonText)
    }
}

extension OperationContext {
    /// Chooses the gateways that get a message first.
    ///
    /// - Throws: ``SendVerificationCodeRefusal/channelNotAvailable(_:_:)``, or if the store does not respond.
    func routing(
        of phone: E164,
        _ request: SendVerificationCodeRequest
    ) throws(SendVerificationCodeRefusal) -> MessageRouting {
        let gateways = policy.routing.gateways(for: phone)
        var (shares, random) = (GatewayShares(counts: [:]), UInt32(0))
        if policy.routing.exploration > 0 {
            let stored = try SendVerificationCodeRefusal.wrapping(settings().gatewayCounts)
            shares = GatewayShares(stored: stored, now: now.milliseconds)
            random = environment.randomBytes(4).reduce(0) { $0 << 8 | UInt32($1) }
        }
        func route(_ channel: MessageChannel?, _ reason: MessageRoute.Reason?) -> PricedRoute {
            let route = self.route(to: phone, gateways, by: channel, reason, shares, random)
            let first = gateways.first { $0.name == route.first.first } ?? gateways.first
            return PricedRoute(route: route, channel: first?.channel, price: price(of: first, to: phone, request))
        }
        if let channel = request.channel {
            guard gateways.contains(where: { $0.channel == channel }) else {
                throw .channelNotAvailable(channel, phone)
            }
            return MessageRouting(first: route(channel, .requested), resend: nil)
        }
        let rule = policy.routing.resendChannel(for: phone)
        let hasRule = gateways.contains { $0.channel == rule }
        return MessageRouting(first: route(nil, nil), resend: hasRule ? route(rule, .resend) : nil)
    }

    /// Returns the order of a number's gateways: those of the channel first, the best one before the others.
    ///
    /// A gateway that costs more than the first one of the channel does not go first if there is a spending cap: a
    /// choice never uses up a cap sooner than the order of the settings does.
    private func route(
        to phone: E164,
        _ gateways: [RoutingPolicy.Gateway],
        by channel: MessageChannel?,
        _ reason: MessageRoute.Reason?,
        _ shares: GatewayShares,
        _ random: UInt32
    ) -> MessageRoute {
        let usualChannel = gateways.first?.channel
        let channel = channel ?? usualChannel
        if policy.routing.exploration == 0, channel == usualChannel { return .ofSettings }
        let ofChannel = gateways.filter { $0.channel == channel }.map(\.name)
        // The channel is first in the settings anyway.
        var reasons = channel == usualChannel ? [] : [reason].compactMap(\.self)
        var first = reasons.isEmpty ? [] : ofChannel
        if policy.routing.exploration > 0, let usual = ofChannel.first {
            let region = phone.effectiveRegion.description
            let prices = policy.tollFraud.prices
            let most = prices.cap(for: region) == nil ? nil : prices.price(of: usual, for: phone)
            let candidates = ofChannel.filter { name in most.map { prices.price(of: name, for: phone) <= $0 } ?? true }
            let choice = shares.choice(
                of: candidates,
                in: region,
                exploration: policy.routing.exploration,
                random: random
            )
            if choice.isExplored || choice.index > 0 {
                reasons.append(choice.isExplored ? .explored : .better)
                first = [candidates[choice.index]] + first.filter { $0 != candidates[choice.index] }
            }
        }
        return MessageRoute(reasons: reasons, first: first)
    }

    /// Returns what a message costs. Only text messages have segments.
    private func price(
        of gateway: RoutingPolicy.Gateway?,
        to phone: E164,
        _ request: SendVerificationCodeRequest
    ) -> Money {
        let price = gateway.map { policy.tollFraud.prices.price(of: $0.name, for: phone) } ?? .zero
        return price == .zero || gateway?.channel != .sms ? price : price * project.segments(of: request)
    }
}
