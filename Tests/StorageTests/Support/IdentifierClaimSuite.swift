import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

/// Suites with the individual steps in which accounts get numbers.
protocol IdentifierClaimSuite {
    var test: TestStore { get }
}

extension IdentifierClaimSuite {
    func isHeld(_ claim: IdentifierClaim, isFresh: Bool = true) throws -> Bool {
        try test.store.holdsClaim(claim, of: .phone, isFresh: isFresh, in: "demo", markMilliseconds: 60_000, audit: nil)
    }

    /// Creates an account without a number.
    func makeAccount(_ uid: String) throws {
        guard case .signedIn = try test.record(uid: uid, 100, at: test.now).outcome else {
            throw ServerFailure(description: "no account")
        }
    }

    func describe(_ outcome: SignInRecord.Outcome) -> String {
        switch outcome {
        case .signedIn(_, let isNew, let former):
            (isNew ? "new" : "known") + former.map { " instead of \($0.claim.id)" }.joined()
        case .changed: "changed"
        case .hindered(.notHeld): "not held"
        case .hindered(.noAccount): "no account"
        case .hindered(let obstacle): "\(obstacle)"
        }
    }
}
