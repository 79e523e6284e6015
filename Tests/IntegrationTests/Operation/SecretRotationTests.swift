import Encodings
import Processes
import TestServers
import Testing

/// A rotation of the secrets while a worker and a dispatcher run.
@Suite(.timeLimit(.minutes(30))) struct SecretRotationTests {
    @Test("sessions from before and after a rotation get their messages and sign in, without a restart")
    func running() async throws {
        let deployment = try await MessageDeployment.start()
        let server = deployment.server
        let before = try server.openVerification("+16505550901")
        let code = try server.code(of: before)
        // The message of the older session is sent by a dispatcher that has both secrets.
        #expect(try server.dialtone("keys", "rotate", "--secrets", "--at-once").isFine)
        var after = ""
        var count = 2000
        let isAdopted = try eventually(every: .milliseconds(100)) {
            count += 1
            after = try server.openVerification("+1650555\(count)")
            return Base64URL.decode(after.utf8)?[18] == 2
        }
        #expect(isAdopted)
        try server.startDispatcher()
        #expect(eventually { deployment.queued == 0 })
        let messages = MessageDeployment.messages(deployment.first)
        #expect(messages.first { $0.to == "+16505550901" }?.text.contains(code) == true)
        let newCode = try server.code(of: after)
        #expect(messages.first { $0.to == "+1650555\(count)" }?.text.contains(newCode) == true)
        #expect(try server.signIn(before, code).status == 200)
        #expect(try server.signIn(after, newCode).status == 200)
    }

    @Test("a dispatcher without the new secrets leaves messages sealed under them to another dispatcher")
    func late() async throws {
        let deployment = try await MessageDeployment.start()
        let server = deployment.server
        let keys = server.folder.read("keys.json")
        _ = try server.openVerification("+16505550930")
        #expect(try server.dialtone("keys", "rotate", "--secrets", "--at-once").isFine)
        var count = 3000
        let isAdopted = try eventually(every: .milliseconds(100)) {
            count += 1
            return Base64URL.decode(try server.openVerification("+1650555\(count)").utf8)?[18] == 2
        }
        #expect(isAdopted)
        let rotated = server.folder.read("keys.json")
        try server.folder.write(keys, to: "keys.json")
        try server.startDispatcher()
        func isSent(_ number: String) -> Bool {
            MessageDeployment.messages(deployment.first).contains { $0.to == number }
        }
        #expect(eventually { isSent("+16505550930") })
        #expect(!isSent("+1650555\(count)"))
        try server.folder.write(rotated, to: "keys.json")
        #expect(eventually { isSent("+1650555\(count)") })
        #expect(eventually { deployment.queued == 0 })
    }
}
