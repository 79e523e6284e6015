internal import PhoneNumbers
internal import RedisStore

/// A number that an operator gives to an account, without a proof by its owner.
struct NumberGift {
    let phone: PhoneIdentity
    let account: AccountIdentity
    let claim: NumberClaim
    let sealedNumber: [UInt8]
    let now: Instant
}

extension Authenticator {
    func newGift(
        of number: String,
        to account: AccountIdentity,
        in project: Project,
        _ now: Instant
    ) throws(AccountRefusal) -> NumberGift {
        let phone: E164
        do { phone = try phoneNumbers.parse(number) } catch { throw .numberInvalid }
        let sealedNumber: [UInt8]
        do { sealedNumber = try seal(phone, for: account) } catch { throw .failed(error) }
        return NumberGift(
            phone: identity(of: phone.text, in: project),
            account: account,
            claim: newClaim(uid: account.uid, at: now),
            sealedNumber: sealedNumber,
            now: now
        )
    }

    /// Gives an account the number, and takes its former one away, in the steps of ``link(_:to:)``: note, claim, take, release.
    func give(_ gift: NumberGift, in project: Project) throws(AccountRefusal) -> Account {
        do {
            var standing = try store.claim(of: gift.phone)
            for _ in 0..<Policy.claimAttempts {
                if let claim = standing {
                    if claim.uid != gift.account.uid {
                        if try holdsClaim(claim, in: project, gift.now) { throw AccountRefusal.numberExists }
                    } else if let account = try take(claim, gift, in: project) {
                        return account
                    }
                }
                guard try store.proposeNumber(gift.sealedNumber, gift.claim, to: gift.account) else {
                    throw AccountRefusal.accountUnknown
                }
                standing = try store.claimNumber(gift.phone, gift.claim, replacing: standing)
                guard standing == gift.claim else { continue }
                if let account = try take(gift.claim, gift, in: project) { return account }
                // Another request gave the account another number, or deleted it, in between.
                try? store.releaseNumber(gift.phone, gift.claim)
                break
            }
        } catch let error as StoreUnavailable {
            throw .failed(.unavailable(error))
        } catch let error as AccountRefusal {
            throw error
        } catch {
            throw .failed(.interrupted)
        }
        throw .failed(.interrupted)
    }

    /// Nil where the account does not hold the claim.
    private func take(
        _ claim: NumberClaim,
        _ gift: NumberGift,
        in project: Project
    ) throws(StoreUnavailable) -> Account? {
        guard case .taken(let record, let former) = try store.takeNumber(gift.sealedNumber, claim, for: gift.account)
        else { return nil }
        if let former { release([former], of: gift.account, in: project) }
        return Account(gift.account, record, keys)
    }
}
