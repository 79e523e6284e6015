internal import Encodings
internal import PhoneAuth

/// Who is shown an account.
enum AccountViewer {
    /// Somebody who has proven the first factor only, or less: no more of a second factor's number than its last
    /// digits.
    case firstFactor
    /// The account's user, signed in. Firebase shows users the numbers of their own second factors in full, and apps
    /// show them in their settings; the SDKs do nothing else with `enrolledFactors[].phoneNumber`.
    case user
    case `operator`
}

extension JSONWriter {
    /// An account's second factors, where there are some.
    mutating func secondFactors(of account: Account, for viewer: AccountViewer) {
        guard !account.secondFactors.isEmpty else { return }
        array("mfaInfo") { json in
            for factor in account.secondFactors { json.object { $0.members(of: factor, for: viewer) } }
        }
    }

    /// One of them.
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
            // Admin SDKs read the first.
            for name in ["phoneInfo", "unobfuscatedPhoneInfo"] { member(name, number) }
        case (.totp, _): object("totpInfo") { _ in }
        }
    }
}
