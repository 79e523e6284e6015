import Processes
import TestBrowser
import TestServers
import Testing

/// The official firebase-admin for Python against a real server.
@Suite struct FirebaseAdminTests {
    private static let client = RunningServer.packageFolder + "/Tests/IntegrationTests/Support/firebase_admin_client.py"

    @Test("firebase-admin supports the same operations in emulator mode as with the emulator")
    func emulator() throws {
        let server = try RunningServer()
        let output = try Python.run([Self.client, "127.0.0.1:\(server.port)", "demo-dialtone"])
        #expect(output == "done\n")
    }

    @Test("firebase-admin administers a production server with an admin token")
    func production() throws {
        let server = try RunningServer(
            .production,
            settings: ["ADMIN_ROUTES": "enabled", "PROJECT_DEMO_DIALTONE_PASSWORD_SIGN_IN": "enabled"]
        )
        let token = try server.adminToken()
        let output = try Python.run([Self.client, "127.0.0.1:\(server.port)", "demo-dialtone", token])
        #expect(output == "done\n")
        #expect(!server.log.contains(token))
    }

    /// Creates a service account's file, gets access at the server's `token_uri` with google-auth, and lists accounts.
    private static let serviceAccountScript = """
        import json, sys
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import rsa
        if sys.argv[1] == "make":
            key = rsa.generate_private_key(65537, 2048)
            pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
                                    serialization.NoEncryption()).decode()
            print(json.dumps({"type": "service_account", "client_email": "server@demo.iam.example", "private_key": pem,
                              "private_key_id": "1", "project_id": "demo-dialtone"}))
            sys.exit()
        path, base = sys.argv[2:4]
        from google.auth.transport.requests import AuthorizedSession
        from google.oauth2 import service_account
        info = dict(json.load(open(path)), token_uri=base + "/token")
        credentials = service_account.Credentials.from_service_account_info(
            info, scopes=["https://www.googleapis.com/auth/identitytoolkit"])
        session = AuthorizedSession(credentials)
        print(session.post(base + "/v1/projects/demo-dialtone/accounts", json={"localId": "ada"}).status_code,
              session.get(base + "/v1/projects/demo-dialtone/accounts:batchGet").json()["users"][0]["localId"],
              session.get(base + "/v1/projects/other/accounts:batchGet").status_code)
        """

    @Test("google-auth gets an access token at our token_uri only for the project's service account")
    func serviceAccount() throws {
        let folder = try TemporaryFolder(prefix: "dialtone-service-account")
        try folder.write(try Python.run(["-c", Self.serviceAccountScript, "make"]), to: "account.json")
        let path = folder.path(of: "account.json")
        let server = try RunningServer(
            .production,
            workers: 1,
            settings: ["ADMIN_ROUTES": "enabled", "PROJECT_DEMO_DIALTONE_SERVICE_ACCOUNT_FILES": path]
        )
        let base = "http://127.0.0.1:\(server.port)"
        #expect(try Python.run(["-c", Self.serviceAccountScript, "use", path, base]) == "200 ada 403\n")
    }
}
