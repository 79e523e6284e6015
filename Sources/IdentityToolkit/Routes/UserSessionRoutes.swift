internal import Encodings
internal import FastCGI
internal import PhoneAuth
internal import RedisStore

/// Lists and ends a user's own sessions: `/v2/accounts/sessions:…`.
extension IdentityToolkitHandler {
    func callOperation(
        _ operation: UserSessionOperation,
        _ call: Call,
        _ record: inout RequestRecord
    ) throws(WireError) -> Response {
        try call.refuseTenants()
        let idToken = try call.requiredIDToken()
        switch operation {
        case .list:
            let sessions: [ListedUserSession]
            do {
                sessions = try authenticator.userSessions(idToken: idToken, in: call.project)
            } catch {
                throw error.wire
            }
            record.reason = "found"
            return .sessions(sessions, for: .user)
        case .end:
            let id = try call.fields.requiredSessionID()
            do {
                try authenticator.endUserSession(id, idToken: idToken, in: call.project)
            } catch {
                throw error.wire
            }
            record.reason = "ended"
            return .json(JSONWriter.object { _ in })
        }
    }
}

/// Lists and ends a user's sessions for operators.
extension IdentityToolkitHandler {
    func listSessions(_ call: AdminCall, _ record: inout RequestRecord) throws(WireError) -> Response {
        guard let uid = try call.fields.nonEmptyText("localId") else { throw .badRequest("MISSING_LOCAL_ID") }
        let sessions: [ListedUserSession]
        do {
            sessions = try authenticator.userSessions(uid: uid, in: call.project)
        } catch {
            throw error.wire
        }
        record.reason = "found"
        return .sessions(sessions, for: .operator)
    }

    func endSession(_ call: AdminCall, _ record: inout RequestRecord) throws(WireError) -> Response {
        guard let uid = try call.fields.nonEmptyText("localId") else { throw .badRequest("MISSING_LOCAL_ID") }
        let id = try call.fields.requiredSessionID()
        do {
            try authenticator.endUserSession(id, uid: uid, in: call.project)
        } catch {
            throw error.wire
        }
        record.reason = "ended"
        return .json(JSONWriter.object { _ in })
    }
}

extension Fields {
    fileprivate func requiredSessionID() throws(WireError) -> String {
        guard let id = try nonEmptyText("sessionId") else { throw .badRequest("MISSING_SESSION_ID") }
        return id
    }
}

extension Response {
    fileprivate static func sessions(_ sessions: [ListedUserSession], for viewer: AccountViewer) -> Response {
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

extension EndUserSessionRefusal {
    fileprivate var wire: WireError {
        switch self {
        case .notAuthenticated(let refusal): refusal.wire
        case .sessionUnknown: .badRequest("SESSION_NOT_FOUND")
        case .accountUnknown: .badRequest("USER_NOT_FOUND")
        case .unavailable(let store): .unavailable(logDetail: store.description)
        }
    }
}
