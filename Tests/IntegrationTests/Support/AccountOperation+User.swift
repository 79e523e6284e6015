import Encodings
import TestServers
import Testing

/// Operations of users who have an account and keep their identifiers.
extension AccountOperation {
    static let byUser = [
        AccountOperation("sending a code", isRepeatable: true) { test in
            let (server, number) = (test.server, test.newNumber())
            return Attempt({ try server.sendVerificationCode(number) }, accountsMade: 1) { answer in
                let (session, messages) = (try #require(answer["sessionInfo"]), try server.messages(to: number))
                let signedIn = try server.signIn(session, try server.code(of: session))
                #expect(messages.count == 1 && signedIn.status == 200)
            }
        },
        AccountOperation("anonymous sign-up", isRepeatable: true) { test in
            let server = test.server
            return Attempt(
                { try server.post("/v1/accounts:signUp", #"{"returnSecureToken":true}"#) },
                accountsMade: 1
            ) { #expect($0["localId"] != nil) }
        },
        AccountOperation("a refresh", isRepeatable: true) { test in
            let server = test.server
            let user = try server.prove(test.newNumber())
            let (uid, token) = (try #require(user["localId"]), try #require(user["refreshToken"]))
            return Attempt({ try server.refresh(token) }, kept: [uid]) { answer in
                let found = try server.lookUp(try #require(answer["id_token"]))
                let again = try server.refresh(try #require(answer["refresh_token"]))
                #expect(found.json.objects("users").map { $0.text("localId") } == [uid] && again.status == 200)
            }
        },
        AccountOperation("looking an account up", isRepeatable: true) { test in
            let server = test.server
            let user = try server.prove(test.newNumber())
            let (uid, idToken) = (try #require(user["localId"]), try #require(user["idToken"]))
            return Attempt({ try server.lookUp(idToken) }, kept: [uid]) {
                #expect($0.json.objects("users").map { $0.text("localId") } == [uid])
            }
        },
        AccountOperation("another name", isRepeatable: false) { test in
            let server = test.server
            let user = try server.prove(test.newNumber())
            let (uid, idToken) = (try #require(user["localId"]), try #require(user["idToken"]))
            return Attempt({ try server.update(idToken, #""displayName":"Ada""#) }, kept: [uid]) { _ in
                let found = try server.lookUp(idToken).json.objects("users")
                #expect(found.map { $0.text("displayName") } == ["Ada"])
            }
        },
        AccountOperation("another password", isRepeatable: false) { test in
            let (server, email) = (test.server, test.newEmail())
            let user = try server.signUp(email)
            let (uid, idToken) = (try #require(user["localId"]), try #require(user["idToken"]))
            return Attempt({ try server.update(idToken, #""password":"wrong zebra""#) }, kept: [uid]) { _ in
                let former = try server.signIn(email: email)
                let again = try server.post(
                    "/v1/accounts:signInWithPassword",
                    #"{"email":"\#(email)","password":"wrong zebra"}"#
                )
                #expect(former.status == 400 && again["localId"] == uid)
            }
        },
        AccountOperation("ending another session", isRepeatable: false) { test in
            let (server, number) = (test.server, test.newNumber())
            let (first, second) = (try server.prove(number), try server.prove(number))
            let uid = try #require(first["localId"])
            let (ended, kept) = (try #require(first["refreshToken"]), try #require(second["refreshToken"]))
            return Attempt(try server.preparedEnding(of: first, by: second), kept: [uid]) { _ in
                let (refused, refreshed) = (try server.refresh(ended), try server.refresh(kept))
                #expect(refused.status == 400 && refreshed.status == 200)
            }
        },
        AccountOperation("ending the own session", isRepeatable: false) { test in
            let server = test.server
            let user = try server.prove(test.newNumber())
            let (uid, token) = (try #require(user["localId"]), try #require(user["refreshToken"]))
            return Attempt(try server.preparedEnding(of: user, by: user), kept: [uid]) { _ in
                let refused = try server.refresh(token)
                #expect(refused.status == 400)
            }
        },
        AccountOperation("making recovery codes", isRepeatable: false) { test in
            var user = try SecondFactorUser(test.server)
            let (id, _) = try user.enrollApp()
            let enrolled = user
            return Attempt(
                {
                    try enrolled.server.secondFactors(
                        "mfaRecoveryCodes:generate",
                        #"{"idToken":"\#(enrolled.idToken)"}"#
                    )
                },
                kept: [user.uid]
            ) { answer in
                guard case .array(let codes) = answer.json["recoveryCodes"], case .string(let code)? = codes.first
                else { throw ServerFailure(description: answer.text) }
                let finished = try enrolled.server.finishApp(try enrolled.pendingCredential(), id, code)
                #expect(finished["localId"] == nil && finished["idToken"] != nil, "\(finished.text)")
            }
        },
        AccountOperation("withdrawing a second factor", isRepeatable: false) { test in
            var user = try SecondFactorUser(test.server)
            let (id, _) = try user.enrollApp()
            let enrolled = user
            return Attempt({ try enrolled.server.withdraw(id, enrolled.idToken) }, kept: [user.uid]) { answer in
                let again = try enrolled.signIn()
                #expect(answer["idToken"] != nil && again["idToken"] != nil)
            }
        },
        AccountOperation("sign-in with an authenticator app", isRepeatable: true) { test in
            var user = try SecondFactorUser(test.server)
            let (id, app) = try user.enrollApp(stepsAgo: 1)
            let (enrolled, credential) = (user, try user.pendingCredential())
            return Attempt(
                { try enrolled.server.finishApp(credential, id, app.code()) },
                kept: [user.uid]
            ) { #expect($0["idToken"] != nil) }
        },
    ]
}

extension AccountOperation.Attempt {
    /// Creates an attempt whose request the user repeats unchanged.
    init(
        _ request: @escaping () throws -> HTTPAnswer,
        kept: [String] = [],
        accountsMade: Int = 0,
        check: @escaping (HTTPAnswer) throws -> Void
    ) {
        self.init(request: request, again: request, check: check, kept: kept, accountsMade: accountsMade)
    }
}

extension RunningServer {
    /// Returns a request that ends a session with the ID token of another session.
    fileprivate func preparedEnding(
        of session: HTTPAnswer,
        by user: HTTPAnswer
    ) throws -> () throws -> HTTPAnswer {
        let id = try idTokenClaims(try #require(session["idToken"])).object("firebase").text("session_id")
        let idToken = try #require(user["idToken"])
        return {
            try self.post("/v2/accounts/sessions:end", #"{"idToken":"\#(idToken)","sessionId":"\#(id)"}"#)
        }
    }
}
