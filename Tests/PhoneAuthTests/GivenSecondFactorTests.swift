import RedisStore
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Second factors that operators give to accounts, and take from them.
    @Suite struct GivenSecondFactorTests {
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

        private func create(_ factors: [GivenSecondFactor]?) throws(AccountRefusal) -> Account {
            var change = AccountChange()
            change.email = .set("ada@example.com")
            change.password = .set("correct horse")
            change.isEmailVerified = true
            change.secondFactors = factors
            return try authenticator.createAccount(uid: "ada", change, requestID: "create", in: project)
        }

        private func give(_ factors: GivenSecondFactor...) throws(AccountRefusal) -> Account {
            var change = AccountChange()
            change.secondFactors = factors
            return try authenticator.changeAccount(uid: "ada", change, in: project)
        }

        private func phone(_ id: String, _ number: String, name: String? = nil, enrolledAt: Instant? = nil)
            -> GivenSecondFactor
        {
            GivenSecondFactor(.named(id), .phone(number: number), displayName: name, enrolledAt: enrolledAt)
        }

        private func app(_ id: String, secret: String? = nil, name: String? = nil) -> GivenSecondFactor {
            GivenSecondFactor(.named(id), secret.map { .totp(secret: $0) } ?? .presentTOTP, displayName: name)
        }

        private func fault(_ factors: [GivenSecondFactor], on change: Bool) -> GivenSecondFactorFault? {
            do {
                if change {
                    var wanted = AccountChange()
                    wanted.secondFactors = factors
                    _ = try authenticator.changeAccount(uid: "ada", wanted, in: project)
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

        /// Signs in with the code of an app at a step counted from now.
        private func signIn(_ id: String, step: Int64, request: String) throws -> SecondFactorOutcome {
            let bytes = try #require(authenticator.store.account(identity)?.secondFactors.first { $0.id == id })
            let secret = try #require(authenticator.totpSecret(of: bytes, in: identity))
            let challenge = try authenticator.challenge(in: project)
            let code = secret.code(at: TOTPSecret.step(at: deployment.clock.now) + step)
            return authenticator.outcome { () throws(SecondFactorRefusal) in
                try authenticator.finish(
                    .totp(secondFactorID: id, code: code),
                    challenge,
                    request: request,
                    in: project
                )
            }
        }

        private var identity: AccountIdentity {
            AccountIdentity(project: project.id, uid: "ada", among: authenticator.store.shards)
        }

        @Test("a new account's user is asked for the factors that it was made with, which get ids")
        func creation() throws {
            let enrolledAt = Instant(milliseconds: 1_600_000_000_123)
            let account = try create([
                GivenSecondFactor(
                    .made,
                    .phone(number: "+1 650-555-0161"),
                    displayName: "Mine",
                    enrolledAt: enrolledAt
                ),
                GivenSecondFactor(.made, .totp(secret: secret)),
            ])
            #expect(account.secondFactors.map(\.kind) == [.phone(number: number), .totp])
            #expect(account.secondFactors.map(\.displayName) == ["Mine", nil])
            #expect(account.secondFactors.map(\.enrolledAt) == [enrolledAt, deployment.clock.now])
            #expect(account.secondFactors.allSatisfy { $0.id.count == 28 })
            let challenge = try authenticator.challenge(in: project)
            let session = try authenticator.startSecondFactor(account.secondFactors[0].id, challenge, in: project)
            let code = try authenticator.code(of: session, in: project)
            #expect(
                try authenticator.finish(.phone(sessionInfo: session, code: code), challenge, in: project).account.uid
                    == "ada"
            )
            #expect(try signIn(account.secondFactors[1].id, step: 0, request: "totp") == .done)
            #expect(try events().first == "account-created")
        }

        @Test("an account gets what the list names, loses what it does not, and the log tells both")
        func changes() throws {
            _ = try create(nil)
            #expect(try give(phone("p", number), app("a", secret: secret)).secondFactors.map(\.id) == ["a", "p"])
            #expect(try give(phone("p", number), app("a")).secondFactors.count == 2)
            let renamed = try give(phone("p", number, name: "Mine"), app("a")).secondFactors
            #expect(renamed.map(\.displayName) == [nil, "Mine"])
            // Another number, and a phone in place of an app.
            let replaced = try give(phone("p", other), phone("a", number)).secondFactors
            #expect(replaced.map(\.kind) == [.phone(number: number), .phone(number: other)])
            #expect(try give(phone("p", other)).secondFactors.map(\.id) == ["p"])
            var change = AccountChange()
            change.displayName = .set("Ada")
            #expect(try authenticator.changeAccount(uid: "ada", change, in: project).secondFactors.count == 1)
            #expect(try give().secondFactors.isEmpty)
            #expect(
                try events().filter { $0.hasPrefix("second-factor") || $0 == "admin-change second-factor" } == [
                    "second-factor-enrolled phone", "second-factor-enrolled totp", "admin-change second-factor",
                    "second-factor-withdrawn phone", "second-factor-enrolled phone",
                    "second-factor-withdrawn totp", "second-factor-enrolled phone",
                    "second-factor-withdrawn phone", "second-factor-withdrawn phone",
                ]
            )
            #expect(
                authenticator.signIn("ada@example.com", password: "correct horse", request: "r", in: project)
                    == .signedIn(uid: "ada")
            )
        }

        @Test("a kept app keeps the steps that were taken, and one with another secret begins anew")
        func steps() throws {
            _ = try create([app("a", secret: secret)])
            #expect(try signIn("a", step: 0, request: "1") == .done)
            _ = try give(app("a", name: "Mine"))
            #expect(try signIn("a", step: 0, request: "2") == .answerWrong)
            _ = try give(app("a", secret: secret))
            #expect(try signIn("a", step: 0, request: "3") == .answerWrong)
            _ = try give(app("a", secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"))
            #expect(try signIn("a", step: 0, request: "4") == .done)
        }

        @Test("of entries with one number the first counts, even where a later one has no id or the same")
        func oneNumber() throws {
            _ = try create(nil)
            let account = try give(
                phone("p", number, name: "First"),
                phone("p", "+1 (650) 555-0161", name: "Second"),
                phone("", number)
            )
            #expect(account.secondFactors.map(\.displayName) == ["First"])
        }

        static let long = String(repeating: "x", count: Policy.maximumUIDCharacters + 1)
        static let faults: [(factors: [GivenSecondFactor], fault: GivenSecondFactorFault)] = [
            ([GivenSecondFactor(.named("p"), .phone(number: ""))], .numberInvalid),
            ([GivenSecondFactor(.named(""), .phone(number: "+1650"))], .numberInvalid),
            ([GivenSecondFactor(.named("p"), .phone(number: "+*******0161"))], .numberInvalid),
            ([GivenSecondFactor(.named(""), .phone(number: "+16505550161"))], .idMissing),
            ([GivenSecondFactor(.named(long), .phone(number: "+16505550161"))], .idTooLong),
            (
                [
                    GivenSecondFactor(.named("p"), .phone(number: "+16505550161")),
                    GivenSecondFactor(.named("p"), .phone(number: "+16505550162")),
                ], .idRepeated
            ),
            ([GivenSecondFactor(.named("a"), .presentTOTP)], .secretMissing),
            ([GivenSecondFactor(.made, .presentTOTP)], .secretMissing),
            ([GivenSecondFactor(.named("a"), .totp(secret: "not base 32!"))], .secretInvalid),
            ([GivenSecondFactor(.named("a"), .totp(secret: "JBSWY3DP"))], .secretInvalid),
            (
                (0...Policy.maximumSecondFactors).map {
                    GivenSecondFactor(.named("p\($0)"), .phone(number: "+1650555016\($0)"))
                }, .tooMany
            ),
        ]

        @Test("what is wrong with a list is told, and nothing is changed")
        func wrongLists() throws {
            for (factors, expected) in Self.faults { #expect(fault(factors, on: false) == expected) }
            #expect(try authenticator.accounts(of: project).isEmpty)
            _ = try create([phone("before", number)])
            for (factors, expected) in Self.faults { #expect(fault(factors, on: true) == expected) }
            // A phone is no app.
            #expect(fault([app("before")], on: true) == .secretMissing)
            #expect(try authenticator.accounts(of: project)["ada"]?.secondFactors.map(\.id) == ["before"])
            let name = String(repeating: "x", count: Policy.maximumDisplayNameCharacters + 1)
            #expect(throws: AccountRefusal.self) { try give(phone("p", number, name: name)) }
            #expect(try give(phone("p", number, name: String(name.dropLast()))).secondFactors.count == 1)
        }

        @Test("an operator withdraws one factor or all, which ends the tokens")
        func withdrawal() throws {
            let user = try authenticator.secondFactorUser(in: project)
            deployment.clock.advance(by: .seconds(2))
            let enrolled = try authenticator.enroll(number, user.idToken, in: project)
            let both = try authenticator.enrollApp(enrolled.idToken, in: project).tokens
            let uid = user.account.uid
            func withdraw(_ id: String?, of uid: String) -> SecondFactorOutcome {
                authenticator.outcome { () throws(SecondFactorRefusal) in
                    try authenticator.withdrawSecondFactors(id, uid: uid, in: project)
                }
            }
            #expect(withdraw("nobody's", of: uid) == .factorUnknown)
            #expect(withdraw(nil, of: "nobody") == .notAuthenticated(.noAccount))
            let id = try #require(enrolled.account.secondFactors.first?.id)
            deployment.clock.advance(by: .seconds(2))
            #expect(withdraw(id, of: uid) == .done)
            #expect(authenticator.look(up: both.idToken, in: project) == .revoked)
            #expect(try authenticator.accounts(of: project)[uid]?.secondFactors.map(\.kind) == [.totp])
            #expect(withdraw(nil, of: uid) == .done)
            #expect(withdraw(nil, of: uid) == .factorUnknown)
            #expect(try authenticator.accounts(of: project)[uid]?.secondFactors.isEmpty == true)
        }
    }
}
