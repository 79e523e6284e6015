internal import Encodings
internal import Glibc
internal import Processes
internal import Synchronization
internal import TestBrowser
internal import TestServers

/// The process that runs all mock servers of a test process: `stand_in.py`, which documents the messages.
///
/// All servers share the process, because a Python interpreter takes a while to start. The process ends when the test
/// process ends, even by SIGKILL.
final class StandInProcess: Sendable {
    typealias Handler = @Sendable (StandInReport) -> StandInAnswer?

    private let child: ChildProcess
    private let socket: Int32
    private let sending = Mutex(())
    private let state = Mutex(State())

    private struct State: Sendable {
        var hasEnded = false
        var lastNumber = 0
        var handlers: [Int: Handler] = [:]
        var calls: [Int: CheckedContinuation<JSONObject, any Error>] = [:]
    }

    /// Returns the process. The first call starts it.
    static func shared() throws -> StandInProcess { try started.get() }

    private static let started = Result { try StandInProcess() }

    private init() throws {
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw ServerFailure(description: "no socket for stand_in.py")
        }
        defer { close(ends[1]) }
        let script = #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/stand_in.py"
        child = try ChildProcess.start(
            try Python.path(),
            [script],
            inheriting: [(descriptor: ends[1], as: STDIN_FILENO)]
        )
        socket = ends[0]
        try startThread { self.receiveReports() }
    }

    /// Registers a new server, whose reports go to `handler`, and returns its number.
    func register(_ handler: @escaping Handler) -> Int {
        state.withLock { state in
            state.lastNumber += 1
            state.handlers[state.lastNumber] = handler
            return state.lastNumber
        }
    }

    /// Stops a server without waiting until it has stopped.
    func release(_ server: Int) {
        state.withLock { $0.handlers[server] = nil }
        send(.object(["call": .number("0"), "do": .string("stop"), "server": .number("\(server)")]))
    }

    /// Calls a function of `stand_in.py` for a server.
    ///
    /// - Parameters:
    ///   - function: the function's name.
    ///   - server: the server's number.
    ///   - arguments: the function's other arguments.
    /// - Returns: the function's result.
    /// - Throws: ``ServerFailure``
    @discardableResult
    func call(_ function: String, _ server: Int, _ arguments: [String: JSONValue] = [:]) async throws -> JSONObject {
        let result = try await withCheckedThrowingContinuation { continuation in
            let number = state.withLock { state -> Int? in
                if state.hasEnded { return nil }
                state.lastNumber += 1
                state.calls[state.lastNumber] = continuation
                return state.lastNumber
            }
            guard let number else { return continuation.resume(throwing: Self.hasEnded) }
            let own: [String: JSONValue] = [
                "call": .number("\(number)"), "do": .string(function), "server": .number("\(server)"),
            ]
            send(.object(own.merging(arguments) { $1 }))
        }
        if case .string(let error) = result["error"] { throw ServerFailure(description: "\(function): \(error)") }
        return result
    }

    private static let hasEnded = ServerFailure(description: "stand_in.py has ended")

    private func send(_ message: JSONValue) {
        var json = JSONWriter()
        json.value(message)
        json.endLine()
        // If the process has ended, sending fails, and the receiving thread notices the end.
        sending.withLock { _ in _ = sendAll(json.bytes, to: socket) }
    }

    private func receiveReports() {
        let input = fdopen(socket, "r")
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        while case let count = getline(&line, &capacity, input), count > 0 {
            let bytes = Array(UnsafeRawBufferPointer(start: line, count: count))
            guard case .object(let message) = try? JSONValue.parse(bytes) else { break }
            handle(message)
        }
        let calls = state.withLock { state in
            state.hasEnded = true
            return state.calls
        }
        for call in calls.values { call.resume(throwing: Self.hasEnded) }
    }

    private func handle(_ message: JSONObject) {
        if let call = message.integer("call") {
            state.withLock { $0.calls.removeValue(forKey: call) }?.resume(returning: message)
        } else if let server = message.integer("server"), let report = StandInReport(message),
            let handler = state.withLock({ $0.handlers[server] }), let answer = handler(report)
        {
            send(answer.message(for: message["request"] ?? .null))
        }
    }
}

extension JSONValue {
    /// Creates an object in no particular order.
    static func object(_ members: [String: JSONValue]) -> JSONValue {
        .object(JSONObject(members: members.map { ($0.key, $0.value) }))
    }
}

extension JSONObject {
    func integer(_ name: String) -> Int? {
        guard case .number(let digits) = self[name] else { return nil }
        return Int(digits)
    }
}
