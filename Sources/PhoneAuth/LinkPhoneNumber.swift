internal import RedisStore

extension Authenticator {
    /// Gives a user's account the number, and takes its former one away.
    ///
    /// The account first notes that it is about to get the number, then the number is claimed for it, then the account takes
    /// it, then the former number lets go. Where a worker dies
    /// - before the claim, nothing has changed: the note alone means nothing;
    /// - before the account takes the number, the next sign-in with the number does that for it;
    /// - before the former number lets go, that leads to an account that does not hold it: whoever signs in with it next gets
    ///   an account of its own.
    ///
    /// So at each moment the account is reached by a number that it holds, and no number leads to two.
    func link(
        _ attempt: PhoneSignIn,
        to user: AuthenticatedUser
    ) throws(SignInWithPhoneNumberRefusal) -> SignedIn {
        try refuseUnusedProof(attempt, of: user)
        var standing = try accept(attempt, proposing: nil)
        for _ in 0..<Policy.claimAttempts {
            if let claim = standing {
                if claim.uid != user.identity.uid {
                    if try isHeld(claim, attempt) { throw try attempt.refusalOfAnother(self) }
                } else if let signedIn = try take(claim, attempt) {
                    return signedIn
                }
            }
            let claim = newClaim(uid: user.identity.uid, at: attempt.now)
            standing = try put(claim, attempt, for: user.identity, replacing: standing)
            guard standing == claim else { continue }
            if let signedIn = try take(claim, attempt) { return signedIn }
            // Another request gave the account another number, or deleted it, in between.
            try? store.releaseNumber(attempt.identity, claim)
            throw .failed(.interrupted)
        }
        throw .failed(.interrupted)
    }

    /// A proof of a number that is another account's stays good, because it signs in there.
    private func refuseUnusedProof(
        _ attempt: PhoneSignIn,
        of user: AuthenticatedUser
    ) throws(SignInWithPhoneNumberRefusal) {
        guard case .temporaryProof = attempt.evidence else { return }
        let standing: NumberClaim?
        do { standing = try store.claim(of: attempt.identity) } catch { throw .failed(.unavailable(error)) }
        guard let standing, standing.uid != user.identity.uid, try isHeld(standing, attempt) else { return }
        throw .numberExists(attempt.phone)
    }

    /// Notes the claim in the account and puts it to the number; returns what stands there then.
    private func put(
        _ claim: NumberClaim,
        _ attempt: PhoneSignIn,
        for account: AccountIdentity,
        replacing void: NumberClaim?
    ) throws(SignInWithPhoneNumberRefusal) -> NumberClaim {
        let sealedNumber: [UInt8]
        do { sealedNumber = try seal(attempt.phone, for: account) } catch { throw .failed(error) }
        let isNoted: Bool
        do {
            isNoted = try store.proposeNumber(sealedNumber, claim, to: account)
            if isNoted { return try store.claimNumber(attempt.identity, claim, replacing: void) }
        } catch {
            throw .failed(.unavailable(error))
        }
        throw .notAuthenticated(.accountUnknown, attempt.phone)
    }

    /// Makes the account take the number that is claimed for it; nil where it does not hold the claim.
    private func take(
        _ claim: NumberClaim,
        _ attempt: PhoneSignIn
    ) throws(SignInWithPhoneNumberRefusal) -> SignedIn? {
        switch try issueTokens(attempt, claim, maker: "") {
        case .issued(let tokens): return SignedIn(tokens, attempt.phone)
        case .disabled: throw .notAuthenticated(.accountDisabled, attempt.phone)
        case .noAccount: throw .notAuthenticated(.accountUnknown, attempt.phone)
        case .notHeld: return nil
        }
    }
}
