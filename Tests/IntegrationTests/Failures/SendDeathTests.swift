import TestServers
import Testing

/// A worker that dies before or after the script of a send, which counts the message, opens the session and queues the
/// message.
@Suite(.serialized, .timeLimit(.minutes(30)), .tags(.load)) struct SendDeathTests {
    /// More steps than a send has.
    private static let mostSteps = 20

    private let test: InterruptedServer
    private var server: RunningServer { test.server }

    init() throws {
        test = try InterruptedServer(repeatsRequests: false)
    }

    /// Returns the messages that the series of all fictional numbers counts, rounded.
    private func counted() throws -> Int {
        let series = server.redis.cli("KEYS", "dt:{demo-dialtone}:range:series:*")
        let script = "return string.format('%.0f', struct.unpack('<d', redis.call('GET', KEYS[1])))"
        return try #require(Int(server.redis.cli("EVAL", script, "1", series)))
    }

    @Test("after whichever step a worker dies, the repeated send queues one message and counts it once")
    func killed() throws {
        _ = try server.openVerification(test.newNumber())
        var steps = 0
        while true {
            let number = test.newNumber()
            let context: Comment = "after \(steps) steps"
            let before = try counted()
            let (answer, isKilled) = try test.interrupt(afterSteps: steps) {
                try server.sendVerificationCode(number)
            }
            #expect(answer.status == (isKilled ? 503 : 200), context)
            if isKilled { #expect(try server.sendVerificationCode(number).status == 200, context) }
            #expect(try server.messages(to: number).count == 1, context)
            #expect(try counted() == before + 1, context)
            guard isKilled else { break }
            steps += 1
            guard steps < Self.mostSteps else { throw ServerFailure(description: "the request has no end") }
        }
        #expect(steps > 1)
    }

    @Test("after whichever step of a repeated send a worker dies, no second message is sent or counted")
    func killedOverOpenSession() throws {
        var steps = 0
        while true {
            let number = test.newNumber()
            let session = try server.openVerification(number)
            let context: Comment = "after \(steps) steps"
            let before = try counted()
            let (_, isKilled) = try test.interrupt(afterSteps: steps) { try server.sendVerificationCode(number) }
            #expect(try server.openVerification(number) == session, context)
            #expect(try server.messages(to: number).count == 1, context)
            #expect(try counted() == before, context)
            guard isKilled else { break }
            steps += 1
            guard steps < Self.mostSteps else { throw ServerFailure(description: "the request has no end") }
        }
        #expect(steps > 1)
    }
}
