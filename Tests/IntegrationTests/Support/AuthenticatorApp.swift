import Encodings
import Glibc

@testable import PhoneAuth

/// An app that shows codes. That they are the same that other implementations show is `TOTPTests`' matter.
struct AuthenticatorApp: Sendable {
    private let secret: TOTPSecret

    /// Takes what the user types in.
    init?(_ base32: String) {
        guard let secret = Base32.decode(base32).flatMap(TOTPSecret.init) else { return nil }
        self.secret = secret
    }

    /// The code of the step that many after now.
    func code(_ steps: Int64 = 0) -> String {
        secret.code(at: Int64(time(nil)) / TOTPSecret.period + steps)
    }
}
