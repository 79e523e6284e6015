internal import Encodings
internal import PhoneAuth

/// The reader of an account, which decides how much of a second factor's number is shown.
enum AccountViewer {
    /// A user who has proven at most the first factor: only the last digits of a second factor's number are shown.
    case firstFactor
    /// The account's user, signed in. Firebase shows users the numbers of their own second factors in full, and apps
    /// show them in their settings. The SDKs use `enrolledFactors[].phoneNumber` for nothing else.
    case user
    case `operator`
}

extension JSONWriter {
    /// Writes an account's second factors, if it has any.
    mutating func secondFactors(of account: Account, for viewer: AccountViewer) {
        guard !account.secondFactors.isEmpty else { return }
        array("mfaInfo") { json in
            for factor in account.secondFactors { json.object { $0.members(of: factor, for: viewer) } }
        }
    }

    /// Writes one second factor.
    mutating func secondFactor(_ name: String, _ factor: SecondFactor, for viewer: AccountViewer) {
        object(name) { $0.members(of: factor, for: viewer) }
    }

    private mutating func members(of factor: SecondFactor, for viewer: AccountViewer) {
        member("mfaEnrollmentId", factor.id)
        if let displayName = factor.displayName { member("displayName", displayName) }
        member("enrolledAt", factor.enrolledAt.rfc3339)
        switch (factor.kind, viewer) {
        case (.phone(let number), .firstFactor): member("phoneInfo", SecondFactor.obfuscated(number))
        case (.phone(let number), .user): member("phoneInfo", number)
        case (.phone(let number), .operator):
            // Admin SDKs read `phoneInfo`.
            for name in ["phoneInfo", "unobfuscatedPhoneInfo"] { member(name, number) }
        case (.totp, _): object("totpInfo") { _ in }
        }
    }
}
