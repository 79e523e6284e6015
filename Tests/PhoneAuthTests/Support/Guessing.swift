import Glibc
import PhoneAuth
import Testing

extension Deployment {
    /// A deployment whose numbers get as many messages as a test of wrong codes wants.
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
    /// How long until of `count` wrong codes that were just given so many are forgotten that one more fits below
    /// `maximum`.
    static func untilRoom(below maximum: Int, of count: Int) -> Duration {
        let halfLives = log2(Double(count) / Double(maximum - 1))
        return .milliseconds(Int64((86_400_000 * halfLives).rounded(.up)))
    }
}

extension OperationContext {
    /// Enters wrong codes of clients from number `clients` on, all of which must be verified.
    func guess(_ count: Int, _ number: String, clients: Int, perClient: Int = 5) throws {
        for attempt in 0..<count {
            let session = try session(for: number, client: clients + attempt / perClient)
            let wrong = try wrongCode(of: session)
            let outcome = answer(session, wrong, request: "\(clients)-\(attempt)")
            #expect(outcome == .wrong(attemptsLeft: 4 - attempt % 5))
        }
    }
}
