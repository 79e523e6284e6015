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

extension Response {
    /// Returns a user's sessions, in more detail for operators.
    static func sessions(_ sessions: [ListedUserSession], for viewer: AccountViewer) -> Response {
        .json(
            JSONWriter.object { json in
                json.array("sessions") { json in
                    for session in sessions { json.object { $0.members(of: session, for: viewer) } }
                }
            }
        )
    }
}

extension JSONWriter {
    fileprivate mutating func members(of session: ListedUserSession, for viewer: AccountViewer) {
        member("sessionId", session.id)
        member("providerId", session.provider)
        if let secondFactor = session.secondFactor { member("secondFactor", secondFactor) }
        member("signedInAt", session.signedInAt.rfc3339)
        member("lastUsedAt", session.lastUsedAt.rfc3339)
        if let client = session.client { member("clientVersion", client) }
        if let client = session.lastClient { member("lastUsedClientVersion", client) }
        switch viewer {
        case .firstFactor, .user:
            member("isCurrent", session.isCurrent)
            if let isOtherNetwork = session.isUsedFromOtherNetwork { member("isUsedFromOtherNetwork", isOtherNetwork) }
        case .operator:
            if let networkHash = session.networkHash { member("network", networkHash) }
            if let networkHash = session.lastNetworkHash { member("lastUsedNetwork", networkHash) }
        }
    }
}
