internal import Encodings
internal import PhoneNumbers

/// The identifiers that an operator gives to an account, without proof by their owners.
struct IdentifierAssignments {
    let number: AccountIdentifier<PhoneIdentity>?
    /// Whether the number is a test number that the account already has: it then keeps the number as it is.
    let keepsNumber: Bool
    let email: AccountIdentifier<EmailIdentity>?
    /// Whether the e-mail address is verified; nil leaves an address that the account already has unchanged.
    let isEmailVerified: Bool?
}

extension OperationContext {
    func assignments(
        of change: AccountChange,
        to account: AccountIdentity
    ) throws(AccountRefusal) -> IdentifierAssignments {
        var number: AccountIdentifier<PhoneIdentity>?
        var keepsNumber = false
        var email: AccountIdentifier<EmailIdentity>?
        if case .set(let text) = change.phoneNumber {
            let phone: E164
            do { phone = try phoneNumbers.parse(text) } catch { throw .numberInvalid }
            guard project.accepts(phone) else { throw .numberInvalid }
            if try isTestNumber(phone.text) {
                let record = try AccountRefusal.wrapping(store.account(account))
                keepsNumber = record.map { Account(account, $0, keys).phoneNumber == phone.text } ?? false
                guard keepsNumber else { throw .numberIsTestNumber }
            }
            number = AccountIdentifier(text: phone.text, identity: identity(of: phone.text))
        }
        if case .set(let text) = change.email {
            do { email = identifier(try EmailAddress.new(text)) } catch { throw .credential(error) }
        }
        return IdentifierAssignments(
            number: number,
            keepsNumber: keepsNumber,
            email: email,
            isEmailVerified: change.isEmailVerified
        )
    }

    func isTestNumber(_ number: String) throws(AccountRefusal) -> Bool {
        try AccountRefusal.wrapping(settings()).testNumbers[number] != nil
    }

    /// Rejects identifiers that another account holds, before anything is changed.
    func refuseTaken(_ assignments: IdentifierAssignments, for account: AccountIdentity) throws(AccountRefusal) {
        if let number = assignments.number, try belongsToAnother(number, than: account) { throw .numberExists }
        if let email = assignments.email, try belongsToAnother(email, than: account) {
            throw .credential(.emailExists)
        }
    }

    /// Gives an account its identifiers. If `revokingTokens`, a new e-mail address revokes the account's tokens in the
    /// same atomic step. If this `completesCreation`, repetitions of the request that created the account no longer
    /// find it once it has all identifiers. A new e-mail address requires the account's `revocation` counter; nil for
    /// any. Returns the account afterwards; nil if there were no identifiers.
    @discardableResult
    func assign(
        _ assignments: IdentifierAssignments,
        to account: AccountIdentity,
        knownToHave known: AuditedIdentifiers,
        having revocation: Int64? = nil,
        revokingTokens: Bool,
        completesCreation: Bool = false
    ) throws(AccountRefusal) -> AccountRecord? {
        let audit = audit(about: known)
        var record: AccountRecord?
        if let number = assignments.number, !assignments.keepsNumber {
            record = try assign(
                number,
                isVerified: nil,
                to: account,
                revokedAt: nil,
                completesCreation: completesCreation && assignments.email == nil,
                audit
            )
            if record == nil { throw .numberExists }
        }
        if let email = assignments.email {
            record = try assign(
                email,
                isVerified: assignments.isEmailVerified,
                to: account,
                having: revocation,
                revokedAt: revokingTokens ? now.seconds : nil,
                completesCreation: completesCreation,
                audit
            )
            if record == nil { throw .credential(.emailExists) }
        }
        return record
    }

    private func belongsToAnother<Identity>(
        _ identifier: AccountIdentifier<Identity>,
        than account: AccountIdentity
    ) throws(AccountRefusal) -> Bool {
        guard let claim = try AccountRefusal.wrapping(store.claim(of: identifier.identity)),
            !claim.uid.hasSameBytes(as: account.uid)
        else { return false }
        return try AccountRefusal.wrapping(holdsClaim(claim, of: Identity.kind))
    }

    /// Returns the account afterwards, or nil if another account holds the identifier.
    private func assign<Identity>(
        _ identifier: AccountIdentifier<Identity>,
        isVerified: Bool?,
        to account: AccountIdentity,
        having revocation: Int64? = nil,
        revokedAt: Int64?,
        completesCreation: Bool,
        _ audit: AuditContext?
    ) throws(AccountRefusal) -> AccountRecord? {
        let currentClaim = try AccountRefusal.wrapping(store.claim(of: identifier.identity))
        let outcome = try AccountRefusal.wrapping(
            failureOf: assign(
                identifier,
                currentClaim: currentClaim,
                to: account,
                having: revocation,
                revokingTokensAt: revokedAt
            ) { claimed throws(OperationFailure) -> AssignmentOutcome<TakenByAccount>? in
                try take(
                    TakenIdentifier(
                        claimed,
                        isVerified: isVerified,
                        for: account,
                        provenAt: now.milliseconds,
                        revokedAt: revokedAt,
                        completesCreation: completesCreation,
                        audit: audit
                    )
                )
            }
        )
        switch outcome {
        case .taken(let taken):
            release(taken.former, of: account)
            return taken.record
        case .ofAnother: return nil
        case .hindered: throw .accountUnknown
        }
    }

    /// The account that has taken an identifier, and the identifiers to release.
    private typealias TakenByAccount = (record: AccountRecord, former: [HeldIdentifier])

    private func take(_ identifier: TakenIdentifier) throws(OperationFailure) -> AssignmentOutcome<TakenByAccount>? {
        do {
            switch try store.takeIdentifier(identifier) {
            case .taken(let record, let former): return .taken((record, former))
            case .noAccount: return .hindered(.noAccount(wasDeleted: false))
            case .notHeld: return nil
            }
        } catch {
            throw .unavailable(error)
        }
    }
}
