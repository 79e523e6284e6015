internal import Redis

/// The steps by which numbers come to accounts; ``NumberClaim`` says in which order.
extension Store {
    /// What stands with a number; nil where nothing does.
    /// - Throws: ``StoreUnavailable``.
    public func claim(of phone: PhoneIdentity) throws(StoreUnavailable) -> NumberClaim? {
        let reply = try send("GET", KeyNames.phone(phone))
        return reply.isNull ? nil : try NumberClaim(text: try reply.text())
    }

    /// Puts a claim to a number where there is none, or only `void`, which the caller found void.
    /// - Returns: the claim that stands then.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func claimNumber(
        _ phone: PhoneIdentity,
        _ claim: NumberClaim,
        replacing void: NumberClaim?
    ) throws(StoreUnavailable) -> NumberClaim {
        let reply = try run(
            Scripts.claimNumber,
            keys: [KeyNames.phone(phone)],
            [.text(void?.text ?? ""), .text(claim.text)]
        )
        return try NumberClaim(text: try reply.text())
    }

    /// Lets a number go where `claim` still stands with it.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func releaseNumber(_ phone: PhoneIdentity, _ claim: NumberClaim) throws(StoreUnavailable) {
        _ = try run(Scripts.deleteIfEqual, keys: [KeyNames.phone(phone)], [.text(claim.text)])
    }

    /// Notes in an account that it is about to get a number; false where there is no account.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func proposeNumber(
        _ sealedNumber: [UInt8],
        _ claim: NumberClaim,
        to account: AccountIdentity
    ) throws(StoreUnavailable) -> Bool {
        try run(
            Scripts.proposeNumber,
            keys: [KeyNames.user(account)],
            [.text(claim.id), .bytes(sealedNumber)]
        ).integer() == 1
    }

    /// Whether an account holds a claim that was found with a number, or is about to. Where it does not, it never will.
    ///
    /// A claim is fresh where a worker may still be on its way with it. For `markMilliseconds`, longer than claims are fresh, an
    /// account that is not there is not made.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func holdsClaim(
        _ claim: NumberClaim,
        isFresh: Bool,
        in project: String,
        markMilliseconds: Int64
    ) throws(StoreUnavailable) -> Bool {
        let account = AccountIdentity(project: project, uid: claim.uid, among: shards)
        return try run(
            Scripts.checkClaim,
            keys: [KeyNames.user(account), KeyNames.deletedUser(account)],
            [.text(claim.id), .integer(isFresh ? 1 : 0), .integer(markMilliseconds)]
        ).integer() == 1
    }
}
