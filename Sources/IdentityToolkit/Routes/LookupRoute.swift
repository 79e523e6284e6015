internal import Encodings
internal import FastCGI
internal import PhoneAuth

extension IdentityToolkitHandler {
    static func lookup(_ call: Call) throws(WireError) -> Response {
        let idToken = try call.requiredIDToken()
        let account = try IDTokenRefusal.onWire(call.operation.lookUpAccount(idToken: idToken))
        call.record.reason = "found"
        return .json(
            JSONWriter.object { json in
                json.member("kind", "identitytoolkit#GetAccountInfoResponse")
                json.array("users") { $0.account(account, for: .user) }
            }
        )
    }
}
