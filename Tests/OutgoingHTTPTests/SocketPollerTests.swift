import Glibc
import TestServers
import Testing
import Threads

@testable import OutgoingHTTP

@Suite struct SocketPollerTests {
    private static let input: Int32 = 1
    private static let removal: Int32 = 4
    private let wakeUp: WakeUp
    private let poller: SocketPoller

    init() throws {
        wakeUp = try #require(WakeUp())
        poller = try #require(SocketPoller(wakeUp))
    }

    /// Returns a pipe with readable input.
    private func readablePipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        try #require(write(ends[1], "a", 1) == 1)
        return (ends[0], ends[1])
    }

    @Test("removing a descriptor affects only its own client")
    func removal() throws {
        let pipe = try readablePipe()
        poller.watch(pipe.reading, Self.input, for: 1)
        poller.watch(pipe.reading, Self.input, for: 2)
        poller.watch(pipe.reading, Self.removal, for: 1)
        let events = poller.wait(atMost: .zero).events
        #expect(events.map(\.client) == [2] && events.map(\.socket) == [pipe.reading])
        poller.watch(pipe.reading, Self.removal, for: 2)
        #expect(poller.wait(atMost: .zero).events.isEmpty)
        close(pipe.reading)
        close(pipe.writing)
    }

    @Test("a descriptor that was closed and reopened is still watched")
    func reopened() throws {
        let (pipe, other) = (try readablePipe(), try readablePipe())
        poller.watch(pipe.reading, Self.input, for: 1)
        // Closes the descriptor and reopens it immediately.
        try #require(dup2(other.reading, pipe.reading) == pipe.reading)
        close(other.reading)
        #expect(poller.wait(atMost: .zero).events.isEmpty)
        poller.reopened(pipe.reading, for: 1)
        #expect(poller.wait(atMost: .zero).events.map(\.socket) == [pipe.reading])
        for descriptor in [pipe.reading, pipe.writing, other.writing] { close(descriptor) }
    }
}
