internal import Encodings
public import RedisStore

/// When a number that signs in may have another holder by now, and what becomes of the sign-in then.
///
/// Networks give numbers that were given up to others, some after 45 days (47 CFR § 52.15(f)(1)(ii) asks for that at least). It
/// matters only where the account has another way to sign in: without one nobody but the number's holder could have it.
public struct RecycledNumberPolicy: Hashable, Sendable {
    /// For how long a number counts as proven.
    public let provenFor: Duration
    /// What a sign-in with it is answered after that.
    public let answer: RecycledNumberRule.Answer

    /// A policy; nil where numbers would not count as proven at all.
    public init?(provenFor: Duration, answer: RecycledNumberRule.Answer) {
        guard provenFor > .zero else { return nil }
        self.provenFor = provenFor
        self.answer = answer
    }
}

extension Authenticator {
    /// What the store is told of a project's policy; nil where there is none, or users have no way to sign in but their number.
    func recycledNumberRule(in project: Project, _ now: Instant) -> RecycledNumberRule? {
        guard let policy = project.recycledNumbers, project.isPasswordSignInEnabled else { return nil }
        return RecycledNumberRule(
            policy.answer,
            provenBefore: now.milliseconds - policy.provenFor.milliseconds
        )
    }
}
