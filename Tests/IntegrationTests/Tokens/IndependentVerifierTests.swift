import Glibc
import Processes
import TestServers
import Testing

/// ID tokens verified by other implementations: PyJWT with our JWK set, google-auth with our certificates.
@Suite struct IndependentVerifierTests {
    static let script = """
        import json, sys, time
        import jwt, requests
        from google.auth import jwt as google_jwt
        base, project, token, uid, number = sys.argv[1:6]
        keys = jwt.PyJWKClient(base + "/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com")
        issuer = "https://securetoken.google.com/" + project
        claims = jwt.decode(token, keys.get_signing_key_from_jwt(token).key, algorithms=["RS256"], audience=project,
                            issuer=issuer, options={"require": ["exp", "iat", "sub", "aud", "iss", "auth_time"]})
        certificates = requests.get(base + "/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com")
        assert "max-age=" in certificates.headers["Cache-Control"]
        assert claims == google_jwt.decode(token, certs=certificates.json(), audience=project)
        header = jwt.get_unverified_header(token)
        assert header == {"alg": "RS256", "kid": list(certificates.json())[0], "typ": "JWT"}, header
        session = {name: claims["firebase"].pop(name) for name in ("session_id", "revocation")}
        assert len(session["session_id"]) == 22 and session["revocation"] < 2 ** 53, session
        assert claims == {
            "iss": issuer, "aud": project, "auth_time": claims["auth_time"], "user_id": uid, "sub": uid,
            "iat": claims["iat"], "exp": claims["iat"] + 3600, "phone_number": number,
            "firebase": {"identities": {"phone": [number]}, "sign_in_provider": "phone"},
        }, claims
        assert abs(time.time() - claims["iat"]) < 60 and claims["auth_time"] <= claims["iat"]
        try:
            jwt.decode(token, keys.get_signing_key_from_jwt(token).key, algorithms=["RS256"], audience="another")
            sys.exit("accepted for another audience")
        except jwt.InvalidAudienceError:
            print(claims["auth_time"])
        """

    @Test("PyJWT and google-auth accept our tokens, and a refreshed token keeps auth_time")
    func verify() throws {
        guard let python = getenv("TEST_PYTHON").map({ String(cString: $0) }) else {
            Issue.record("TEST_PYTHON is not set: run the tests with make test")
            return
        }
        let server = try RunningServer()
        let signedIn = try server.signInFresh("+16505550120")
        var refreshed = signedIn
        // Tokens of the same second are equal.
        #expect(
            try eventually(every: .milliseconds(200)) {
                refreshed = try server.refresh(try #require(signedIn["refreshToken"]))
                return refreshed["id_token"] != signedIn["idToken"]
            }
        )
        var signInTimes: [String] = []
        for token in [signedIn["idToken"], refreshed["id_token"]] {
            let run = try FinishedProcess.run(
                python,
                [
                    "-c", Self.script, "http://127.0.0.1:\(server.port)", "demo-dialtone", try #require(token),
                    try #require(signedIn["localId"]), "+16505550120",
                ]
            )
            #expect(run.status == .exited(0), "\(run.errors)")
            signInTimes.append(run.output)
        }
        #expect(signInTimes[0] == signInTimes[1])
    }
}
