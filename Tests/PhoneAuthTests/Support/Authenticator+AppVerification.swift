import PhoneAuth
import RedisStore
import Testing

/// What came of a wish for a push, in a form that tests compare.
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

extension Authenticator {
    /// Asks for a push; each call is a request of its own unless it names one.
    func verify(
        token: String = DeviceTokens.first,
        sandbox: Bool = false,
        from bundleID: String? = RegisteredApp.demo.bundleID,
        client: Int = 1,
        request: String? = nil,
        in project: Project
    ) -> VerifyClientOutcome {
        let request = VerifyClientRequest(
            appToken: token,
            isSandbox: sandbox,
            bundleID: bundleID,
            clientAddress: "192.0.2.\(client)",
            requestID: request ?? "\(UInt64.random(in: 0 ... .max))"
        )
        do {
            return .queued(receipt: try verifyClient(request, in: project).receipt)
        } catch {
            switch error {
            case .appTokenMissing: return .noToken
            case .appTokenMalformed: return .malformedToken
            case .appUnknown: return .unknownApp
            case .pushNotConfigured: return .noCredential
            case .pushRefused: return .refused
            case .deviceUnreachable: return .unreachable
            case .networkChallenged: return .challenged
            case .budgetSpent(.device, let retryAfter): return .spent(retryAfter: retryAfter)
            case .budgetSpent(.network, let retryAfter): return .networkSpent(retryAfter: retryAfter)
            case .budgetSpent(.unproven, let retryAfter): return .unprovenSpent(retryAfter: retryAfter)
            case .unavailable, .internalFailure: return .failed("\(error)")
            }
        }
    }

    /// All pushes that wait, as a dispatcher takes them.
    func takeAll(for dispatcher: String = "test") throws -> [PendingPush] {
        try prepare(.pushes)
        return try take(PendingPush.self, for: dispatcher, wait: .milliseconds(1))
    }
}

/// Made-up names of devices.
enum DeviceTokens {
    static let first = String(repeating: "A1", count: 32)
    static let second = String(repeating: "b2", count: 32)
}
