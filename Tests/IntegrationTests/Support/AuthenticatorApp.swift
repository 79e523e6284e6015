import Encodings
import Glibc

@testable import PhoneAuth

/// An authenticator app. `TOTPTests` compares its codes with those of another implementation.
struct AuthenticatorApp: Sendable {
    private let secret: TOTPSecret

    /// Creates an app from the secret that the user types.
    init?(_ base32: String) {
        guard let secret = Base32.decode(base32).flatMap(TOTPSecret.init) else { return nil }
        self.secret = secret
    }

    /// Returns the code of the step `steps` after the current one.
    func code(_ steps: Int64 = 0) -> String {
        secret.code(at: Int64(time(nil)) / TOTPSecret.period + steps)
    }
}
