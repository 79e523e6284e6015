import PhoneAuth
import RedisScripts
import Testing

extension PhoneAuthTests {
    @Suite struct OutboxContentTests {
        @Test("an item of a newer version is left to other dispatchers, and one that no dispatcher can open is removed")
        func unreadable() throws {
            let deployment = try Deployment()
            let authenticator = deployment.authenticator()
            try authenticator.prepare(.messages)
            _ = try authenticator.in(deployment.project).session(for: "+16505550140")
            let outbox = try #require(
                deployment.keyNames(matching: "*:outbox").first { deployment.cli("XLEN", $0) == "1" }
            )
            let addDamagedCopy = """
                local fields = redis.call('XRANGE', KEYS[1], '-', '+')[1][2]
                redis.call('XADD', KEYS[1], '*', fields[1], string.sub(fields[2], 1, -2), fields[3], fields[4])
                """
            deployment.cli("EVAL", addDamagedCopy, "1", outbox)
            deployment.cli("XADD", outbox, "*", "number", "of a newer version")
            for dispatcher in ["one", "two"] {
                let contents = try authenticator.take(PendingMessage.self, for: dispatcher, wait: .milliseconds(1))
                #expect(contents.count == (dispatcher == "one" ? 1 : 0))
                let inherited = try authenticator.takeAbandoned(
                    PendingMessage.self,
                    for: dispatcher,
                    untouchedFor: .zero
                )
                #expect(inherited.count == 1)
                #expect(deployment.cli("XLEN", outbox) == "2")
                #expect(deployment.cli("XRANGE", outbox, "-", "+").contains("of a newer version"))
            }
        }
    }
}
