internal import Encodings
internal import Redis
internal import RedisScripts

/// The outcome of a request for a push receipt.
enum PushReceiptOutcome {
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

/// A push to queue, with what decides whether it is queued.
struct RequestedPush {
    var id: PushReceiptID
    let device: DeviceIdentity
    let networks: ClientNetworks
    let challengedNetwork: NetworkIdentity
    let bundleID: String
    let sealedToken: [UInt8]
    /// The environment in which the app says that it runs.
    var environment: PushEnvironment
    let limits: [RateLimit]
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
    /// - Throws: ``StoreUnavailable``; a retry with the same request id is harmless.
    func makePushReceipt(
        for push: RequestedPush,
        requestID: String,
        under policy: Policy,
        at now: Instant
    ) throws(StoreUnavailable) -> PushReceiptOutcome {
        var push = push
        let (device, limits) = (push.device, push.limits)
        let reads = try sendAll([
            Self.command("HMGET", [KeyNames.device(device), "unreachable-until", "environment"]),
            Self.command("EXISTS", [KeyNames.challengedNetwork(push.challengedNetwork)]),
        ])
        let known = try reads[0].optionalTexts()
        guard known.count == 2 else { throw .unexpectedReply }
        if let until = known[0].flatMap({ Int64($0) }), now.milliseconds < until { return .unreachable }
        if try reads[1].integer() == 1 { return .challenged }
        // The environment in which APNs accepted a push is more reliable than what the app reports.
        let provenEnvironment = known[1].flatMap { PushEnvironment(rawValue: $0) }
        push.environment = provenEnvironment ?? push.environment
        let reply = try run(queueing(of: push, isProven: provenEnvironment != nil, requestID, policy, now))
        switch try reply.outcome() {
        case "queued":
            push.id = try PushReceiptID(try reply.text(at: 1), of: device)
            _ = try run(creation(of: push, policy, now))
            return .queued(push.id)
        case "limited":
            guard let exceeded = try reply.exceeded(limits).first else { throw .unexpectedReply }
            return .limited(exceeded.reported())
        case "unproven": return .tooManyUnproven(retryAfter: .milliseconds(try reply.integer(at: 1)))
        default: throw .unexpectedReply
        }
    }

    /// Returns the call that creates a receipt in its device's shard.
    private func creation(of push: RequestedPush, _ policy: Policy, _ now: Instant) -> ScriptCall {
        ScriptCall(
            .verifyClient,
            keys: ["receiptKey": KeyNames.receipt(push.id)],
            [
                "now": .integer(now.milliseconds),
                "project": .text(push.device.project),
                "bundle": .text(push.bundleID),
                "environment": .text(push.environment.rawValue),
                "device": .text(push.device.hash),
                "unprovenLife": .integer((policy.pushTimeout + PushReceipt.unprovenMemory).milliseconds),
            ]
        )
    }

    /// Returns the call that counts a push and queues it. At most ``Policy/unprovenPushesPerNetwork`` of a narrow
    /// network's pushes at a time may go to devices for which APNs has not accepted a push.
    private func queueing(
        of push: RequestedPush,
        isProven: Bool,
        _ requestID: String,
        _ policy: Policy,
        _ now: Instant
    ) -> ScriptCall {
        let project = push.device.project
        let networks = isProven ? [] : push.networks.all
        let maxima = networks.map { $0.width.maximum(policy.unprovenPushesPerNetwork) }
        return ScriptCall(
            .queuePush,
            keys: NamedValues(
                [
                    "queuedKey": KeyNames.queuedPush(requestID, of: project),
                    "outboxKey": KeyNames.outbox(.pushes, of: project),
                ],
                list: "limitKeys",
                push.limits.map(\.key) + networks.map { KeyNames.unprovenPushes($0.identity, bundleID: push.bundleID) }
            ),
            NamedValues(
                [
                    "now": .integer(now.milliseconds),
                    "receipt": .text(push.id.text),
                    "shard": .integer(Int64(push.id.shard.index)),
                    "bundle": .text(push.bundleID),
                    "token": .bytes(push.sealedToken),
                    "environment": .text(push.environment.rawValue),
                    "networks": .text(push.networks.all.map(\.identity.hash).joined(separator: ",")),
                    "pushLife": .integer(policy.pushTimeout.milliseconds),
                    "unprovenLife": .integer((policy.pushTimeout + PushReceipt.unprovenMemory).milliseconds),
                    "countLife": .integer(Self.unprovenCountMilliseconds),
                    "unprovenMaxima": .text(maxima.map { String($0) }.joined(separator: " ")),
                ],
                list: "bounds",
                push.limits.bounds()
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
