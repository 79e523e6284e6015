public import Encodings

/// A second factor of an account.
public struct SecondFactor: Sendable, Confidential {
    /// The maximum number of second factors of an account: the protocol's.
    public static let maximumPerAccount = 5

    /// The kind of factor.
    public enum Kind: Sendable, Equatable {
        /// Codes by SMS to this number, in E.164 form; empty if no data key opens it.
        case phone(number: String)
        /// Codes from an authenticator app (RFC 6238).
        case totp
    }

    /// The protocol's `mfaEnrollmentId`.
    public let id: String
    /// The kind of factor.
    public let kind: Kind
    /// The user's name for it.
    public let displayName: String?
    /// When it was enrolled.
    public let enrolledAt: Instant

    init(_ record: SecondFactorRecord, of account: AccountIdentity, _ keys: ServerKeys) {
        id = record.id
        displayName = record.displayName
        enrolledAt = Instant(milliseconds: record.enrolledAt)
        switch record.kind {
        case .phone:
            let number = keys.data.open(record.sealed, context: Self.sealingContext(.phone, record.id, account)) ?? []
            kind = .phone(number: String(decoding: number, as: UTF8.self))
        case .totp: kind = .totp
        }
    }

    /// Returns a number as shown to anyone but its holder: an asterisk for every digit except the last four.
    public static func obfuscated(_ number: String) -> String {
        let digits = number.dropFirst()
        return "+" + String(repeating: "*", count: max(0, digits.count - 4)) + digits.suffix(4)
    }

    static func sealingContext(_ kind: SecondFactorRecord.Kind, _ id: String, _ account: AccountIdentity)
        -> SealingContext
    {
        SealingContext("second-factor-\(kind.rawValue)", of: "\(account.project)/\(account.uid)/\(id)")
    }
}

extension OperationContext {
    /// Seals a phone number or a TOTP secret for a factor of an account.
    func sealSecondFactor(
        _ kind: SecondFactorRecord.Kind,
        _ id: String,
        _ plaintext: [UInt8],
        for account: AccountIdentity
    ) throws(OperationFailure) -> [UInt8] {
        try authenticator.seal(plaintext, SecondFactor.sealingContext(kind, id, account))
    }

    /// Returns the secret of an account's TOTP factor; nil if no data key opens it.
    func totpSecret(of record: SecondFactorRecord, in account: AccountIdentity) -> TOTPSecret? {
        guard record.kind == .totp else { return nil }
        return keys.data.open(record.sealed, context: SecondFactor.sealingContext(.totp, record.id, account))
            .flatMap(TOTPSecret.init)
    }
}
