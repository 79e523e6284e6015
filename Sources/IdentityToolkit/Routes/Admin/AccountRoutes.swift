internal import Encodings
internal import FastCGI
internal import PhoneAuth

/// Operators' operations on one account.
extension IdentityToolkitHandler {
    static func createAccount(_ call: AdminCall) throws(WireError) -> Response {
        let uid = try call.fields.nonEmptyText("localId")
        let change = try AccountChange(call.fields, .creation)
        let account = try AccountRefusal.onWire(call.operation.createAccount(uid: uid, change))
        call.record.reason = "created"
        return .json(
            JSONWriter.object { json in
                json.member("kind", "identitytoolkit#SignupNewUserResponse")
                json.member("localId", account.uid)
                if let displayName = account.displayName { json.member("displayName", displayName) }
            }
        )
    }

    static func changeAccount(_ call: AdminCall) throws(WireError) -> Response {
        let uid = try call.requiredUID()
        let change = try AccountChange(call.fields, .change)
        let account = try AccountRefusal.onWire(call.operation.changeAccount(uid: uid, change))
        call.record.reason = "updated"
        return .json(JSONWriter.object { $0.changedAccount(account) })
    }

    static func removeAccount(_ call: AdminCall) throws(WireError) -> Response {
        let uid = try call.requiredUID()
        try AccountRefusal.onWire(call.operation.deleteAccount(uid: uid))
        call.record.reason = "deleted"
        return .json(JSONWriter.object { $0.member("kind", "identitytoolkit#DeleteAccountResponse") })
    }
}
