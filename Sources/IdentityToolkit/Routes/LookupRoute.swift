internal import Encodings
internal import FastCGI
internal import PhoneAuth

extension IdentityToolkitHandler {
    static func lookup(_ call: Call) throws(WireError) -> Response {
        let idToken = try call.requiredIDToken()
        let (account, byFormerToken) = try IDTokenRefusal.onWire(call.operation.lookUpAccount(idToken: idToken))
        call.record.reason = "found"
        var response = Response.json(
            JSONWriter.object { json in
                json.member("kind", "identitytoolkit#GetAccountInfoResponse")
                json.array("users") { $0.account(account, for: .user) }
            }
        )
        // The JS SDK stores the user with the tokens that it has when it gets the response. So nginx takes more than a
        // second to send it: until then, the tab reads the present tokens from its storage, which it would overwrite.
        if byFormerToken { response.headers.append(("X-Accel-Limit-Rate", String(response.body.count / 2 - 1))) }
        return response
    }
}
