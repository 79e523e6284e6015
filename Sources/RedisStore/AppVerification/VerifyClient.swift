internal import Redis

/// The outcome of a request for a push receipt.
public enum PushReceiptOutcome: Sendable {
    /// The receipt exists and its push is queued. The id is an earlier one if the front end retried the request.
    case queued(PushReceiptID)
    /// APNs reported recently that it cannot reach this device; nothing was queued.
    case unreachable
    /// Clients of this network must take the challenge page; nothing was queued.
    case challenged
    /// A rate limit was exceeded; nothing was queued.
    case limited(ExceededRateLimit)
    /// A network of the client sent too many device tokens that APNs does not know, or may not know; nothing was
    /// queued.
    case tooManyUnproven(retryAfter: Duration)
}

/// A push to queue, with the lifetimes of what it stores.
private struct RequestedPush {
    let id: PushReceiptID
    let device: DeviceIdentity
    let networks: ClientNetworks
    let bundleID: String
    let sealedToken: [UInt8]
    let environment: PushEnvironment
    let requestID: String
    let now: Int64
    let pushMilliseconds: Int64
    let unprovenMilliseconds: Int64
}

extension Store {
    /// The time for which the networks' counts of pushes to unproven devices are kept: as long as a bad device token
    /// counts.
    private static let unprovenCountMilliseconds: Int64 = 3_600_000

    /// Creates a push receipt and queues its push.
    ///
    /// The client's networks reserve the push first. Then one atomic step in the device's shard creates the receipt and
    /// queues the push. Finally, the networks release what was not used. After a crash in between, they count one push
    /// too many.
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
        let push = RequestedPush(
            id: id,
            device: device,
            networks: networks,
            bundleID: bundleID,
            sealedToken: sealedToken,
            environment: environment,
            requestID: requestID,
            now: now,
            pushMilliseconds: pushMilliseconds,
            unprovenMilliseconds: unprovenMilliseconds
        )
        let deviceKey = KeyNames.device(device)
        let limitsOfNetworks = limits.filter { !KeyNames.shareSlot([deviceKey, $0.key]) }
        let pushes = startReservation(of: limitsOfNetworks, eventID: id.text, isOwnEvent: true, now: now)
        // The push counts as one to an unproven device until it is known that the device is proven.
        let unproven = startReservation(of: push, atMost: unprovenBudget)
        let (replies, reads) = try run(
            pushes.calls + unproven.calls,
            reading: [
                ("HMGET", [deviceKey, "unreachable-until", "request", "receipt"]),
                ("EXISTS", [KeyNames.challengedNetwork(challengedNetwork)]),
            ]
        )
        let counted = try finish(pushes, replies.prefix(pushes.calls.count))
        let countedAsUnproven = try finish(unproven, replies.dropFirst(pushes.calls.count))

        let outcome: PushReceiptOutcome
        var isProven = false
        let known = try reads[0].optionalTexts()
        if known.count == 3, known[1] == requestID, let receipt = known[2] {
            outcome = .queued(try PushReceiptID(receipt, of: device))
        } else if let until = known.first.flatMap({ $0 }).flatMap({ Int64($0) }), now < until {
            outcome = .unreachable
        } else if try reads[1].integer() == 1 {
            outcome = .challenged
        } else if let exceeded = counted.exceeded.first {
            outcome = .limited(exceeded.reported())
        } else {
            let limitsOfDevice = limits.filter { KeyNames.shareSlot([deviceKey, $0.key]) }
            do {
                (outcome, isProven) = try queue(push, limitsOfDevice, excess: countedAsUnproven.exceeded.first)
            } catch {
                if error.isUnexecuted { release(counted.refund, countedAsUnproven.refund) }
                throw error
            }
        }
        if case .queued(id) = outcome {
            if isProven { release(countedAsUnproven.refund) }
        } else {
            release(counted.refund, countedAsUnproven.refund)
        }
        return outcome
    }

    /// Returns the reservation of a push in the networks' counts of pushes to unproven devices.
    private func startReservation(of push: RequestedPush, atMost budget: Int) -> StartedReservation {
        let limits = push.networks.all.map { network in
            RateLimit.unprovenPushes(
                by: network,
                bundleID: push.bundleID,
                RateLimit.Window(
                    milliseconds: push.unprovenMilliseconds,
                    maximum: network.width.maximum(budget)
                )
            )
        }
        return startReservation(of: limits, eventID: push.id.text, isOwnEvent: true, now: push.now) { limits in
            ScriptCall(
                .reservePushes,
                keys: NamedValues(list: "limitKeys", limits.map(\.key)),
                NamedValues(
                    [
                        "now": .integer(push.now),
                        "receipt": .text(push.id.text),
                        "unprovenLife": .integer(push.unprovenMilliseconds),
                        "life": .integer(Self.unprovenCountMilliseconds),
                    ],
                    list: "maxima",
                    limits.map { .count($0.window.maximum) }
                )
            )
        }
    }

    /// Creates the receipt and queues the push in the device's shard. `excess` is a network that does not count the
    /// push as one to an unproven device.
    /// - Returns: the outcome, and whether the device is proven.
    private func queue(
        _ push: RequestedPush,
        _ limits: [RateLimit],
        excess: ExceededRateLimit?
    ) throws(StoreUnavailable) -> (PushReceiptOutcome, isProven: Bool) {
        let networks = push.networks.all.map { QueuedPush.name(of: $0.identity) }.joined(separator: ",")
        let reply = try run(
            .verifyClient,
            keys: NamedValues(
                [
                    "deviceKey": KeyNames.device(push.device),
                    "receiptKey": KeyNames.receipt(push.id),
                    "outboxKey": KeyNames.outbox(.pushes, push.device.shard),
                ],
                list: "limitKeys",
                limits.map(\.key)
            ),
            NamedValues(
                [
                    "now": .integer(push.now),
                    "receipt": .text(push.id.text),
                    "project": .text(push.device.project),
                    "bundle": .text(push.bundleID),
                    "token": .bytes(push.sealedToken),
                    "environment": .text(push.environment.rawValue),
                    "request": .text(push.requestID),
                    "device": .text(push.device.hash),
                    "pushLife": .integer(push.pushMilliseconds),
                    "unprovenLife": .integer(push.unprovenMilliseconds),
                    "networks": .text(networks),
                    "isCounted": .flag(excess == nil),
                ],
                list: "bounds",
                limits.bounds
            )
        )
        switch try reply.outcome() {
        case "queued":
            let id = try PushReceiptID(try reply.text(at: 1), of: push.device)
            return (.queued(id), try reply.integer(at: 2) == 1)
        case "unreachable":
            return (.unreachable, false)
        case "limited":
            guard let exceeded = try reply.exceeded(limits).first else { throw .unexpectedReply }
            return (.limited(exceeded.limit.reported()), false)
        case "unproven":
            guard let excess else { throw .unexpectedReply }
            return (.tooManyUnproven(retryAfter: excess.retryAfter), false)
        default:
            throw .unexpectedReply
        }
    }
}

extension PushReceiptID {
    /// Reads the id of a device's receipt from a reply.
    fileprivate init(_ text: String, of device: DeviceIdentity) throws(StoreUnavailable) {
        guard let id = PushReceiptID(shard: device.shard, text: Array(text.utf8)) else { throw .unexpectedReply }
        self = id
    }
}
