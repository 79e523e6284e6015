import PhoneNumbers
import RedisScripts
import Testing
import TestServers

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Clients without history. A client that requests the same number again gets its open session.
    private final class NewClients {
        private var count = 0

        func next() -> Int {
            defer { count += 1 }
            return 20 + count % 230
        }
    }

    /// The defenses against SMS pumping.
    @Suite struct CheckTollFraudTests {
        private let deployment: Deployment
        private let authenticator: Authenticator
        private let newClients = NewClients()
        private var project: Project { deployment.project }

        /// Creates a deployment that allows 4 unverified messages per block, 10 per series and 40 per region.
        init() throws {
            deployment = try Deployment {
                $0.tollFraud.mode = .enforce
                $0.tollFraud.unverifiedAllowance = 4
            }
            authenticator = deployment.authenticator(appVerification: .required)
        }

        private func send(_ number: String, isHard: Bool = false, client: Int? = nil) throws -> SendOutcome {
            let token = try authenticator.in(project, request: "issue").issueChallengeToken(
                for: SolvedChallenge(
                    id: deployment.clock.randomBytes(16),
                    solvableFor: .seconds(60),
                    isHard: isHard
                ),
                to: .web
            )
            return authenticator.in(project).send(
                to: number,
                client: client ?? newClients.next(),
                provenBy: .challengeToken(token)
            )
        }

        /// Sends `count` messages to numbers of one block without verifying their codes.
        private func leaveUnanswered(_ count: Int, block: String = "+1650555", isHard: Bool = false) throws {
            for index in 0..<count {
                let number = block + String(4000 + index)
                #expect(try send(number, isHard: isHard).outcome == .opened, "\(index)")
            }
        }

        private func verify(_ number: String, client: Int = 1, isHard: Bool = false) throws {
            let session = try #require(try send(number, isHard: isHard, client: client).sessionInfo)
            _ = try authenticator.in(project).signIn(
                session,
                try authenticator.in(project).code(of: session),
                request: "sign in to \(number)"
            )
        }

        private func stepUp(_ number: String, isHard: Bool = false) throws -> StepUp? {
            guard case .steppedUp(let stepUp) = try send(number, isHard: isHard) else { return nil }
            return stepUp
        }

        @Test("a block with unverified messages is challenged, then denied; neighboring blocks are not affected")
        func block() throws {
            try leaveUnanswered(4)
            let challenged = try #require(try stepUp("+16505550199"))
            #expect(challenged.level == .challenged && challenged.cause == .debt(.block, owed: 4, allowed: 4))
            try leaveUnanswered(1, block: "+1650556")
            try leaveUnanswered(2, isHard: true)
            for isHard in [false, true] {
                let denied = try #require(try stepUp("+16505550199", isHard: isHard))
                #expect(denied.level == .denied && denied.cause == .debt(.block, owed: 6, allowed: 4))
            }
            try leaveUnanswered(1, block: "+1650557")
        }

        @Test("an attack on many blocks is stopped by their series, and an attack on many series by the region")
        func widerRanges() throws {
            for block in 0..<4 { try leaveUnanswered(block == 0 ? 1 : 3, block: "+165055\(block)") }
            #expect(try stepUp("+16505580199")?.cause == .debt(.series, owed: 10, allowed: 10))
            for area in ["201", "202", "203", "205", "206", "207", "208", "209", "210", "212"] {
                try leaveUnanswered(3, block: "+1\(area)555")
            }
            #expect(try stepUp("+12135550199")?.cause == .debt(.region, owed: 40, allowed: 40))
            // Canada shares the calling code but is another region.
            #expect(try send("+15065550199").outcome == .opened)
        }

        @Test("each correct code pays for itself and 7/3 messages, if 30 of 100 must be verified")
        func verified() throws {
            try leaveUnanswered(4)
            #expect(try stepUp("+16505550199")?.level == .challenged)
            try verify("+16505550198", isHard: true)
            // 4 messages are unverified and 7/3 are paid for, so two more fit.
            try leaveUnanswered(2)
            #expect(try stepUp("+16505550199")?.cause == .debt(.block, owed: 4, allowed: 4))
        }

        @Test("a range recovers by itself: its debt halves each day, and a denial has Retry-After")
        func forgetting() throws {
            try leaveUnanswered(4)
            try leaveUnanswered(2, isHard: true)
            let denied = try #require(try stepUp("+16505550199", isHard: true))
            // The debt must fall from 6 to 5 messages, so that one more is 1.5 times the allowance.
            #expect((22_000_000...23_500_000).contains(denied.retryAfterMilliseconds))
            deployment.clock.advance(by: .milliseconds(denied.retryAfterMilliseconds - 1000))
            #expect(try stepUp("+16505550199", isHard: true)?.level == .denied)
            deployment.clock.advance(by: .seconds(1))
            #expect(try send("+16505550199", isHard: true).outcome == .opened)
            #expect(try stepUp("+16505550198", isHard: true)?.level == .denied)
            deployment.clock.advance(by: .seconds(86_400))
            #expect(try send("+16505550198").outcome == .opened)
        }

        @Test("messages to known clients are neither counted nor blocked")
        func knownClients() throws {
            try verify("+16505550101", client: 9)
            deployment.clock.advance(by: .seconds(3600))
            try leaveUnanswered(4)
            try leaveUnanswered(4, isHard: true)
            #expect(try stepUp("+16505550101", isHard: true)?.level == .denied, "another client is new")
            #expect(try send("+16505550101", client: 9).outcome == .opened)
            let owed = try #require(try stepUp("+16505550199"))
            #expect(owed.cause == .debt(.block, owed: 6, allowed: 4))
        }

        @Test("a stepped-up send gives its network the hard challenge for ten minutes")
        func challengedNetwork() throws {
            try leaveUnanswered(4)
            _ = try send("+16505550199", client: 7)
            #expect(try authenticator.in(project).countChallenge(from: "192.0.2.7").mustBeHard)
            #expect(try !authenticator.in(project).countChallenge(from: "192.0.2.251").mustBeHard)
            #expect(authenticator.in(project).verify(client: 7) == .challenged)
            #expect(authenticator.in(project).verify(client: 251).receipt != nil)
        }

        @Test("a push receipt is not a sufficient proof for challenged numbers")
        func pushReceipt() throws {
            _ = authenticator.in(project).verify()
            let push = try #require(try authenticator.takeAll().first)
            try leaveUnanswered(4)
            let outcome = authenticator.in(project).send(
                to: "+16505550199",
                provenBy: .pushReceipt(receipt: push.receipt, secret: push.secret),
                from: push.bundleID.text
            )
            guard case .steppedUp(let stepUp) = outcome else { return #expect(Bool(false), "\(outcome)") }
            #expect(stepUp.level == .challenged)
        }

        @Test("an unknown number needs the hard challenge, whatever else proves the app")
        func unknownNumber() throws {
            let challenged = try #require(try stepUp("+19995550100"))
            #expect(challenged.level == .challenged && challenged.cause == .unknownNumber)
            _ = authenticator.in(project).verify()
            let push = try #require(try authenticator.takeAll().first)
            let outcome = authenticator.in(project).send(
                to: "+19995550100",
                provenBy: .pushReceipt(receipt: push.receipt, secret: push.secret),
                from: push.bundleID.text
            )
            #expect(outcome == .steppedUp(challenged))
            try verify("+19995550100", client: 9, isHard: true)
            deployment.clock.advance(by: .seconds(3600))
            #expect(try send("+19995550100", client: 9).outcome == .opened, "a known client is not challenged")
        }

        @Test("few messages to an unknown series may be unverified, and correct codes open it")
        func unknownSeries() throws {
            // The allowance of 1 admits one message, half of it none.
            try leaveUnanswered(1, block: "+1999555", isHard: true)
            let denied = try #require(try stepUp("+19995560100", isHard: true))
            #expect(denied.level == .denied && denied.cause == .debt(.series, owed: 1, allowed: 1))
            #expect(try send("+19996560100", isHard: true).outcome == .opened, "another series")
            _ = try authenticator.in(project).clearDebt(of: "+19995")
            try verify("+19995550199", isHard: true)
            try leaveUnanswered(3, block: "+1999557", isHard: true)
            #expect(try stepUp("+19995570199", isHard: true)?.level == .denied)
        }

        @Test("if unknown numbers are allowed, they are neither challenged nor bounded more than others")
        func allowedUnknownNumbers() throws {
            let project = Project(id: "demo-app", authorizedDomains: ["localhost"], unassignedNumbers: .allowed)
            for index in 0..<3 {
                let token = try authenticator.in(project, request: "issue").issueChallengeToken(
                    for: SolvedChallenge(
                        id: deployment.clock.randomBytes(16),
                        solvableFor: .seconds(60),
                        isHard: false
                    ),
                    to: .web
                )
                let number = "+1999555010\(index)"
                #expect(
                    authenticator.in(project).send(
                        to: number,
                        client: newClients.next(),
                        provenBy: .challengeToken(token)
                    ).outcome == .opened
                )
            }
        }

        @Test("in record mode the message is sent, and the would-be decision is recorded")
        func recordOnly() throws {
            let deployment = try Deployment { $0.tollFraud.unverifiedAllowance = 2 }
            let authenticator = deployment.authenticator()
            for index in 0..<10 {
                let sent = authenticator.in(deployment.project).send(to: fictionalNumber(index), request: "\(index)")
                #expect(sent.outcome == .opened)
            }
            let reference = DecisionReference(requestID: "9")
            let explanation = try #require(try authenticator.explain(reference))
            guard case .checked(let stepUp) = explanation.decision.breaker else {
                return #expect(Bool(false), "\(explanation)")
            }
            #expect(stepUp.level == .denied && stepUp.cause == .debt(.block, owed: 9, allowed: 2))
        }

        @Test("resends count, and the correct code pays for all messages of its session")
        func resends() throws {
            for _ in 0..<3 {
                #expect(try send("+16505550101", client: 1).outcome != .reentered)
                // Ends the lock, which Redis's own clock controls.
                deployment.endLocks()
            }
            try verify("+16505550101", client: 1)
            // The code pays for its 4 messages and 28/3 more.
            try leaveUnanswered(4 + 9)
            #expect(try stepUp("+16505550199")?.level == .challenged)
        }

        @Test("Redis does not reveal which ranges exist")
        func atRest() throws {
            try leaveUnanswered(4)
            #expect(deployment.keyNames(matching: "*range:series*").count == 1)
            #expect(!deployment.contents().contains { $0.key.contains("1650555") || $0.value.contains("1650555") })
        }

        @Test("messages to test numbers are neither counted nor blocked")
        func testNumbers() throws {
            try leaveUnanswered(4)
            let code = try #require(VerificationCode("271828"))
            try authenticator.in(project).setTestNumber("+16505550111", code: code)
            #expect(try send("+16505550111").outcome == .testNumber)
        }
    }
}
