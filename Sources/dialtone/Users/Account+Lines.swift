import Encodings
import PhoneAuth
import PhoneNumbers

extension ListedUserSession: ReportRecord {
    static let type = "session"
    static var members: ReportMembers<Self> {
        [
            "id": { $0.id }, "provider": { $0.provider }, "secondFactor": { $0.secondFactor },
            "signedInAt": { $0.signedInAt }, "client": { $0.client }, "network": { $0.networkHash },
            "lastUsedAt": { $0.lastUsedAt }, "lastClient": { $0.lastClient }, "lastNetwork": { $0.lastNetworkHash },
        ]
    }

    /// The session as a human-readable line: its id, the sign-in method, and when and from where the user signed in and
    /// last used it.
    var line: String {
        let method = secondFactor.map { "\(provider) and \($0)" } ?? provider
        let signIn = Self.use("signed in", signedInAt, client, networkHash)
        let last = Self.use("last used", lastUsedAt, lastClient, lastNetworkHash)
        return "session         \(id) \(method), \(signIn), \(last)"
    }

    private static func use(_ what: String, _ time: Instant, _ client: String?, _ networkHash: String?) -> String {
        let origin = [client, networkHash.map { "network \($0)" }].compactMap(\.self).joined(separator: ", ")
        return origin.isEmpty ? "\(what) \(time.utc)" : "\(what) \(time.utc) from \(origin)"
    }
}

extension Account: ReportRecord {
    static let type = "account"
    static var members: ReportMembers<Self> {
        [
            "uid": { $0.uid }, "phoneNumber": { $0.number("") }, "email": { $0.maskedEmail("") },
            "emailVerified": { $0.email == nil ? Bool?.none : $0.isEmailVerified },
            "displayName": { $0.displayName }, "disabled": { $0.isDisabled }, "createdAt": { $0.createdAt },
            "lastLoginAt": { $0.lastLoginAt },
        ]
    }

    /// Returns the account as human-readable lines. The identifier that the operator passed to the command is not
    /// masked.
    func lines(askedFor asked: String) -> [String] {
        let signIn = lastLoginAt.map(\.utc) ?? "never"
        return [
            ("uid", uid), ("number", number(asked)), ("e-mail", email(asked)), ("name", displayName),
            ("picture", photoURL),
            ("password", hasPassword ? "set" + (passwordUpdatedAt.map { " \($0.utc)" } ?? "") : nil),
            ("second factors", secondFactorCounts), ("claims", customClaims?.text),
            ("disabled", isDisabled ? "yes" : nil), ("created", createdAt.utc),
            ("last sign-in", signIn),
            ("tokens revoked", revokedAt.map { Instant(milliseconds: $0 * 1000).utc }),
        ].compactMap { name, value in
            value.map { name + String(repeating: " ", count: 16 - name.count) + $0 }
        }
    }

    /// The account as one line: its uid, number, e-mail address, and when it was created.
    var line: String {
        [uid, number(""), email(""), "created \(createdAt.utc)", isDisabled ? "disabled" : nil].compactMap(\.self)
            .joined(separator: "  ")
    }

    /// A text such as `1 phone, 1 totp, 9 recovery codes`.
    private var secondFactorCounts: String? {
        guard !secondFactors.isEmpty else { return nil }
        let apps = secondFactors.count { $0.kind == .totp }
        let counts = [("phone", secondFactors.count - apps), ("totp", apps), ("recovery codes", recoveryCodes)]
        return counts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
    }

    private func number(_ asked: String) -> String? {
        guard let phoneNumber, let number = try? PhoneNumbers(cacheCapacity: 0).parse(phoneNumber) else { return nil }
        return (try? PhoneNumbers(cacheCapacity: 0).parse(asked)) == number ? number.text : number.description
    }

    private func email(_ asked: String) -> String? {
        maskedEmail(asked).map { $0 + (isEmailVerified ? ", verified" : "") }
    }

    private func maskedEmail(_ asked: String) -> String? {
        guard let email else { return nil }
        return EmailAddress(asked)?.text == email ? email : email.maskedEmail
    }
}

extension String {
    /// An e-mail address, masked.
    var maskedEmail: String { "\(prefix(1))•••\(drop { $0 != "@" })" }
}

private let numberFault =
    "is not a possible number in E.164 form, or SMS_UNASSIGNED_NUMBERS is refused and the numbering data do not know it"

extension AccountRefusal {
    /// One line for the operator, without any of the account's data.
    var explanation: String {
        switch self {
        case .uidInvalid: "a uid has \(AccountID.rule)"
        case .uidTaken: "the uid belongs to another account, or this account has changed"
        case .accountUnknown: "no such account"
        case .numberInvalid: "the phone number \(numberFault)"
        case .numberExists: "the phone number belongs to another account"
        case .numberIsTestNumber: "the phone number is a test number: only a sign-in with its code may use it"
        case .credential(.emailInvalid): "the e-mail address is not valid"
        case .credential(.emailExists): "the e-mail address belongs to another account"
        case .credential(let refusal): "the e-mail address or the password is not accepted: \(refusal)"
        case .displayNameTooLong: "the display name has more than \(DisplayName.maximumCharacters) characters"
        case .photoURLTooLong: "the photo URL has more than \(Account.maximumPhotoURLBytes) bytes"
        case .validSinceInFuture(let seconds):
            "validSince \"\(seconds)\" is in the future; it is in seconds since the Unix epoch"
        case .secondFactor(let fault): fault.explanation
        case .failed(.unavailable(let store)): "\(store)"
        case .failed(.interrupted), .failed(.contended): "the account was changed concurrently: try again"
        case .failed(.cryptographyFailed): "encryption failed"
        case .failed(.blocked): "a blocking hook rejected it"
        case .failed(.passwordNotHashed): "the password could not be hashed"
        case .failed(.notAdmitted(let refusal)): "\(refusal)"
        }
    }
}

extension AssignedSecondFactorFault {
    fileprivate var explanation: String {
        switch self {
        case .numberInvalid: "a second factor's phone number \(numberFault)"
        case .numberIsTestNumber: "a second factor's phone number is a test number"
        case .idMissing: "a second factor has no id"
        case .idInvalid: "a second factor's id has \(AccountID.rule)"
        case .idRepeated: "two second factors have the same id"
        case .secretMissing: "an authenticator app's secret is missing"
        case .secretInvalid: "an authenticator app's secret is not 10 to 64 bytes in Base32"
        case .tooMany: "the account has more than \(SecondFactor.maximumPerAccount) second factors"
        }
    }
}
