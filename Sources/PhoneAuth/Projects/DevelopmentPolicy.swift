/// What a development server allows beyond production. Anyone who reaches such a server may act as any user.
public struct DevelopmentPolicy: Hashable, Sendable {
    /// Whether ID tokens and session cookies have no signature (`alg: none`). firebase-admin for Node accepts no others
    /// from an emulator.
    public var issuesUnsignedTokens: Bool

    /// Creates a policy.
    public init(issuesUnsignedTokens: Bool = false) {
        self.issuesUnsignedTokens = issuesUnsignedTokens
    }
}
