import GatewayStandIn
import Glibc
import PhoneAuth
import Processes
import TestServers
import Testing

@testable import dialtone

/// Dispatchers that die with unfinished messages.
@Suite(.timeLimit(.minutes(30)), .tags(.load)) struct DispatcherLossTests {
    @Test("each of ten thousand messages is sent at least once, however many dispatchers are killed")
    func killed() async throws {
        let deployment = try await MessageDeployment.start(routes: "*=first")
        let count = 10_000
        try deployment.enqueue(count)
        var dispatchers = try (1...2).map { _ in try deployment.server.startDispatcher() }
        for round in 1...4 {
            #expect(eventually(within: .seconds(240)) { deployment.first.requests.count >= round * count / 5 })
            dispatchers.removeFirst().stop(SIGKILL)
            dispatchers.append(try deployment.server.startDispatcher())
        }
        #expect(eventually(within: .seconds(240), every: .milliseconds(200)) { deployment.queued == 0 })
        let sent = Dictionary(grouping: MessageDeployment.messages(deployment.first), by: \.to)
        #expect(sent.count == count)
        // A gateway recognizes a repeated message by its id.
        for messages in sent.values { #expect(Set(messages.map(\.id)).count == 1) }
        let repeated = sent.values.reduce(0) { $0 + $1.count - 1 }
        print("\(repeated) of \(count) messages were sent twice, with four dispatchers killed")
        // Only messages that the four dispatchers held when they were killed are repeated.
        #expect(repeated <= 4 * 1000)
    }
}
