internal import PhoneAuth

/// The reference emulator accepts unverified second-factor numbers at sign-up, and test suites create their accounts
/// this way. In production a sign-up's `mfaInfo` is ignored.
extension IdentityToolkitHandler {
    /// Adds the second factors of a sign-up to the new account, or deletes the account if they are rejected.
    func giveSecondFactors(to tokens: IssuedTokens, _ call: Call) throws(WireError) {
        var change = AccountChange()
        change.secondFactors = try AccountRequest.creation.secondFactors(call.fields)
        guard change.secondFactors != nil else { return }
        let uid = tokens.account.uid
        do {
            _ = try authenticator.changeAccount(uid: uid, change, in: call.project)
        } catch {
            try? authenticator.deleteAccount(uid: uid, requestID: call.requestID, in: call.project)
            throw error.wire
        }
    }
}
