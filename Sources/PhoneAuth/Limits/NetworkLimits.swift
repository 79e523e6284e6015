internal import Encodings
public import RedisStore

/// How much of one limit on a client's work is used.
public struct AdmissionWindow: Sendable {
    /// What is counted, and for whom, in words.
    public let name: String
    /// How long the window is.
    public let window: Duration
    /// How many events there are in it.
    public let value: Int
    /// How many there may be.
    public let maximum: Int
    /// When the oldest event leaves the window; nil where there is none.
    public let oldestLeaves: Instant?
}

/// What an operator may look at and undo.
extension Authenticator {
    /// The windows of a network, and those that it shares with its project. Limits that are switched off are left out.
    /// - Throws: ``StoreUnavailable``.
    public func limits(ofNetwork address: String, in project: Project) throws(StoreUnavailable) -> [AdmissionWindow] {
        let now = environment.now().milliseconds
        var windows: [AdmissionWindow] = []
        for limit in admissionLimits(of: [.signUp, .passwordHash], from: address, in: project) {
            let usage = try store.usage(of: limit, now: now)
            windows.append(
                AdmissionWindow(
                    name: limit.counter.name,
                    window: .milliseconds(limit.windowMilliseconds),
                    value: usage.events,
                    maximum: limit.maximum,
                    oldestLeaves: usage.oldestLeaves.map { Instant(milliseconds: $0) }
                )
            )
        }
        return windows
    }

    /// Forgets a network's sign-ups and password hashes. What it shares with its project stays.
    /// - Returns: whether there was anything to forget.
    /// - Throws: ``StoreUnavailable``.
    public func resetLimits(ofNetwork address: String, in project: Project) throws(StoreUnavailable) -> Bool {
        try store.forget(admissionLimits(of: [.emailAddress, .passwordHash], from: address, in: project))
    }

    /// Forgets a project's sign-ups. Those of networks stay.
    /// - Returns: whether there was anything to forget.
    /// - Throws: ``StoreUnavailable``.
    public func resetSignUps(of project: Project) throws(StoreUnavailable) -> Bool {
        let limits = admissionLimits(of: [.signUp], from: "", in: project)
        return try store.forget(limits.filter { $0.counter.scope == .project })
    }
}
