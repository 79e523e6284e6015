import Encodings
import Passwords
import RedisScripts
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Imports of many accounts at once.
    @Suite struct ImportAccountsTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550150"

        init() throws {
            (deployment, authenticator) = try Deployment.ofManyMessages()
            project = deployment.projectWithEverything
        }

        private func account(_ uid: String, number: String? = nil, email: String? = nil, name: String? = nil)
            -> ImportedAccount
        {
            var change = AccountChange()
            if let number { change.phoneNumber = .set(number) }
            if let email { change.email = .set(email) }
            if let name { change.displayName = .set(name) }
            return ImportedAccount(
                uid: uid,
                change,
                source: Array("\(uid)/\(number ?? "")/\(email ?? "")/\(name ?? "")".utf8)
            )
        }

        private func imported(
            _ accounts: ImportedAccount...,
            existing: ExistingAccounts = .refuse,
            isDryRun: Bool = false
        ) throws -> [String] {
            try authenticator.in(project).importAccounts(accounts, existing, isDryRun: isDryRun).map { "\($0)" }
        }

        private func uids() throws -> [String] { try authenticator.in(project).accounts().keys.sorted() }

        @Test("imported users can sign in, and a repeated import changes nothing")
        func again() throws {
            let accounts = (0..<30).map { index in
                account("user-\(index)", number: "+165055501\(index + 10)", email: "u\(index)@example.com", name: "N")
            }
            let outcomes = try authenticator.in(project).importAccounts(accounts, .refuse)
            #expect(outcomes.allSatisfy { if case .created = $0 { true } else { false } })
            #expect(try authenticator.in(project).signIn("+16505550112").uid == "user-2")
            #expect(try authenticator.in(project).account(ofEmail: "U3@example.com")?.uid == "user-3")
            let repeated = try authenticator.in(project).importAccounts(accounts, .refuse)
            #expect(repeated.allSatisfy { if case .unchanged = $0 { true } else { false } })
            #expect(try uids().count == 30)
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test("of two spellings of one number, one account is imported, and its user signs in with either")
        func spellings() throws {
            let outcomes = try imported(
                account("ada", number: "+541123456789"),
                account("bob", number: "+5491123456789")
            )
            #expect(outcomes == ["created", "refused(PhoneAuth.AccountRefusal.numberExists)"])
            for spelling in ["+541123456789", "+5491123456789"] {
                #expect(try authenticator.in(project).signIn(spelling).uid == "ada")
            }
            #expect(try imported(account("ada", number: "+541123456789")) == ["unchanged"])
        }

        @Test("after a completed import, no data of the import itself is stored")
        func fields() throws {
            var change = AccountChange()
            change.phoneNumber = .set("+16505550151")
            change.email = .set("grace@example.com")
            change.lastLoginAt = Instant(milliseconds: 1_600_000_000_000)
            let grace = ImportedAccount(uid: "grace", change, source: [1])
            #expect(try imported(account("ada", number: number), grace) == ["created", "created"])
            func fields(_ uid: String) -> Set<String> {
                let key = deployment.cli("--scan", "--pattern", "dt:{u*}:user:*:\(uid)")
                return Set(deployment.cli("HKEYS", key).split(whereSeparator: \.isNewline).map(String.init))
            }
            // The number counts as last proven when the account was created.
            #expect(fields("ada") == ["created", "phone", "phone-claim"])
            #expect(
                fields("grace") == [
                    "created", "phone", "phone-claim", "phone-proven", "email", "email-claim", "last-login",
                ]
            )
        }

        @Test("a record whose tokens are revoked until a time in the future is rejected", arguments: [false, true])
        func validSinceInFuture(isDryRun: Bool) throws {
            var change = AccountChange()
            change.validSince = deployment.clock.now.milliseconds
            let outcomes = try authenticator.in(project).importAccounts(
                [ImportedAccount(uid: "ada", change, source: [1])],
                .refuse,
                isDryRun: isDryRun
            )
            guard case .refused(.validSinceInFuture)? = outcomes.first else {
                Issue.record("\(outcomes)")
                return
            }
            #expect(try authenticator.in(project).accounts().isEmpty)
        }

        @Test("all fields of a record are imported")
        func everything() throws {
            var change = AccountChange()
            change.phoneNumber = .set("+1 650-555-0151")
            change.email = .set("Ada@Example.com")
            change.isEmailVerified = true
            change.displayName = .set("Ada")
            change.photoURL = .set("https://example.com/a.png")
            change.customClaims = try CustomClaims(#"{"role":"admin"}"#)
            change.isDisabled = true
            change.createdAt = Instant(milliseconds: 1_500_000_000_001)
            change.lastLoginAt = Instant(milliseconds: 1_600_000_000_001)
            change.passwordUpdatedAt = Instant(milliseconds: 1_550_000_000_001)
            change.validSince = 1_550_000_000
            let bcrypt = try #require(StoredPassword("$2b$04$" + String(repeating: "a", count: 53)))
            change.password = .imported(bcrypt)
            #expect(try imported(ImportedAccount(uid: "ada", change, source: [1])) == ["created"])
            let exported = try #require(
                try authenticator.in(project).exportAccounts(uids: ["ada"], includesCredentials: true).first
            )
            let account = exported.account
            #expect(account.phoneNumber == "+16505550151" && account.email == "ada@example.com")
            #expect(account.isEmailVerified && account.isDisabled && account.displayName == "Ada")
            #expect(account.photoURL == "https://example.com/a.png")
            #expect(account.customClaims?.text == #"{"role":"admin"}"#)
            #expect(account.createdAt.milliseconds == 1_500_000_000_001)
            #expect(account.lastLoginAt?.milliseconds == 1_600_000_000_001)
            #expect(account.passwordUpdatedAt?.milliseconds == 1_550_000_000_001)
            #expect(account.revokedAt == 1_550_000_000 && exported.password?.text == bcrypt.text)
            #expect(try imported(ImportedAccount(uid: "ada", change, source: [1])) == ["unchanged"])
            change.createdAt = Instant(milliseconds: 1)
            #expect(try imported(ImportedAccount(uid: "ada", change, source: [2]))[0].contains("uidTaken"))
        }

        @Test("if a number or address belongs to another account, the whole record is rejected")
        func taken() throws {
            #expect(try imported(account("owner", number: number, email: "a@example.com")) == ["created"])
            let outcomes = try imported(
                account("a", number: number),
                account("b", email: "a@example.com", name: "B"),
                account("c", number: "+16505550151", email: "a@example.com"),
                account("d", number: "123"),
                account("e", email: "nobody"),
                account("", name: "F"),
                account("f\u{0}", name: "F")
            )
            let reasons = [
                "numberExists", "emailExists", "emailExists", "numberInvalid", "emailInvalid", "uidInvalid",
                "uidInvalid",
            ]
            for (outcome, reason) in zip(outcomes, reasons) { #expect(outcome.contains(reason)) }
            #expect(try imported(account("g", number: "+16505550151")) == ["created"])
            #expect(try uids() == ["g", "owner"])
            #expect(try authenticator.in(project).signIn(number).uid == "owner")
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test("of two records in a batch with the same uid, number or address, only the first is imported")
        func twins() throws {
            let outcomes = try imported(
                account("a", number: number),
                account("a", number: "+16505550151"),
                account("b", number: number),
                account("c", email: "a@example.com"),
                account("d", number: "+16505550152", email: "a@example.com"),
                account("a", number: number)
            )
            #expect(outcomes[0] == "created" && outcomes[3] == "created" && outcomes[5] == "unchanged")
            #expect(outcomes[1].contains("uidTaken") && outcomes[2].contains("numberExists"))
            #expect(outcomes[4].contains("emailExists"))
            #expect(try uids() == ["a", "c"])
            #expect(try authenticator.in(project).signIn("+16505550152").isNewUser)
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test("the operator decides what happens to existing accounts", arguments: ExistingAccounts.allCases)
        func existing(handling: ExistingAccounts) throws {
            _ = try imported(account("a", number: number, name: "Old"))
            let new = account("a", number: "+16505550151", name: "New")
            let outcome = try imported(new, existing: handling)[0]
            let found = try #require(try authenticator.in(project).accounts(uids: ["a"]).first)
            switch handling {
            case .refuse: #expect(outcome.contains("uidTaken") && found.displayName == "Old")
            case .keep: #expect(outcome == "kept" && found.phoneNumber == number)
            case .overwrite:
                #expect(outcome == "overwritten" && found.displayName == "New")
                #expect(found.phoneNumber == "+16505550151")
                #expect(try imported(new, existing: handling) == ["unchanged"])
            }
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test("an account that was only used since its import counts as unchanged")
        func usedSince() throws {
            var change = AccountChange()
            change.phoneNumber = .set(number)
            change.lastLoginAt = Instant(milliseconds: 1_600_000_000_000)
            let ada = ImportedAccount(uid: "ada", change, source: [1])
            #expect(try imported(ada) == ["created"])
            #expect(try authenticator.in(project).signIn(number).uid == "ada")
            #expect(try imported(ada) == ["unchanged"])
        }

        @Test("a dry run reports the outcome and changes nothing")
        func rehearsal() throws {
            _ = try imported(account("owner", number: number))
            let before = deployment.lastingContents()
            let outcomes = try imported(
                account("a", number: "+16505550151"),
                account("owner", number: number),
                account("owner", number: "+16505550152"),
                account("b", number: number),
                isDryRun: true
            )
            #expect(outcomes[0] == "created" && outcomes[1] == "unchanged")
            #expect(outcomes[2].contains("uidTaken") && outcomes[3].contains("numberExists"))
            #expect(
                try imported(account("owner", name: "O"), existing: .overwrite, isDryRun: true) == ["overwritten"]
            )
            #expect(deployment.lastingContents() == before)
        }

        /// The step after which an import was killed.
        enum Step: Int, CaseIterable {
            case made, numberClaimed, bothClaimed, numberTaken
        }

        /// Runs ``OperationContext/makeAccounts(_:refuse:)`` up to and including a step.
        private func begin(_ imported: ImportedAccount, upTo step: Step) throws {
            let candidate = try authenticator.in(project).candidate(imported, 0)
            let making = try authenticator.in(project).making(candidate)
            let store = authenticator.store
            #expect(try store.createAccounts([making.creation]).compactMap(\.self).count == 1)
            if step == .made { return }
            let (number, email) = (try #require(making.number), try #require(making.email))
            let numberIdentity = try #require(candidate.assignments.number?.identity)
            let emailIdentity = try #require(candidate.assignments.email?.identity)
            #expect(try store.claimIdentifiers([(numberIdentity, number.claim)], isConfirmed: true) == [number.claim])
            if step == .numberClaimed { return }
            #expect(try store.claimIdentifiers([(emailIdentity, email.claim)], isConfirmed: true) == [email.claim])
            if step == .bothClaimed { return }
            _ = try store.takeIdentifiers([
                TakenIdentifier(number, isVerified: nil, for: candidate.identity, provenAt: 0, audit: nil)
            ])
        }

        @Test("an import killed after any step is completed by the next one", arguments: Step.allCases)
        func killed(step: Step) throws {
            let ada = account("ada", number: number, email: "a@example.com", name: "Ada")
            try begin(ada, upTo: step)
            try authenticator.in(project).expectSoundAccounts()
            #expect(try imported(ada) == ["created"])
            #expect(try imported(ada) == ["unchanged"])
            let key = try #require(deployment.accountKey(of: "ada"))
            #expect(deployment.cli("HEXISTS", key, "made-by") == "0", "the import has finished the account")
            #expect(try authenticator.in(project).signIn(number).uid == "ada")
            #expect(try authenticator.in(project).account(ofEmail: "a@example.com")?.uid == "ada")
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test("a repeated import neither completes nor deletes a finished account that has lost its number since")
        func recycled() throws {
            var change = AccountChange()
            change.phoneNumber = .set(number)
            change.email = .set("a@example.com")
            change.password = .imported(
                try #require(StoredPassword("$2b$04$" + String(repeating: "a", count: 53)))
            )
            let ada = ImportedAccount(uid: "ada", change, source: [1])
            try begin(ada, upTo: .made)
            #expect(try imported(ada) == ["created"])
            deployment.clock.advance(by: .seconds(31 * 86_400))
            let policy = RecycledNumberPolicy(provenFor: .seconds(30 * 86_400), answer: .fresh)
            let fresh = Project(
                id: project.id,
                authorizedDomains: [],
                isPasswordSignInEnabled: true,
                recycledNumbers: policy
            )
            let holder = try authenticator.in(fresh).signIn(number)
            #expect(holder.isNewUser && holder.uid != "ada")
            #expect(try imported(ada)[0].contains("uidTaken"))
            #expect(try uids() == ["ada", holder.uid].sorted())
            try authenticator.in(project).deleteAccount(uid: holder.uid)
            #expect(try imported(ada, existing: .keep) == ["kept"])
            #expect(try authenticator.in(project).accounts()["ada"]?.phoneNumber == nil)
        }

        @Test(
            "if a user signed in before the import of the account was completed, the operator's choice applies",
            arguments: Step.allCases.filter { $0 != .made }
        )
        func usedBeforeCompletion(step: Step) throws {
            let ada = account("ada", number: number, email: "a@example.com")
            try begin(ada, upTo: step)
            #expect(try authenticator.in(project).signIn(number).uid == "ada")
            #expect(try imported(ada)[0].contains("uidTaken"))
            #expect(try imported(ada, existing: .keep) == ["kept"])
            #expect(try authenticator.in(project).signIn(number).uid == "ada")
            #expect(try imported(ada, existing: .overwrite) == ["overwritten"])
            #expect(try imported(ada) == ["unchanged"])
            #expect(try authenticator.in(project).account(ofEmail: "a@example.com")?.uid == "ada")
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test("an incomplete account is discarded if its number is taken concurrently", arguments: [Step.made])
        func overtaken(step: Step) throws {
            let ada = account("ada", number: number, email: "a@example.com")
            try begin(ada, upTo: step)
            let user = try authenticator.in(project).signIn(number)
            #expect(user.uid != "ada")
            #expect(try imported(ada)[0].contains("numberExists"))
            #expect(try uids() == [user.uid])
            try authenticator.in(project).expectSoundAccounts()
        }
    }
}
