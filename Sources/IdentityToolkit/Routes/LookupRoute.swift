internal import Encodings
internal import FastCGI
internal import PhoneAuth

extension IdentityToolkitHandler {
    func lookup(_ call: Call, _ record: inout RequestRecord) throws(WireError) -> Response {
        let idToken = try call.requiredIDToken()
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
                json.array("users") { $0.account(account, for: .user) }
            }
        )
    }
}
