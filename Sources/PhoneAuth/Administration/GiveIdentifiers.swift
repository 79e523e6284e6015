internal import PhoneNumbers
internal import RedisStore

/// The identifiers that an operator gives to an account, without proof by their owners.
struct IdentifierGifts {
    let number: AccountIdentifier<IdentitySubject.PhoneNumber>?
    let email: AccountIdentifier<IdentitySubject.EmailAddress>?
    /// Whether the e-mail address is verified; nil leaves an address that the account already has unchanged.
    let isEmailVerified: Bool?

    var isSomething: Bool { number != nil || email != nil }
}

extension Authenticator {
    func gifts(of change: AccountChange, in project: Project) throws(AccountRefusal) -> IdentifierGifts {
        var number: AccountIdentifier<IdentitySubject.PhoneNumber>?
        var email: AccountIdentifier<IdentitySubject.EmailAddress>?
        if case .set(let text) = change.phoneNumber {
            let phone: E164
            do { phone = try phoneNumbers.parse(text) } catch { throw .numberInvalid }
            number = AccountIdentifier(text: phone.text, identity: identity(of: phone.text, in: project))
        }
        if case .set(let text) = change.email {
            do { email = identifier(try EmailAddress.new(text), in: project) } catch { throw .credential(error) }
        }
        return IdentifierGifts(number: number, email: email, isEmailVerified: change.isEmailVerified)
    }

    /// Rejects identifiers that another account holds, before anything is changed.
    func refuseTaken(
        _ gifts: IdentifierGifts,
        for account: AccountIdentity,
        in project: Project,
        _ now: Instant
    ) throws(AccountRefusal) {
        if let number = gifts.number, try isAnothers(number, than: account, in: project, now) { throw .numberExists }
        if let email = gifts.email, try isAnothers(email, than: account, in: project, now) {
            throw .credential(.emailExists)
        }
    }

    /// Gives an account its identifiers. If `revokingTokens`, a new e-mail address revokes the account's tokens in the
    /// same atomic step.
    func give(
        _ gifts: IdentifierGifts,
        to account: AccountIdentity,
        knownToHave known: AuditedIdentifiers,
        revokingTokens: Bool,
        in project: Project,
        _ now: Instant
    ) throws(AccountRefusal) {
        let audit = audit(about: known, in: project)
        if let number = gifts.number,
            try !give(number, isVerified: nil, to: account, revokedAt: nil, audit, in: project, now)
        {
            throw .numberExists
        }
        if let email = gifts.email,
            try !give(
                email,
                isVerified: gifts.isEmailVerified,
                to: account,
                revokedAt: revokingTokens ? now.seconds : nil,
                audit,
                in: project,
                now
            )
        {
            throw .credential(.emailExists)
        }
    }

    private func isAnothers<Subject>(
        _ identifier: AccountIdentifier<Subject>,
        than account: AccountIdentity,
        in project: Project,
        _ now: Instant
    ) throws(AccountRefusal) -> Bool {
        do {
            guard let claim = try store.claim(of: identifier.identity), claim.uid != account.uid else { return false }
            return try holdsClaim(claim, of: Subject.kind, in: project, now)
        } catch {
            throw .failed(.unavailable(error))
        }
    }

    /// Returns false if another account holds the identifier.
    private func give<Subject>(
        _ identifier: AccountIdentifier<Subject>,
        isVerified: Bool?,
        to account: AccountIdentity,
        revokedAt: Int64?,
        _ audit: AuditContext?,
        in project: Project,
        _ now: Instant
    ) throws(AccountRefusal) -> Bool {
        let standing: IdentifierClaim?
        do { standing = try store.claim(of: identifier.identity) } catch { throw .failed(.unavailable(error)) }
        let outcome: GiftOutcome<IdentifierTaking>
        do {
            outcome = try give(
                identifier,
                standing: standing,
                to: account,
                revokingTokensAt: revokedAt,
                in: project,
                now
            ) { claimed throws(OperationFailure) -> IdentifierTaking? in
                try take(claimed, isVerified: isVerified, for: account, revokedAt: revokedAt, audit, now)
            }
        } catch {
            throw .failed(error)
        }
        switch outcome {
        case .taken(.taken(_, let former)): release(former, of: account, in: project)
        case .ofAnother: return false
        case .noAccount, .tokenRevoked, .signInTooOld, .taken(.noAccount), .taken(.notHeld): throw .accountUnknown
        }
        return true
    }

    private func take(
        _ claimed: SignInRecord.Identifier,
        isVerified: Bool?,
        for account: AccountIdentity,
        revokedAt: Int64?,
        _ audit: AuditContext?,
        _ now: Instant
    ) throws(OperationFailure) -> IdentifierTaking? {
        do {
            let taking = try store.takeIdentifier(
                TakenIdentifier(
                    claimed,
                    isVerified: isVerified,
                    for: account,
                    provenAt: now.milliseconds,
                    revokedAt: revokedAt,
                    audit: audit
                )
            )
            if case .notHeld = taking { return nil }
            return taking
        } catch {
            throw .unavailable(error)
        }
    }
}
