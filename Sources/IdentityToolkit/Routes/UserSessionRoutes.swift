internal import Encodings
internal import FastCGI
internal import PhoneAuth

/// Lists and ends a user's own sessions. An extension: the protocol has no such operations.
extension IdentityToolkitHandler {
    static func listUserSessions(_ call: Call) throws(WireError) -> Response {
        try call.refuseTenants()
        let idToken = try call.requiredIDToken()
        let sessions = try IDTokenRefusal.onWire(call.operation.userSessions(idToken: idToken))
        call.record.reason = "found"
        return .sessions(sessions, for: .user)
    }

    static func endUserSession(_ call: Call) throws(WireError) -> Response {
        try call.refuseTenants()
        let idToken = try call.requiredIDToken()
        let id = try call.fields.requiredSessionID()
        try EndUserSessionRefusal.onWire(call.operation.endUserSession(id, idToken: idToken))
        call.record.reason = "ended"
        return .json(JSONWriter.object { _ in })
    }
}

extension Fields {
    func requiredSessionID() throws(WireError) -> String {
        guard let id = try nonEmptyText("sessionId") else { throw .code(.missingSessionID) }
        return id
    }
}

extension EndUserSessionRefusal: WireRefusal {
    var wire: WireError {
        switch self {
        case .notAuthenticated(let refusal): refusal.wire
        case .sessionUnknown: .code(.sessionNotFound)
        case .accountUnknown: .code(.userNotFound)
        case .unavailable(let store): store.wire
        }
    }
}
