import TestServers
import Testing

/// Operators' settings for accounts.
@Suite struct AccountSettingsTests {
    @Test("unless it is enabled, anonymous sign-in is admin-only")
    func anonymousSignIn() throws {
        let server = try RunningServer(
            .production,
            workers: 1,
            settings: ["PROJECT_OTHER_ANONYMOUS_SIGN_IN": "enabled"]
        )
        #expect(try server.post("/v1/accounts:signUp", "{}").errorMessage == "ADMIN_ONLY_OPERATION")
        let signedIn = try server.post("/v1/accounts:signUp", "{}", apiKey: "other-key")
        #expect(signedIn["localId"]?.count == 28)
        let log = server.log
        #expect(!log.contains(try #require(signedIn["idToken"])))
        #expect(!log.contains(try #require(signedIn["refreshToken"])))
    }

    @Test("if refresh token rotation is enabled, a replayed token is detected and logged")
    func rotation() throws {
        let server = try RunningServer(
            workers: 2,
            settings: ["REFRESH_TOKEN_ROTATION": "enabled", "REFRESH_TOKEN_GRACE_SECONDS": "1"]
        )
        let first = try #require(try server.post("/v1/accounts:signUp", "{}")["refreshToken"])
        let second = try #require(try server.refresh(first)["refresh_token"])
        #expect(second != first)
        let third = try #require(try server.refresh(second)["refresh_token"])
        #expect(try server.refresh(first).errorMessage == "TOKEN_EXPIRED")
        #expect(try server.refresh(third).errorMessage == "TOKEN_EXPIRED")
        #expect(server.log.contains("the refresh token was replayed after its rotation"))
    }

    @Test("long after a sign-in, deleting the account requires a recent sign-in")
    func recentSignIn() throws {
        let server = try RunningServer(workers: 1)
        let signedIn = try server.signInFresh("+16505550101")
        let key = server.redis.cli("--scan", "--pattern", "dt:{u*}:session:*")
        server.redis.cli("HSET", key, "signed-in", "1700000000000")
        let refreshed = try server.refresh(try #require(signedIn["refreshToken"]))
        let idToken = try #require(refreshed["id_token"])
        let answer = try server.post("/v1/accounts:delete", #"{"idToken":"\#(idToken)"}"#)
        #expect(answer.errorMessage == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
        #expect(try server.lookUp(idToken).status == 200)
    }
}
