internal import PhoneAuth

/// The reference emulator accepts unverified second-factor numbers at sign-up, and test suites create their accounts
/// this way. In production a sign-up's `mfaInfo` is ignored.
extension IdentityToolkitHandler {
    /// Adds the second factors of a sign-up to the new account, or deletes the account if they are rejected.
    static func assignSecondFactors(to tokens: IssuedTokens, _ call: Call) throws(WireError) {
        var change = AccountChange()
        change.secondFactors = try AccountRequest.creation.secondFactors(call.fields)
        guard change.secondFactors != nil else { return }
        let uid = tokens.account.uid
        do {
            _ = try call.operation.changeAccount(uid: uid, change)
        } catch {
            call.operation.deleteHalfMadeAccount(uid: uid)
            throw error.wire
        }
    }
}
