/// What a server for development allows beyond production. Whoever reaches such a server is whoever they say.
public struct DevelopmentPolicy: Hashable, Sendable {
    /// Whether ID tokens and session cookies have no signature (`alg: none`). firebase-admin for Node takes no others
    /// from an emulator.
    public var issuesUnsignedTokens: Bool

    /// A policy for development.
    public init(issuesUnsignedTokens: Bool = false) {
        self.issuesUnsignedTokens = issuesUnsignedTokens
    }
}
