internal import Encodings
public import RedisStore

/// The usage of one rate limit on a client's work.
public struct AdmissionWindow: Sendable {
    /// What the limit counts, and its scope, in words.
    public let name: String
    /// The length of the sliding window.
    public let window: Duration
    /// The number of events in the window.
    public let value: Int
    /// The maximum number of events in the window.
    public let maximum: Int
    /// When the oldest event leaves the window; nil if the window is empty.
    public let oldestLeaves: Instant?
}

/// Rate limits that an operator can inspect and reset.
extension Authenticator {
    /// Returns the windows of a network, without limits that are switched off.
    /// - Throws: ``StoreUnavailable``.
    public func limits(ofNetwork address: String, in project: Project) throws(StoreUnavailable) -> [AdmissionWindow] {
        try windows(networkLimits(of: address, in: project).filter { $0.maximum < AdmissionLimit.unlimited })
    }

    /// Returns the windows of a project's sign-ups, without limits that are switched off.
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

    /// Resets a network's sign-ups, new accounts and password hashes. Limits that it shares with its project are
    /// unchanged.
    /// - Returns: whether there was anything to reset.
    /// - Throws: ``StoreUnavailable``.
    public func resetLimits(ofNetwork address: String, in project: Project) throws(StoreUnavailable) -> Bool {
        try store.forget(networkLimits(of: address, in: project))
    }

    /// Resets a project's sign-ups, including those with custom tokens. Per-network limits are unchanged.
    /// - Returns: whether there was anything to reset.
    /// - Throws: ``StoreUnavailable``.
    public func resetSignUps(of project: Project) throws(StoreUnavailable) -> Bool {
        try store.forget(projectLimits(of: project))
    }
}
