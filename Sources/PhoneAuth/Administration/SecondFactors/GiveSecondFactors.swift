internal import Encodings
internal import RedisStore

extension Authenticator {
    /// Replaces an account's second factors by the given ones. A factor that the account already has keeps its used
    /// TOTP steps, so codes cannot be replayed. Another number or secret under a known id replaces the old factor.
    func give(
        _ gifts: [SecondFactorGift],
        to account: AccountIdentity,
        having present: [SecondFactorRecord],
        by update: inout AccountUpdate,
        _ now: Instant
    ) throws(AccountRefusal) {
        // Lets the scripts distinguish new factors from present ones.
        let requestID = "operator/" + Base64URL.string(environment.randomBytes(12))
        for gift in gifts {
            if let held = held(gift, among: present, of: account) {
                guard !isAsGiven(held, gift) else { continue }
                let enrolledAt = gift.enrolledAt?.milliseconds ?? held.enrolledAt
                update.secondFactors.append(
                    SecondFactorRecord(held, displayName: gift.displayName, enrolledAt: enrolledAt)
                )
            } else {
                update.secondFactors.append(try record(of: gift, for: account, requestID: requestID, now))
            }
        }
        let wanted = Set(gifts.map(\.id))
        update.removedSecondFactors = present.map(\.id).filter { !wanted.contains($0) }
    }

    /// Whether an account has exactly the given second factors.
    func has(_ gifts: [SecondFactorGift], _ present: [SecondFactorRecord], of account: AccountIdentity) -> Bool {
        gifts.count == present.count
            && gifts.allSatisfy { gift in
                held(gift, among: present, of: account).map { isAsGiven($0, gift) } ?? false
            }
    }

    /// Returns the account's factor that is the same as the given one.
    private func held(
        _ gift: SecondFactorGift,
        among present: [SecondFactorRecord],
        of account: AccountIdentity
    ) -> SecondFactorRecord? {
        guard let own = present.first(where: { $0.id == gift.id }) else { return nil }
        let isSame =
            switch gift.content {
            case .phone(let number): own.kind == .phone && own.numberHash == number.identity.hash
            case .totp(let secret): totpSecret(of: own, in: account)?.bytes == secret.bytes
            case .presentTOTP: own.kind == .totp
            }
        return isSame ? own : nil
    }

    private func isAsGiven(_ held: SecondFactorRecord, _ gift: SecondFactorGift) -> Bool {
        held.displayName == gift.displayName && gift.enrolledAt.map { $0.milliseconds == held.enrolledAt } ?? true
    }

    private func record(
        of gift: SecondFactorGift,
        for account: AccountIdentity,
        requestID: String,
        _ now: Instant
    ) throws(AccountRefusal) -> SecondFactorRecord {
        let kind: SecondFactorRecord.Kind
        let plaintext: [UInt8]
        var number: PhoneIdentity?
        switch gift.content {
        case .phone(let phone): (kind, plaintext, number) = (.phone, Array(phone.text.utf8), phone.identity)
        case .totp(let secret): (kind, plaintext) = (.totp, secret.bytes)
        case .presentTOTP: throw .secondFactor(.secretMissing)
        }
        let sealed: [UInt8]
        do {
            sealed = try sealSecondFactor(kind, gift.id, plaintext, for: account)
        } catch {
            throw .failed(error)
        }
        return SecondFactorRecord(
            id: gift.id,
            kind: kind,
            sealed: sealed,
            number: number,
            displayName: gift.displayName,
            enrolledAt: (gift.enrolledAt ?? now).milliseconds,
            requestID: requestID
        )
    }
}
