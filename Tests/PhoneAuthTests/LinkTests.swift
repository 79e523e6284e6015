import RedisStore
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct LinkTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let first = "+16505550160"
        let second = "+16505550161"

        init() throws {
            (deployment, authenticator) = try Deployment.ofManyMessages()
            project = deployment.project
        }

        private func expectNumbers(_ numbers: [String: String]) throws {
            let accounts = try authenticator.accounts(of: project)
            #expect(accounts.compactMapValues(\.phoneNumber) == numbers)
            try authenticator.expectSoundAccounts(of: project)
        }

        @Test("an anonymous account gets a number and keeps its uid")
        func upgrade() throws {
            let anonymous = try authenticator.signUpAnonymously(in: deployment.projectWithEverything)
            let uid = anonymous.account.uid
            #expect(
                try authenticator.link(first, to: anonymous.idToken, in: project) == .signedIn(uid: uid, isNew: false)
            )
            #expect(try authenticator.signIn(first, in: project).uid == uid)
            try expectNumbers([uid: first])
        }

        @Test("another number replaces the first, which is free for a new account")
        func change() throws {
            let user = try authenticator.signIn(first, in: project)
            #expect(
                try authenticator.link(second, to: user.idToken, in: project) == .signedIn(uid: user.uid, isNew: false)
            )
            try expectNumbers([user.uid: second])
            #expect(deployment.keyNames(matching: "*:phone:*").count == 1)
            let other = try authenticator.signIn(first, in: project)
            #expect(other.isNewUser)
            #expect(try authenticator.signIn(second, in: project).uid == user.uid)
            try expectNumbers([user.uid: second, other.uid: first])
        }

        @Test("a number can be changed there and back again, also when the first change is a moment ago")
        func thereAndBack() throws {
            let user = try authenticator.signIn(first, in: project)
            for number in [second, first, second, first] {
                let outcome = try authenticator.link(number, to: user.idToken, in: project)
                #expect(outcome == .signedIn(uid: user.uid, isNew: false))
                try expectNumbers([user.uid: number])
            }
        }

        @Test("linking the number that the account has already is a sign-in")
        func sameNumber() throws {
            let user = try authenticator.signIn(first, in: project)
            #expect(
                try authenticator.link(first, to: user.idToken, in: project) == .signedIn(uid: user.uid, isNew: false)
            )
            try expectNumbers([user.uid: first])
        }

        @Test("linking a number requires a sign-in of the last five minutes, except for anonymous users")
        func recentSignIn() throws {
            let user = try authenticator.signIn(first, in: project)
            let anonymous = try authenticator.signUpAnonymously(in: deployment.projectWithEverything)
            deployment.clock.advance(by: .seconds(300))
            #expect(try authenticator.link(second, to: user.idToken, in: project).uid == user.uid)
            deployment.clock.advance(by: .seconds(1))
            for number in [first, second] {
                #expect(try authenticator.link(number, to: user.idToken, in: project) == .signInTooOld)
            }
            #expect(try authenticator.link(first, to: anonymous.idToken, in: project).uid == anonymous.account.uid)
            // The account has a way to sign in now, so the former token may no longer add one.
            #expect(try authenticator.link(first, to: anonymous.idToken, in: project) == .signInTooOld)
            try expectNumbers([user.uid: second, anonymous.account.uid: first])
        }

        /// How long an anonymous user's request is under way when the account gets a number.
        enum LateStep: CaseIterable {
            case authorized, noted
        }

        /// Authorizes an anonymous user who signed up long ago, gives the account a number, and lets the user link
        /// something else then.
        private func linkLate<Subject: IdentifierSubject>(
            _ identifier: AccountIdentifier<Subject>,
            for operation: IDTokenOperation,
            after step: LateStep,
            changes: AccountUpdate = AccountUpdate()
        ) throws -> (outcome: LinkOutcome, uid: String) {
            let anonymous = try authenticator.signUpAnonymously(in: deployment.projectWithEverything)
            deployment.clock.advance(by: .seconds(1000))
            let user = try authenticator.authenticate(idToken: anonymous.idToken, for: operation, in: project)
            var request = TokenRequest(continuing: user, identifiers: AuditedIdentifiers())
            request.changes = changes
            func getNumber() throws {
                #expect(try authenticator.link(first, to: anonymous.idToken, in: project).uid == anonymous.account.uid)
            }
            let now = deployment.clock.now
            guard step == .noted else {
                try getNumber()
                let outcome = try authenticator.link(identifier, standing: nil, request, in: project, now)
                return (outcome, anonymous.account.uid)
            }
            let claim = authenticator.newClaim(uid: user.identity.uid, at: now)
            let sealed = try authenticator.seal(Subject.kind, identifier.text, for: user.identity)
            #expect(
                try authenticator.store.proposeIdentifier(
                    Subject.kind,
                    sealed,
                    claim,
                    to: user.identity,
                    onBehalfOf: user.presented
                ) == .proposed
            )
            #expect(try authenticator.store.claimIdentifier(identifier.identity, claim, replacing: nil) == claim)
            try getNumber()
            if Subject.kind == .phone {
                // The link of the first number has replaced the note.
                _ = try authenticator.store.proposeIdentifier(Subject.kind, sealed, claim, to: user.identity)
            }
            let outcome = try authenticator.link(identifier, standing: claim, request, in: project, now)
            return (outcome, anonymous.account.uid)
        }

        @Test(
            "an anonymous user of long ago links no other number to an account that gets one meanwhile",
            arguments: LateStep.allCases
        )
        func linkedMeanwhile(step: LateStep) throws {
            let number = AccountIdentifier(text: second, identity: authenticator.identity(of: second, in: project))
            let (outcome, uid) = try linkLate(number, for: .linkPhoneNumber, after: step)
            guard case .signInTooOld = outcome else {
                Issue.record("\(outcome)")
                return
            }
            try expectNumbers([uid: first])
        }

        @Test(
            "an anonymous user of long ago links no e-mail address to an account that gets a number meanwhile",
            arguments: LateStep.allCases
        )
        func linkedNumberMeanwhile(step: LateStep) throws {
            let email = authenticator.identifier(try #require(EmailAddress("eve@example.com")), in: project)
            let changes = AccountUpdate(fields: [.passwordUpdatedAt: "1", .validSince: "1"], sealedPassword: [1])
            let (outcome, uid) = try linkLate(email, for: .linkPassword, after: step, changes: changes)
            guard case .signInTooOld = outcome else {
                Issue.record("\(outcome)")
                return
            }
            try expectNumbers([uid: first])
            let account = try #require(try authenticator.accounts(of: project)[uid])
            #expect(account.email == nil && !account.hasPassword)
        }

        @Test("a first password of an old sign-in is not set once the account has another way to sign in")
        func passwordMeanwhile() throws {
            let relaxed = Project(id: project.id, authorizedDomains: [], linkingNeedsRecentSignIn: false)
            let user = try authenticator.signIn(first, in: project)
            deployment.clock.advance(by: .seconds(1000))
            let authorized = try authenticator.authenticate(idToken: user.idToken, for: .linkPassword, in: relaxed)
            func update(_ password: UInt8) throws -> AccountUpdate.Outcome {
                try authenticator.store.updateAccount(
                    authorized.identity,
                    AccountUpdate(fields: [.passwordUpdatedAt: "1"], sealedPassword: [password]),
                    onBehalfOf: authorized.presented,
                    audit: nil
                )
            }
            guard case .updated = try update(1), case .signInTooOld = try update(2) else {
                Issue.record("the first one was not set, or was replaced")
                return
            }
            let key = try #require(deployment.accountKey(of: user.uid))
            #expect(deployment.cli("HGET", key, "password") == "\u{1}")
        }

        @Test("a link that another link of the account overtakes is done after it")
        func overtaken() throws {
            let anonymous = try authenticator.signUpAnonymously(in: deployment.projectWithEverything)
            let user = try authenticator.authenticate(idToken: anonymous.idToken, for: .linkPhoneNumber, in: project)
            var request = TokenRequest(continuing: user, identifiers: AuditedIdentifiers())
            request.provider = .phone
            let number = AccountIdentifier(text: second, identity: authenticator.identity(of: second, in: project))
            let late = request
            let now = deployment.clock.now
            var attempts = 0
            let outcome = try authenticator.give(
                number,
                standing: nil,
                to: user.identity,
                onBehalfOf: user.presented,
                in: project,
                now
            ) { claimed throws(OperationFailure) -> IssuedTokens? in
                attempts += 1
                // Between this link's claim and the step that takes it.
                if attempts == 1 { _ = try? authenticator.link(first, to: anonymous.idToken, in: project) }
                var request = late
                request.identifier = claimed
                guard case .issued(let tokens) = try authenticator.issueTokens(request, in: project, now) else {
                    return nil
                }
                return tokens
            }
            guard case .taken(let tokens) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(attempts == 2 && tokens.account.phoneNumber == second)
            try expectNumbers([anonymous.account.uid: second])
            // The number that was replaced is free.
            #expect(try authenticator.signIn(first, in: project).isNewUser)
        }

        @Test("a project may let users link a first number long after the sign-in, but not replace one")
        func relaxed() throws {
            let relaxed = Project(id: project.id, authorizedDomains: [], linkingNeedsRecentSignIn: false)
            let user = try authenticator.signIn(second, in: project)
            var removal = UpdateAccountRequest(idToken: user.idToken)
            removal.removesPhoneNumber = true
            _ = try authenticator.updateAccount(removal, in: project)
            deployment.clock.advance(by: .seconds(301))
            #expect(try authenticator.link(first, to: user.idToken, in: project) == .signInTooOld)
            #expect(try authenticator.link(first, to: user.idToken, in: relaxed).uid == user.uid)
            #expect(try authenticator.link(second, to: user.idToken, in: relaxed) == .signInTooOld)
            try expectNumbers([user.uid: first])
        }

        @Test("a link keeps the time of the sign-in, and the refused code stays valid")
        func authTime() throws {
            let anonymous = try authenticator.signUpAnonymously(in: deployment.projectWithEverything)
            let signInTime = deployment.clock.now.seconds
            let user = try authenticator.signIn(first, in: project)
            deployment.clock.advance(by: .seconds(1000))
            let refused = try authenticator.answered(second, idToken: user.idToken, in: project)
            #expect(authenticator.answer(refused, in: project) == .signInTooOld)
            var link = refused
            link.idToken = anonymous.idToken
            let linked = try authenticator.signInWithPhoneNumber(link, in: project)
            let refreshed = try authenticator.exchangeRefreshToken(linked.refreshToken, in: project)
            for idToken in [linked.idToken, refreshed.idToken] {
                let token = try authenticator.verify(idToken, in: project)
                #expect(token.authTime == signInTime && token.provider == .phone)
            }
            // So the session cannot go on to replace what it linked.
            #expect(try authenticator.link(first, to: linked.idToken, in: project) == .signInTooOld)
        }

        @Test("a number of another account is answered with a proof, which signs in there once")
        func proof() throws {
            let owner = try authenticator.signIn(first, in: project)
            let user = try authenticator.signIn(second, in: project)
            let proof = try #require(try authenticator.link(first, to: user.idToken, in: project).temporaryProof)
            // With the ID token it is refused, and stays good.
            #expect(authenticator.answer(proof: proof, first, idToken: user.idToken, in: project) == .numberExists)
            for request in ["a", "a"] {
                let outcome = authenticator.answer(proof: proof, first, request: request, in: project)
                #expect(outcome == .signedIn(uid: owner.uid, isNew: false))
            }
            #expect(authenticator.answer(proof: proof, first, request: "b", in: project) == .invalidProof)
            try expectNumbers([owner.uid: first, user.uid: second])
        }

        @Test("a repeated request is told the same: a link, a number of another account, and proving oneself again")
        func repeated() throws {
            let owner = try authenticator.signIn(first, in: project)
            let user = try authenticator.signUpAnonymously(in: deployment.projectWithEverything)
            let link = try authenticator.answered(second, idToken: user.idToken, in: project)
            let conflict = try authenticator.answered(first, idToken: user.idToken, in: project)
            let again = try authenticator.answered(first, client: 2, operation: .reauthenticate, in: project)
            for _ in 0..<2 {
                let linked = authenticator.answer(link, in: project)
                #expect(linked == .signedIn(uid: user.account.uid, isNew: false))
                #expect(authenticator.answer(conflict, in: project).temporaryProof != nil)
                #expect(authenticator.answer(again, in: project) == .signedIn(uid: owner.uid, isNew: false))
            }
            var other = link
            other.requestID = "other"
            #expect(authenticator.answer(other, in: project) == .used)
            try expectNumbers([owner.uid: first, user.account.uid: second])
        }

        @Test("a proof links where its number has become free, and makes an account where nobody is named")
        func proofOfFreeNumber() throws {
            let owner = try authenticator.signIn(first, in: project)
            let user = try authenticator.signIn(second, in: project)
            let proofs = try (1...2).map { client in
                try #require(
                    try authenticator.link(first, to: user.idToken, client: client, in: project).temporaryProof
                )
            }
            try authenticator.deleteAccount(idToken: owner.idToken, requestID: "d", in: project)
            let linked = authenticator.answer(proof: proofs[0], first, idToken: user.idToken, request: "a", in: project)
            #expect(linked == .signedIn(uid: user.uid, isNew: false))
            try expectNumbers([user.uid: first])
            try authenticator.deleteAccount(idToken: user.idToken, requestID: "d", in: project)
            guard case .signedIn(_, isNew: true) = authenticator.answer(proof: proofs[1], first, in: project) else {
                Issue.record("no new account")
                return
            }
        }

        @Test("a proof is good for an hour, for its number, in its project, as it was given")
        func badProofs() throws {
            _ = try authenticator.signIn(first, in: project)
            let user = try authenticator.signIn(second, in: project)
            let proof = try #require(try authenticator.link(first, to: user.idToken, in: project).temporaryProof)
            let other = Project(id: "other-app", authorizedDomains: [])
            for (text, number, project) in [
                (proof, second, project), (proof, "junk", project), (proof, first, other), ("", first, project),
                ("AAAA", first, project), (proof + "A", first, project), (String(proof.dropLast(4)), first, project),
                (String(proof.prefix(30)) + "AAAA" + proof.dropFirst(34), first, project),
            ] {
                #expect(authenticator.answer(proof: text, number, in: project) == .invalidProof)
            }
            deployment.clock.advance(by: .seconds(3600))
            #expect(authenticator.answer(proof: proof, first, in: project) == .invalidProof)
        }

        @Test("proving oneself again needs an account, and makes none")
        func reauthentication() throws {
            let user = try authenticator.signIn(first, in: project)
            func again(_ number: String, idToken: String? = nil) throws -> SignInOutcome {
                authenticator.answer(
                    try authenticator.answered(number, idToken: idToken, operation: .reauthenticate, in: project),
                    in: project
                )
            }
            for idToken in [nil, user.idToken] {
                #expect(try again(first, idToken: idToken) == .signedIn(uid: user.uid, isNew: false))
                #expect(try again(second, idToken: idToken) == .noAccount)
            }
            try expectNumbers([user.uid: first])
            let other = try authenticator.signIn(second, in: project)
            #expect(try again(second, idToken: user.idToken).temporaryProof != nil)
            deployment.cli("HSET", try #require(deployment.accountKey(of: other.uid)), "disabled", "1")
            #expect(try again(second) == .disabled)
        }

        @Test("an ID token that is no good links nothing, and its code can be used again")
        func badIDTokens() throws {
            let user = try authenticator.signIn(first, in: project)
            let key = try #require(deployment.accountKey(of: user.uid))
            var request = try authenticator.answered(second, idToken: "junk", in: project)
            #expect(authenticator.answer(request, in: project) == .notAuthenticated(.invalid))
            request.idToken = user.idToken
            deployment.cli("HSET", key, "disabled", "1")
            #expect(authenticator.answer(request, in: project) == .notAuthenticated(.disabled))
            let revocation = deployment.cli("HGET", key, "revocation")
            deployment.cli("HSET", key, "disabled", "0", "revocation", "1")
            #expect(authenticator.answer(request, in: project) == .notAuthenticated(.revoked))
            deployment.cli("HSET", key, "revocation", revocation)
            #expect(authenticator.answer(request, in: project).uid == user.uid)
        }
    }
}
