internal import Foundation

/// The registration for remote notifications when a device token is needed, and the wait for the token.
///
/// Each caller has its own deadline. After a failure, callers do not wait: the app is verified in another way at once.
/// The system is still asked again, so a token that arrives late serves the next message.
final class PushRegistration: Sendable {
    private struct State: Sendable {
        var register: (@MainActor @Sendable () -> Void)?
        /// Whether the next callers skip the wait, because the system returned no token, or none in time.
        var hasFailed = false
        /// Why the system returned no token; nil if it gave no reason.
        var refusal: String?
        var waits: [OneShot<Void>] = []
    }

    private struct TimeIsOver: Error {}

    /// The longest wait for the device token, in seconds.
    private let longestWait: TimeInterval
    private let state = Locked(State())

    init(longestWait: TimeInterval) { self.longestWait = longestWait }

    /// Sets the function that asks the system for the device token. Returns false if one is set already.
    func connect(_ register: @escaping @MainActor @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard state.register == nil else { return false }
            state.register = register
            return true
        }
    }

    /// The state of the registration.
    enum Progress: Sendable, Equatable {
        /// No function to ask the system for a token is set.
        case unconnected
        /// The system is asked as soon as a token is needed.
        case ready
        /// The system did not answer in time.
        case silent
        /// The system refused a token, for this reason.
        case refused(String)
    }

    /// The state of the registration while there is no token.
    var progress: Progress {
        state.withLock { state in
            if let refusal = state.refusal { return .refused(refusal) }
            if state.hasFailed { return .silent }
            return state.register == nil ? .unconnected : .ready
        }
    }

    /// Ends all waits, because the token has arrived or the system refuses one.
    ///
    /// - Parameter failure: why the system refuses a token; nil if the token has arrived.
    func ended(_ failure: (any Error)? = nil) {
        let waits = state.withLock { state -> [OneShot<Void>] in
            defer { state.waits = [] }
            state.hasFailed = failure != nil
            state.refusal = failure?.localizedDescription
            return state.waits
        }
        for wait in waits { wait.resolve(.success(())) }
    }

    /// Asks the system for the device token. Returns when the token has arrived, the system refuses one, or the wait
    /// times out.
    ///
    /// - Throws: `CancellationError`
    func wait() async throws {
        let wait = OneShot<Void>()
        let (register, isWaiting) = state.withLock { state in
            let isWaiting = state.register != nil && !state.hasFailed
            if isWaiting { state.waits.append(wait) }
            return (state.register, isWaiting)
        }
        guard let register else { return }
        // Not awaited, because the main thread may be busy and the deadline starts now.
        Task { await register() }
        guard isWaiting else { return }
        defer { state.withLock { $0.waits.removeAll { $0 === wait } } }
        do {
            try await withDeadline(seconds: longestWait, { TimeIsOver() }) { try await wait.value() }
        } catch is TimeIsOver {
            state.withLock { $0.hasFailed = true }
        }
    }
}
