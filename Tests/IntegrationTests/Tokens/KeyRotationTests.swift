import Encodings
import Glibc
import Processes
import TestBrowser
import TestServers
import Testing

/// Rotations under load, for servers that verify with PyJWT and google-auth and cache the keys exactly as long as
/// `max-age` says. They do not request the keys again when a token names an unknown key.
@Suite(.serialized, .tags(.load)) struct KeyRotationTests {
    private static let script = "\(RunningServer.packageFolder)/Tests/IntegrationTests/Support/rotation_verifier.py"

    /// The cache time of verifiers. A new key signs two seconds after it, so a test can see the key published before it
    /// signs.
    private static let cacheSeconds = 4

    private struct Outcome {
        let verified: Int
        let failures: [String]
        let keyIDs: [String]
    }

    private static func texts(_ value: JSONValue?) -> [String] {
        guard case .array(let elements) = value else { return [] }
        return elements.compactMap { element in
            guard case .string(let text) = element else { return nil }
            return text
        }
    }

    /// Verifies new tokens continuously while `change` runs.
    private func verify(
        on server: RunningServer,
        _ refreshToken: String,
        while change: @escaping @Sendable () throws -> Void
    ) throws -> Outcome {
        let python = try Python.path()
        let results = try inParallel(2) { thread -> FinishedProcess? in
            let stopFile = server.folder.path(of: "stop")
            if thread == 1 {
                defer { try? server.folder.write("", to: "stop") }
                try change()
                return nil
            }
            let address = "http://127.0.0.1:\(server.port)"
            let arguments = [Self.script, address, refreshToken, stopFile, String(Self.cacheSeconds)]
            return try FinishedProcess.run(python, arguments, atMost: .seconds(300))
        }
        let run = try #require(results.compactMap { $0 }.first)
        try #require(run.isFine)
        guard case .object(let object) = try JSONValue.parse(Array(run.output.utf8)),
            case .number(let verified) = object["verified"]
        else { throw ServerFailure(description: run.output) }
        return Outcome(
            verified: Int(verified) ?? 0,
            failures: Self.texts(object["failures"]),
            keyIDs: Self.texts(object["keyIDs"])
        )
    }

    /// Returns the id of the current signing key.
    private func keyID(_ server: RunningServer, _ refreshToken: String) throws -> String {
        let token = try #require(try server.refresh(refreshToken)["id_token"])
        let header = try #require(Base64URL.decode(token.prefix { $0 != "." }.utf8))
        guard case .object(let object) = try JSONValue.parse(header) else { return "" }
        return object.text("kid")
    }

    /// Waits until each of the eight verifiers has requested the keys once.
    private func waitForKeyRequests(_ server: RunningServer) {
        func count() -> Int {
            server.folder.read("access.log").split(separator: "\n").count { $0.contains("securetoken@system") }
        }
        let before = count()
        #expect(eventually(every: .milliseconds(100)) { count() >= before + 8 })
    }

    private func published(_ server: RunningServer) throws -> [String] {
        try server.get("/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com").json.members.map(\.name)
    }

    @Test("verifiers that honor max-age accept every token during two rotations")
    func rotations() throws {
        let server = try RunningServer(workers: 3, settings: ["PUBLIC_KEY_CACHE_SECONDS": String(Self.cacheSeconds)])
        let refreshToken = try #require(try server.signInFresh("+16505550121")["refreshToken"])
        let outcome = try verify(on: server, refreshToken) { [self] in
            for _ in 0..<2 {
                let rotated = try server.dialtone("keys", "rotate")
                try #require(rotated.isFine)
                let new = String(rotated.output.prefix { $0 != " " })
                #expect(try eventually { try published(server).contains(new) })
                #expect(try keyID(server, refreshToken) != new)
                #expect(try eventually { try keyID(server, refreshToken) == new })
            }
            waitForKeyRequests(server)
        }
        #expect(outcome.failures == [])
        #expect(outcome.keyIDs.count == 3)
        #expect(outcome.verified > 100, "\(outcome.verified)")
        #expect(try published(server) == outcome.keyIDs)
    }

    @Test("the same verifiers reject tokens of a key that signs immediately, so the wait above is necessary")
    func atOnce() throws {
        let server = try RunningServer(workers: 3, settings: ["PUBLIC_KEY_CACHE_SECONDS": String(Self.cacheSeconds)])
        let refreshToken = try #require(try server.signInFresh("+16505550122")["refreshToken"])
        let outcome = try verify(on: server, refreshToken) { [self] in
            waitForKeyRequests(server)
            try #require(try server.dialtone("keys", "rotate", "--at-once").isFine)
            #expect(try eventually { try published(server).count == 2 })
            waitForKeyRequests(server)
        }
        let new = try #require(outcome.keyIDs.last)
        #expect(outcome.keyIDs.count == 2)
        #expect(!outcome.failures.isEmpty)
        for failure in outcome.failures where !failure.contains(new) { Issue.record("\(failure)") }
    }

    @Test("the server rejects tokens of a key removed by force")
    func removed() throws {
        let server = try RunningServer()
        let signedIn = try server.signInFresh("+16505550123")
        let refreshToken = try #require(signedIn["refreshToken"])
        let old = try keyID(server, refreshToken)
        try #require(try server.dialtone("keys", "rotate", "--at-once").isFine)
        // Each worker checks the file by itself.
        #expect(try eventually { try (0..<20).allSatisfy { _ in try keyID(server, refreshToken) != old } })
        let newToken = try #require(try server.refresh(refreshToken)["id_token"])
        let oldToken = try #require(signedIn["idToken"])
        for token in [oldToken, newToken] { #expect(try server.lookUp(token).status == 200) }
        try #require(try server.dialtone("keys", "retire", old, "--force").isFine)
        #expect(
            try eventually {
                try (0..<20).allSatisfy { _ in try server.lookUp(oldToken).errorMessage == "INVALID_ID_TOKEN" }
            }
        )
        #expect(try server.lookUp(newToken).status == 200)
        #expect(try eventually { try published(server).count == 1 })
    }

    @Test("with an invalid key file, no request fails and each worker logs one line; a valid file is then loaded")
    func broken() throws {
        let server = try RunningServer()
        let refreshToken = try #require(try server.signInFresh("+16505550124")["refreshToken"])
        let old = try keyID(server, refreshToken)
        let good = server.folder.read("keys.json")
        try server.folder.write(String(good.prefix(good.utf8.count / 2)), to: "keys.json")
        let line = "the key file cannot be used: the keys stay unchanged"
        #expect(eventually { server.log.split(separator: line).count == 3 })
        for _ in 0..<20 { #expect(try keyID(server, refreshToken) == old) }
        #expect(try published(server) == [old])
        #expect(try server.signInFresh("+16505550125").status == 200)
        #expect(try !server.dialtone("keys", "rotate").status.isSuccess)

        try server.folder.write(good, to: "keys.json")
        try #require(try server.dialtone("keys", "rotate").isFine)
        #expect(try eventually { try (0..<20).allSatisfy { _ in try published(server).count == 2 } })
        #expect(server.log.split(separator: line).count == 3)
        let keys = try server.get("/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com")
        #expect(keys.headers["cache-control"] == "public, max-age=3600, no-transform")
    }
}
