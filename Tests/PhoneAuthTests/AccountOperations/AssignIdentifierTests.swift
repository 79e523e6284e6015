import RedisScripts
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct AssignIdentifierTests {
        /// Returns the pauses of a link that other requests overtake in each attempt, and how often it tried.
        private func overtakenLink(seed: UInt64) throws -> (pauses: [Duration], attempts: Int) {
            let deployment = try Deployment(seed: seed)
            let operation = deployment.authenticator().in(deployment.projectWithEverything)
            let user = try operation.signUpAnonymously()
            let account = AccountIdentity(
                project: operation.project.id,
                uid: user.account.uid,
                among: operation.store.shards
            )
            let text = "+16505550166"
            let number = AccountIdentifier(text: text, identity: operation.identity(of: text))
            var attempts = 0
            #expect {
                _ = try operation.assign(number, currentClaim: nil, to: account) { _ -> AssignmentOutcome<Never>? in
                    attempts += 1
                    return nil
                }
            } throws: { if case OperationFailure.contended = $0 { true } else { false } }
            return (deployment.clock.pauses, attempts)
        }

        @Test("a link that is overtaken pauses for a random time before each further attempt, longer each time")
        func pauses() throws {
            let (pauses, attempts) = try overtakenLink(seed: 1)
            #expect(attempts == IdentifierClaim.attempts && pauses.count == attempts - 1)
            for (index, pause) in pauses.enumerated() {
                #expect(.zero <= pause && pause < .milliseconds(2 * (index + 1)))
            }
            #expect(Set(pauses).count == pauses.count)
            #expect(try overtakenLink(seed: 1).pauses == pauses)
            #expect(try overtakenLink(seed: 2).pauses != pauses)
        }
    }
}
