internal import Foundation

/// Registers the app for remote notifications when a device token is needed, and waits for the token.
///
/// Each caller has a deadline of its own. After a failure nobody waits: the app is proved in another way at once, and
/// the system is only asked again, so that a token that comes late serves the next message.
final class PushRegistration: Sendable {
    private struct State: Sendable {
        var register: (@MainActor @Sendable () -> Void)?
        /// Whether the next callers do not wait: the system gave no token, or none in time.
        var hasFailed = false
        /// Why the system gave no token; nil if it did not say.
        var refusal: String?
        var waits: [OneShot<Void>] = []
    }

    private struct TimeIsOver: Error {}

    /// The longest wait for the device token, in seconds.
    private let longestWait: TimeInterval
    private let state = Locked(State())

    init(longestWait: TimeInterval) { self.longestWait = longestWait }

    /// Takes the function that asks the system for the device token. Returns false if there is one already.
    func connect(_ register: @escaping @MainActor @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard state.register == nil else { return false }
            state.register = register
            return true
        }
    }

    /// How far the registration is.
    enum Progress: Sendable, Equatable {
        /// Nothing asks the system for a token.
        case unconnected
        /// The system is asked when a token is needed.
        case ready
        /// The system has not answered in time.
        case silent
        /// The system gives no token, and says why.
        case refused(String)
    }

    /// How far the registration is, as long as there is no token.
    var progress: Progress {
        state.withLock { state in
            if let refusal = state.refusal { return .refused(refusal) }
            if state.hasFailed { return .silent }
            return state.register == nil ? .unconnected : .ready
        }
    }

    /// Ends the waits, because the token has come, or the system does not give one.
    ///
    /// - Parameter failure: why the system does not give one; nil if the token has come.
    func ended(_ failure: (any Error)? = nil) {
        let waits = state.withLock { state -> [OneShot<Void>] in
            defer { state.waits = [] }
            state.hasFailed = failure != nil
            state.refusal = failure?.localizedDescription
            return state.waits
        }
        for wait in waits { wait.resolve(.success(())) }
    }

    /// Asks the system for the device token. Returns when the token has come, the system does not give one, or the time
    /// is over.
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
        // Not awaited, because the main thread may be busy, and the deadline counts from now.
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
