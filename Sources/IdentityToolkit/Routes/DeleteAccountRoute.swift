internal import Encodings
internal import FastCGI
internal import PhoneAuth
internal import RedisStore

extension IdentityToolkitHandler {
    func deleteAccount(_ call: Call, _ record: inout RequestRecord) throws(WireError) -> Response {
        let idToken = try call.requiredIDToken()
        do {
            try authenticator.deleteAccount(idToken: idToken, requestID: call.requestID, in: call.project)
        } catch {
            throw error.wire
        }
        record.reason = "deleted"
        return .json(JSONWriter.object { $0.member("kind", "identitytoolkit#DeleteAccountResponse") })
    }
}

extension DeleteAccountRefusal {
    fileprivate var wire: WireError {
        switch self {
        case .notAuthenticated(let refusal): refusal.wire
        case .unavailable(let store): .unavailable(logDetail: store.description)
        }
    }
}
