internal import Cryptography
internal import PhoneNumbers
internal import RedisStore

/// One attempt to sign in, or to prove something, with a number.
struct PhoneSignIn {
    let evidence: PhoneEvidence
    /// Whose ID token came with it.
    let user: AuthenticatedUser?
    let requestID: String
    let project: Project
    /// Who is to be asked before it is done.
    let hooks: SignInHooks?
    let now: Instant

    var phone: E164 { evidence.phone }

    var identity: PhoneIdentity { evidence.identity }

    var identifier: AccountIdentifier<IdentitySubject.PhoneNumber> {
        AccountIdentifier(text: phone.text, identity: identity)
    }

    /// What a user is told whose number is another account's.
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
    /// Whether the account that a number leads to holds it.
    func isHeld(_ claim: IdentifierClaim, _ attempt: PhoneSignIn) throws(SignInWithPhoneNumberRefusal) -> Bool {
        do {
            return try holdsClaim(claim, of: .phone, in: attempt.project, attempt.now)
        } catch {
            throw .failed(.unavailable(error))
        }
    }

    /// The claim by which an account holds the number; nil if none does, or if a sign-in with the number would take it
    /// away from the account. It asks Redis as often either way.
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

    /// Tokens for the account that holds the number by `claim`, or that is to take it.
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
