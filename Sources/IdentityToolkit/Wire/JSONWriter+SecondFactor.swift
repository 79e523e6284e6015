internal import Encodings
internal import PhoneAuth

/// Who is shown an account.
enum AccountViewer {
    /// Its user, or somebody who has proven the first factor only: no more of a second factor's number than its last digits.
    case user
    case `operator`
}

extension JSONWriter {
    /// An account's second factors, where there are some.
    mutating func secondFactors(of account: Account, for viewer: AccountViewer) {
        guard !account.secondFactors.isEmpty else { return }
        array("mfaInfo") { json in
            for factor in account.secondFactors { json.secondFactor(factor, for: viewer) }
        }
    }

    private mutating func secondFactor(_ factor: SecondFactor, for viewer: AccountViewer) {
        object { json in
            json.member("mfaEnrollmentId", factor.id)
            if let displayName = factor.displayName { json.member("displayName", displayName) }
            json.member("enrolledAt", factor.enrolledAt.rfc3339)
            switch (factor.kind, viewer) {
            case (.phone(let number), .user): json.member("phoneInfo", SecondFactor.obfuscated(number))
            case (.phone(let number), .operator):
                // Admin SDKs read the first.
                for name in ["phoneInfo", "unobfuscatedPhoneInfo"] { json.member(name, number) }
            case (.totp, _): json.object("totpInfo") { _ in }
            }
        }
    }
}
