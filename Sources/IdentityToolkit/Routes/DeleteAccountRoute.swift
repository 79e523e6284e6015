internal import Encodings
internal import FastCGI
internal import PhoneAuth

extension IdentityToolkitHandler {
    static func deleteAccount(_ call: Call) throws(WireError) -> Response {
        let idToken = try call.requiredIDToken()
        try DeleteAccountRefusal.onWire(call.operation.deleteAccount(idToken: idToken))
        call.record.reason = "deleted"
        return .json(JSONWriter.object { $0.member("kind", "identitytoolkit#DeleteAccountResponse") })
    }
}

extension DeleteAccountRefusal: WireRefusal {
    var wire: WireError {
        switch self {
        case .notAuthenticated(let refusal): refusal.wire
        case .unavailable(let store): store.wire
        }
    }
}
