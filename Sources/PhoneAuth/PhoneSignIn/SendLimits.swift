internal import Encodings

/// The rate limits on messages.
extension OperationContext {
    /// Returns the rate limits of a message that it shares with messages to other numbers: those of the networks from
    /// which it is requested, of the device whose push receipt proved the app, and of the project.
    func sharedSendLimits(from address: String, provenBy grounds: AppProof.Grounds) -> [RateLimit] {
        let (perHour, perDay) = (policy.sendsPerProjectPerHour, policy.sendsPerProjectPerDay)
        let networks = networks(of: address, for: "send-network").all
        var limits = networks.map { network in
            let maximum = Policy.maximum(network.width.maximum(policy.sendsPerNetworkPerHour), ofQuota: perHour)
            return RateLimit.messages(by: network, .hour(maximum).withReserve)
        }
        if perDay > 0, let widest = networks.last {
            limits.append(.messages(by: widest, .day(Policy.maximum(.max, ofQuota: perDay)).withReserve))
        }
        // A challenge token needs no rate limit: it is valid for one send.
        if case .pushReceipt(let device) = grounds {
            let limit = RateLimit.messages(provenBy: device, .hour(policy.sendsPerAppCredentialPerHour))
            limits += [limit, limit.also(in: .day(policy.sendsPerAppCredentialPerDay))]
        }
        return limits + projectSendLimits()
    }

    /// Returns the rate limits of a number alone. Their reserve applies only while the number has known clients.
    func sendLimits(of phone: PhoneIdentity) -> [RateLimit] {
        let limit = RateLimit.messages(to: phone, .hour(policy.sendsPerNumberPerHour).withReserve)
        return [limit, limit.also(in: .day(policy.sendsPerNumberPerDay).withReserve)]
    }

    /// Returns the rate limits that all of a project's messages share, without those that the operator has switched
    /// off. A part of each is reserved for known clients and for the users of the numbers' accounts, so that strangers
    /// cannot lock them out.
    func projectSendLimits() -> [RateLimit] {
        let (perHour, perDay) = (policy.sendsPerProjectPerHour, policy.sendsPerProjectPerDay)
        let windows: [RateLimit.Window?] = [perHour > 0 ? .hour(perHour) : nil, perDay > 0 ? .day(perDay) : nil]
        return windows.compactMap { window in window.map { .messages(ofProject: project.id, $0.withReserve) } }
    }
}
