internal import Redis

/// The input of the script `verify-client.lua`.
public struct PushReceiptRequest: Sendable {
    let id: PushReceiptID
    let device: DeviceIdentity
    let networks: ClientNetworks
    let challengedNetwork: NetworkIdentity
    let bundleID: String
    let sealedToken: [UInt8]
    let environment: PushEnvironment
    let requestID: String
    let now: Int64
    let pushMilliseconds: Int64
    let unprovenMilliseconds: Int64
    let budgetWindowMilliseconds: Int64
    let budget: Int
    let networkBudget: Int
    let unprovenBudget: Int

    /// Collects the arguments. Times are in milliseconds; `now` is since the Unix epoch. In any
    /// `budgetWindowMilliseconds`, `budget` pushes may go to the device and `networkBudget` to a narrow network of the
    /// client, each at least 1. At most `unprovenBudget` of the network's pushes at a time may go to devices for which
    /// APNs has not accepted a push.
    public init(
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
        budgetWindowMilliseconds: Int64,
        budget: Int,
        networkBudget: Int,
        unprovenBudget: Int
    ) {
        self.id = id
        self.device = device
        self.networks = networks
        self.challengedNetwork = challengedNetwork
        self.bundleID = bundleID
        self.sealedToken = sealedToken
        self.environment = environment
        self.requestID = requestID
        self.now = now
        self.pushMilliseconds = pushMilliseconds
        self.unprovenMilliseconds = unprovenMilliseconds
        self.budgetWindowMilliseconds = budgetWindowMilliseconds
        self.budget = budget
        self.networkBudget = networkBudget
        self.unprovenBudget = unprovenBudget
    }
}

extension PushReceiptRequest {
    /// The result of the script.
    public enum Outcome: Sendable {
        /// The receipt exists and its push is queued. The id is an earlier one if the front end retried the request.
        case queued(PushReceiptID)
        /// APNs reported recently that it cannot reach this device; nothing was changed.
        case unreachable
        /// Clients of this network must take the challenge page; nothing was changed.
        case challenged
        /// A budget is exhausted; nothing was changed.
        case spent(Budget, retryAfterMilliseconds: Int64)
    }

    /// The budgets that pushes count against.
    public enum Budget: String, Sendable {
        /// The device.
        case device
        /// A network of the client.
        case network
        /// A network of the client, with device tokens that APNs does not know, or may not know.
        case unproven
    }
}

extension Store {
    /// Creates a push receipt and queues its push in one atomic step.
    /// - Throws: ``StoreUnavailable``; a retry with the same request id is harmless.
    public func makePushReceipt(_ request: PushReceiptRequest) throws(StoreUnavailable) -> PushReceiptRequest.Outcome {
        let networks = request.networks.all
        let reply = try run(
            Scripts.verifyClient,
            keys: [
                KeyNames.device(request.device),
                KeyNames.pushes(request.device),
                KeyNames.receipt(request.id),
                KeyNames.outbox(.pushes, request.device.shard),
                KeyNames.challengedNetwork(request.challengedNetwork),
            ]
                + networks.flatMap {
                    [
                        KeyNames.pushes($0.identity),
                        KeyNames.unprovenPushes($0.identity, bundleID: request.bundleID),
                    ]
                },
            [
                .integer(request.now), .text(request.id.text), .text(request.device.project), .text(request.bundleID),
                .bytes(request.sealedToken), .text(request.environment.rawValue), .text(request.requestID),
                .text(request.device.hash), .integer(request.pushMilliseconds),
                .integer(request.unprovenMilliseconds), .integer(request.budgetWindowMilliseconds),
                .integer(Int64(request.budget)),
            ]
                + networks.flatMap { network -> [Argument] in
                    [
                        .integer(Int64(network.width.maximum(request.networkBudget))),
                        .integer(Int64(network.width.maximum(request.unprovenBudget))),
                        .text(QueuedPush.name(of: network.identity)),
                    ]
                }
        )
        switch try reply.outcome() {
        case "queued":
            guard let id = PushReceiptID(shard: request.device.shard, text: try reply.bytes(at: 1)) else {
                throw .unexpectedReply
            }
            return .queued(id)
        case "unreachable":
            return .unreachable
        case "challenged":
            return .challenged
        case "spent":
            guard let budget = PushReceiptRequest.Budget(rawValue: try reply.text(at: 1)) else {
                throw .unexpectedReply
            }
            return .spent(budget, retryAfterMilliseconds: try reply.integer(at: 2))
        default:
            throw .unexpectedReply
        }
    }
}
