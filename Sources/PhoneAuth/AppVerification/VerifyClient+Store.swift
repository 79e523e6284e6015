internal import Redis
internal import RedisScripts

/// The outcome of a request for a push receipt.
enum PushReceiptOutcome: Sendable {
    /// The push is queued and its receipt exists. The id is an earlier one if the front end retried the request.
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
    var id: PushReceiptID
    let device: DeviceIdentity
    let networks: ClientNetworks
    let bundleID: String
    let sealedToken: [UInt8]
    var environment: PushEnvironment
    let requestID: String
    let now: Int64
    let pushMilliseconds: Int64
    let unprovenMilliseconds: Int64
}

extension Store {
    /// The time for which the networks' counts of pushes to unproven devices are kept: as long as a bad device token
    /// counts.
    private static let unprovenCountMilliseconds: Int64 = 3_600_000

    /// Queues a push and creates its receipt.
    ///
    /// The device's record is read first. Then one call, in the project's slot, counts the push in the rate limits and
    /// queues it, or refuses it. Only then is the receipt created, in the device's shard: long before the push reaches
    /// the device. After a crash in between, no one can use the push.
    ///
    /// Times are in milliseconds; `now` is since the Unix epoch. At most `unprovenBudget` of a narrow network's pushes
    /// at a time may go to devices for which APNs has not accepted a push.
    /// - Throws: ``StoreUnavailable``; a retry with the same request id is harmless.
    func makePushReceipt(
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
        var push = RequestedPush(
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
        let reads = try sendAll([
            Self.command("HMGET", [KeyNames.device(device), "unreachable-until", "environment"]),
            Self.command("EXISTS", [KeyNames.challengedNetwork(challengedNetwork)]),
        ])
        let known = try reads[0].optionalTexts()
        guard known.count == 2 else { throw .unexpectedReply }
        if let until = known[0].flatMap({ Int64($0) }), now < until { return .unreachable }
        if try reads[1].integer() == 1 { return .challenged }
        // The environment in which APNs accepted a push is more reliable than what the app reports.
        let provenEnvironment = known[1].flatMap { PushEnvironment(rawValue: $0) }
        push.environment = provenEnvironment ?? environment
        let reply = try run(queueing(of: push, limits, unprovenBudget: provenEnvironment == nil ? unprovenBudget : nil))
        switch try reply.outcome() {
        case "queued":
            push.id = try PushReceiptID(try reply.text(at: 1), of: device)
            _ = try run(creation(of: push))
            return .queued(push.id)
        case "limited":
            guard let exceeded = try reply.exceeded(limits).first else { throw .unexpectedReply }
            return .limited(exceeded.reported())
        case "unproven": return .tooManyUnproven(retryAfter: .milliseconds(try reply.integer(at: 1)))
        default: throw .unexpectedReply
        }
    }

    /// Returns the call that creates a receipt in its device's shard.
    private func creation(of push: RequestedPush) -> ScriptCall {
        ScriptCall(
            .verifyClient,
            keys: ["receiptKey": KeyNames.receipt(push.id)],
            [
                "now": .integer(push.now),
                "project": .text(push.device.project),
                "bundle": .text(push.bundleID),
                "environment": .text(push.environment.rawValue),
                "device": .text(push.device.hash),
                "unprovenLife": .integer(push.unprovenMilliseconds),
            ]
        )
    }

    /// Returns the call that counts a push and queues it. The budget of pushes to unproven devices is nil for a proven
    /// one.
    private func queueing(of push: RequestedPush, _ limits: [RateLimit], unprovenBudget: Int?) -> ScriptCall {
        let project = push.device.project
        let networks = unprovenBudget == nil ? [] : push.networks.all
        return ScriptCall(
            .queuePush,
            keys: NamedValues(
                [
                    "queuedKey": KeyNames.queuedPush(push.requestID, of: project),
                    "outboxKey": KeyNames.outbox(.pushes, of: project),
                ],
                list: "limitKeys",
                limits.map(\.key) + networks.map { KeyNames.unprovenPushes($0.identity, bundleID: push.bundleID) }
            ),
            NamedValues(
                [
                    "now": .integer(push.now),
                    "receipt": .text(push.id.text),
                    "shard": .integer(Int64(push.id.shard.index)),
                    "bundle": .text(push.bundleID),
                    "token": .bytes(push.sealedToken),
                    "environment": .text(push.environment.rawValue),
                    "networks": .text(push.networks.all.map(\.identity.hash).joined(separator: ",")),
                    "pushLife": .integer(push.pushMilliseconds),
                    "unprovenLife": .integer(push.unprovenMilliseconds),
                    "countLife": .integer(Self.unprovenCountMilliseconds),
                    "unprovenMaxima": .text(
                        networks.map { String($0.width.maximum(unprovenBudget ?? 0)) }.joined(separator: " ")
                    ),
                ],
                list: "bounds",
                limits.bounds()
            )
        )
    }
}

extension PushReceiptID {
    /// Reads the id of a device's receipt from a reply.
    fileprivate init(_ text: String, of device: DeviceIdentity) throws(StoreUnavailable) {
        guard let id = PushReceiptID(shard: device.shard, text: Array(text.utf8)) else { throw .unexpectedReply }
        self = id
    }
}
