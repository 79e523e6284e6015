internal import Encodings
internal import FastCGI
internal import PhoneAuth

/// Operators' operations on one account.
extension IdentityToolkitHandler {
    func createAccount(_ call: AdminCall, _ record: inout RequestRecord) throws(WireError) -> Response {
        let account: Account
        let uid = try call.fields.nonEmptyText("localId")
        let change = try AccountChange(call.fields, .creation)
        do {
            account = try authenticator.createAccount(uid: uid, change, requestID: call.requestID, in: call.project)
        } catch {
            throw error.wire
        }
        record.reason = "created"
        return .json(
            JSONWriter.object { json in
                json.member("kind", "identitytoolkit#SignupNewUserResponse")
                json.member("localId", account.uid)
                if let displayName = account.displayName { json.member("displayName", displayName) }
            }
        )
    }

    func changeAccount(_ call: AdminCall, _ record: inout RequestRecord) throws(WireError) -> Response {
        guard let uid = try call.fields.nonEmptyText("localId") else { throw .badRequest("MISSING_LOCAL_ID") }
        let change = try AccountChange(call.fields, .change)
        let account: Account
        do {
            account = try authenticator.changeAccount(uid: uid, change, in: call.project)
        } catch {
            throw error.wire
        }
        record.reason = "updated"
        return .json(
            JSONWriter.object { json in
                json.member("kind", "identitytoolkit#SetAccountInfoResponse")
                json.member("localId", account.uid)
                json.profile(of: account)
                json.providers(of: account)
            }
        )
    }

    func removeAccount(_ call: AdminCall, _ record: inout RequestRecord) throws(WireError) -> Response {
        guard let uid = try call.fields.nonEmptyText("localId") else { throw .badRequest("MISSING_LOCAL_ID") }
        do {
            try authenticator.deleteAccount(uid: uid, requestID: call.requestID, in: call.project)
        } catch {
            throw error.wire
        }
        record.reason = "deleted"
        return .json(JSONWriter.object { $0.member("kind", "identitytoolkit#DeleteAccountResponse") })
    }

    /// Creates a session cookie. Its lifetime is 300 seconds to 14 days; 14 days if the request names no duration.
    func createSessionCookie(_ call: AdminCall, _ record: inout RequestRecord) throws(WireError) -> Response {
        guard let idToken = try call.fields.nonEmptyText("idToken") else { throw .badRequest("MISSING_ID_TOKEN") }
        var lifetime = Policy.sessionCookieLifetimes.upperBound
        if let text = try call.fields.nonEmptyText("validDuration") {
            guard let seconds = Int64(text) else { throw .badRequest("INVALID_DURATION") }
            lifetime = .seconds(seconds)
        }
        do {
            let cookie = try authenticator.createSessionCookie(idToken: idToken, lifetime: lifetime, in: call.project)
            record.reason = "created"
            return .json(JSONWriter.object { $0.member("sessionCookie", cookie) })
        } catch {
            switch error {
            case .durationInvalid: throw .badRequest("INVALID_DURATION")
            case .notAuthenticated(let refusal): throw refusal.wire
            case .cryptographyFailed: throw .internalError(logDetail: "signing failed")
            }
        }
    }
}
