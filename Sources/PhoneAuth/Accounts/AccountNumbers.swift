internal import Encodings
internal import PhoneNumbers
internal import RedisStore

/// What the operations on accounts and their numbers have in common; ``RedisStore/NumberClaim`` explains claims.
extension Authenticator {
    func newClaim(uid: String, at now: Instant) -> NumberClaim {
        NumberClaim(
            uid: uid,
            seconds: now.seconds,
            randomBytes: environment.randomBytes(NumberClaim.randomByteCount)
        )
    }

    /// Whether a worker may still be on its way with a claim.
    func isFresh(_ claim: NumberClaim, at now: Instant) -> Bool {
        now.seconds - claim.seconds < Policy.claimFreshness.components.seconds
    }

    func holdsClaim(_ claim: NumberClaim, in project: Project, _ now: Instant) throws(StoreUnavailable) -> Bool {
        try store.holdsClaim(
            claim,
            isFresh: isFresh(claim, at: now),
            in: project.id,
            markMilliseconds: Policy.deletionMarkLifetime.milliseconds
        )
    }

    func seal(_ phone: E164, for account: AccountIdentity) throws(OperationFailure) -> [UInt8] {
        do {
            return try keys.data.seal(
                Array(phone.text.utf8),
                context: Account.sealingContext(account),
                nonce: environment.randomBytes(DataKeys.nonceByteCount)
            )
        } catch {
            throw .cryptographyFailed
        }
    }

    /// Makes numbers let go of an account that gave them up. Where that fails, what stands with the number leads to an account
    /// that does not hold it, and the next sign-in with the number puts another claim there.
    func release(_ numbers: [HeldNumber], of account: AccountIdentity, in project: Project) {
        for held in numbers {
            guard let number = Account.number(held.sealedNumber, of: account, keys) else { continue }
            try? store.releaseNumber(identity(of: number, in: project), held.claim)
        }
    }
}
