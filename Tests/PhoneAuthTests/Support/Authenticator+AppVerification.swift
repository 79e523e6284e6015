import PhoneAuth
import RedisScripts
import Testing

/// The outcome of a push request, in a form that tests can compare.
enum VerifyClientOutcome: Equatable {
    case queued(receipt: String)
    case noToken, malformedToken, unknownApp, noCredential, refused, unreachable, challenged
    case spent(retryAfter: Duration)
    case networkSpent(retryAfter: Duration)
    case unprovenSpent(retryAfter: Duration)
    case failed(String)

    var receipt: String? {
        guard case .queued(let receipt) = self else { return nil }
        return receipt
    }
}

extension OperationContext {
    /// Requests a push. Each call is a separate request unless it has an id.
    func verify(
        token: String = DeviceTokens.first,
        sandbox: Bool = false,
        from bundleID: String? = RegisteredApp.demo.bundleID.text,
        client: Int = 1,
        request id: String? = nil
    ) -> VerifyClientOutcome {
        let request = VerifyClientRequest(
            appToken: token,
            isSandbox: sandbox,
            app: bundleID.map { .iOS(bundleID: $0) } ?? .web,
            clientAddress: "192.0.2.\(client)"
        )
        do {
            return .queued(
                receipt: try repeating(id ?? "\(UInt64.random(in: 0 ... .max))").verifyClient(request).receipt
            )
        } catch {
            switch error {
            case .appTokenMissing: return .noToken
            case .appTokenMalformed: return .malformedToken
            case .appUnknown: return .unknownApp
            case .pushNotConfigured: return .noCredential
            case .pushRefused: return .refused
            case .deviceUnreachable: return .unreachable
            case .networkChallenged: return .challenged
            case .limited(let refusal):
                return refusal.scope == "device"
                    ? .spent(retryAfter: refusal.retryAfter) : .networkSpent(retryAfter: refusal.retryAfter)
            case .tooManyUnknownTokens(let retryAfter): return .unprovenSpent(retryAfter: retryAfter)
            case .unavailable, .internalFailure: return .failed("\(error)")
            }
        }
    }
}

extension Authenticator {
    /// Takes all waiting pushes, as a dispatcher does.
    func takeAll(for dispatcher: String = "test") throws -> [PendingPush] {
        try prepare(.pushes)
        return try take(PendingPush.self, for: dispatcher, wait: .milliseconds(1))
    }
}

/// Invented device tokens.
enum DeviceTokens {
    static let first = String(repeating: "A1", count: 32)
    static let second = String(repeating: "b2", count: 32)
}
