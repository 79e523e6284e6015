import Encodings
import Passwords
import RedisStore
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Accounts that come from elsewhere, many at once.
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
            isRehearsal: Bool = false
        ) throws -> [String] {
            try authenticator.importAccounts(accounts, existing, isRehearsal: isRehearsal, in: project).map { "\($0)" }
        }

        private func uids() throws -> [String] { try authenticator.accounts(of: project).keys.sorted() }

        @Test("imported users sign in to their accounts, and a repetition finds all done")
        func again() throws {
            let accounts = (0..<30).map { index in
                account("user-\(index)", number: "+165055501\(index + 10)", email: "u\(index)@example.com", name: "N")
            }
            let outcomes = try authenticator.importAccounts(accounts, .refuse, in: project)
            #expect(outcomes.allSatisfy { if case .created = $0 { true } else { false } })
            #expect(try authenticator.signIn("+16505550112", in: project).uid == "user-2")
            #expect(try authenticator.account(ofEmail: "U3@example.com", in: project)?.uid == "user-3")
            let repeated = try authenticator.importAccounts(accounts, .refuse, in: project)
            #expect(repeated.allSatisfy { if case .unchanged = $0 { true } else { false } })
            #expect(try uids().count == 30)
            try authenticator.expectSoundAccounts(of: project)
        }

        @Test("a record whose tokens are revoked until some time in the future is refused", arguments: [false, true])
        func validSinceInFuture(isRehearsal: Bool) throws {
            var change = AccountChange()
            change.validSince = deployment.clock.now.milliseconds
            let outcomes = try authenticator.importAccounts(
                [ImportedAccount(uid: "ada", change, source: [1])],
                .refuse,
                isRehearsal: isRehearsal,
                in: project
            )
            guard case .refused(.validSinceInFuture)? = outcomes.first else {
                Issue.record("\(outcomes)")
                return
            }
            #expect(try authenticator.accounts(of: project).isEmpty)
        }

        @Test("all that a record names is the account's")
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
                try authenticator.exportAccounts(uids: ["ada"], includesCredentials: true, in: project).first
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

        @Test("a number or an address of another account leaves nothing of the one that wants it")
        func taken() throws {
            #expect(try imported(account("owner", number: number, email: "a@example.com")) == ["created"])
            let outcomes = try imported(
                account("a", number: number),
                account("b", email: "a@example.com", name: "B"),
                account("c", number: "+16505550151", email: "a@example.com"),
                account("d", number: "123"),
                account("e", email: "nobody"),
                account("", name: "F")
            )
            let reasons = ["numberExists", "emailExists", "emailExists", "numberInvalid", "emailInvalid", "uidInvalid"]
            for (outcome, reason) in zip(outcomes, reasons) { #expect(outcome.contains(reason)) }
            #expect(try imported(account("g", number: "+16505550151")) == ["created"])
            #expect(try uids() == ["g", "owner"])
            #expect(try authenticator.signIn(number, in: project).uid == "owner")
            try authenticator.expectSoundAccounts(of: project)
        }

        @Test("of two in one batch with one uid, number or address the first has it")
        func twins() throws {
            let outcomes = try imported(
                account("a", number: number),
                account("a", number: "+16505550151"),
                account("b", number: number),
                account("c", email: "a@example.com"),
                account("d", number: "+16505550152", email: "a@example.com"),
                account("a", number: number)
            )
            #expect(outcomes[0] == "created" && outcomes[3] == "created" && outcomes[5] == "created")
            #expect(outcomes[1].contains("uidTaken") && outcomes[2].contains("numberExists"))
            #expect(outcomes[4].contains("emailExists"))
            #expect(try uids() == ["a", "c"])
            #expect(try authenticator.signIn("+16505550152", in: project).isNewUser)
            try authenticator.expectSoundAccounts(of: project)
        }

        @Test("what is done where the uid is there is for the operator to say", arguments: ExistingAccounts.allCases)
        func existing(handling: ExistingAccounts) throws {
            _ = try imported(account("a", number: number, name: "Old"))
            let new = account("a", number: "+16505550151", name: "New")
            let outcome = try imported(new, existing: handling)[0]
            let found = try #require(try authenticator.accounts(uids: ["a"], in: project).first)
            switch handling {
            case .refuse: #expect(outcome.contains("uidTaken") && found.displayName == "Old")
            case .keep: #expect(outcome == "kept" && found.phoneNumber == number)
            case .overwrite:
                #expect(outcome == "overwritten" && found.displayName == "New")
                #expect(found.phoneNumber == "+16505550151")
                #expect(try imported(new, existing: handling) == ["unchanged"])
            }
            try authenticator.expectSoundAccounts(of: project)
        }

        @Test("an account whose user signed in since is as it was imported")
        func usedSince() throws {
            var change = AccountChange()
            change.phoneNumber = .set(number)
            change.lastLoginAt = Instant(milliseconds: 1_600_000_000_000)
            let ada = ImportedAccount(uid: "ada", change, source: [1])
            #expect(try imported(ada) == ["created"])
            #expect(try authenticator.signIn(number, in: project).uid == "ada")
            #expect(try imported(ada) == ["unchanged"])
        }

        @Test("a rehearsal says what would be done, and does nothing")
        func rehearsal() throws {
            _ = try imported(account("owner", number: number))
            let before = deployment.contents()
            let outcomes = try imported(
                account("a", number: "+16505550151"),
                account("owner", number: number),
                account("owner", number: "+16505550152"),
                account("b", number: number),
                isRehearsal: true
            )
            #expect(outcomes[0] == "created" && outcomes[1] == "unchanged")
            #expect(outcomes[2].contains("uidTaken") && outcomes[3].contains("numberExists"))
            #expect(
                try imported(account("owner", name: "O"), existing: .overwrite, isRehearsal: true) == ["overwritten"]
            )
            #expect(deployment.contents() == before)
        }

        /// How far an import got that was killed.
        enum Step: Int, CaseIterable {
            case made, numberClaimed, bothClaimed, numberTaken
        }

        /// Does what ``Authenticator/makeAccounts(_:in:_:refuse:)`` does, up to and including a step.
        private func begin(_ imported: ImportedAccount, upTo step: Step) throws {
            let candidate = try authenticator.candidate(imported, 0, in: project)
            let making = try authenticator.making(candidate, deployment.clock.now)
            let store = authenticator.store
            #expect(try store.createAccounts([making.creation]).compactMap(\.self).count == 1)
            if step == .made { return }
            let (number, email) = (try #require(making.number), try #require(making.email))
            let numberIdentity = try #require(candidate.gifts.number?.identity)
            let emailIdentity = try #require(candidate.gifts.email?.identity)
            #expect(try store.claimIdentifiers([(numberIdentity, number.claim)]) == [number.claim])
            if step == .numberClaimed { return }
            #expect(try store.claimIdentifiers([(emailIdentity, email.claim)]) == [email.claim])
            if step == .bothClaimed { return }
            _ = try store.takeIdentifiers([
                TakenIdentifier(number, isVerified: nil, for: candidate.identity, provenAt: 0, audit: nil)
            ])
        }

        @Test("an import that was killed after any step is finished by the next one", arguments: Step.allCases)
        func killed(step: Step) throws {
            let ada = account("ada", number: number, email: "a@example.com", name: "Ada")
            try begin(ada, upTo: step)
            try authenticator.expectSoundAccounts(of: project)
            #expect(try imported(ada) == ["created"])
            #expect(try imported(ada) == ["unchanged"])
            #expect(try authenticator.signIn(number, in: project).uid == "ada")
            #expect(try authenticator.account(ofEmail: "a@example.com", in: project)?.uid == "ada")
            try authenticator.expectSoundAccounts(of: project)
        }

        @Test("half an account goes where somebody got its number meanwhile", arguments: [Step.made])
        func overtaken(step: Step) throws {
            let ada = account("ada", number: number, email: "a@example.com")
            try begin(ada, upTo: step)
            let user = try authenticator.signIn(number, in: project)
            #expect(user.uid != "ada")
            #expect(try imported(ada)[0].contains("numberExists"))
            #expect(try uids() == [user.uid])
            try authenticator.expectSoundAccounts(of: project)
        }

        @Test("keys that do not open what is there stop an export")
        func otherKeys() throws {
            _ = try imported(account("a", number: number), account("b"))
            let stranger = deployment.authenticator(keys: try TestKeys.make(seed: 2))
            #expect(throws: ExportFailure.self) {
                try stranger.exportAccounts(uids: ["a"], includesCredentials: false, in: project)
            }
            #expect(try stranger.exportAccounts(uids: ["b"], includesCredentials: false, in: project).count == 1)
        }
    }
}
