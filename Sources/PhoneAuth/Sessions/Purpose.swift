/// What a verification session is for. A code of one purpose is worth nothing for another.
public enum Purpose: String, Sendable, CaseIterable {
    /// Signing in with a phone number.
    case signIn = "sign-in"

    var wireByte: UInt8 {
        switch self {
        case .signIn: 1
        }
    }
}
