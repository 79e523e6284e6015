internal import Encodings
internal import FastCGI
internal import PhoneAuth
internal import RedisStore

extension IdentityToolkitHandler {
    func lookup(_ call: Call, _ record: inout RequestRecord) throws(WireError) -> Response {
        guard let idToken = try call.fields.nonEmptyText("idToken") else { throw .badRequest("MISSING_ID_TOKEN") }
        let account: Account
        do {
            account = try authenticator.lookUpAccount(idToken: idToken, in: call.project)
        } catch {
            throw error.wire
        }
        record.reason = "found"
        return .json(
            JSONWriter.object { json in
                json.member("kind", "identitytoolkit#GetAccountInfoResponse")
                json.array("users") { $0.account(account) }
            }
        )
    }
}

extension JSONWriter {
    /// An account as its owner sees it. Times are strings.
    fileprivate mutating func account(_ account: Account) {
        object { json in
            json.member("localId", account.uid)
            if let phoneNumber = account.phoneNumber { json.member("phoneNumber", phoneNumber) }
            if let displayName = account.displayName { json.member("displayName", displayName) }
            if let photoURL = account.photoURL { json.member("photoUrl", photoURL) }
            json.member("disabled", account.isDisabled)
            json.member("createdAt", String(account.createdAt.milliseconds))
            json.member("lastLoginAt", String(account.lastLoginAt.milliseconds))
            json.member("lastRefreshAt", account.lastRefreshAt.rfc3339)
            json.member("validSince", String(account.validSince))
            json.array("providerUserInfo") { json in
                guard let phoneNumber = account.phoneNumber else { return }
                json.object { json in
                    json.member("providerId", "phone")
                    json.member("rawId", phoneNumber)
                    json.member("phoneNumber", phoneNumber)
                }
            }
        }
    }
}

extension IDTokenRefusal {
    fileprivate var wire: WireError {
        switch self {
        case .tokenInvalid: .badRequest("INVALID_ID_TOKEN")
        case .accountUnknown: .badRequest("USER_NOT_FOUND")
        case .accountDisabled: .badRequest("USER_DISABLED")
        case .tokenRevoked: .badRequest("TOKEN_EXPIRED")
        case .unavailable(let store): .unavailable(logDetail: store.description)
        }
    }
}
