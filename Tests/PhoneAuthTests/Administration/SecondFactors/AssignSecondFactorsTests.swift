import Encodings
import RedisScripts
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Second factors that operators assign.
    @Suite struct AssignSecondFactorsTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550161"
        let other = "+16505550162"
        let secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"

        init() throws {
            (deployment, _) = try Deployment.ofManyMessages()
            authenticator = deployment.authenticator(passwordHashing: try TestPasswordHashing.make())
                .working(for: .commandLine)
            project = deployment.project(secondFactors: .optional)
        }

        private func create(_ factors: [AssignedSecondFactor]?) throws(AccountRefusal) -> Account {
            var change = AccountChange()
            change.email = .set("ada@example.com")
            change.password = .set("correct horse")
            change.isEmailVerified = true
            change.secondFactors = factors
            return try authenticator.in(project).createAccount(uid: "ada", change, requestID: "create")
        }

        private func assign(_ factors: AssignedSecondFactor...) throws(AccountRefusal) -> Account {
            var change = AccountChange()
            change.secondFactors = factors
            return try authenticator.in(project).changeAccount(uid: "ada", change)
        }

        private func phone(_ id: String, _ number: String, name: String? = nil, enrolledAt: Instant? = nil)
            -> AssignedSecondFactor
        {
            AssignedSecondFactor(.named(id), .phone(number: number), displayName: name, enrolledAt: enrolledAt)
        }

        private func app(_ id: String, secret: String? = nil, name: String? = nil) -> AssignedSecondFactor {
            AssignedSecondFactor(.named(id), secret.map { .totp(secret: $0) } ?? .presentTOTP, displayName: name)
        }

        private func fault(_ factors: [AssignedSecondFactor], on change: Bool) -> AssignedSecondFactorFault? {
            do {
                if change {
                    var wanted = AccountChange()
                    wanted.secondFactors = factors
                    _ = try authenticator.in(project).changeAccount(uid: "ada", wanted)
                } else {
                    _ = try create(factors)
                }
                return nil
            } catch {
                guard case .secondFactor(let fault) = error else {
                    Issue.record("\(error)")
                    return nil
                }
                return fault
            }
        }

        private func events() throws -> [String] {
            var events = try authenticator.auditEvents(AuditFilter(), among: [project])
            var told: [String] = []
            while let event = try events.next() {
                told.append(event.detail.map { "\(event.kind) \($0)" } ?? event.kind)
            }
            return told
        }

        /// Signs in with an authenticator app's code of a step, counted from the current one.
        private func signIn(_ id: String, step: Int64, request: String) throws -> SecondFactorOutcome {
            let bytes = try #require(authenticator.store.account(identity)?.secondFactors.first { $0.id == id })
            let secret = try #require(authenticator.in(project).totpSecret(of: bytes, in: identity))
            let challenge = try authenticator.in(project).challenge()
            let code = secret.code(at: TOTPSecret.step(at: deployment.clock.now) + step)
            return authenticator.outcome { () throws(SecondFactorRefusal) in
                try authenticator.in(project).finish(.totp(secondFactorID: id, code: code), challenge, request: request)
            }
        }

        private var identity: AccountIdentity {
            AccountIdentity(project: project.id, uid: "ada", among: authenticator.store.shards)
        }

        @Test("a user created with factors is asked for one of them, and the factors get ids")
        func creation() throws {
            let enrolledAt = Instant(milliseconds: 1_600_000_000_123)
            let account = try create([
                AssignedSecondFactor(
                    .made,
                    .phone(number: "+1 650-555-0161"),
                    displayName: "Mine",
                    enrolledAt: enrolledAt
                ),
                AssignedSecondFactor(.made, .totp(secret: secret)),
            ])
            #expect(account.secondFactors.map(\.kind) == [.phone(number: number), .totp])
            #expect(account.secondFactors.map(\.displayName) == ["Mine", nil])
            #expect(account.secondFactors.map(\.enrolledAt) == [enrolledAt, deployment.clock.now])
            #expect(account.secondFactors.allSatisfy { $0.id.count == 28 })
            let challenge = try authenticator.in(project).challenge()
            let session = try authenticator.in(project).startSecondFactor(account.secondFactors[0].id, challenge)
            let code = try authenticator.in(project).code(of: session)
            #expect(
                try authenticator.in(project).finish(.phone(sessionInfo: session, code: code), challenge).account.uid
                    == "ada"
            )
            #expect(try signIn(account.secondFactors[1].id, step: 0, request: "totp") == .done)
            #expect(try events().first == "account-created")
        }

        @Test("an account gets the listed factors and loses all others, and the audit log has both")
        func changes() throws {
            _ = try create(nil)
            #expect(try assign(phone("p", number), app("a", secret: secret)).secondFactors.map(\.id) == ["a", "p"])
            #expect(try assign(phone("p", number), app("a")).secondFactors.count == 2)
            let renamed = try assign(phone("p", number, name: "Mine"), app("a")).secondFactors
            #expect(renamed.map(\.displayName) == [nil, "Mine"])
            // Another number, and a phone instead of an app.
            let replaced = try assign(phone("p", other), phone("a", number)).secondFactors
            #expect(replaced.map(\.kind) == [.phone(number: number), .phone(number: other)])
            #expect(try assign(phone("p", other)).secondFactors.map(\.id) == ["p"])
            var change = AccountChange()
            change.displayName = .set("Ada")
            #expect(try authenticator.in(project).changeAccount(uid: "ada", change).secondFactors.count == 1)
            #expect(try assign().secondFactors.isEmpty)
            #expect(
                try events().filter { $0.hasPrefix("second-factor") || $0 == "admin-change second-factor" } == [
                    "second-factor-enrolled phone", "second-factor-enrolled totp", "admin-change second-factor",
                    "second-factor-withdrawn phone", "second-factor-enrolled phone",
                    "second-factor-withdrawn totp", "second-factor-enrolled phone",
                    "second-factor-withdrawn phone", "second-factor-withdrawn phone",
                ]
            )
            #expect(
                authenticator.in(project).signIn("ada@example.com", password: "correct horse", request: "r")
                    == .signedIn(uid: "ada")
            )
        }

        @Test("an app that is kept keeps its used TOTP steps, and one with a new secret starts over")
        func steps() throws {
            _ = try create([app("a", secret: secret)])
            #expect(try signIn("a", step: 0, request: "1") == .done)
            _ = try assign(app("a", name: "Mine"))
            #expect(try signIn("a", step: 0, request: "2") == .answerWrong)
            _ = try assign(app("a", secret: secret))
            #expect(try signIn("a", step: 0, request: "3") == .answerWrong)
            _ = try assign(app("a", secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"))
            #expect(try signIn("a", step: 0, request: "4") == .done)
        }

        @Test("if several entries have the same number, only the first is assigned")
        func oneNumber() throws {
            _ = try create(nil)
            let account = try assign(
                phone("p", number, name: "First"),
                phone("p", "+1 (650) 555-0161", name: "Second"),
                phone("", number)
            )
            #expect(account.secondFactors.map(\.displayName) == ["First"])
        }

        static let long = String(repeating: "x", count: AccountID.maximumCharacters + 1)
        static let faults: [(factors: [AssignedSecondFactor], fault: AssignedSecondFactorFault)] = [
            ([AssignedSecondFactor(.named("p"), .phone(number: ""))], .numberInvalid),
            ([AssignedSecondFactor(.named(""), .phone(number: "+1650"))], .numberInvalid),
            ([AssignedSecondFactor(.named("p"), .phone(number: "+*******0161"))], .numberInvalid),
            ([AssignedSecondFactor(.named(""), .phone(number: "+16505550161"))], .idMissing),
            ([AssignedSecondFactor(.named(long), .phone(number: "+16505550161"))], .idInvalid),
            ([AssignedSecondFactor(.named("p\u{0}"), .phone(number: "+16505550161"))], .idInvalid),
            (
                [
                    AssignedSecondFactor(.named("p"), .phone(number: "+16505550161")),
                    AssignedSecondFactor(.named("p"), .phone(number: "+16505550162")),
                ], .idRepeated
            ),
            ([AssignedSecondFactor(.named("a"), .presentTOTP)], .secretMissing),
            ([AssignedSecondFactor(.made, .presentTOTP)], .secretMissing),
            ([AssignedSecondFactor(.named("a"), .totp(secret: "not base 32!"))], .secretInvalid),
            ([AssignedSecondFactor(.named("a"), .totp(secret: "JBSWY3DP"))], .secretInvalid),
            (
                (0...SecondFactor.maximumPerAccount).map {
                    AssignedSecondFactor(.named("p\($0)"), .phone(number: "+1650555016\($0)"))
                }, .tooMany
            ),
        ]

        @Test("an invalid list is reported, and nothing changes")
        func wrongLists() throws {
            for (factors, expected) in Self.faults { #expect(fault(factors, on: false) == expected) }
            #expect(try authenticator.in(project).accounts().isEmpty)
            _ = try create([phone("before", number)])
            for (factors, expected) in Self.faults { #expect(fault(factors, on: true) == expected) }
            // The id is that of a phone, so the app's secret is missing.
            #expect(fault([app("before")], on: true) == .secretMissing)
            #expect(try authenticator.in(project).accounts()["ada"]?.secondFactors.map(\.id) == ["before"])
            let name = String(repeating: "x", count: DisplayName.maximumCharacters + 1)
            #expect(throws: AccountRefusal.self) { try assign(phone("p", number, name: name)) }
            #expect(try assign(phone("p", number, name: String(name.dropLast()))).secondFactors.count == 1)
        }
    }
}
