import Encodings
import TestServers
import Testing

/// Tokens whose account changes.
@Suite struct AccountLifeTests {
    let server: RunningServer

    init() throws {
        server = try RunningServer(
            workers: 1,
            settings: ["SENDS_PER_NUMBER_PER_HOUR": "1000", "SENDS_PER_NUMBER_PER_DAY": "1000"]
        )
    }

    /// Sets a field of the account's hash, as an operator's tools would.
    private func setField(_ name: String, _ value: String, of uid: String) {
        let key = server.redis.cli("--scan", "--pattern", "dt:{u*}:user:demo-dialtone:\(uid)")
        server.redis.cli("HSET", key, name, value)
    }

    @Test("a disabled account can request a code but cannot sign in, refresh or be looked up")
    func disabled() throws {
        let signedIn = try server.signInFresh("+16505550110")
        setField("disabled", "1", of: try #require(signedIn["localId"]))
        #expect(try server.signInFresh("+16505550110").errorMessage == "USER_DISABLED")
        #expect(try server.refresh(try #require(signedIn["refreshToken"])).errorMessage == "USER_DISABLED")
        #expect(try server.lookUp(try #require(signedIn["idToken"])).errorMessage == "USER_DISABLED")
    }

    @Test("tokens issued before a revocation are expired")
    func revoked() throws {
        let signedIn = try server.signInFresh("+16505550111")
        #expect(try server.dialtone("users", "revoke", try #require(signedIn["localId"])).isFine)
        #expect(try server.refresh(try #require(signedIn["refreshToken"])).errorMessage == "TOKEN_EXPIRED")
        #expect(try server.lookUp(try #require(signedIn["idToken"])).errorMessage == "TOKEN_EXPIRED")
    }

    @Test("deleting all accounts leaves tokens without a user and numbers without an account")
    func deleted() throws {
        let signedIn = try server.signInFresh("+16505550112")
        let answer = try HTTPClient(port: server.port)
            .request(
                "DELETE",
                "/emulator/v1/projects/demo-dialtone/accounts",
                headers: [("Authorization", "Bearer owner")]
            )
        #expect(answer.status == 200)
        #expect(answer.body == Array("{}".utf8))
        #expect(try server.lookUp(try #require(signedIn["idToken"])).errorMessage == "USER_NOT_FOUND")
        #expect(try server.refresh(try #require(signedIn["refreshToken"])).errorMessage == "USER_NOT_FOUND")
        #expect(server.redis.cli("--scan", "--pattern", "dt:{?*}:phone:*").isEmpty)

        let again = try server.signInFresh("+16505550112")
        #expect(again.json["isNewUser"] == .bool(true))
        #expect(again["localId"] != signedIn["localId"])
    }

    @Test("if a worker died before it created a number's account, the next sign-in creates it")
    func orphan() throws {
        let signedIn = try server.signInFresh("+16505550113")
        let uid = try #require(signedIn["localId"])
        let key = server.redis.cli("--scan", "--pattern", "dt:{u*}:user:demo-dialtone:\(uid)")
        server.redis.cli("DEL", key)
        let again = try server.signInFresh("+16505550113")
        #expect(again.status == 200)
        #expect(again["localId"] == uid)
        #expect(again.json["isNewUser"] == .bool(true))
    }

    @Test("an account deleted during a sign-in is not recreated, and its number gets a new account")
    func deletedMeanwhile() throws {
        let uid = try #require(try server.signInFresh("+16505550115")["localId"])
        let session = try server.openVerification("+16505550115")
        let code = try server.code(of: session)
        // When the account is deleted, the sign-in is between its two steps: the number still leads to the account.
        let phoneKey = server.redis.cli("--scan", "--pattern", "dt:{?*}:phone:*")
        let claim = server.redis.cli("GET", phoneKey)
        let path = "/emulator/v1/projects/demo-dialtone/accounts"
        #expect(try HTTPClient(port: server.port).request("DELETE", path).status == 200)
        server.redis.cli("SET", phoneKey, claim)
        let signedIn = try server.signIn(session, code)
        #expect(signedIn.json["isNewUser"] == .bool(true))
        let accounts = server.redis.cli("--scan", "--pattern", "dt:{u*}:user:*")
        #expect(accounts.hasSuffix(":\(try #require(signedIn["localId"]))"))
        #expect(!accounts.contains(uid))
    }

    @Test("after many sign-ins, the latest hundred refresh tokens are kept")
    func refreshTokenLimit() throws {
        let first = try server.signInFresh("+16505550116")
        for _ in 0..<100 { #expect(try server.signInFresh("+16505550116").status == 200) }
        let last = try server.signInFresh("+16505550116")
        #expect(server.redis.cli("--scan", "--pattern", "dt:{u*}:session:*").split(separator: "\n").count == 100)
        #expect(try server.refresh(try #require(first["refreshToken"])).errorMessage == "TOKEN_EXPIRED")
        #expect(try server.refresh(try #require(last["refreshToken"])).status == 200)
    }

    @Test("an ID token with a modified payload or signature is rejected")
    func touchedToken() throws {
        let token = try #require(try server.signInFresh("+16505550114")["idToken"])
        let parts = token.split(separator: ".").map(String.init)
        let header = Base64URL.string(Array(#"{"alg":"none","typ":"JWT"}"#.utf8))
        let forgeries = [
            "\(parts[0]).\(parts[1]).", "\(header).\(parts[1]).", "\(header).\(parts[1]).\(parts[2])",
            "\(parts[0]).\(parts[1].dropLast(4)).\(parts[2])", "\(parts[0]).\(parts[1]).\(parts[2].dropFirst(4))",
        ]
        for forged in forgeries {
            #expect(try server.lookUp(forged).errorMessage == "INVALID_ID_TOKEN")
        }
        #expect(try server.lookUp(token).status == 200)
    }
}

/// Returns the unverified claims of an ID token.
func idTokenClaims(_ token: String) throws -> JSONObject {
    let payload = Base64URL.decode(token.split(separator: ".")[1].utf8) ?? []
    guard case .object(let claims) = try JSONValue.parse(payload) else { return JSONObject() }
    return claims
}
