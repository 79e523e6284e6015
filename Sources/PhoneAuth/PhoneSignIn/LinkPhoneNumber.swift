internal import Encodings

extension OperationContext {
    /// Links the number to a user's account and replaces the former number. The user's session continues and keeps its
    /// `auth_time`: proving a number shows that the requester has the number, not that the requester is the account's
    /// user.
    func link(
        _ attempt: PhoneSignInAttempt,
        to user: AuthenticatedUser
    ) throws(SignInWithPhoneNumberRefusal) -> SignedIn {
        try refuseUnusedProof(attempt, of: user)
        let currentClaim = try accept(attempt)
        var request = TokenRequest(continuing: user, identifiers: identifiers(of: user))
        request.provider = .phone
        request.hooks = attempt.hooks
        let outcome = try SignInWithPhoneNumberRefusal.wrapping(
            failureOf: link(attempt.identifier, currentClaim: currentClaim, request)
        )
        switch outcome {
        case .taken(let tokens): return SignedIn(tokens, attempt.phone)
        case .ofAnother: throw try refusalOfAnother(attempt)
        case .hindered(let obstacle): throw .notAuthenticated(IDTokenRefusal(obstacle), attempt.phone)
        }
    }

    /// Rejects a temporary proof of a number that belongs to another account without using it up: the proof still signs
    /// in to that account.
    private func refuseUnusedProof(
        _ attempt: PhoneSignInAttempt,
        of user: AuthenticatedUser
    ) throws(SignInWithPhoneNumberRefusal) {
        guard case .temporaryProof = attempt.evidence else { return }
        let currentClaim = try SignInWithPhoneNumberRefusal.wrapping(store.claim(of: attempt.identity))
        guard let currentClaim, !currentClaim.uid.hasSameBytes(as: user.identity.uid),
            try isHeld(currentClaim, attempt)
        else { return }
        throw .numberExists(attempt.phone)
    }
}
