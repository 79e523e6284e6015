import Encodings
import Processes
import TestServers
import Testing

/// Numbers that may have been recycled, through the whole server.
@Suite struct RecycledNumberTests {
    private let number = "+16505550195"

    private func server(_ policy: String) throws -> RunningServer {
        try RunningServer(
            workers: 2,
            settings: [
                "PROJECT_DEMO_DIALTONE_RECYCLED_NUMBER_DAYS": "30",
                "PROJECT_DEMO_DIALTONE_RECYCLED_NUMBER_POLICY": policy,
            ]
        )
    }

    /// Creates an account with a number and a password, whose number was last proven long ago.
    private func makeAccount(_ server: RunningServer) throws -> String {
        let signedIn = try server.signInFresh(number)
        let linked = try server.post(
            "/v1/accounts:signUp",
            #"{"idToken":"\#(try #require(signedIn["idToken"]))","email":"ada@example.com","password":"correct horse"}"#
        )
        #expect(linked.status == 200)
        server.redis.cli(
            "HSET",
            server.redis.cli("--scan", "--pattern", "dt:{u*}:user:*"),
            "phone-proven",
            "1700000000000"
        )
        return try #require(signedIn["localId"])
    }

    private func signInWithPassword(_ server: RunningServer) throws -> HTTPAnswer {
        try server.post(
            "/v1/accounts:signInWithPassword",
            #"{"email":"ada@example.com","password":"correct horse","returnSecureToken":true}"#
        )
    }

    @Test("under the policy ask, SDKs get requires-recent-login, and updating the number proves it again")
    func ask() throws {
        let server = try server("ask")
        let uid = try makeAccount(server)
        let refused = try server.signInFresh(number)
        #expect(refused.status == 400)
        #expect(refused.errorMessage?.hasPrefix("CREDENTIAL_TOO_OLD_LOGIN_AGAIN : ") == true)
        let reference = try #require(refused.headers["dialtone-reference"])
        #expect(try server.dialtone("audit", "--reference", reference).output.contains(" recycled-number ask "))
        #expect(
            try server.dialtone("explain", reference).output.contains("the number may have been recycled")
        )
        let idToken = try #require(try signInWithPassword(server)["idToken"])
        let session = try server.openVerification(number)
        let updated = try server.post(
            "/v1/accounts:signInWithPhoneNumber",
            #"{"idToken":"\#(idToken)","sessionInfo":"\#(session)","code":"\#(try server.code(of: session))"}"#
        )
        #expect(updated["localId"] == uid)
        #expect(try server.signInFresh(number)["localId"] == uid)
    }

    @Test("under the policy fresh, the number signs in to a new account, and the former one keeps its password")
    func fresh() throws {
        let server = try server("fresh")
        let uid = try makeAccount(server)
        let signedIn = try server.signInFresh(number)
        let freshUID = try #require(signedIn["localId"])
        #expect(freshUID != uid && signedIn.json["isNewUser"] == .bool(true))
        let former = try signInWithPassword(server)
        #expect(former["localId"] == uid)
        let account = String(decoding: try server.lookUp(try #require(former["idToken"])).body, as: UTF8.self)
        #expect(!account.contains("phoneNumber"))
        #expect(try server.signInFresh(number)["localId"] == freshUID)
        let told = try server.dialtone("audit", "--phone", number).output
        #expect(told.contains(" recycled-number fresh  demo-dialtone/\(uid)  by server"))
        #expect(told.contains(" sign-up phone  demo-dialtone/\(freshUID)  by user"))
    }
}
