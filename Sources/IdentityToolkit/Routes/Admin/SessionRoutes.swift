internal import Encodings
internal import FastCGI
internal import PhoneAuth

/// Lists and ends a user's sessions for operators.
extension IdentityToolkitHandler {
    static func listSessions(_ call: AdminCall) throws(WireError) -> Response {
        let uid = try call.requiredUID()
        let sessions = try AccountRefusal.onWire(call.operation.userSessions(uid: uid))
        call.record.reason = "found"
        return .sessions(sessions, for: .operator)
    }

    static func endSession(_ call: AdminCall) throws(WireError) -> Response {
        let uid = try call.requiredUID()
        let id = try call.fields.requiredSessionID()
        try EndUserSessionRefusal.onWire(call.operation.endUserSession(id, uid: uid))
        call.record.reason = "ended"
        return .json(JSONWriter.object { _ in })
    }
}
