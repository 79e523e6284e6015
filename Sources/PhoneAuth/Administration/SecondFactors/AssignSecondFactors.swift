internal import Encodings

extension OperationContext {
    /// Replaces an account's second factors with the given ones. A factor that the account already has keeps its used
    /// TOTP steps, so codes cannot be replayed. A different number or secret under a known id replaces the old factor.
    func assign(
        _ assignments: [SecondFactorAssignment],
        to account: AccountIdentity,
        having present: [SecondFactorRecord],
        by update: inout AccountUpdate
    ) throws(AccountRefusal) {
        // Lets the scripts distinguish new factors from existing ones.
        let requestID = "operator/" + Base64URL.string(environment.randomBytes(12))
        for assignment in assignments {
            if let held = held(assignment, among: present, of: account) {
                guard !isUnchanged(held, assignment) else { continue }
                let enrolledAt = assignment.enrolledAt?.milliseconds ?? held.enrolledAt
                update.secondFactors.append(
                    SecondFactorRecord(held, displayName: assignment.displayName, enrolledAt: enrolledAt)
                )
            } else {
                update.secondFactors.append(try record(of: assignment, for: account, requestID: requestID))
            }
        }
        let wanted = Set(assignments.map(\.id))
        update.removedSecondFactors = present.map(\.id).filter { !wanted.contains($0) }
    }

    /// Returns whether an account has exactly the given second factors.
    func has(_ assignments: [SecondFactorAssignment], _ present: [SecondFactorRecord], of account: AccountIdentity)
        -> Bool
    {
        assignments.count == present.count
            && assignments.allSatisfy { assignment in
                held(assignment, among: present, of: account).map { isUnchanged($0, assignment) } ?? false
            }
    }

    /// Returns the account's factor that equals the given one.
    private func held(
        _ assignment: SecondFactorAssignment,
        among present: [SecondFactorRecord],
        of account: AccountIdentity
    ) -> SecondFactorRecord? {
        guard let own = present.first(where: { $0.id == assignment.id }) else { return nil }
        let isSame =
            switch assignment.content {
            case .phone(let number): own.kind == .phone && own.numberHash == number.identity.hash
            case .totp(let secret): totpSecret(of: own, in: account)?.bytes == secret.bytes
            case .presentTOTP: own.kind == .totp
            }
        return isSame ? own : nil
    }

    private func isUnchanged(_ held: SecondFactorRecord, _ assignment: SecondFactorAssignment) -> Bool {
        held.displayName == assignment.displayName
            && assignment.enrolledAt.map { $0.milliseconds == held.enrolledAt } ?? true
    }

    private func record(
        of assignment: SecondFactorAssignment,
        for account: AccountIdentity,
        requestID: String
    ) throws(AccountRefusal) -> SecondFactorRecord {
        let kind: SecondFactorRecord.Kind
        let plaintext: [UInt8]
        var number: PhoneIdentity?
        switch assignment.content {
        case .phone(let phone) where try isTestNumber(phone.text): throw .secondFactor(.numberIsTestNumber)
        case .phone(let phone): (kind, plaintext, number) = (.phone, Array(phone.text.utf8), phone.identity)
        case .totp(let secret): (kind, plaintext) = (.totp, secret.bytes)
        case .presentTOTP: throw .secondFactor(.secretMissing)
        }
        let sealed = try AccountRefusal.wrapping(
            failureOf: sealSecondFactor(kind, assignment.id, plaintext, for: account)
        )
        return SecondFactorRecord(
            id: assignment.id,
            kind: kind,
            sealed: sealed,
            number: number,
            displayName: assignment.displayName,
            enrolledAt: (assignment.enrolledAt ?? now).milliseconds,
            requestID: requestID
        )
    }
}
