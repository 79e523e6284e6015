import Glibc
import PhoneAuth
import Testing

extension Deployment {
    /// Creates a deployment whose numbers get enough messages for tests of wrong codes.
    static func ofManyMessages(
        _ change: (inout Policy) -> Void = { _ in }
    ) throws -> (Deployment, Authenticator) {
        let deployment = try Deployment { policy in
            policy.sendsPerNumberPerHour = 1000
            policy.sendsPerNumberPerDay = 1000
            change(&policy)
        }
        return (deployment, deployment.authenticator())
    }
}

extension Duration {
    /// Returns the time until `count` recent wrong codes have decayed enough for one more below `maximum`.
    static func untilRoom(below maximum: Int, of count: Int) -> Duration {
        let halfLives = log2(Double(count) / Double(maximum - 1))
        return .milliseconds(Int64((86_400_000 * halfLives).rounded(.up)))
    }
}

extension OperationContext {
    /// Enters wrong codes from consecutive clients, starting with number `clients`. All must be verified.
    func guess(_ count: Int, _ number: String, clients: Int, perClient: Int = 5) throws {
        for attempt in 0..<count {
            let session = try session(for: number, client: clients + attempt / perClient)
            let wrong = try wrongCode(of: session)
            let outcome = answer(session, wrong, request: "\(clients)-\(attempt)")
            #expect(outcome == .wrong(attemptsLeft: 4 - attempt % 5))
        }
    }
}
