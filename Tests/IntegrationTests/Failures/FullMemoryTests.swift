import Encodings
import Processes
import TestServers
import Testing

/// A server whose Redis has reached its memory limit.
@Suite struct FullMemoryTests {
    private func memory(_ server: RunningServer, _ name: String) throws -> Int {
        let line = server.redis.cli("INFO", "memory").split(whereSeparator: \.isNewline).first {
            $0.hasPrefix("\(name):")
        }
        return try #require(line.flatMap { Int($0.dropFirst(name.count + 1)) })
    }

    /// Sets maxmemory so that Redis has used this percentage of it. Connection buffers vary, so a large value makes up
    /// most of the memory.
    private func fill(_ server: RunningServer, toPercent percent: Int) throws {
        server.redis.cli("SETRANGE", "ballast", String(16 << 20), "x")
        let used = try memory(server, "used_memory") - memory(server, "mem_not_counted_for_evict")
        #expect(server.redis.cli("CONFIG", "SET", "maxmemory", String(used * 100 / percent)) == "OK")
    }

    private func signUp(_ server: RunningServer, _ email: String? = nil) throws -> HTTPAnswer {
        let credentials = email.map { #""email":"\#($0)","password":"correct horse","# } ?? ""
        return try server.post("/v1/accounts:signUp", "{\(credentials)\"returnSecureToken\":true}")
    }

    private func signIn(_ server: RunningServer, _ email: String) throws -> HTTPAnswer {
        try server.post("/v1/accounts:signInWithPassword", #"{"email":"\#(email)","password":"correct horse"}"#)
    }

    @Test(
        "near maxmemory, new accounts are refused, even by phone; existing users sign in and delete accounts"
    )
    func nearlyFull() throws {
        let server = try RunningServer(workers: 1)
        #expect(try signUp(server, "ada@example.com").status == 200)
        let known = try server.signInFresh("+16505550131")
        #expect(known.status == 200)
        let session = try server.openVerification("+16505550132")
        let code = try server.code(of: session)
        let spent = try server.openVerification("+16505550134")
        let spentCode = try server.code(of: spent)

        try fill(server, toPercent: 95)
        #expect(try eventually { try self.signUp(server).errorMessage == "QUOTA_EXCEEDED" })
        let refused = try signUp(server, "bob@example.com")
        #expect(refused.status == 400 && refused.errorMessage == "QUOTA_EXCEEDED")
        #expect(refused.headers["retry-after"] == "60")
        #expect(server.log.contains("Redis has used 90 % of its maxmemory"))
        // A new user's correct code is not used up, and wrong codes count as usual.
        #expect(try server.signIn(session, wrongCode(besides: code)).errorMessage == "INVALID_CODE")
        for _ in 0..<7 {
            let refused = try server.signIn(session, code)
            #expect(refused.errorMessage == "QUOTA_EXCEEDED" && refused.headers["retry-after"] == "60")
        }
        for _ in 0..<5 { _ = try server.signIn(spent, wrongCode(besides: spentCode)) }
        let guesses = try [spentCode, wrongCode(besides: spentCode)].map { try server.signIn(spent, $0) }
        #expect(guesses[0].status == 400 && guesses[0].errorCode == guesses[1].errorCode, "\(guesses[0].text)")
        #expect(server.redis.cli("KEYS", "dt:{*}:phone:*").split(separator: "\n").count == 1)

        let again = try server.signInFresh("+16505550131")
        #expect(again["localId"] == known["localId"], "\(again.text)")
        let ada = try signIn(server, "ada@example.com")
        #expect(ada.status == 200)
        #expect(try server.refresh(try #require(ada["refreshToken"])).status == 200)
        #expect(
            try server.post("/v1/accounts:delete", #"{"idToken":"\#(try #require(ada["idToken"]))"}"#).status == 200
        )
        #expect(try signIn(server, "ada@example.com").errorMessage == "EMAIL_NOT_FOUND")

        #expect(server.redis.cli("CONFIG", "SET", "maxmemory", "0") == "OK")
        #expect(try eventually { try self.signUp(server, "ada@example.com").status == 200 })
        let newcomer = try server.signIn(session, code)
        #expect(newcomer.json["isNewUser"] == .bool(true), "\(newcomer.text)")
        #expect(try server.signIn(session, code).errorMessage == "SESSION_EXPIRED")
    }

    @Test("near maxmemory, the code for a number with a deleted account or a dangling claim is not used up")
    func staleClaim() throws {
        let server = try RunningServer(workers: 1)
        let uid = try #require(try server.signInFresh("+16505550135")["localId"])
        let session = try server.openVerification("+16505550135")
        let code = try server.code(of: session)
        // The state after a worker died while it deleted the account.
        let account = server.redis.cli("KEYS", "dt:{u*}:user:*:\(uid)")
        #expect(server.redis.cli("DEL", account) == "1")
        try fill(server, toPercent: 95)
        #expect(try eventually { try self.signUp(server).errorMessage == "QUOTA_EXCEEDED" })
        for _ in 0..<2 { #expect(try server.signIn(session, code).errorMessage == "QUOTA_EXCEEDED") }
        #expect(server.redis.cli("CONFIG", "SET", "maxmemory", "0") == "OK")
        #expect(try eventually { try server.signIn(session, code).status == 200 })
    }

    @Test("near maxmemory, a recycled number keeps its account until there is room for a new one")
    func recycledNumber() throws {
        let server = try RunningServer(
            workers: 1,
            settings: [
                "PROJECT_DEMO_DIALTONE_RECYCLED_NUMBER_DAYS": "1",
                "PROJECT_DEMO_DIALTONE_RECYCLED_NUMBER_POLICY": "fresh",
            ]
        )
        let former = try server.signInFresh("+16505550136")
        let (uid, idToken) = (try #require(former["localId"]), try #require(former["idToken"]))
        let credentials = #""email":"ada@example.com","password":"correct horse""#
        #expect(try server.post("/v1/accounts:update", #"{"idToken":"\#(idToken)",\#(credentials)}"#).status == 200)
        let account = server.redis.cli("KEYS", "dt:{u*}:user:*:\(uid)")
        server.redis.cli("HSET", account, "phone-proven", "1000")
        let session = try server.openVerification("+16505550136")
        let code = try server.code(of: session)
        try fill(server, toPercent: 95)
        #expect(try eventually { try self.signUp(server).errorMessage == "QUOTA_EXCEEDED" })
        for _ in 0..<2 { #expect(try server.signIn(session, code).errorMessage == "QUOTA_EXCEEDED") }
        #expect(server.redis.cli("HEXISTS", account, "phone-claim") == "1")
        #expect(server.redis.cli("CONFIG", "SET", "maxmemory", "0") == "OK")
        #expect(try eventually { try self.signUp(server).status == 200 })
        let fresh = try server.signIn(session, code)
        #expect(fresh.json["isNewUser"] == .bool(true) && fresh["localId"] != uid, "\(fresh.text)")
    }

    @Test("at maxmemory, accounts can be deleted and revoked, and users with a session or password sign in")
    func full() throws {
        let server = try RunningServer(workers: 1)
        let ada = try signUp(server, "ada@example.com")
        let bob = try signUp(server, "bob@example.com")
        let session = try server.openVerification("+16505550133")
        let code = try server.code(of: session)
        #expect(try server.signIn(session, code).status == 200)
        let next = try server.openVerification("+16505550133")
        let nextCode = try server.code(of: next)
        let anonymous = try signUp(server)
        let link = try server.openVerification("+16505550137")
        let linkCode = try server.code(of: link)

        try fill(server, toPercent: 130)
        #expect(server.redis.cli("SET", "more", "memory").contains("OOM"))
        #expect(try server.signIn(next, wrongCode(besides: nextCode)).errorMessage == "INVALID_CODE")
        let signedIn = try #require(try server.signIn(next, nextCode)["idToken"])
        let app = AuthorizingApp(server: server)
        let authorizationCode = try app.code(signedIn)
        #expect(try app.exchange(authorizationCode).status == 200)
        let anonymousToken: String = try #require(anonymous["idToken"])
        let linked = try server.signIn(link, linkCode, idToken: anonymousToken)
        #expect(linked.status == 200 && linked["localId"] == anonymous["localId"], "\(linked.text)")
        #expect(try signIn(server, "ada@example.com").status == 200)
        #expect(try server.refresh(try #require(ada["refreshToken"])).status == 200)
        let revoked = try server.dialtone("users", "revoke", "ada@example.com")
        #expect(revoked.status.isSuccess, "\(revoked.errors)")
        let idToken = try #require(bob["idToken"])
        #expect(try server.post("/v1/accounts:delete", #"{"idToken":"\#(idToken)"}"#).status == 200)
        #expect(try server.dialtone("users", "delete", "ada@example.com").status.isSuccess)
        #expect(server.redis.cli("KEYS", "dt:{u*}:user:*").split(separator: "\n").count == 2)
        #expect(server.redis.cli("KEYS", "dt:{e*}:email:*") == "")
    }
}
