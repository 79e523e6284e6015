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
    /// The windows of a network. Limits that are switched off are left out.
    /// - Throws: ``StoreUnavailable``.
    public func limits(ofNetwork address: String, in project: Project) throws(StoreUnavailable) -> [AdmissionWindow] {
        try windows(networkLimits(of: address, in: project).filter { $0.maximum < AdmissionLimit.unlimited })
    }

    /// The windows of a project's sign-ups. Limits that are switched off are left out.
    /// - Throws: ``StoreUnavailable``.
    public func signUpLimits(of project: Project) throws(StoreUnavailable) -> [AdmissionWindow] {
        try windows(projectLimits(of: project))
    }

    private func networkLimits(of address: String, in project: Project) -> [AdmissionLimit] {
        admissionLimits(of: [.signUp, .passwordHash], from: address, in: project).all
            .filter { $0.counter.scope == .network }
    }

    private func projectLimits(of project: Project) -> [AdmissionLimit] {
        admissionLimits(of: [.signUp, .customTokenSignUp], from: "", in: project).all
            .filter { $0.counter.scope == .project }
    }

    private func windows(_ limits: [AdmissionLimit]) throws(StoreUnavailable) -> [AdmissionWindow] {
        let now = environment.now().milliseconds
        var windows: [AdmissionWindow] = []
        for limit in limits {
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

    /// Forgets a network's sign-ups, new accounts and password hashes. What it shares with its project stays.
    /// - Returns: whether there was anything to forget.
    /// - Throws: ``StoreUnavailable``.
    public func resetLimits(ofNetwork address: String, in project: Project) throws(StoreUnavailable) -> Bool {
        try store.forget(networkLimits(of: address, in: project))
    }

    /// Forgets a project's sign-ups, those of its custom tokens, too. Those of networks stay.
    /// - Returns: whether there was anything to forget.
    /// - Throws: ``StoreUnavailable``.
    public func resetSignUps(of project: Project) throws(StoreUnavailable) -> Bool {
        try store.forget(projectLimits(of: project))
    }
}
