import Encodings
import Glibc
import Processes
import TestServers
import Testing

/// Attacks on revocation: plain requests to a real server, with tokens that must have ended.
@Suite(.sharedServer { try RunningServer(workers: 2, settings: ["SENDS_PER_NUMBER_PER_HOUR": "1000"]) })
struct RevocationTests {
    private static let password = SecondFactorUser.password

    private func server() throws -> RunningServer { try #require(SharedServer.current) }

    /// A user's tokens, as an attacker keeps them.
    struct Tokens {
        let idToken: String
        let refreshToken: String
        let answer: HTTPAnswer

        init(_ answer: HTTPAnswer) throws {
            self.answer = answer
            idToken = try #require(answer["idToken"], "\(answer.text)")
            refreshToken = try #require(answer["refreshToken"])
        }
    }

    /// For seconds, `lookup` and `token` accept the tokens that a session's own change revoked.
    private func expectEnded(_ tokens: Tokens, _ comment: Comment, byOwnChange: Bool = false) throws {
        let server = try server()
        for answer in [try server.lookUp(tokens.idToken), try server.refresh(tokens.refreshToken)] {
            #expect(answer.errorCode == (byOwnChange ? nil : "TOKEN_EXPIRED"), comment)
        }
        #expect(try server.update(tokens.idToken, #""displayName":"Eve""#).errorCode == "TOKEN_EXPIRED", comment)
        #expect(try server.delete(tokens.idToken).errorCode == "TOKEN_EXPIRED", comment)
    }

    private func expectValid(_ tokens: Tokens, _ comment: Comment) throws {
        let server = try server()
        #expect(try server.lookUp(tokens.idToken).status == 200, comment)
        #expect(try server.refresh(tokens.refreshToken).status == 200, comment)
    }

    private static let revocations = [
        "password", "email", "validSince", "deleteProvider", "enrollment", "users revoke", "admin validSince",
        "admin password",
    ]

    @Test(
        "a revocation ends tokens issued in the same second, except those that it issues",
        arguments: revocations
    )
    func sameSecond(revocation: String) throws {
        let server = try server()
        // Sessions start right before the revocation, usually in the same second.
        for _ in 0..<3 {
            var user = try SecondFactorUser(server)
            let other = try Tokens(try user.signIn())
            let own = try Tokens(try user.signIn())
            var issued: HTTPAnswer?
            switch revocation {
            case "password": issued = try server.update(own.idToken, #""password":"another one""#)
            case "email": issued = try server.update(own.idToken, #""email":"\#(SecondFactorUser.freshEmail())""#)
            case "validSince": issued = try server.update(own.idToken, #""validSince":"1""#)
            case "deleteProvider": issued = try server.update(own.idToken, #""deleteProvider":["password"]"#)
            case "enrollment":
                try user.take(own.answer)
                _ = try user.enrollApp()
            case "users revoke": #expect(try server.dialtone("users", "revoke", user.uid).isFine)
            case "admin validSince":
                let changed = try server.administer("update", #"{"localId":"\#(user.uid)","validSince":"1"}"#)
                #expect(changed.status == 200, "\(changed.text)")
            case "admin password":
                let changed = try server.administer("update", #"{"localId":"\#(user.uid)","password":"another one"}"#)
                #expect(changed.status == 200, "\(changed.text)")
            default: Issue.record("\(revocation) is unknown")
            }
            try expectEnded(other, "\(revocation)")
            let byOwnChange = ["password", "email", "deleteProvider", "enrollment"].contains(revocation)
            try expectEnded(own, "\(revocation)", byOwnChange: byOwnChange)
            if let issued { try expectValid(try Tokens(issued), "\(revocation): \(issued.text)") }
            if revocation == "enrollment" { #expect(try server.lookUp(user.idToken).status == 200) }
        }
    }

    @Test("valid-since never decreases")
    func validSince() throws {
        let server = try server()
        let user = try SecondFactorUser(server)
        func validSince() throws -> String? {
            try server.administer("lookup", #"{"localId":["\#(user.uid)"]}"#).json.objects("users").first?
                .text("validSince")
        }
        let now = time(nil)
        #expect(try server.administer("update", #"{"localId":"\#(user.uid)","validSince":"\#(now)"}"#).status == 200)
        #expect(try server.administer("update", #"{"localId":"\#(user.uid)","validSince":"1"}"#).status == 200)
        #expect(try validSince() == "\(now)")
    }

    @Test("valid-since cannot be in the future, because new tokens would be rejected until then")
    func validSinceInFuture() throws {
        let server = try server()
        let user = try SecondFactorUser(server)
        let own = try Tokens(try user.signIn())
        for seconds in [time(nil) + 1000, 4_000_000_000, time(nil) * 1000] {
            let account = #""localId":"\#(user.uid)","validSince":"\#(seconds)""#
            let refused = try server.administer("update", "{\(account)}")
            #expect(refused.status == 400 && refused.text.contains("INVALID_ARGUMENT"), "\(refused.text)")
            #expect(refused.errorMessage?.contains("validSince") == true)
            let imported = try server.administer(
                "batchCreate",
                #"{"allowOverwrite":true,"users":[{\#(account),"email":"\#(user.email)"}]}"#
            )
            #expect(imported.json.objects("error").count == 1, "\(imported.text)")
        }
        try expectValid(own, "the revocation was refused")
        // The value in a user's own request is ignored.
        let update = try Tokens(try server.update(own.idToken, #""validSince":"4000000000""#))
        try expectEnded(own, "validSince")
        try expectValid(update, "validSince")
        try expectValid(try Tokens(try user.signIn()), "a new sign-in")
    }

    // MARK: Changes in flight

    private static let changes = [
        "password", "new e-mail address", "display name", "validSince", "delete", "recovery codes", "link",
    ]

    private func change(_ change: String, _ user: SecondFactorUser, _ number: String, on server: RunningServer) throws
        -> () throws ->
        HTTPAnswer
    {
        let idToken = user.idToken
        switch change {
        case "password": return { try server.update(idToken, #""password":"eve's password""#) }
        case "new e-mail address":
            let email = SecondFactorUser.freshEmail()
            return { try server.update(idToken, #""email":"\#(email)""#) }
        case "display name": return { try server.update(idToken, #""displayName":"Eve""#) }
        case "validSince": return { try server.update(idToken, #""validSince":"1""#) }
        case "delete": return { try server.delete(idToken) }
        case "recovery codes":
            return { try server.secondFactors("mfaRecoveryCodes:generate", #"{"idToken":"\#(idToken)"}"#) }
        case "link":
            let session = try server.openVerification(number)
            let code = try server.code(of: session)
            return { try server.signIn(session, code, idToken: idToken) }
        default: throw ServerFailure(description: "\(change) is unknown")
        }
    }

    @Test("a change in flight fails if an operator's revocation comes first", arguments: changes)
    func inFlight(change: String) throws {
        let test = try OvertakenServer()
        var isOvertaken = true
        for script in 1...10 where isOvertaken {
            var user = try SecondFactorUser(test.server)
            if change == "recovery codes" { _ = try user.enrollApp() }
            let (uid, number) = (user.uid, SecondFactorUser.freshNumber())
            let refreshToken = user.refreshToken
            let request = try self.change(change, user, number, on: test.server)
            let answer: HTTPAnswer
            (answer, isOvertaken) = try test.overtake(beforeScript: script, request) {
                _ = try test.server.administer("update", #"{"localId":"\#(uid)","validSince":"1"}"#)
            }
            // After the last script, nothing can be overtaken.
            guard isOvertaken else { continue }
            if answer.status == 200 {
                // The change came first, and only identifiers remain to be released. The tokens that it issued are
                // revoked.
                #expect(script > 1, "\(answer.text)")
                guard let token = answer["refreshToken"] else { continue }
                #expect(try test.server.refresh(token).errorCode == "TOKEN_EXPIRED")
                continue
            }
            #expect(answer.errorCode == "TOKEN_EXPIRED", "before script \(script): \(answer.text)")
            #expect(try test.server.refresh(refreshToken).errorCode == "TOKEN_EXPIRED")
            #expect(try test.server.lookUp(user.idToken).errorCode == "TOKEN_EXPIRED")
            let found = try test.server.administer("lookup", #"{"localId":["\#(user.uid)"]}"#).json.objects("users")
            let account = try #require(found.first, "the account is gone")
            #expect(
                account.text("email") == user.email && account["displayName"] == nil && account["phoneNumber"] == nil
            )
            #expect(try user.signIn().status == 200, "the password is another one")
            // The account does not get the number later, either.
            #expect(try test.server.prove(number)["localId"] != uid)
        }
        #expect(!isOvertaken)
    }

    // MARK: Claims

    private static let renewals = [
        "password", "email", "deleteAttribute", "deleteProvider", "v3 password", "validSince", "enrollment",
        "withdrawal", "link",
        "link e-mail", "refresh", "session cookie",
    ]

    @Test("claims removed from an account are absent from all later tokens", arguments: renewals)
    func removedClaims(renewal: String) throws {
        let server = try server()
        var user = try SecondFactorUser(server)
        func setClaims(_ claims: String) throws {
            let set = try server.administer("update", #"{"localId":"\#(user.uid)","customAttributes":"\#(claims)"}"#)
            #expect(set.status == 200, "\(set.text)")
        }
        try setClaims(#"{\"admin\":true}"#)
        if renewal == "link e-mail" {
            try user.take(try server.update(user.idToken, #""deleteProvider":["password"]"#))
        }
        if renewal == "withdrawal" { _ = try user.enrollApp() }
        let old = try #require(try server.refresh(user.refreshToken)["id_token"])
        #expect(try idTokenClaims(old)["admin"] == .bool(true))
        try setClaims("{}")
        let answer: HTTPAnswer
        switch renewal {
        case "password": answer = try server.update(old, #""password":"another one""#)
        case "email": answer = try server.update(old, #""email":"\#(SecondFactorUser.freshEmail())""#)
        case "deleteAttribute": answer = try server.update(old, #""deleteAttribute":["PASSWORD"]"#)
        case "deleteProvider": answer = try server.update(old, #""deleteProvider":["password"]"#)
        case "v3 password":
            answer = try server.post(
                "/identitytoolkit/v3/relyingparty/setAccountInfo",
                #"{"idToken":"\#(old)","password":"another one","returnSecureToken":true}"#
            )
        case "validSince": answer = try server.update(old, #""validSince":"1""#)
        case "enrollment":
            let (session, app) = try user.openAppEnrollment()
            answer = try user.finishEnrollment(
                #""totpVerificationInfo":{"sessionInfo":"\#(session)","verificationCode":"\#(app.code())"}"#
            )
        case "withdrawal":
            let id = try idTokenClaims(old).object("firebase").text("second_factor_identifier")
            answer = try server.withdraw(id, old)
        case "link": answer = try server.prove(SecondFactorUser.freshNumber(), #","idToken":"\#(old)""#)
        case "link e-mail":
            let email = SecondFactorUser.freshEmail()
            answer = try server.update(old, #""email":"\#(email)","password":"another one""#)
        case "refresh": answer = try server.refresh(user.refreshToken)
        case "session cookie":
            let made = try server.post(
                "/v1/projects/demo-dialtone:createSessionCookie",
                #"{"idToken":"\#(old)","validDuration":"300"}"#,
                headers: [("Authorization", "Bearer owner")]
            )
            let cookie = try idTokenClaims(try #require(made["sessionCookie"], "\(made.text)"))
            #expect(cookie["admin"] == nil && cookie.text("sub") == user.uid)
            return
        default: throw ServerFailure(description: "\(renewal) is unknown")
        }
        let idToken = try #require(answer["idToken"] ?? answer["id_token"], "\(answer.text)")
        let refreshToken = try #require(answer["refreshToken"] ?? answer["refresh_token"])
        #expect(try idTokenClaims(idToken)["admin"] == nil)
        #expect(try idTokenClaims(try #require(try server.refresh(refreshToken)["id_token"]))["admin"] == nil)
    }

    /// Returns an unsigned custom token, which development mode accepts.
    private func customToken(_ uid: String, _ claims: String) -> String {
        let now = time(nil)
        let payload = """
            {"iss":"a@example.com","sub":"a@example.com","iat":\(now),"exp":\(now + 3600),"uid":"\(uid)","claims":\(claims),\
            "aud":"https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"}
            """
        return [#"{"alg":"none","typ":"JWT"}"#, payload, ""].map { Base64URL.string(Array($0.utf8)) }.joined(
            separator: "."
        )
    }

    private func signIn(customToken uid: String, _ claims: String = "{}") throws -> HTTPAnswer {
        try server().post(
            "/v1/accounts:signInWithCustomToken",
            #"{"token":"\#(customToken(uid, claims))","returnSecureToken":true}"#
        )
    }

    @Test("a session keeps its id, claims and auth_time through refreshes, links and changes")
    func session() throws {
        let server = try server()
        let uid = "session-\(SecondFactorUser.freshNumber())"
        let first = try signIn(customToken: uid, #"{"role":"teller"}"#)
        var idToken = try #require(first["idToken"], "\(first.text)")
        var refreshToken = try #require(first["refreshToken"])
        let original = try idTokenClaims(idToken)
        let firebase = original.object("firebase")
        #expect(!firebase.text("session_id").isEmpty)
        func expectSame(_ comment: Comment) throws {
            let claims = try idTokenClaims(idToken)
            #expect(claims.text("role") == "teller", comment)
            #expect(claims["auth_time"] == original["auth_time"], comment)
            #expect(claims.object("firebase").text("session_id") == firebase.text("session_id"), comment)
        }
        func take(_ answer: HTTPAnswer) throws {
            idToken = try #require(answer["idToken"] ?? answer["id_token"], "\(answer.text)")
            refreshToken = try #require(answer["refreshToken"] ?? answer["refresh_token"])
        }
        try take(try server.refresh(refreshToken))
        try expectSame("refresh")
        let beforeLink = refreshToken
        try take(try server.prove(SecondFactorUser.freshNumber(), #","idToken":"\#(idToken)""#))
        try expectSame("link")
        // If the response was lost, the client still has the former refresh token.
        for token in [beforeLink, refreshToken, beforeLink] { #expect(try server.refresh(token).status == 200) }
        let email = SecondFactorUser.freshEmail()
        try take(try server.update(idToken, #""email":"\#(email)","password":"correct horse""#))
        try expectSame("e-mail address and password")
        try take(try server.update(idToken, #""validSince":"1""#))
        #expect(try server.refresh(beforeLink).errorCode == "TOKEN_EXPIRED")
        try expectSame("validSince")
        try take(try server.refresh(refreshToken))
        try expectSame("refresh after changes")
        #expect(try idTokenClaims(try #require(try signIn(customToken: uid)["idToken"]))["role"] == nil)
    }

    @Test("neither custom tokens nor custom claims can set a session's claims")
    func reservedClaims() throws {
        let server = try server()
        let forged = #"{"firebase":{"session_id":"x","revocation":0}}"#
        #expect(try signIn(customToken: "forger", forged).status == 400)
        let user = try SecondFactorUser(server)
        let claims = #"{\"firebase\":{\"session_id\":\"x\",\"revocation\":0}}"#
        let set = try server.administer("update", #"{"localId":"\#(user.uid)","customAttributes":"\#(claims)"}"#)
        #expect(set.status == 400, "\(set.text)")
    }

    // MARK: Uids

    @Test(
        "an account with a deleted account's uid rejects its tokens",
        arguments: ["custom token", "admin", "import"]
    )
    func reusedUID(maker: String) throws {
        let server = try server()
        let uid = "reused-\(SecondFactorUser.freshNumber())"
        let deleted = try Tokens(try signIn(customToken: uid))
        #expect(try server.administer("delete", #"{"localId":"\#(uid)"}"#).status == 200)
        let made: HTTPAnswer =
            switch maker {
            case "custom token": try signIn(customToken: uid)
            case "admin":
                try server.post(
                    "/v1/projects/demo-dialtone/accounts",
                    #"{"localId":"\#(uid)"}"#,
                    headers: [("Authorization", "Bearer owner")]
                )
            default: try server.administer("batchCreate", #"{"users":[{"localId":"\#(uid)"}]}"#)
            }
        #expect(made.status == 200, "\(made.text)")
        #expect(try server.lookUp(deleted.idToken).errorCode == "TOKEN_EXPIRED")
        #expect(try server.update(deleted.idToken, #""displayName":"Eve""#).errorCode == "TOKEN_EXPIRED")
        #expect(try server.delete(deleted.idToken).errorCode == "TOKEN_EXPIRED")
        #expect(try server.refresh(deleted.refreshToken).errorCode == "USER_NOT_FOUND")
        try expectValid(try Tokens(try signIn(customToken: uid)), "\(maker)")
    }
}
