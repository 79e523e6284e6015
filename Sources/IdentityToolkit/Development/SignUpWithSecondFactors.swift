internal import PhoneAuth

/// The reference emulator lets anybody sign up with second factors whose numbers nobody verified. Test suites make
/// their accounts so. In production a sign-up's `mfaInfo` is ignored.
extension IdentityToolkitHandler {
    /// Gives a new account the second factors of its sign-up, or deletes it if they are refused.
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
