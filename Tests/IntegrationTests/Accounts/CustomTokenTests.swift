import Encodings
import Processes
import TestBrowser
import TestServers
import Testing

/// Custom tokens from an operator's own servers: google-auth signs with a service account's file.
@Suite struct CustomTokenTests {
    static let email = "server@other.iam.example"

    /// Prints the file of a new service account with its private key, the file with the public key alone, and a custom
    /// token.
    private static let script = """
        import json, sys, time
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import rsa
        from google.auth import crypt, jwt
        email, uid = sys.argv[1:3]
        key = rsa.generate_private_key(65537, 2048)
        private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
                                    serialization.NoEncryption()).decode()
        public = key.public_key().public_bytes(serialization.Encoding.PEM,
                                               serialization.PublicFormat.SubjectPublicKeyInfo).decode()
        file = {"type": "service_account", "client_email": email, "private_key_id": "1", "private_key": private}
        now = int(time.time())
        payload = {"iss": email, "sub": email, "iat": now, "exp": now + 3600, "uid": uid, "claims": {"role": "admin"},
                   "aud": "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"}
        token = jwt.encode(crypt.RSASigner.from_service_account_info(file), payload).decode()
        print(json.dumps({"private": json.dumps(file), "token": token,
                          "public": json.dumps({"client_email": email, "public_key": public})}))
        """

    @Test("a registered service account's token signs in only users of its project", arguments: ["private", "public"])
    func signIn(key: String) throws {
        let output = try Python.run(["-c", Self.script, Self.email, "user-1"])
        guard case .object(let made) = try JSONValue.parse(Array(output.utf8)) else {
            Issue.record("\(output)")
            return
        }
        let folder = try TemporaryFolder(prefix: "dialtone-service-account")
        try folder.write(made.text(key), to: "account.json")
        let server = try RunningServer(
            .production,
            workers: 1,
            settings: ["PROJECT_OTHER_SERVICE_ACCOUNT_FILES": folder.path(of: "account.json")]
        )
        let body = #"{"token":"\#(made.text("token"))","returnSecureToken":true}"#
        let path = "/v1/accounts:signInWithCustomToken"
        #expect(try server.post(path, body).errorMessage == "CREDENTIAL_MISMATCH")
        for isNew in [true, false] {
            let answer = try server.post(path, body, apiKey: "other-key")
            #expect(answer["kind"] == "identitytoolkit#VerifyCustomTokenResponse")
            #expect(answer.json["isNewUser"] == .bool(isNew))
            #expect(answer["expiresIn"] == "3600")
            let claims = try idTokenClaims(try #require(answer["idToken"]))
            #expect(claims.text("sub") == "user-1" && claims.text("role") == "admin")
            let refreshToken = try #require(answer["refreshToken"])
            let refreshed = try server.post(
                "/v1/token",
                #"{"grantType":"refresh_token","refreshToken":"\#(refreshToken)"}"#,
                apiKey: "other-key"
            )
            #expect(try idTokenClaims(try #require(refreshed["id_token"])).text("role") == "admin")
        }
        #expect(!server.log.contains(made.text("token")))
    }
}
