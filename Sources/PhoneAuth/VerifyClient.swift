public import Encodings
public import RedisStore

/// A wish for a silent push that proves the app.
public struct VerifyClientRequest: Sendable, Confidential {
    /// The device token in hexadecimal digits; empty where the app has none.
    public var appToken: String
    /// Whether the app says that its token is of APNs' sandbox.
    public var isSandbox: Bool
    /// The bundle id that the request names.
    public var bundleID: String?
    /// The client's network address in text form.
    public var clientAddress: String
    /// The front end's name for the request, the same when it repeats it.
    public var requestID: String

    /// A wish for a silent push.
    public init(appToken: String, isSandbox: Bool, bundleID: String?, clientAddress: String, requestID: String) {
        self.appToken = appToken
        self.isSandbox = isSandbox
        self.bundleID = bundleID
        self.clientAddress = clientAddress
        self.requestID = requestID
    }
}

/// A push receipt whose secret is on its way to the device.
public struct IssuedPushReceipt: Sendable, Confidential {
    /// What the client waits to see in a push.
    public let receipt: String
    /// How long it should wait before it takes the challenge page.
    public let timeout: Duration
}

/// Why no push is sent. All but the last two make the client take the challenge page at once.
public enum VerifyClientRefusal: Error {
    case appTokenMissing
    case appTokenMalformed
    /// The request names no app that is registered in the project.
    case appUnknown
    /// The operator has given no APNs credential for the app.
    case pushNotConfigured
    /// APNs refused the app's pushes a moment ago, for a fault of its credential or topic.
    case pushRefused
    /// APNs said a while ago that it cannot reach this device.
    case deviceUnreachable
    /// Sends that the client's network asked for are stepped up: only the challenge page will do.
    case networkChallenged
    /// The device had its share of pushes, and APNs would hold back more of them; or a network of the client had its
    /// own, or named too many device tokens that APNs does not know.
    case budgetSpent(PushReceiptRequest.Budget, retryAfter: Duration)
    case unavailable(StoreUnavailable)
    case internalFailure
}

extension Authenticator {
    /// Makes a push receipt and queues the silent push that carries it; never waits for APNs.
    /// - Throws: ``VerifyClientRefusal``; then nothing has changed.
    public func verifyClient(_ request: VerifyClientRequest, in project: Project) throws(VerifyClientRefusal)
        -> IssuedPushReceipt
    {
        guard !request.appToken.isEmpty else { throw .appTokenMissing }
        guard let token = DeviceToken(hexadecimal: request.appToken) else { throw .appTokenMalformed }
        guard let bundleID = request.bundleID, let app = project.app(bundleID: bundleID) else { throw .appUnknown }
        guard app.hasPush else { throw .pushNotConfigured }
        guard try !arePushesRefused(of: app, in: project) else { throw .pushRefused }
        let device = token.identity(for: bundleID, in: project.id, keys, among: store.shards)
        guard let id = PushReceiptID(shard: device.shard, bytes: environment.randomBytes(PushReceiptID.byteCount))
        else { throw .internalFailure }
        let outcome: PushReceiptRequest.Outcome
        do {
            let sealedToken = try keys.data.seal(
                Array(token.hexadecimal.utf8),
                context: Self.deviceTokenContext(project.id, bundleID),
                nonce: environment.randomBytes(DataKeys.nonceByteCount)
            )
            outcome = try store.makePushReceipt(
                PushReceiptRequest(
                    id: id,
                    device: device,
                    networks: ClientNetworks(
                        ofAddress: request.clientAddress,
                        for: "push-network",
                        in: project,
                        keys,
                        among: store.shards
                    ),
                    challengedNetwork: challengedNetwork(of: request.clientAddress, in: project),
                    bundleID: bundleID,
                    sealedToken: sealedToken,
                    environment: request.isSandbox ? .sandbox : .production,
                    requestID: request.requestID,
                    now: environment.now().milliseconds,
                    pushMilliseconds: policy.pushTimeout.milliseconds,
                    unprovenMilliseconds: (policy.pushTimeout + Policy.unprovenPushMemory).milliseconds,
                    budgetWindowMilliseconds: 3_600_000,
                    budget: policy.pushesPerDevicePerHour,
                    networkBudget: policy.pushesPerNetworkPerHour,
                    unprovenBudget: policy.unprovenPushesPerNetwork
                )
            )
        } catch let error as StoreUnavailable {
            throw .unavailable(error)
        } catch {
            throw .internalFailure
        }
        switch outcome {
        case .queued(let id):
            return IssuedPushReceipt(receipt: PushReceipt(id: id).text, timeout: policy.pushTimeout)
        case .unreachable:
            throw .deviceUnreachable
        case .challenged:
            throw .networkChallenged
        case .spent(let budget, let retryAfterMilliseconds):
            throw .budgetSpent(budget, retryAfter: .milliseconds(retryAfterMilliseconds))
        }
    }

    private func arePushesRefused(of app: RegisteredApp, in project: Project) throws(VerifyClientRefusal) -> Bool {
        do {
            let until = try settings(of: project).refusedPushes[app.bundleID] ?? 0
            return environment.now().milliseconds < until
        } catch {
            throw .unavailable(error)
        }
    }

    /// A token that is copied to another app's queue does not open there.
    static func deviceTokenContext(_ project: String, _ bundleID: String) -> [UInt8] {
        Array("device-token/\(project)/\(bundleID)".utf8)
    }
}
