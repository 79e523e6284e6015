internal import Cryptography
internal import PhoneNumbers
internal import RedisStore

/// An attempt to sign in or to prove something with a phone number.
struct PhoneSignIn {
    let evidence: PhoneEvidence
    /// The user of the ID token in the request.
    let user: AuthenticatedUser?
    let requestID: String
    let project: Project
    /// The blocking hooks to call before the sign-in.
    let hooks: SignInHooks?
    let now: Instant

    var phone: E164 { evidence.phone }

    var identity: PhoneIdentity { evidence.identity }

    var identifier: AccountIdentifier<IdentitySubject.PhoneNumber> {
        AccountIdentifier(text: phone.text, identity: identity)
    }

    /// Returns the refusal for a user whose number belongs to another account.
    func refusalOfAnother(
        _ authenticator: Authenticator
    ) throws(SignInWithPhoneNumberRefusal) -> SignInWithPhoneNumberRefusal {
        if case .temporaryProof = evidence { return .numberExists(phone) }
        let environment = authenticator.environment
        do {
            let bytes = environment.randomBytes(TemporaryProofID.byteCount)
            guard let id = TemporaryProofID(shard: identity.shard, bytes: bytes) else { throw CryptographyFailure() }
            let proof = TemporaryProof(
                id: id,
                phoneNumber: phone.text,
                expiresAt: (now + Policy.temporaryProofLifetime).seconds
            )
            let text = try proof.text(in: project, authenticator.keys, environment)
            return .numberOfAnotherAccount(phone, temporaryProof: text)
        } catch {
            throw .failed(.cryptographyFailed)
        }
    }
}

extension Authenticator {
    /// Returns whether the account that a claim leads to has the number.
    func isHeld(_ claim: IdentifierClaim, _ attempt: PhoneSignIn) throws(SignInWithPhoneNumberRefusal) -> Bool {
        do {
            return try holdsClaim(claim, of: .phone, in: attempt.project, attempt.now)
        } catch {
            throw .failed(.unavailable(error))
        }
    }

    /// Returns the claim by which an account has the number; nil if there is none, or if a sign-in with the number
    /// would take the number away from the account. The number of Redis queries does not depend on the result.
    func heldClaim(_ attempt: PhoneSignIn) throws(SignInWithPhoneNumberRefusal) -> IdentifierClaim? {
        do {
            let claim = try store.claim(of: attempt.identity)
            let uid = claim?.uid ?? attempt.identity.hash
            let account = AccountIdentity(project: attempt.project.id, uid: uid, among: store.shards)
            let record = try store.account(account)
            guard let claim, let record, record.numberClaimID == claim.id else { return nil }
            let rule = recycledNumberRule(in: attempt.project, attempt.now)
            return rule?.takesNumber(from: record) == true ? nil : claim
        } catch {
            throw .failed(.unavailable(error))
        }
    }

    /// Issues tokens for the account that has the number by `claim`, or that the number is linked to.
    func issueTokens(
        _ attempt: PhoneSignIn,
        _ claim: IdentifierClaim,
        maker: String,
        recycledNumbers: RecycledNumberRule?
    ) throws(SignInWithPhoneNumberRefusal) -> TokenOutcome {
        let account = AccountIdentity(project: attempt.project.id, uid: claim.uid, among: store.shards)
        let identifier = attempt.identifier
        do {
            return try issueTokens(
                TokenRequest(
                    account: account,
                    provider: .phone,
                    signedInAt: attempt.now,
                    maker: maker,
                    identifier: try signInIdentifier(identifier, claim, of: account, attempt.now),
                    number: identifier.text,
                    recycledNumbers: recycledNumbers,
                    secondFactorNeed: attempt.project.secondFactorNeed,
                    hooks: attempt.hooks
                ),
                in: attempt.project,
                attempt.now
            )
        } catch {
            throw .failed(error)
        }
    }
}
