import Encodings
import PhoneAuth
import TestServers
import Testing

@testable import IdentityToolkit

/// Attacks with a stolen ID token: every operation that takes one, after an old sign-in and after a recent one.
@Suite(.timeLimit(.minutes(30))) struct FreshnessTests {
    private static let tooOld = "CREDENTIAL_TOO_OLD_LOGIN_AGAIN"
    private static let unlimited = ["SENDS_PER_NETWORK_PER_HOUR": "10000"]

    /// A user with a session.
    private struct User {
        let uid: String
        let refreshToken: String
        /// The number; empty if the user has none.
        var number = ""
        /// The id of a second factor; empty if the user has none.
        var factor = ""
        /// Returns the ID token of a new session.
        let signInAgain: () throws -> String

        static func ofPhone(_ server: RunningServer) throws -> User {
            let number = SecondFactorUser.freshNumber()
            let answer = try server.signInFresh(number)
            return User(
                uid: try #require(answer["localId"]),
                refreshToken: try #require(answer["refreshToken"]),
                number: number,
                signInAgain: { try #require(try server.signInFresh(number)["idToken"]) }
            )
        }

        static func ofPassword(_ server: RunningServer) throws -> User {
            let user = try SecondFactorUser(server)
            return User(
                uid: user.uid,
                refreshToken: user.refreshToken,
                signInAgain: { try #require(try user.signIn()["idToken"]) }
            )
        }

        static func ofSecondFactor(_ server: RunningServer) throws -> User {
            var user = try SecondFactorUser(server)
            let factor = try user.enroll(SecondFactorUser.freshNumber())
            let enrolled = user
            return User(
                uid: user.uid,
                refreshToken: user.refreshToken,
                factor: factor,
                signInAgain: { try #require(try enrolled.preparedSignIn()()["idToken"]) }
            )
        }
    }

    /// A call that takes an ID token.
    private struct Row: Sendable {
        let operation: IDTokenOperation
        let paths: [String]
        var bearer: String?
        let user: @Sendable (RunningServer) throws -> User
        /// Returns the other members of the body, which may contain an ID token of a recent sign-in.
        let members: @Sendable (RunningServer, User, _ freshToken: String) throws -> String
    }

    private static func row(
        _ operation: IDTokenOperation,
        _ paths: [String],
        bearer: String? = nil,
        _ user: @escaping @Sendable (RunningServer) throws -> User,
        members: @escaping @Sendable (RunningServer, User, String) throws -> String
    ) -> Row {
        Row(operation: operation, paths: paths, bearer: bearer, user: user, members: members)
    }

    private static func proof(_ server: RunningServer, of number: String) throws -> String {
        let session = try server.openVerification(number)
        return #""sessionInfo":"\#(session)","code":"\#(try server.code(of: session))""#
    }

    /// Returns the member that names the session of an ID token.
    private static func sessionMember(_ idToken: String) throws -> String {
        #""sessionId":"\#(try idTokenClaims(idToken).object("firebase").text("session_id"))""#
    }

    private static let authorizationMembers = """
        "redirect_uri":"http://127.0.0.1:5173/cb","code_challenge_method":"S256",\
        "code_challenge":"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        """

    private static func legacy(_ v1: String, _ legacy: String) -> [String] {
        ["/v1/accounts:\(v1)", "/identitytoolkit/v3/relyingparty/\(legacy)"]
    }

    private static let update = legacy("update", "setAccountInfo")
    private static let phone = legacy("signInWithPhoneNumber", "verifyPhoneNumber")

    private static let rows = [
        row(.lookUp, legacy("lookup", "getAccountInfo"), User.ofPhone) { _, _, _ in "" },
        row(.changeProfile, update, User.ofPhone) { _, _, _ in #""displayName":"Ada""# },
        row(.reauthenticate, phone, User.ofPhone) { server, user, _ in
            #""operation":"REAUTH","# + (try proof(server, of: user.number))
        },
        row(.linkPhoneNumber, phone, User.ofPassword) { server, _, _ in
            try proof(server, of: SecondFactorUser.freshNumber())
        },
        row(.linkPhoneNumber, phone, User.ofPassword) { server, _, _ in
            #""operation":"LINK","# + (try proof(server, of: SecondFactorUser.freshNumber()))
        },
        row(.changePhoneNumber, phone, User.ofPhone) { server, _, _ in
            #""operation":"UPDATE","# + (try proof(server, of: SecondFactorUser.freshNumber()))
        },
        row(.unlinkPhoneNumber, update, User.ofPhone) { _, _, _ in #""deleteProvider":["phone"]"# },
        row(.linkPassword, update + legacy("signUp", "signupNewUser"), User.ofPhone) { _, _, _ in
            #""email":"\#(SecondFactorUser.freshEmail())","password":"correct horse""#
        },
        row(.linkPassword, update, User.ofPhone) { _, _, _ in #""email":"\#(SecondFactorUser.freshEmail())""# },
        row(.changeEmail, update, User.ofPassword) { _, _, _ in #""email":"\#(SecondFactorUser.freshEmail())""# },
        row(.changePassword, update, User.ofPassword) { _, _, _ in #""password":"battery staple""# },
        row(.unlinkPassword, update, User.ofPassword) { _, _, _ in #""deleteProvider":["password"]"# },
        row(.unlinkPassword, update, User.ofPassword) { _, _, _ in #""deleteAttribute":["PASSWORD"]"# },
        row(.revokeTokens, update, User.ofPhone) { _, _, _ in #""validSince":"1""# },
        row(.listSessions, ["/v2/accounts/sessions:list"], User.ofPhone) { _, _, _ in "" },
        row(.endOwnSession, ["/v2/accounts/sessions:end"], User.ofPhone) { server, user, _ in
            try sessionMember(try #require(try server.refresh(user.refreshToken)["id_token"]))
        },
        row(.endSession, ["/v2/accounts/sessions:end"], User.ofPhone) { _, user, _ in
            try sessionMember(try user.signInAgain())
        },
        row(.deleteAccount, legacy("delete", "deleteAccount"), User.ofPhone) { _, _, _ in "" },
        row(.startSecondFactorEnrollment, ["/v2/accounts/mfaEnrollment:start"], User.ofPassword) { _, _, _ in
            #""phoneEnrollmentInfo":{"phoneNumber":"\#(SecondFactorUser.freshNumber())"}"#
        },
        row(.startSecondFactorEnrollment, ["/v2/accounts/mfaEnrollment:start"], User.ofPassword) { _, _, _ in
            #""totpEnrollmentInfo":{}"#
        },
        row(.finishSecondFactorEnrollment, ["/v2/accounts/mfaEnrollment:finalize"], User.ofPassword) {
            server,
            _,
            freshToken in
            let number = SecondFactorUser.freshNumber()
            let started = try server.secondFactors(
                "mfaEnrollment:start",
                #"{"idToken":"\#(freshToken)","phoneEnrollmentInfo":{"phoneNumber":"\#(number)"}}"#
            )
            let session = started.json.object("phoneSessionInfo").text("sessionInfo")
            let code = try server.code(of: session)
            return #""phoneVerificationInfo":{"sessionInfo":"\#(session)","code":"\#(code)"}"#
        },
        row(.withdrawSecondFactor, ["/v2/accounts/mfaEnrollment:withdraw"], User.ofSecondFactor) { _, user, _ in
            #""mfaEnrollmentId":"\#(user.factor)""#
        },
        row(.generateRecoveryCodes, ["/v2/accounts/mfaRecoveryCodes:generate"], User.ofSecondFactor) { _, _, _ in "" },
        row(.issueAuthorizationCode, ["/v2/accounts/authorizationCodes:issue"], User.ofPhone) { _, _, _ in
            authorizationMembers
        },
        row(
            .createSessionCookie,
            ["/v1/projects/demo-dialtone:createSessionCookie"],
            bearer: "Bearer owner",
            User.ofPhone
        ) { _, _, _ in #""validDuration":"300""# },
    ]

    @Test(
        "each operation requires the sign-in that its row states, and a refusal changes nothing",
        arguments: [false, true]
    )
    func table(relaxed: Bool) throws {
        let linking = ["PROJECT_DEMO_DIALTONE_RECENT_SIGN_IN_TO_LINK": relaxed ? "disabled" : "enabled"]
        let server = try RunningServer(workers: 2, settings: Self.unlimited.merging(linking) { $1 })
        for row in Self.rows {
            for path in row.paths {
                let user = try row.user(server)
                let staleToken = try server.staleIDToken(user.refreshToken)
                let freshToken = try user.signInAgain()
                let members = try row.members(server, user, freshToken)
                func call(_ idToken: String) throws -> HTTPAnswer {
                    let body = #"{"idToken":"\#(idToken)""# + (members.isEmpty ? "}" : ",\(members)}")
                    return try server.post(path, body, headers: row.bearer.map { [("Authorization", $0)] } ?? [])
                }
                let comment: Comment = "\(row.operation) \(path) \(members.prefix(40))"
                let isAllowed =
                    switch row.operation.freshness {
                    case .any: true
                    case .recentToLink: relaxed
                    case .recent, .recentAtStart: false
                    }
                if isAllowed {
                    #expect(try call(staleToken).status == 200, comment)
                    continue
                }
                let before = try server.account(user.uid)
                let refused = try call(staleToken)
                #expect(refused.status == 400 && refused.errorMessage == Self.tooOld, comment)
                #expect(try server.account(user.uid) == before, comment)
                #expect(try server.refresh(user.refreshToken).status == 200, comment)
                // A refusal uses up neither the code nor the session.
                let accepted = try call(freshToken)
                #expect(accepted.status == 200, "\(comment) \(accepted.text)")
            }
        }
    }

    @Test("the table contains each operation and each path that takes an ID token")
    func complete() throws {
        #expect(Set(Self.rows.map(\.operation)) == Set(IDTokenOperation.allCases))
        let server = try RunningServer(workers: 1, settings: Self.unlimited)
        let session = try server.openVerification(SecondFactorUser.freshNumber())
        let number = SecondFactorUser.freshNumber()
        let body = """
            {"idToken":"junk","sessionInfo":"\(session)","code":"000000","email":"ada@example.com","password":"correct horse",\
            "phoneEnrollmentInfo":{"phoneNumber":"\(number)"},"mfaEnrollmentId":"x","sessionId":"x",\
            "phoneVerificationInfo":{"sessionInfo":"\(session)","code":"000000"},\
            "identifier":"ada@example.com","continueUri":"http://localhost",\(Self.authorizationMembers)}
            """
        let listed = Set(Self.rows.flatMap(\.paths))
        var taking: Set<String> = []
        for (path, routes) in Router().routes where routes.contains(where: { $0.methods.contains(.post) }) {
            // A path with the production host is the same route.
            guard !path.contains(".googleapis.com/") else { continue }
            if try server.post(path, body).errorMessage == "INVALID_ID_TOKEN" { taking.insert(path) }
        }
        #expect(taking.subtracting(listed) == [])
        // The probe does find paths that take an ID token.
        #expect(listed.subtracting(taking) == ["/v1/projects/demo-dialtone:createSessionCookie"])
    }

    @Test("the guide's table names each operation and the required sign-in")
    func guide() throws {
        let guide = readFile("\(RunningServer.packageFolder)/Sources/PhoneAuth/PhoneAuth.docc/RecentSignIns.md")
        let lines = guide.split(separator: "\n")
        for operation in IDTokenOperation.allCases {
            let words =
                switch operation.freshness {
                case .any: "any"
                case .recent: "recent"
                case .recentToLink: "recent, or relaxed"
                case .recentAtStart: "recent at the start"
                }
            let rows = lines.filter { $0.hasPrefix("| `\(operation.rawValue)` |") }
            #expect(rows.count == 1 && rows.allSatisfy { $0.hasSuffix("| \(words) |") }, "\(operation)")
        }
    }

    // MARK: Attacks

    @Test("a stolen old ID token cannot add a way to sign in, start a session or end one")
    func stolenToken() throws {
        let server = try RunningServer(workers: 2)
        let victim = try User.ofPhone(server)
        let stolen = try server.staleIDToken(victim.refreshToken)
        let before = try server.account(victim.uid)
        let sessions = server.sessionCount
        let attacks = [
            ("/v1/accounts:update", #""validSince":"1""#),
            ("/v1/accounts:update", #""validSince":"99999999999","displayName":"Mallory""#),
            ("/v1/accounts:update", #""email":"mallory@example.com","password":"correct horse""#),
            ("/v1/accounts:update", #""email":"mallory@example.com""#),
            ("/v1/accounts:signUp", #""email":"mallory@example.com","password":"correct horse""#),
        ]
        for (path, members) in attacks {
            let refused = try server.post(path, #"{"idToken":"\#(stolen)",\#(members)}"#)
            #expect(refused.errorMessage == Self.tooOld && refused["refreshToken"] == nil, "\(path) \(members)")
        }
        #expect(server.sessionCount == sessions)
        #expect(server.redis.cli("--scan", "--pattern", "dt:*:email:*") == "")
        #expect(try server.account(victim.uid) == before)
        #expect(try server.refresh(victim.refreshToken).status == 200)
    }

    @Test("a stolen old ID token cannot link a number by code or temporary proof; both stay valid elsewhere")
    func stolenTokenLinksNoNumber() throws {
        let server = try RunningServer(workers: 2)
        let victim = try User.ofPassword(server)
        let number = SecondFactorUser.freshNumber()
        let attacker = try server.signInFresh(number)
        // The attacker owns the number, so the link returns a proof, which stays valid when the number becomes free.
        let recent = try victim.signInAgain()
        let evidence = try Self.proof(server, of: number)
        let conflict = try server.post(Self.phone[0], #"{"idToken":"\#(recent)",\#(evidence)}"#)
        let proof = try #require(conflict["temporaryProof"])
        let deletion = #"{"idToken":"\#(try #require(attacker["idToken"]))"}"#
        #expect(try server.post("/v1/accounts:delete", deletion).status == 200)
        let stolen = try server.staleIDToken(victim.refreshToken)
        let before = try server.account(victim.uid)
        for path in Self.phone {
            for operation in ["", #""operation":"LINK","#, #""operation":"UPDATE","#, #""operation":4,"#] {
                let byProof = #""temporaryProof":"\#(proof)","phoneNumber":"\#(number)""#
                for evidence in [byProof, try Self.proof(server, of: number)] {
                    let refused = try server.post(path, #"{"idToken":"\#(stolen)",\#(operation)\#(evidence)}"#)
                    #expect(refused.errorMessage == Self.tooOld, "\(path) \(operation)")
                }
            }
        }
        #expect(try server.account(victim.uid) == before)
        #expect(try server.refresh(victim.refreshToken).status == 200)
        let linked = try server.post(
            Self.phone[0],
            #"{"idToken":"\#(try victim.signInAgain())","temporaryProof":"\#(proof)","phoneNumber":"\#(number)"}"#
        )
        #expect(linked["localId"] == victim.uid)
    }

    @Test("a link keeps the session's auth_time, so a relaxed link makes no session recent")
    func authTime() throws {
        let server = try RunningServer(
            workers: 1,
            settings: ["PROJECT_DEMO_DIALTONE_RECENT_SIGN_IN_TO_LINK": "disabled"]
        )
        let user = try User.ofPassword(server)
        let stale = try server.staleIDToken(user.refreshToken)
        let linked = try server.post(
            Self.phone[0],
            #"{"idToken":"\#(stale)",\#(try Self.proof(server, of: SecondFactorUser.freshNumber()))}"#
        )
        let refreshed = try server.refresh(try #require(linked["refreshToken"]))
        for token in [linked["idToken"], refreshed["id_token"]] {
            let idToken = try #require(token)
            let claims = try idTokenClaims(idToken)
            #expect(claims["auth_time"] == .number("1700000000"))
            #expect(claims.object("firebase").text("sign_in_provider") == "phone")
            let refused = try server.post(Self.update[0], #"{"idToken":"\#(idToken)","password":"battery staple"}"#)
            #expect(refused.errorMessage == Self.tooOld)
        }
    }

    @Test("an anonymous user can link at any time, and its earlier tokens cannot link anything afterwards")
    func anonymous() throws {
        let server = try RunningServer(workers: 1)
        let signedUp = try server.post("/v1/accounts:signUp", "{}")
        let refreshToken = try #require(signedUp["refreshToken"])
        let stale = try server.staleIDToken(refreshToken)
        let revocation = try server.post(Self.update[0], #"{"idToken":"\#(stale)","validSince":"1"}"#)
        #expect(revocation.errorMessage == Self.tooOld)
        let number = SecondFactorUser.freshNumber()
        let linked = try server.post(Self.phone[0], #"{"idToken":"\#(stale)",\#(try Self.proof(server, of: number))}"#)
        #expect(linked.status == 200 && linked["localId"] == signedUp["localId"])
        for body in [
            #""email":"mallory@example.com","password":"correct horse""#,
            try Self.proof(server, of: SecondFactorUser.freshNumber()),
        ] {
            let path = body.contains("email") ? Self.update[0] : Self.phone[0]
            #expect(try server.post(path, #"{"idToken":"\#(stale)",\#(body)}"#).errorMessage == Self.tooOld)
        }
    }

    @Test("linking an e-mail address and a password makes the session a password session", arguments: [0, 1])
    func provider(form: Int) throws {
        let server = try RunningServer(workers: 1)
        let idToken = try #require(try server.signInFresh(SecondFactorUser.freshNumber())["idToken"])
        let linked = try server.post(
            form == 0 ? Self.update[0] : "/v1/accounts:signUp",
            #"{"idToken":"\#(idToken)","email":"ada@example.com","password":"correct horse","returnSecureToken":true}"#
        )
        let refreshed = try server.refresh(try #require(linked["refreshToken"]))
        for token in [linked["idToken"], refreshed["id_token"]] {
            let firebase = try idTokenClaims(try #require(token)).object("firebase")
            #expect(firebase.text("sign_in_provider") == "password")
        }
    }
}
