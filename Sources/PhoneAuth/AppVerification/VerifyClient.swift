public import Encodings
public import RedisScripts

/// A request for a silent push that proves the app.
public struct VerifyClientRequest: Sendable, Confidential {
    /// The device token in hexadecimal digits; empty if the app has none.
    var appToken: String
    /// Whether the app claims that its token is from APNs' sandbox.
    var isSandbox: Bool
    /// The app that sends the request.
    var app: ClientApp
    /// The client's network address in text form.
    var clientAddress: String

    /// Creates a request for a silent push.
    public init(appToken: String, isSandbox: Bool, app: ClientApp, clientAddress: String) {
        self.appToken = appToken
        self.isSandbox = isSandbox
        self.app = app
        self.clientAddress = clientAddress
    }
}

/// A push receipt whose secret is being sent to the device.
public struct IssuedPushReceipt: Sendable, Confidential {
    /// The receipt, which the client expects in a push.
    public let receipt: String
    /// The time for which the client should wait before it falls back to the challenge page.
    public let timeout: Duration
}

/// Why no push is sent. For all but the last two, the client falls back to the challenge page at once.
public enum VerifyClientRefusal: StoreRefusal {
    case appTokenMissing
    case appTokenMalformed
    /// The request does not name an app that is registered in the project.
    case appUnknown
    /// The operator has configured no APNs credential for the app.
    case pushNotConfigured
    /// APNs recently rejected the app's pushes because of the app's credential or topic.
    case pushRefused
    /// APNs recently reported that it cannot reach this device.
    case deviceUnreachable
    /// Sends that the client's network requested are stepped up: only the challenge page is accepted.
    case networkChallenged
    /// A rate limit on pushes was exceeded: the device's (APNs would throttle more of them) or a network's.
    case limited(RateLimitRefusal)
    /// A network sent too many device tokens that APNs does not know.
    case tooManyUnknownTokens(retryAfter: Duration)
    case unavailable(StoreUnavailable)
    case internalFailure
}

extension OperationContext {
    /// Creates a push receipt and queues the silent push that carries it. Never waits for APNs.
    /// - Throws: ``VerifyClientRefusal``; then no push is counted or queued.
    public func verifyClient(_ request: VerifyClientRequest) throws(VerifyClientRefusal)
        -> IssuedPushReceipt
    {
        guard !request.appToken.isEmpty else { throw .appTokenMissing }
        guard let token = DeviceToken(hexadecimal: request.appToken) else { throw .appTokenMalformed }
        guard case .iOS(let bundleID) = request.app, let app = project.app(bundleID: bundleID) else {
            throw .appUnknown
        }
        guard app.hasPush else { throw .pushNotConfigured }
        guard try !arePushesRefused(of: app) else { throw .pushRefused }
        let device = token.identity(for: bundleID, in: project.id, keys, among: store.shards)
        guard let id = PushReceiptID(shard: device.shard, bytes: environment.randomBytes(PushReceiptID.byteCount))
        else { throw .internalFailure }
        let networks = networks(of: request.clientAddress, for: "push-network")
        let outcome: PushReceiptOutcome
        do {
            let sealedToken = try keys.data.seal(
                Array(token.hexadecimal.utf8),
                context: DeviceToken.sealingContext(project.id, bundleID),
                environment
            )
            let push = RequestedPush(
                id: id,
                device: device,
                networks: networks,
                challengedNetwork: challengedNetwork(of: request.clientAddress),
                bundleID: bundleID,
                sealedToken: sealedToken,
                environment: request.isSandbox ? .sandbox : .production,
                limits: [.pushes(to: device, .hour(policy.pushesPerDevicePerHour))]
                    + networks.all.map {
                        .pushes(by: $0, .hour($0.width.maximum(policy.pushesPerNetworkPerHour)))
                    }
            )
            outcome = try store.makePushReceipt(for: push, requestID: requestID, under: policy, at: now)
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
        case .limited(let exceeded):
            throw .limited(RateLimitRefusal(exceeded))
        case .tooManyUnproven(let retryAfter):
            throw .tooManyUnknownTokens(retryAfter: retryAfter)
        }
    }

    private func arePushesRefused(of app: RegisteredApp) throws(VerifyClientRefusal) -> Bool {
        let until = try VerifyClientRefusal.wrapping(settings()).refusedPushes[app.bundleID.text] ?? 0
        return now.milliseconds < until
    }
}
