/// The enrollment or the sign-in that a second factor is for.
public final class MultiFactorSession: Sendable {
    enum Purpose: Sendable {
        case enrollment(User)
        case signIn(pendingCredential: String)
    }

    let purpose: Purpose

    init(_ purpose: Purpose) { self.purpose = purpose }
}

extension MultiFactorSession: CustomReflectable {
    /// Empty, because secrets must not reach logs.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
