import Encodings
import Glibc
import Processes
import TestServers
import Testing

/// An attacker who causes as many events as the audit log holds, to have those of others evicted.
@Suite struct AuditEvictionTests {
    /// One shard of a thousand events.
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

    private func flood(_ count: Int, _ request: @escaping @Sendable (Int) throws -> HTTPAnswer) throws {
        let refused = try inParallel(8) { thread -> Int in
            try stride(from: thread, to: count, by: 8).count { try request($0).status != 200 }
        }
        #expect(refused.reduce(0, +) == 0)
    }

    @Test("anonymous sign-ups evict none of the events of others, and are kept themselves")
    func anonymous() throws {
        let server = try server()
        let victim = try #require(try signUp(server, "ada@example.com")["localId"])
        try flood(2500) { _ in try self.signUp(server) }
        #expect(try events(server, of: victim) == ["sign-up"])
        let last = try #require(try signUp(server)["localId"])
        #expect(try events(server, of: last) == ["sign-up"])
    }

    @Test("one account's events evict none of others, and the account's own first and last are there")
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
        let streams = server.redis.cli("XLEN", "dt:{u0}:audit")
        #expect(Int(streams) == 51, "the victim's and the attacker's allowance")
    }
}
