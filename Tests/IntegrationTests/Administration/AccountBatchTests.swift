import Encodings
import TestServers
import Testing

/// Imports of many accounts over HTTP, while Redis fails.
@Suite(.timeLimit(.minutes(30)), .tags(.load)) struct AccountBatchTests {
    /// More commands than an import of three accounts sends.
    private static let mostCommands = 100

    private struct User {
        let uid: String
        let number: String

        var json: String { #"{"localId":"\#(uid)","phoneNumber":"\#(number)"}"# }
    }

    private func importAccounts(_ users: [User], _ server: RunningServer) throws -> HTTPAnswer {
        try server.administer("batchCreate", #"{"users":[\#(users.map(\.json).joined(separator: ","))]}"#)
    }

    /// Returns the number of an account; nil if the account does not exist.
    private func number(of user: User, _ server: RunningServer) throws -> String? {
        let found = try server.administer("lookup", #"{"localId":["\#(user.uid)"]}"#)
        return found.json.objects("users").first?.text("phoneNumber")
    }

    @Test(
        "whichever reply of Redis is lost, the response lists the accounts that are missing, and they can be repeated"
    )
    func lostReplies() throws {
        let test = try InterruptedServer(repeatsRequests: false, commandTimeout: .milliseconds(500))
        let server = test.server
        // Redis then knows all scripts.
        #expect(try importAccounts([User(uid: "first", number: test.newNumber())], server).status == 200)
        var (partial, failed) = (0, 0)
        for commands in 0..<Self.mostCommands {
            let users = (1...3).map { User(uid: "user-\(commands)-\($0)", number: test.newNumber()) }
            let (answer, isLost) = try test.loseReply(afterCommands: commands) { try importAccounts(users, server) }
            let errors = answer.json.objects("error")
            var missing = errors.compactMap { if case .number(let index) = $0["index"] { Int(index) } else { nil } }
            if answer.status != 200 {
                #expect(answer.status == 503, "\(answer.text)")
                failed += 1
                missing = Array(users.indices)
            } else if !missing.isEmpty {
                partial += 1
                #expect(missing == Array((missing[0])..<users.count), "the rest was not tried")
                #expect(errors[0].text("message") == "The service is currently unavailable.")
            }
            for (index, user) in users.enumerated() {
                let number = try number(of: user, server)
                #expect(number == (missing.contains(index) ? nil : user.number), "reply \(commands) of \(user.uid)")
            }
            if !missing.isEmpty {
                let again = try importAccounts(missing.map { users[$0] }, server)
                #expect(again.status == 200 && again.json["error"] == nil, "\(again.text)")
            }
            if !isLost { break }
        }
        #expect(partial > 0 && failed > 0)
        #expect(AccountAudit(server.redis).faults == [])
    }
}
