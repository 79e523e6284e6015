internal import Cryptography
internal import Encodings
internal import PhoneNumbers
internal import RedisStore

/// An attempt to sign in or to prove something with a phone number.
struct PhoneSignIn {
    let evidence: PhoneEvidence
    /// The user of the ID token in the request.
    let user: AuthenticatedUser?
    /// The blocking hooks to call before the sign-in.
    let hooks: SignInHooks?

    var phone: E164 { evidence.phone }

    var identity: PhoneIdentity { evidence.identity }

    var identifier: AccountIdentifier<IdentitySubject.PhoneNumber> {
        AccountIdentifier(text: phone.text, identity: identity)
    }
}

extension OperationContext {
    /// Returns the refusal for a user whose number belongs to another account.
    func refusalOfAnother(
        _ attempt: PhoneSignIn
    ) throws(SignInWithPhoneNumberRefusal) -> SignInWithPhoneNumberRefusal {
        if case .temporaryProof = attempt.evidence { return .numberExists(attempt.phone) }
        do {
            let bytes = environment.randomBytes(TemporaryProofID.byteCount)
            guard let id = TemporaryProofID(shard: attempt.identity.shard, bytes: bytes) else {
                throw CryptographyFailure()
            }
            let proof = TemporaryProof(
                id: id,
                phoneNumber: attempt.phone.text,
                expiresAt: (now + TemporaryProof.lifetime).seconds
            )
            let text = try proof.text(in: project, keys, environment)
            return .numberOfAnotherAccount(attempt.phone, temporaryProof: text)
        } catch {
            throw .failed(.cryptographyFailed)
        }
    }

    /// Returns whether the account that a claim leads to has the number.
    func isHeld(_ claim: IdentifierClaim, _ attempt: PhoneSignIn) throws(SignInWithPhoneNumberRefusal) -> Bool {
        return try SignInWithPhoneNumberRefusal.wrapping(holdsClaim(claim, of: .phone))
    }

    /// Returns the claim by which an account has the number; nil if there is none, or if a sign-in with the number
    /// would take the number away from the account. The number of Redis queries does not depend on the result.
    func heldClaim(_ attempt: PhoneSignIn) throws(SignInWithPhoneNumberRefusal) -> IdentifierClaim? {
        guard let holder = try SignInWithPhoneNumberRefusal.wrapping(holder(of: attempt.identity)),
            recycledNumberRule()?.takesNumber(from: holder.record) != true
        else { return nil }
        return holder.claim
    }

    /// Issues tokens for the account that has the number by `claim`, or that the number is linked to.
    func signInHolder(
        of claim: IdentifierClaim,
        _ attempt: PhoneSignIn,
        maker: String,
        recycledNumbers: RecycledNumberRule?
    ) throws(SignInWithPhoneNumberRefusal) -> TokenOutcome {
        let account = AccountIdentity(project: project.id, uid: claim.uid, among: store.shards)
        let identifier = attempt.identifier
        return try SignInWithPhoneNumberRefusal.wrapping(
            failureOf: issueTokens(
                TokenRequest(
                    account: account,
                    provider: .phone,
                    signedInAt: now,
                    maker: maker,
                    identifier: signInIdentifier(identifier, claim, of: account),
                    number: identifier.text,
                    recycledNumbers: recycledNumbers,
                    secondFactorNeed: project.secondFactorNeed,
                    hooks: attempt.hooks
                )
            )
        )
    }
}
