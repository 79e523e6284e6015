/// The source of a session's verification code.
public enum CodeSource: String, Sendable, CaseIterable {
    /// Derived from the session under the server key, and sent by message.
    case derived
    /// Fixed by the operator for a test number; never sent.
    case testNumber = "test-number"

    var wireByte: UInt8 {
        switch self {
        case .derived: 0
        case .testNumber: 0x80
        }
    }
}
