internal import RedisStore

extension Authenticator {
    /// Links the number to a user's account and replaces the former number. The user's session continues and keeps its
    /// `auth_time`: proving a number shows that the requester has the number, not that the requester is the account's
    /// user.
    func link(
        _ attempt: PhoneSignIn,
        to user: AuthenticatedUser
    ) throws(SignInWithPhoneNumberRefusal) -> SignedIn {
        try refuseUnusedProof(attempt, of: user)
        let standing = try accept(attempt)
        var request = TokenRequest(continuing: user, identifiers: identifiers(of: user, in: attempt.project))
        request.provider = .phone
        request.hooks = attempt.hooks
        let outcome: LinkOutcome
        do {
            outcome = try link(attempt.identifier, standing: standing, request, in: attempt.project, attempt.now)
        } catch {
            throw .failed(error)
        }
        switch outcome {
        case .linked(let tokens): return SignedIn(tokens, attempt.phone)
        case .ofAnother: throw try attempt.refusalOfAnother(self)
        case .disabled: throw .notAuthenticated(.accountDisabled, attempt.phone)
        case .tokenRevoked: throw .notAuthenticated(.tokenRevoked, attempt.phone)
        case .signInTooOld: throw .notAuthenticated(.signInTooOld, attempt.phone)
        case .noAccount: throw .notAuthenticated(.accountUnknown, attempt.phone)
        }
    }

    /// Rejects a temporary proof of a number that belongs to another account without using it up: the proof still signs
    /// in to that account.
    private func refuseUnusedProof(
        _ attempt: PhoneSignIn,
        of user: AuthenticatedUser
    ) throws(SignInWithPhoneNumberRefusal) {
        guard case .temporaryProof = attempt.evidence else { return }
        let standing: IdentifierClaim?
        do { standing = try store.claim(of: attempt.identity) } catch { throw .failed(.unavailable(error)) }
        guard let standing, standing.uid != user.identity.uid, try isHeld(standing, attempt) else { return }
        throw .numberExists(attempt.phone)
    }
}
