import Encodings
import PhoneAuth
import Processes
import TestServers
import Testing

@testable import dialtone

/// Unsigned tokens, which exist only in development mode.
@Suite struct UnsignedTokenTests {
    private func parts(_ token: String) throws -> (header: JSONObject, payload: Substring, signature: Substring) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        try #require(parts.count == 3)
        let bytes = try #require(Base64URL.decode(parts[0].utf8))
        guard case .object(let header) = try JSONValue.parse(bytes) else { throw ServerFailure(description: token) }
        return (header, parts[1], parts[2])
    }

    @Test("unsigned tokens are accepted only if the server issued them")
    func unsigned() throws {
        let server = try RunningServer(workers: 1, settings: ["DEVELOPMENT_TOKENS": "unsigned"])
        #expect(server.log.contains("ID TOKENS ARE NOT SIGNED"))
        let signedIn = try server.signInFresh("+16505551911")
        let idToken = try #require(signedIn["idToken"])
        let (header, payload, signature) = try parts(idToken)
        #expect(header.text("alg") == "none" && signature.isEmpty)
        #expect(try server.lookUp(idToken).status == 200)
        let refreshed = try server.refresh(try #require(signedIn["refreshToken"]))
        #expect(try parts(try #require(refreshed["id_token"])).header.text("alg") == "none")

        let other = try parts(try #require(try server.signInFresh("+16505551912")["idToken"]))
        let mine = String(idToken.prefix { $0 != "." })
        let bare = Base64URL.string(Array(#"{"alg":"none","typ":"JWT"}"#.utf8))
        for forged in [
            "\(mine).\(other.payload).", "\(bare).\(payload).", "\(mine).\(payload).AAAA", "\(mine).\(payload)",
        ] {
            #expect(try server.lookUp(forged).errorMessage == "INVALID_ID_TOKEN", "\(forged)")
        }
        let cookie = try server.post(
            "/v1/projects/demo-dialtone:createSessionCookie",
            #"{"idToken":"\#(idToken)"}"#,
            headers: [("Authorization", "Bearer owner")]
        )
        #expect(try parts(try #require(cookie["sessionCookie"], "\(cookie.text)")).header.text("alg") == "none")
    }

    @Test("production rejects the setting and cannot represent the policy")
    func production() throws {
        let settings = [
            "DIALTONE_PROJECTS": "acme", "DIALTONE_PROJECT_ACME_API_KEYS": "key", "DIALTONE_KEY_FILE": "/k",
            "DIALTONE_REDIS_ADDRESS": "unix:/run/redis.sock",
        ]
        #expect(try Settings(SettingsSource(file: nil, environment: settings)).policy.development == nil)
        let unsigned = settings.merging(["DIALTONE_DEVELOPMENT_TOKENS": "unsigned"]) { $1 }
        let failure = #expect(throws: Failure.self) { try Settings(SettingsSource(file: nil, environment: unsigned)) }
        #expect(
            failure?.description
                == #"DIALTONE_DEVELOPMENT_TOKENS: "unsigned": only development mode issues unsigned tokens; remove it"#
        )
        let development = settings.merging(["DIALTONE_MODE": "development"]) { $1 }
        #expect(
            try Settings(SettingsSource(file: nil, environment: development)).policy.development == DevelopmentPolicy()
        )
    }

    @Test("a production server rejects what development mode accepts")
    func productionServer() throws {
        let server = try RunningServer(
            .production,
            workers: 1,
            settings: [
                "ADMIN_ROUTES": "enabled", "PROJECT_DEMO_DIALTONE_PASSWORD_SIGN_IN": "enabled",
                "PROJECT_DEMO_DIALTONE_ANONYMOUS_SIGN_IN": "enabled",
            ]
        )
        let client = HTTPClient(port: server.port)
        let admin = try server.adminBearer()
        for bearer in ["Bearer owner", admin] {
            let headers = [("Authorization", bearer), ("Content-Type", "application/json")]
            for operation in ["signUp", "lookup", "update", "delete"] {
                let body = Array(#"{"localId":"x"}"#.utf8)
                let answer = try client.request("POST", "/v1/accounts:\(operation)", headers: headers, body: body)
                #expect(answer.status == 403)
            }
            for name in ["downloadAccount", "uploadAccount"] {
                let path = "/identitytoolkit/v3/relyingparty/\(name)"
                #expect(try client.request("POST", path, headers: headers, body: Array("{}".utf8)).status == 404)
            }
        }
        #expect(
            try server.post("/v1/accounts:signUp", #"{"targetProjectId":"x"}"#).errorCode == "INSUFFICIENT_PERMISSION"
        )
        let custom = #"{"token":"{\"uid\":\"x\"}"}"#
        #expect(try server.post("/v1/accounts:signInWithCustomToken", custom).errorCode == "INVALID_CUSTOM_TOKEN")
        let factor = #""mfaInfo":[{"phoneInfo":"+16505551913"}]"#
        let made = try server.post(
            "/v1/accounts:signUp",
            #"{"email":"p@example.com","password":"correct horse",\#(factor)}"#
        )
        #expect(try !server.lookUp(try #require(made["idToken"], "\(made.text)")).text.contains("mfaInfo"))
        let idToken = try #require(made["idToken"])
        #expect(try parts(idToken).header.text("alg") == "RS256")
        // The format in which development mode would accept this token.
        let (_, payload, signature) = try parts(idToken)
        let signed = "\(idToken.prefix { $0 != "." }).\(signature)"
        let header = Base64URL.string(Array(#"{"alg":"none","typ":"JWT","dialtone":"\#(signed)"}"#.utf8))
        #expect(try server.lookUp("\(header).\(payload).").errorMessage == "INVALID_ID_TOKEN")
        let preflight = try client.request(
            "OPTIONS",
            "/v1/accounts:lookup",
            headers: [("Origin", "https://app.example"), ("Access-Control-Request-Private-Network", "true")]
        )
        #expect(preflight.headers["access-control-allow-origin"] == "*")
        #expect(preflight.headers["access-control-allow-private-network"] == nil)
        let hook = try client.request(
            "PATCH",
            "/v2/projects/demo-dialtone/config",
            headers: [("Authorization", admin), ("Content-Type", "application/json")],
            body: Array(
                #"{"blockingFunctions":{"triggers":{"beforeCreate":{"functionUri":"http://127.0.0.1:9/"}}}}"#.utf8
            )
        )
        #expect(hook.errorCode == "INVALID_BLOCKING_FUNCTION")
    }
}
