public import Foundation

/// The proof of a second factor.
public class MultiFactorAssertion: NSObject, @unchecked Sendable {
    // Proof of `@unchecked Sendable`: all properties are constants of Sendable types, and the module's subclasses add
    // none. The class cannot be subclassed elsewhere.

    enum Kind: Sendable {
        case phone(PhoneAuthCredential)
        case totpEnrollment(TOTPSecret, code: String)
        case totpSignIn(enrollmentID: String, code: String)
    }

    /// The factor's kind: `phone` or `totp`.
    public let factorID: String
    let kind: Kind
    /// The key of requests with this proof; see ``AuthCredential/key``.
    let key: String

    init(factorID: String, _ kind: Kind) {
        self.factorID = factorID
        self.kind = kind
        key =
            switch kind {
            case .phone(let credential): credential.key
            case .totpEnrollment(let secret, let code): AuthCredential.key(ofCode: code, secret.sharedSecretKey())
            case .totpSignIn(let enrollmentID, let code): AuthCredential.key(ofCode: code, enrollmentID)
            }
    }
}

extension MultiFactorAssertion: CustomReflectable {
    /// Empty, because codes must not reach logs.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The proof of a phone as a second factor.
public final class PhoneMultiFactorAssertion: MultiFactorAssertion, @unchecked Sendable {}

/// The proof of an authenticator app as a second factor.
public final class TOTPMultiFactorAssertion: MultiFactorAssertion, @unchecked Sendable {}

/// The generator of proofs of phones.
public enum PhoneMultiFactorGenerator {
    /// Returns the proof for a phone credential, which names a verification and its code.
    public static func assertion(with phoneAuthCredential: PhoneAuthCredential) -> PhoneMultiFactorAssertion {
        PhoneMultiFactorAssertion(factorID: PhoneMultiFactorID, .phone(phoneAuthCredential))
    }
}

/// The generator of secrets and proofs of authenticator apps.
public enum TOTPMultiFactorGenerator {
    /// Returns a new secret for the user's authenticator app.
    ///
    /// - Parameter session: the session of an enrollment, from ``MultiFactor/session()``.
    /// - Returns: the secret, which ``assertionForEnrollment(with:oneTimePassword:)`` enrolls.
    /// - Throws: an error whose code is an ``AuthErrorCode``.
    public static func generateSecret(with session: MultiFactorSession) async throws -> TOTPSecret {
        guard case .enrollment(let user) = session.purpose else {
            throw AuthErrorCode.invalidMultiFactorSession.error()
        }
        var fields = JSONFields()
        fields["totpEnrollmentInfo"] = .fields(JSONFields())
        let response = try await user.post("/v2/accounts/mfaEnrollment:start", fields, as: TOTPStartResponse.self)
        return TOTPSecret(response.totpSessionInfo)
    }

    /// Passes a new secret to a completion handler; see ``generateSecret(with:)``.
    public static func generateSecret(
        with session: MultiFactorSession,
        completion: @escaping AuthCompletion<TOTPSecret>
    ) {
        complete(completion) { try await generateSecret(with: session) }
    }

    /// Returns the proof that the authenticator app has the secret.
    public static func assertionForEnrollment(
        with secret: TOTPSecret,
        oneTimePassword: String
    ) -> TOTPMultiFactorAssertion {
        TOTPMultiFactorAssertion(
            factorID: TOTPMultiFactorID,
            .totpEnrollment(secret, code: PhoneSignIn.typedCode(oneTimePassword))
        )
    }

    /// Returns the proof of an authenticator app at sign-in.
    ///
    /// - Parameters:
    ///   - enrollmentID: the ``MultiFactorInfo/uid`` of a hint.
    ///   - oneTimePassword: the code that the app shows, or a recovery code.
    /// - Returns: the proof, for ``MultiFactorResolver/resolveSignIn(with:)``.
    public static func assertionForSignIn(
        withEnrollmentID enrollmentID: String,
        oneTimePassword: String
    ) -> TOTPMultiFactorAssertion {
        TOTPMultiFactorAssertion(
            factorID: TOTPMultiFactorID,
            .totpSignIn(enrollmentID: enrollmentID, code: PhoneSignIn.typedCode(oneTimePassword))
        )
    }
}

/// The secret of an authenticator app, until it is enrolled.
public final class TOTPSecret: Sendable {
    let sessionInfo: String
    private let secret: String
    private let algorithm: String
    private let digits: Int
    private let period: Int

    init(_ response: TOTPStartResponse.Session) {
        sessionInfo = response.sessionInfo
        secret = response.sharedSecretKey
        algorithm = response.hashingAlgorithm ?? "SHA1"
        digits = response.verificationCodeLength ?? 6
        period = response.periodSec ?? 30
    }

    /// Returns the secret in Base32, for users who cannot scan a code. It must not reach logs.
    public func sharedSecretKey() -> String { secret }

    /// Returns the URL that authenticator apps read from a QR code.
    public func generateQRCodeURL(withAccountName accountName: String, issuer: String) -> String {
        let parameters = [
            ("secret", secret), ("issuer", issuer), ("algorithm", algorithm), ("digits", String(digits)),
            ("period", String(period)),
        ]
        let query = parameters.map { "\($0)=\(Self.encoded($1))" }.joined(separator: "&")
        return "otpauth://totp/\(Self.encoded(issuer)):\(Self.encoded(accountName))?\(query)"
    }

    /// Returns the URL for an authenticator app; nil if the URL has another scheme, which would open another app.
    static func authenticatorURL(_ text: String) -> URL? {
        URL(string: text).flatMap { $0.scheme?.lowercased() == "otpauth" ? $0 : nil }
    }

    /// Percent-encodes all but the unreserved characters of RFC 3986.
    private static func encoded(_ text: String) -> String {
        let letters = "abcdefghijklmnopqrstuvwxyz"
        let unreserved = CharacterSet(charactersIn: letters + letters.uppercased() + "0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }
}

extension TOTPSecret: CustomReflectable {
    /// Empty, because secrets must not reach logs.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
