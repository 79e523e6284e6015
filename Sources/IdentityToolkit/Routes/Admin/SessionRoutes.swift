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

extension IdentityToolkitHandler {
    /// Creates a session cookie. Its lifetime is 300 seconds to 14 days; 14 days if the request names no duration.
    static func createSessionCookie(_ call: AdminCall) throws(WireError) -> Response {
        guard let idToken = try call.fields.nonEmptyText("idToken") else { throw .code(.missingIDToken) }
        var lifetime = SessionCookie.lifetimes.upperBound
        if let text = try call.fields.nonEmptyText("validDuration") {
            guard let seconds = Int64(wholeNumber: text) else { throw .code(.invalidDuration) }
            lifetime = .seconds(seconds)
        }
        let cookie = try SessionCookieRefusal.onWire(
            call.operation.createSessionCookie(idToken: idToken, lifetime: lifetime)
        )
        call.record.reason = "created"
        return .json(JSONWriter.object { $0.member("sessionCookie", cookie) })
    }
}

extension SessionCookieRefusal: WireRefusal {
    var wire: WireError {
        switch self {
        case .durationInvalid: .code(.invalidDuration)
        case .notAuthenticated(let refusal): refusal.wire
        case .failed(let failure): failure.wire
        }
    }
}
