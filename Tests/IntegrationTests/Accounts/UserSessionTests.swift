import Encodings
import Processes
import TestServers
import Testing

/// A user's sessions on several devices, and signing out on one of them.
@Suite(.sharedServer { try RunningServer(workers: 2, settings: ["SENDS_PER_NUMBER_PER_HOUR": "1000"]) })
struct UserSessionTests {
    private static let client = "iOS/FirebaseSDK/11.0.0/FirebaseCore-iOS"

    private func server() throws -> RunningServer { try #require(SharedServer.current) }

    private func signIn(_ user: SecondFactorUser, client: String = Self.client) throws -> HTTPAnswer {
        try server().post(
            "/v1/accounts:signInWithPassword",
            #"{"email":"\#(user.email)","password":"\#(SecondFactorUser.password)"}"#,
            headers: [("X-Client-Version", client)]
        )
    }

    private func list(_ idToken: String) throws -> HTTPAnswer {
        try server().post("/v2/accounts/sessions:list", #"{"idToken":"\#(idToken)"}"#)
    }

    private func end(_ session: String, _ idToken: String) throws -> HTTPAnswer {
        try server().post("/v2/accounts/sessions:end", #"{"idToken":"\#(idToken)","sessionId":"\#(session)"}"#)
    }

    private func id(_ answer: HTTPAnswer) throws -> String {
        try idTokenClaims(try #require(answer["idToken"], "\(answer.text)")).object("firebase").text("session_id")
    }

    private func expectEnded(_ tokens: HTTPAnswer) throws {
        #expect(try server().refresh(try #require(tokens["refreshToken"])).errorCode == "TOKEN_EXPIRED")
        #expect(try server().lookUp(try #require(tokens["idToken"])).errorCode == "TOKEN_EXPIRED")
        #expect(
            try server().update(try #require(tokens["idToken"]), #""displayName":"Eve""#).errorCode == "TOKEN_EXPIRED"
        )
    }

    private func expectValid(_ tokens: HTTPAnswer) throws {
        #expect(try server().refresh(try #require(tokens["refreshToken"])).status == 200)
        #expect(try server().lookUp(try #require(tokens["idToken"])).status == 200)
    }

    @Test("users list their sessions and end one: only its tokens end, immediately")
    func user() throws {
        let user = try SecondFactorUser(try server())
        let (phone, laptop) = (
            try signIn(user), try signIn(user, client: "Chrome/JsCore/10.0.0/\u{e9}FirebaseCore-web")
        )
        let idToken = try #require(phone["idToken"])
        let listed = try list(idToken)
        let sessions = listed.json.objects("sessions")
        #expect(sessions.count == 3, "\(listed.text)")
        let (phoneID, laptopID) = (try id(phone), try id(laptop))
        let own = try #require(sessions.first { $0.text("sessionId") == phoneID })
        #expect(own["isCurrent"] == .bool(true) && own.text("clientVersion") == Self.client)
        #expect(
            own.text("providerId") == "password" && !own.text("signedInAt").isEmpty && !own.text("lastUsedAt").isEmpty
        )
        let other = try #require(sessions.first { $0.text("sessionId") == laptopID })
        #expect(other["isCurrent"] == .bool(false))
        #expect(other.text("clientVersion") == "Chrome/JsCore/10.0.0/FirebaseCore-web")

        let refresh = try server().refresh(
            try #require(laptop["refreshToken"]),
            headers: [("X-Client-Version", "Chrome/JsCore/11.0.0/FirebaseCore-web")]
        )
        #expect(refresh.status == 200, "\(refresh.text)")
        let used = try #require(try list(idToken).json.objects("sessions").first)
        #expect(used.text("sessionId") == laptopID && used["isUsedFromOtherNetwork"] == .bool(false))
        #expect(used.text("clientVersion") == "Chrome/JsCore/10.0.0/FirebaseCore-web")
        #expect(used.text("lastUsedClientVersion") == "Chrome/JsCore/11.0.0/FirebaseCore-web")

        #expect(try end(try id(laptop), idToken).status == 200)
        try expectEnded(laptop)
        try expectValid(phone)
        #expect(try list(idToken).json.objects("sessions").count == 2)
        #expect(try end(try id(laptop), idToken).errorCode == "SESSION_NOT_FOUND")
        // Ending the current session signs the user out.
        #expect(try end(try id(phone), idToken).status == 200)
        try expectEnded(phone)
        #expect(try server().lookUp(user.idToken).status == 200)
    }

    @Test("no one can end or learn about another account's session")
    func otherAccount() throws {
        let server = try server()
        let (ada, eve) = (try SecondFactorUser(server), try SecondFactorUser(server))
        let session = try idTokenClaims(ada.idToken).object("firebase").text("session_id")
        for id in [session, "x", "", "\(session):", "../\(session)", String(repeating: "A", count: 22)] {
            let answer = try end(id, eve.idToken)
            #expect(answer.errorCode == (id.isEmpty ? "MISSING_SESSION_ID" : "SESSION_NOT_FOUND"), "\(id)")
        }
        #expect(try server.lookUp(ada.idToken).status == 200)
        #expect(try list("x").errorCode == "INVALID_ID_TOKEN")
        #expect(
            try list(ada.idToken).json.objects("sessions").allSatisfy {
                $0["network"] == nil && $0["lastUsedNetwork"] == nil
            }
        )
    }

    @Test("a revocation ends all sessions except the one that continues")
    func revocation() throws {
        let server = try server()
        let user = try SecondFactorUser(server)
        _ = try signIn(user)
        let changed = try server.update(user.idToken, #""password":"another one""#)
        let sessions = try list(try #require(changed["idToken"])).json.objects("sessions")
        let continued = try id(changed)
        #expect(sessions.map { $0.text("sessionId") } == [continued])
    }

    @Test("operators list sessions with networks and end one, in the admin interface and on the command line")
    func operators() throws {
        let server = try server()
        let user = try SecondFactorUser(server)
        let (first, second) = (try signIn(user), try signIn(user))
        let (firstID, secondID) = (try id(first), try id(second))
        let listed = try server.administer("listSessions", #"{"localId":"\#(user.uid)"}"#)
        let sessions = listed.json.objects("sessions")
        #expect(sessions.count == 3 && sessions.allSatisfy { !$0.text("network").isEmpty }, "\(listed.text)")
        #expect(sessions.allSatisfy { $0.text("lastUsedNetwork") == $0.text("network") }, "\(listed.text)")
        let ended = try server.administer("endSession", #"{"localId":"\#(user.uid)","sessionId":"\#(firstID)"}"#)
        #expect(ended.status == 200, "\(ended.text)")
        try expectEnded(first)
        try expectValid(second)
        let again = try server.administer("endSession", #"{"localId":"\#(user.uid)","sessionId":"\#(firstID)"}"#)
        #expect(again.errorCode == "SESSION_NOT_FOUND")
        #expect(try server.administer("listSessions", #"{"localId":"nobody"}"#).errorCode == "USER_NOT_FOUND")

        let shown = try server.dialtone("users", "show", user.uid).output
        #expect(shown.contains(secondID) && shown.contains(Self.client) && !shown.contains(firstID))
        #expect(shown.contains("signed in ") && shown.contains("last used "), "\(shown)")
        let done = try server.dialtone("users", "end-session", user.uid, secondID)
        #expect(done.isFine, "\(done.errors)")
        try expectEnded(second)
        let unknown = try server.dialtone("users", "end-session", user.uid, secondID)
        #expect(unknown.status != .exited(0) && unknown.errors.contains(secondID))
        let dashed = try server.dialtone("users", "end-session", user.uid, "-dashed")
        #expect(dashed.errors.contains(#""-dashed": no such session"#), "\(dashed.errors)")
        let events = try server.dialtone("audit", "--account", user.uid, "--kind", "session-ended").output
        #expect(events.contains(firstID) && events.contains(secondID), "\(events)")
    }

    @Test("an old sign-in can end its own session, but no other")
    func recency() throws {
        let server = try server()
        let user = try SecondFactorUser(server)
        let other = try id(try user.signIn())
        let own = try idTokenClaims(user.idToken).object("firebase").text("session_id")
        let key = server.redis.cli("--scan", "--pattern", "dt:{u*}:session:demo-dialtone:\(own)")
        server.redis.cli("HSET", key, "signed-in", "1000")
        #expect(try end(other, user.idToken).errorCode == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
        #expect(try list(user.idToken).json.objects("sessions").count == 2)
        #expect(try end(own, user.idToken).status == 200)
    }

    @Test("a tab with former tokens gets the account after a second, when it has read the present ones")
    func formerTokens() throws {
        let server = try server()
        let user = try SecondFactorUser(server)
        let renewed = try server.update(user.idToken, #""password":"another one""#)
        let start = ContinuousClock.now
        let slow = try server.lookUp(user.idToken)
        #expect(ContinuousClock.now - start > .milliseconds(900))
        #expect(slow.json.objects("users").first?.text("localId") == user.uid, "\(slow.text)")
        let refreshed = try server.refresh(user.refreshToken)
        // A copy of the former token does not outlast the ten seconds.
        let next = try #require(refreshed["refresh_token"])
        #expect(next != user.refreshToken && refreshed["user_id"] == user.uid)
        #expect(try server.refresh(next)["user_id"] == user.uid)
        for token in [refreshed["id_token"], renewed["idToken"]] {
            #expect(try server.update(try #require(token), #""displayName":"Ada""#).status == 200)
        }
        #expect(try server.update(user.idToken, #""displayName":"Eve""#).errorMessage == "TOKEN_EXPIRED")
    }
}
