internal import Encodings
package import PhoneAuth
internal import PhoneNumbers

extension ListedUserSession: ReportRecord {
    package static let type = "session"
    package static var members: ReportMembers<Self> {
        [
            "id": { $0.id }, "provider": { $0.provider }, "secondFactor": { $0.secondFactor },
            "signedInAt": { $0.signedInAt }, "client": { $0.client }, "network": { $0.networkHash },
            "lastUsedAt": { $0.lastUsedAt }, "lastClient": { $0.lastClient }, "lastNetwork": { $0.lastNetworkHash },
        ]
    }

    /// The session as a human-readable line: its id, the sign-in method, and when and from where the user signed in and
    /// last used it.
    package var line: String {
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
    package static let type = "account"
    package static var members: ReportMembers<Self> {
        [
            "uid": { $0.uid }, "phoneNumber": { $0.number("") }, "email": { $0.maskedEmail("") },
            "emailVerified": { $0.email == nil ? Bool?.none : $0.isEmailVerified },
            "displayName": { $0.displayName }, "disabled": { $0.isDisabled }, "createdAt": { $0.createdAt },
            "lastLoginAt": { $0.lastLoginAt },
        ]
    }

    /// Returns the account as human-readable lines. The identifier that the operator passed to the command is not
    /// masked.
    package func lines(askedFor asked: String) -> [String] {
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
    package var line: String {
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

extension SecondFactor: ReportRecord {
    package static let type = "factor"
    package static var members: ReportMembers<Self> {
        [
            "id": { $0.id }, "kind": { $0.shown.kind }, "enrolledAt": { $0.enrolledAt }, "number": { $0.shown.number },
            "displayName": { $0.displayName },
        ]
    }

    private var shown: (kind: String, number: String?) {
        switch kind {
        case .phone(let number): ("phone", SecondFactor.obfuscated(number))
        case .totp: ("totp", nil)
        }
    }

    /// The second factor as a human-readable line.
    package var line: String {
        [id, shown.kind, enrolledAt.utc, shown.number, displayName].compactMap(\.self).joined(separator: "  ")
    }
}
