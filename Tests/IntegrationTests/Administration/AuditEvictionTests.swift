import Encodings
import Glibc
import Processes
import TestServers
import Testing

/// An attacker who fills the audit log to evict the events of others.
@Suite struct AuditEvictionTests {
    /// Starts a server with one shard, whose audit log holds a thousand events.
    private func server() throws -> RunningServer {
        try RunningServer(workers: 2, settings: ["SHARDS": "1", "AUDIT_MAXIMUM_EVENTS": "1000"])
    }

    private func signUp(_ server: RunningServer, _ email: String? = nil) throws -> HTTPAnswer {
        let credentials = email.map { #""email":"\#($0)","password":"correct horse","# } ?? ""
        return try server.post("/v1/accounts:signUp", "{\(credentials)\"returnSecureToken\":true}")
    }

    private func events(_ server: RunningServer, of uid: String) throws -> [String] {
        let shown = try server.dialtone("audit", "--project", "demo-dialtone", "--account", uid, "--json")
        return shown.output.split(separator: "\n").compactMap { line in
            guard case .object(let event) = try? JSONValue.parse(Array(line.utf8)) else { return nil }
            return event.text("kind")
        }
    }

    /// Returns the kinds of an account's events in the main stream. Overflowing events are in another stream.
    private func mainEvents(_ server: RunningServer, of uid: String) -> [String] {
        let lines = server.redis.cli("XRANGE", "dt:{u/0}:audit", "-", "+")
            .split(separator: "\n", omittingEmptySubsequences: false)
        // The name of an entry's field, followed by the lines of its value: see audit-event.lua.
        return lines.indices.dropLast(9)
            .filter { lines[$0] == "event" && lines[$0 + 9] == uid }
            .map { String(lines[$0 + 2]) }
    }

    /// Sends an update with an ID token, and returns the user's current ID token afterwards.
    private func update(_ server: RunningServer, _ idToken: String, _ members: String) throws -> String {
        let answer = try server.post(
            "/v1/accounts:update",
            #"{"idToken":"\#(idToken)",\#(members),"returnSecureToken":true}"#
        )
        #expect(answer.status == 200)
        return answer["idToken"] ?? idToken
    }

    private func flood(_ count: Int, _ request: @escaping @Sendable (Int) throws -> HTTPAnswer) throws {
        let refused = try inParallel(8) { thread -> Int in
            try stride(from: thread, to: count, by: 8).count { try request($0).status != 200 }
        }
        #expect(refused.reduce(0, +) == 0)
    }

    @Test("anonymous sign-ups do not evict events of other accounts, and their own events are kept")
    func anonymous() throws {
        let server = try server()
        let victim = try #require(try signUp(server, "ada@example.com")["localId"])
        try flood(2500) { _ in try self.signUp(server) }
        #expect(try events(server, of: victim) == ["sign-up"])
        let last = try #require(try signUp(server)["localId"])
        #expect(try events(server, of: last) == ["sign-up"])
    }

    @Test("events of one account do not evict those of others, and its first and last events are kept")
    func oneAccount() throws {
        let server = try server()
        let victim = try #require(try signUp(server, "ada@example.com")["localId"])
        let token = unsignedCustomToken("attacker")
        try flood(2500) { _ in
            try server.post("/v1/accounts:signInWithCustomToken", #"{"token":"\#(token)","returnSecureToken":true}"#)
        }
        #expect(try events(server, of: victim) == ["sign-up"])
        let own = try events(server, of: "attacker")
        #expect(own.first == "sign-up" && own.count > 50 && own.count < 1000)
        #expect(mainEvents(server, of: "attacker").count == 10, "the allowance of sign-ins of a new account")
    }

    @Test("an attacker's many sign-ins and revocations do not evict the evidence of an account takeover")
    func takeover() throws {
        let server = try server()
        let victim = try #require(try signUp(server, "ada@example.com")["localId"])
        let credentials = #"{"email":"ada@example.com","password":"correct horse","returnSecureToken":true}"#
        for _ in 0..<55 { #expect(try server.post("/v1/accounts:signInWithPassword", credentials).status == 200) }
        var token = try #require(try server.post("/v1/accounts:signInWithPassword", credentials)["idToken"])
        for _ in 0..<12 { token = try update(server, token, #""validSince":"1""#) }
        token = try update(server, token, #""password":"battery staple""#)
        #expect(try server.post("/v1/accounts:delete", #"{"idToken":"\#(token)"}"#).status == 200)
        let kinds = mainEvents(server, of: victim)
        #expect(kinds.count { $0.hasPrefix("sign-") } == 10)
        let changes = ["tokens-revoked", "password-change", "account-deleted"]
        #expect(changes.allSatisfy(kinds.contains), "\(kinds)")
    }

    @Test("events of anonymous users stay out of the main stream until the users link a way to sign in")
    func anonymousChanges() throws {
        let server = try server()
        for _ in 0..<3 {
            let signedUp = try signUp(server)
            let uid = try #require(signedUp["localId"])
            var token = try #require(signedUp["idToken"])
            for _ in 0..<20 { token = try update(server, token, #""validSince":"1""#) }
            #expect(try server.post("/v1/accounts:delete", #"{"idToken":"\#(token)"}"#).status == 200)
            #expect(try events(server, of: uid).count == 22)
        }
        #expect(server.redis.cli("EXISTS", "dt:{u/0}:audit") == "0")
        let signedUp = try signUp(server)
        let token = try #require(signedUp["idToken"])
        _ = try update(server, token, #""email":"ada@example.com","password":"correct horse""#)
        #expect(mainEvents(server, of: try #require(signedUp["localId"])).contains("link"))
    }
}
