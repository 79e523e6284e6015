import Glibc
import PhoneAuth
import Processes
import TestServers
import Testing

/// Data at rest, as an attacker who has the disk finds it.
@Suite struct AtRestTests {
    @Test("neither the dump nor the append-only file contains a readable number, code or token")
    func nothingReadable() throws {
        let server = try RunningServer(.development, isPersistent: true)
        var secrets: [String] = []
        #expect(try server.dialtone("test-numbers", "set", "+16505550139", "246813").status == .exited(0))
        secrets += ["6505550139", "246813"]
        for index in 30..<36 {
            let number = fictionalNumber(index)
            let session = try server.openVerification(number)
            let code = try server.code(of: session)
            secrets += [String(number.dropFirst(2)), code]
            if index % 2 == 0 {
                let signedIn = try server.signIn(session, code)
                secrets += [try #require(signedIn["refreshToken"]), try #require(signedIn["idToken"])]
            } else {
                _ = try server.signIn(session, wrongCode(besides: code))
            }
        }
        let idToken = try #require(try server.signInFresh("+16505550136")["idToken"])
        let session = try server.openVerification("+16505550137")
        let linked = try server.post(
            "/v1/accounts:signInWithPhoneNumber",
            #"{"sessionInfo":"\#(session)","code":"\#(try server.code(of: session))","idToken":"\#(idToken)"}"#
        )
        #expect(linked["phoneNumber"] == "+16505550137")
        secrets += ["6505550136", "6505550137", idToken, try #require(linked["refreshToken"])]
        #expect(server.redis.cli("SAVE") == "OK")
        let files = try FinishedProcess.run("find", [folder(of: server.redis), "-type", "f", "-size", "+0"])
        let paths = files.output.split(separator: "\n").map(String.init)
        #expect(paths.contains { $0.hasSuffix(".rdb") } && paths.contains { $0.hasSuffix(".aof") })
        for path in paths where !path.hasSuffix("redis.conf") && !path.hasSuffix(".log") {
            let content = readBytes(path)
            #expect(!content.isEmpty)
            for secret in secrets where contains(content, Array(secret.utf8)) {
                Issue.record("\(path) holds \(secret)")
            }
        }
        // Checks that the search can find something.
        let everything = paths.flatMap(readBytes)
        #expect(contains(everything, Array("demo-dialtone".utf8)))
    }

    private func folder(of redis: RedisServer) -> String {
        redis.socketPath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
    }

    private func readBytes(_ path: String) -> [UInt8] {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 16 << 20)
        let count = read(descriptor, &bytes, bytes.count)
        return Array(bytes[..<max(0, count)])
    }

    /// Returns whether the content contains a part. A code inside a longer number does not count: a time in
    /// milliseconds may contain its digits.
    private func contains(_ content: [UInt8], _ part: [UInt8]) -> Bool {
        content.ranges(of: part).contains { range in
            part.count > VerificationCode.digitCount
                || content[..<range.lowerBound].last?.isDigit != true
                    && content[range.upperBound...].first?.isDigit != true
        }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
