/// The second factor that a session began with, as stored with its refresh token.
public struct SecondFactorMark: Sendable, Hashable {
    /// The method by which the factor was proven.
    public let method: String
    /// The factor's id; empty if no enrolled factor was used.
    public let id: String

    /// Creates a mark, or returns nil if no factor was used.
    public init?(method: String, id: String) {
        guard !method.isEmpty else { return nil }
        self.method = method
        self.id = id
    }
}
