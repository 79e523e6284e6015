/// What a server for development allows beyond production. Anyone who reaches such a server may act as any user.
public struct DevelopmentPolicy: Hashable, Sendable {
    /// Whether ID tokens and session cookies have no signature (`alg: none`). firebase-admin for Node takes no others
    /// from an emulator.
    public var issuesUnsignedTokens: Bool

    /// A policy for development.
    public init(issuesUnsignedTokens: Bool = false) {
        self.issuesUnsignedTokens = issuesUnsignedTokens
    }
}

extension Policy {
    /// How soon requests follow a change of the settings.
    public var consistency: StoreCaches.Consistency {
        development == nil ? .eventual : .ofDevelopment
    }
}
