import Encodings
import Processes
import TestServers
import Testing

/// An upgrade: this version runs with the data and the keys of an earlier version.
@Suite struct StoredDataTests {
    private static let versions = ["2026-11"]

    @Test("refresh tokens keep their users, claims and sign-in methods", arguments: versions)
    func refreshTokens(version: String) throws {
        let data = try StoredData(version)
        let methods = [
            "phone": "phone", "linked": "phone", "anonymous": "anonymous", "custom": "custom", "claims": "password",
            "factors": "password",
        ]
        for (name, method) in methods {
            let user = data.user(name)
            // The second refresh reads what the first one wrote.
            for _ in 1...2 {
                let refreshed = try data.server.refresh(user.text("refreshToken"))
                let idToken = try #require(refreshed["id_token"], "\(name): \(refreshed.text)")
                let claims = try idTokenClaims(idToken)
                #expect(claims.text("sub") == user.text("uid"))
                #expect(claims.object("firebase").text("sign_in_provider") == method, "\(name)")
                #expect(claims["auth_time"] != nil && claims["auth_time"] != claims["iat"])
                #expect(claims["role"] == (name == "custom" ? .string("teller") : nil))
                #expect(claims["tier"] == (name == "claims" ? .string("gold") : nil))
                let factor = claims.object("firebase").text("sign_in_second_factor")
                #expect(factor == (name == "factors" ? "totp" : ""))
                #expect(try data.server.lookUp(idToken).status == 200)
            }
        }
    }

    @Test("disabled users and revoked sessions stay disabled and revoked", arguments: versions)
    func refusals(version: String) throws {
        let data = try StoredData(version)
        #expect(try data.server.refresh(data.user("disabled").text("refreshToken")).errorCode == "USER_DISABLED")
        #expect(try data.server.refresh(data.user("revoked").text("refreshToken")).errorCode == "TOKEN_EXPIRED")
        #expect(try data.server.signInFresh(data.user("disabled").text("phoneNumber")).errorCode == "USER_DISABLED")
        let again = try data.server.signInFresh(data.user("revoked").text("phoneNumber"))
        #expect(again["localId"] == data.user("revoked").text("uid"))
    }

    @Test("users sign in by number, password, authenticator app and recovery code", arguments: versions)
    func signIns(version: String) throws {
        let data = try StoredData(version)
        for name in ["phone", "linked"] {
            let user = data.user(name)
            #expect(try data.server.signInFresh(user.text("phoneNumber"))["localId"] == user.text("uid"))
        }
        for name in ["linked", "claims"] {
            let user = data.user(name)
            #expect(try data.server.signIn(email: user.text("email"))["localId"] == user.text("uid"))
        }
        let user = data.user("factors")
        let app = try #require(AuthenticatorApp(user.text("totpSecret")))
        for code in [app.code(), user.text("recoveryCode")] {
            let first = try data.server.signIn(email: user.text("email"))
            let credential = try #require(first["mfaPendingCredential"], "\(first.text)")
            let signedIn = try data.server.finishApp(credential, user.text("factor"), code)
            #expect(signedIn.status == 200, "\(signedIn.text)")
        }
        let session = try data.server.openSession("+16505550119")
        #expect(try data.server.signIn(session, "246813").status == 200)
    }

    @Test("each account is exported once, before and after the list of accounts is compacted", arguments: versions)
    func list(version: String) throws {
        let data = try StoredData(version)
        let names = ["phone", "linked", "anonymous", "custom", "claims", "disabled", "revoked", "factors"]
        var uids = names.map { data.user($0).text("uid") }
        for address in ["bea@example.com", "cleo@example.com"] {
            let body = #"{"email":"\#(address)","password":"correct horse"}"#
            uids.append(try #require(try data.server.post("/v1/accounts:signUp", body)["localId"]))
        }
        func exported() throws -> [String] {
            try data.server.dialtone("users", "export").output.split(separator: "\n").map {
                guard case .object(let account) = try JSONValue.parse(Array($0.utf8)) else { return "" }
                return account.text("localId")
            }
        }
        #expect(try exported() == uids.sorted())
        let compacted = try data.server.dialtone("users", "compact")
        #expect(compacted.isFine && compacted.output.hasPrefix("moved "))
        #expect(try exported() == uids.sorted())
        #expect(try data.server.dialtone("users", "compact").output == "moved 0 accounts\n")
        #expect(data.server.redis.cli("--scan", "--pattern", "dt:{u*}:users:demo-dialtone") == "")
        #expect(try data.server.signInFresh(data.user("phone").text("phoneNumber"))["localId"] == uids[0])
    }
}
