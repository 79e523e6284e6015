public import Encodings
internal import RedisStore

/// What an account's user is asked for after the first factor.
public struct SecondFactor: Sendable, Confidential {
    /// What it is.
    public enum Kind: Sendable, Equatable {
        /// Codes by SMS to this number, in E.164 form; it is empty where our keys do not open it.
        case phone(number: String)
        /// Codes of an authenticator app (RFC 6238).
        case totp
    }

    /// The protocol's `mfaEnrollmentId`.
    public let id: String
    /// What it is.
    public let kind: Kind
    /// What the user calls it.
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

    /// A number as others than its holder may see it: every digit but the last four is a star.
    public static func obfuscated(_ number: String) -> String {
        let digits = number.dropFirst()
        return "+" + String(repeating: "*", count: max(0, digits.count - 4)) + digits.suffix(4)
    }

    static func sealingContext(_ kind: SecondFactorRecord.Kind, _ id: String, _ account: AccountIdentity) -> [UInt8] {
        Array("second-factor-\(kind.rawValue)/\(account.project)/\(account.uid)/\(id)".utf8)
    }
}

extension Authenticator {
    /// Seals a phone's number or the secret of TOTP for the factor of an account.
    func sealSecondFactor(
        _ kind: SecondFactorRecord.Kind,
        _ id: String,
        _ plaintext: [UInt8],
        for account: AccountIdentity
    ) throws(OperationFailure) -> [UInt8] {
        try seal(plaintext, SecondFactor.sealingContext(kind, id, account))
    }

    /// The secret of an account's TOTP factor; nil where our keys do not open it.
    func totpSecret(of record: SecondFactorRecord, in account: AccountIdentity) -> TOTPSecret? {
        guard record.kind == .totp else { return nil }
        return keys.data.open(record.sealed, context: SecondFactor.sealingContext(.totp, record.id, account))
            .flatMap(TOTPSecret.init)
    }
}
