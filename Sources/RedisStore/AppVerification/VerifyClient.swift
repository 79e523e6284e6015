internal import Redis

/// The outcome of a request for a push receipt.
public enum PushReceiptOutcome: Sendable {
    /// The receipt exists and its push is queued. The id is an earlier one if the front end retried the request.
    case queued(PushReceiptID)
    /// APNs reported recently that it cannot reach this device; nothing was changed.
    case unreachable
    /// Clients of this network must take the challenge page; nothing was changed.
    case challenged
    /// A rate limit was exceeded; nothing was changed.
    case limited(ExceededRateLimit)
    /// A network of the client named too many device tokens that APNs does not know, or may not know; nothing was
    /// changed.
    case tooManyUnproven(retryAfter: Duration)
}

extension Store {
    /// Creates a push receipt and queues its push in one atomic step.
    ///
    /// Times are in milliseconds; `now` is since the Unix epoch. At most `unprovenBudget` of a narrow network's pushes
    /// at a time may go to devices for which APNs has not accepted a push.
    /// - Throws: ``StoreUnavailable``; a retry with the same request id is harmless.
    public func makePushReceipt(
        id: PushReceiptID,
        device: DeviceIdentity,
        networks: ClientNetworks,
        challengedNetwork: NetworkIdentity,
        bundleID: String,
        sealedToken: [UInt8],
        environment: PushEnvironment,
        requestID: String,
        now: Int64,
        pushMilliseconds: Int64,
        unprovenMilliseconds: Int64,
        limits: [RateLimit],
        unprovenBudget: Int
    ) throws(StoreUnavailable) -> PushReceiptOutcome {
        let all = networks.all
        let reply = try run(
            .verifyClient,
            keys: NamedValues(
                [
                    "deviceKey": KeyNames.device(device),
                    "receiptKey": KeyNames.receipt(id),
                    "outboxKey": KeyNames.outbox(.pushes, device.shard),
                    "challengedKey": KeyNames.challengedNetwork(challengedNetwork),
                ],
                list: "limitKeys",
                limits.map(\.key) + all.map { KeyNames.unprovenPushes($0.identity, bundleID: bundleID) }
            ),
            NamedValues(
                [
                    "now": .integer(now),
                    "receipt": .text(id.text),
                    "project": .text(device.project),
                    "bundle": .text(bundleID),
                    "token": .bytes(sealedToken),
                    "environment": .text(environment.rawValue),
                    "request": .text(requestID),
                    "device": .text(device.hash),
                    "pushLife": .integer(pushMilliseconds),
                    "unprovenLife": .integer(unprovenMilliseconds),
                    "networks": .count(all.count),
                ],
                list: "bounds",
                limits.bounds
                    + all.flatMap { network -> [Argument] in
                        [
                            .count(network.width.maximum(unprovenBudget)),
                            .text(QueuedPush.name(of: network.identity)),
                        ]
                    }
            )
        )
        switch try reply.outcome() {
        case "queued":
            guard let id = PushReceiptID(shard: device.shard, text: try reply.bytes(at: 1)) else {
                throw .unexpectedReply
            }
            return .queued(id)
        case "unreachable":
            return .unreachable
        case "challenged":
            return .challenged
        case "limited":
            return .limited(try ExceededRateLimit(reply, of: limits))
        case "unproven":
            return .tooManyUnproven(retryAfter: .milliseconds(try reply.integer(at: 1)))
        default:
            throw .unexpectedReply
        }
    }
}
