import PhoneAuth
import PhoneNumbers

extension ListedUserSession {
    /// The session for people to read: its id, how and when the user signed in, when it was last used, and what is
    /// known of the client.
    var line: String {
        let method = secondFactor.map { "\(provider) and \($0)" } ?? provider
        let parts = [
            method, "since \(signedInAt.utc)", "last used \(lastUsedAt.utc)", client,
            networkHash.map { "network \($0)" },
        ]
        return "session         \(id) " + parts.compactMap(\.self).joined(separator: ", ")
    }
}

extension Account {
    /// The account for people to read. What it was asked for by is shown whole.
    func lines(askedFor asked: String) -> [String] {
        let signIn = lastLoginAt.map(\.utc) ?? "never"
        return [
            ("uid", uid), ("number", number(asked)), ("e-mail", email(asked)), ("name", displayName),
            ("picture", photoURL),
            ("password", hasPassword ? "set" + (passwordUpdatedAt.map { " \($0.utc)" } ?? "") : nil),
            ("second factors", secondFactorCounts), ("claims", customClaims?.text),
            ("disabled", isDisabled ? "yes" : nil), ("made", createdAt.utc),
            ("last sign-in", signIn),
            ("tokens revoked", revokedAt.map { Instant(milliseconds: $0 * 1000).utc }),
        ].compactMap { name, value in
            value.map { name + String(repeating: " ", count: 16 - name.count) + $0 }
        }
    }

    /// Such as `1 phone, 1 totp, 9 recovery codes`.
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
        guard let email else { return nil }
        let isAsked = asked.lowercased() == email
        let shown = isAsked ? email : "\(email.prefix(1))•••\(email.drop { $0 != "@" })"
        return shown + (isEmailVerified ? ", verified" : "")
    }
}
