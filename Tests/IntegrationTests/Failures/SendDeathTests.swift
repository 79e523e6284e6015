import TestServers
import Testing

/// A worker that dies between two steps of a send. The counts of limits and ranges are in other slots of Redis than the
/// session and its message.
@Suite(.serialized, .timeLimit(.minutes(30)), .tags(.load)) struct SendDeathTests {
    /// More steps than a send has.
    private static let mostSteps = 20

    private let test: InterruptedServer
    private var server: RunningServer { test.server }

    init() throws {
        test = try InterruptedServer(repeatsRequests: false)
    }

    /// Returns the messages that the block of all fictional numbers counts, rounded.
    private func counted() throws -> Int {
        let series = server.redis.cli("KEYS", "dt:{g*}:range:series:*")
        let block = try #require(
            server.redis.cli("HKEYS", series).split(whereSeparator: \.isNewline).map(String.init).first { $0 != "all" }
        )
        let units = try #require(Double(server.redis.cli("HGET", series, block).prefix { $0 != " " }))
        return Int((units / 10_000).rounded())
    }

    @Test("after whichever step a worker dies, the repeated send queues one message, and no count is too low")
    func killed() throws {
        _ = try server.openSession(test.newNumber())
        var (steps, messages) = (0, 1)
        while true {
            let number = test.newNumber()
            let context: Comment = "after \(steps) steps"
            let before = try counted()
            let (answer, isKilled) = try test.interrupt(afterSteps: steps) {
                try server.sendVerificationCode(number)
            }
            #expect(answer.status == (isKilled ? 503 : 200), context)
            if isKilled { #expect(try server.sendVerificationCode(number).status == 200, context) }
            messages += 1
            #expect(try server.messages(to: number).count == 1, context)
            #expect(try (before + 1...before + 2).contains(counted()), context)
            #expect(try counted() >= messages)
            guard isKilled else { break }
            steps += 1
            guard steps < Self.mostSteps else { throw ServerFailure(description: "the request has no end") }
        }
        #expect(steps > 3)
    }

    @Test("after whichever step of a repeated send a worker dies, no second message is sent, and no count is too low")
    func killedOverOpenSession() throws {
        var steps = 0
        while true {
            let number = test.newNumber()
            let session = try server.openSession(number)
            let context: Comment = "after \(steps) steps"
            let before = try counted()
            let (_, isKilled) = try test.interrupt(afterSteps: steps) { try server.sendVerificationCode(number) }
            #expect(try server.openSession(number) == session, context)
            #expect(try server.messages(to: number).count == 1, context)
            #expect(try (before...before + 1).contains(counted()), context)
            guard isKilled else { break }
            steps += 1
            guard steps < Self.mostSteps else { throw ServerFailure(description: "the request has no end") }
        }
        // Includes the steps that release the reservations.
        #expect(steps > 6)
    }
}
