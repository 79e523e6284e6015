import Encodings
import RedisScripts
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct LinkPhoneNumberTests {
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
            let accounts = try authenticator.in(project).accounts()
            #expect(accounts.compactMapValues(\.phoneNumber) == numbers)
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test("an anonymous account that gets a number keeps its uid")
        func upgrade() throws {
            let anonymous = try authenticator.in(deployment.projectWithEverything).signUpAnonymously()
            let uid = anonymous.account.uid
            #expect(
                try authenticator.in(project).link(first, to: anonymous.idToken) == .signedIn(uid: uid, isNew: false)
            )
            #expect(try authenticator.in(project).signIn(first).uid == uid)
            try expectNumbers([uid: first])
        }

        @Test("a number of another account cannot be linked in another spelling")
        func spelling() throws {
            let owner = try authenticator.in(project).signIn("+5491123456789")
            let user = try authenticator.in(project).signIn(first)
            let outcome = try authenticator.in(project).link("+541123456789", to: user.idToken)
            guard case .numberOfAnother = outcome else { return #expect(Bool(false), "\(outcome)") }
            try expectNumbers([owner.uid: "+5491123456789", user.uid: first])
        }

        @Test("a new number replaces the first, which is then free for a new account")
        func change() throws {
            let user = try authenticator.in(project).signIn(first)
            #expect(
                try authenticator.in(project).link(second, to: user.idToken) == .signedIn(uid: user.uid, isNew: false)
            )
            try expectNumbers([user.uid: second])
            #expect(deployment.keyNames(matching: "*:phone:*").count == 1)
            let other = try authenticator.in(project).signIn(first)
            #expect(other.isNewUser)
            #expect(try authenticator.in(project).signIn(second).uid == user.uid)
            try expectNumbers([user.uid: second, other.uid: first])
        }

        @Test("a number can be changed and changed back, even immediately")
        func thereAndBack() throws {
            let user = try authenticator.in(project).signIn(first)
            for number in [second, first, second, first] {
                let outcome = try authenticator.in(project).link(number, to: user.idToken)
                #expect(outcome == .signedIn(uid: user.uid, isNew: false))
                try expectNumbers([user.uid: number])
            }
        }

        @Test("linking the account's own number is a sign-in")
        func sameNumber() throws {
            let user = try authenticator.in(project).signIn(first)
            #expect(
                try authenticator.in(project).link(first, to: user.idToken) == .signedIn(uid: user.uid, isNew: false)
            )
            try expectNumbers([user.uid: first])
        }

        @Test("linking a number requires a sign-in within the last five minutes, except for anonymous users")
        func recentSignIn() throws {
            let user = try authenticator.in(project).signIn(first)
            let anonymous = try authenticator.in(deployment.projectWithEverything).signUpAnonymously()
            deployment.clock.advance(by: .seconds(300))
            #expect(try authenticator.in(project).link(second, to: user.idToken).uid == user.uid)
            deployment.clock.advance(by: .seconds(1))
            for number in [first, second] {
                #expect(try authenticator.in(project).link(number, to: user.idToken) == .signInTooOld)
            }
            #expect(try authenticator.in(project).link(first, to: anonymous.idToken).uid == anonymous.account.uid)
            // The account now has a way to sign in, so its former token may no longer add one.
            #expect(try authenticator.in(project).link(first, to: anonymous.idToken) == .signInTooOld)
            try expectNumbers([user.uid: second, anonymous.account.uid: first])
        }

        @Test("an old sign-in cannot set a first password once the account has another way to sign in")
        func passwordMeanwhile() throws {
            let relaxed = Project(id: project.id, authorizedDomains: [], linkingNeedsRecentSignIn: false)
            let user = try authenticator.in(project).signIn(first)
            deployment.clock.advance(by: .seconds(1000))
            let authorized = try authenticator.in(relaxed).authenticate(idToken: user.idToken, for: .linkPassword)
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

        @Test("a link that another link of the account overtakes takes effect after it")
        func overtaken() throws {
            let anonymous = try authenticator.in(deployment.projectWithEverything).signUpAnonymously()
            let user = try authenticator.in(project).authenticate(idToken: anonymous.idToken, for: .linkPhoneNumber)
            var request = TokenRequest(continuing: user, identifiers: AuditedIdentifiers())
            request.provider = .phone
            let number = AccountIdentifier(text: second, identity: authenticator.in(project).identity(of: second))
            let late = request
            var attempts = 0
            let outcome = try authenticator.in(project).assign(
                number,
                currentClaim: nil,
                to: user.identity,
                onBehalfOf: user.presented
            ) { claimed throws(OperationFailure) -> AssignmentOutcome<IssuedTokens>? in
                attempts += 1
                // Runs between this link's claim and the step that gives the number to the account.
                if attempts == 1 { _ = try? authenticator.in(project).link(first, to: anonymous.idToken) }
                var request = late
                request.identifier = claimed
                guard case .issued(let tokens) = try authenticator.in(project).issueTokens(request) else {
                    return nil
                }
                return .taken(tokens)
            }
            guard case .taken(let tokens) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(attempts == 2 && tokens.account.phoneNumber == second)
            try expectNumbers([anonymous.account.uid: second])
            // The replaced number is free.
            #expect(try authenticator.in(project).signIn(first).isNewUser)
        }

        @Test("a project may let users link a first number long after the sign-in, but not replace a number")
        func relaxed() throws {
            let relaxed = Project(id: project.id, authorizedDomains: [], linkingNeedsRecentSignIn: false)
            let user = try authenticator.in(project).signIn(second)
            var removal = UpdateAccountRequest(idToken: user.idToken)
            removal.removesPhoneNumber = true
            _ = try authenticator.in(project).updateAccount(removal)
            deployment.clock.advance(by: .seconds(301))
            #expect(try authenticator.in(project).link(first, to: user.idToken) == .signInTooOld)
            #expect(try authenticator.in(relaxed).link(first, to: user.idToken).uid == user.uid)
            #expect(try authenticator.in(relaxed).link(second, to: user.idToken) == .signInTooOld)
            try expectNumbers([user.uid: first])
        }

        @Test("a link keeps auth_time, and a refused code stays valid")
        func authTime() throws {
            let anonymous = try authenticator.in(deployment.projectWithEverything).signUpAnonymously()
            let signInTime = deployment.clock.now.seconds
            let user = try authenticator.in(project).signIn(first)
            deployment.clock.advance(by: .seconds(1000))
            let refused = try authenticator.in(project).answered(second, idToken: user.idToken)
            #expect(authenticator.in(project).answer(refused) == .signInTooOld)
            var link = refused
            link.idToken = anonymous.idToken
            let linked = try authenticator.in(project).signInWithPhoneNumber(link)
            let refreshed = try authenticator.in(project).exchangeRefreshToken(linked.refreshToken)
            for idToken in [linked.idToken, refreshed.idToken] {
                let token = try authenticator.in(project).verify(idToken)
                #expect(token.authTime == signInTime && token.provider == .phone)
            }
            // The session is not recent, so it cannot replace the number that it linked.
            #expect(try authenticator.in(project).link(first, to: linked.idToken) == .signInTooOld)
        }

        @Test("linking another account's number gives a temporary proof, which signs in to that account once")
        func proof() throws {
            let owner = try authenticator.in(project).signIn(first)
            let user = try authenticator.in(project).signIn(second)
            let proof = try #require(try authenticator.in(project).link(first, to: user.idToken).temporaryProof)
            // With the ID token, the proof is refused and stays valid.
            #expect(authenticator.in(project).answer(proof: proof, first, idToken: user.idToken) == .numberExists)
            for request in ["a", "a"] {
                let outcome = authenticator.in(project).answer(proof: proof, first, request: request)
                #expect(outcome == .signedIn(uid: owner.uid, isNew: false))
            }
            #expect(authenticator.in(project).answer(proof: proof, first, request: "b") == .invalidProof)
            try expectNumbers([owner.uid: first, user.uid: second])
        }

        @Test("repeated requests get the same response: links, taken numbers and reauthentications")
        func repeated() throws {
            let owner = try authenticator.in(project).signIn(first)
            let user = try authenticator.in(deployment.projectWithEverything).signUpAnonymously()
            let link = try authenticator.in(project).answered(second, idToken: user.idToken)
            let conflict = try authenticator.in(project).answered(first, idToken: user.idToken)
            let again = try authenticator.in(project).answered(first, client: 2, operation: .reauthenticate)
            for _ in 0..<2 {
                let linked = authenticator.in(project).answer(link)
                #expect(linked == .signedIn(uid: user.account.uid, isNew: false))
                #expect(authenticator.in(project).answer(conflict).temporaryProof != nil)
                #expect(authenticator.in(project).answer(again) == .signedIn(uid: owner.uid, isNew: false))
            }
            #expect(authenticator.in(project).answer(link, request: "other") == .used)
            try expectNumbers([owner.uid: first, user.account.uid: second])
        }

        @Test("a proof links a number that became free, or creates an account if the request has no ID token")
        func proofOfFreeNumber() throws {
            let owner = try authenticator.in(project).signIn(first)
            let user = try authenticator.in(project).signIn(second)
            let proofs = try (1...2).map { client in
                try #require(
                    try authenticator.in(project).link(first, to: user.idToken, client: client).temporaryProof
                )
            }
            try authenticator.in(project, request: "d").deleteAccount(idToken: owner.idToken)
            let linked = authenticator.in(project).answer(proof: proofs[0], first, idToken: user.idToken, request: "a")
            #expect(linked == .signedIn(uid: user.uid, isNew: false))
            try expectNumbers([user.uid: first])
            try authenticator.in(project, request: "d").deleteAccount(idToken: user.idToken)
            guard case .signedIn(_, isNew: true) = authenticator.in(project).answer(proof: proofs[1], first) else {
                Issue.record("no new account")
                return
            }
        }

        @Test("a proof is valid for an hour, only unmodified and only for its number and project")
        func badProofs() throws {
            _ = try authenticator.in(project).signIn(first)
            let user = try authenticator.in(project).signIn(second)
            let proof = try #require(try authenticator.in(project).link(first, to: user.idToken).temporaryProof)
            let other = Project(id: "other-app", authorizedDomains: [])
            for (text, number, project) in [
                (proof, second, project), (proof, "junk", project), (proof, first, other), ("", first, project),
                ("AAAA", first, project), (proof + "A", first, project), (String(proof.dropLast(4)), first, project),
                (String(proof.prefix(30)) + "AAAA" + proof.dropFirst(34), first, project),
            ] {
                #expect(authenticator.in(project).answer(proof: text, number) == .invalidProof)
            }
            deployment.clock.advance(by: .seconds(3600))
            #expect(authenticator.in(project).answer(proof: proof, first) == .invalidProof)
        }

        @Test("reauthentication needs an existing account and never creates one")
        func reauthentication() throws {
            let user = try authenticator.in(project).signIn(first)
            func again(_ number: String, idToken: String? = nil) throws -> SignInOutcome {
                authenticator.in(project).answer(
                    try authenticator.in(project).answered(number, idToken: idToken, operation: .reauthenticate)
                )
            }
            for idToken in [nil, user.idToken] {
                #expect(try again(first, idToken: idToken) == .signedIn(uid: user.uid, isNew: false))
                #expect(try again(second, idToken: idToken) == .noAccount)
            }
            try expectNumbers([user.uid: first])
            let other = try authenticator.in(project).signIn(second)
            #expect(try again(second, idToken: user.idToken).temporaryProof != nil)
            deployment.cli("HSET", try #require(deployment.accountKey(of: other.uid)), "disabled", "1")
            #expect(try again(second) == .disabled)
        }

        @Test("an invalid ID token links nothing, and the code stays valid")
        func badIDTokens() throws {
            let user = try authenticator.in(project).signIn(first)
            let key = try #require(deployment.accountKey(of: user.uid))
            var request = try authenticator.in(project).answered(second, idToken: "junk")
            #expect(authenticator.in(project).answer(request) == .notAuthenticated(.invalid))
            request.idToken = user.idToken
            deployment.cli("HSET", key, "disabled", "1")
            #expect(authenticator.in(project).answer(request) == .notAuthenticated(.disabled))
            let revocation = deployment.cli("HGET", key, "revocation")
            deployment.cli("HSET", key, "disabled", "0", "revocation", "1")
            #expect(authenticator.in(project).answer(request) == .notAuthenticated(.revoked))
            deployment.cli("HSET", key, "revocation", revocation)
            #expect(authenticator.in(project).answer(request).uid == user.uid)
        }
    }
}
