internal import Encodings
internal import FastCGI
internal import Passwords
internal import PhoneAuth
internal import RedisStore

/// Operators' operations on many accounts. Each account is done or refused by itself.
extension IdentityToolkitHandler {
    private static let maximumBatch = 1000

    /// Makes accounts of known uids, with passwords that were hashed elsewhere.
    func importAccounts(_ call: AdminCall, _ record: inout RequestRecord) throws(WireError) -> Response {
        let users = try call.fields.list("users")
        guard !users.isEmpty else { throw .badRequest("MISSING_USER_ACCOUNT") }
        guard users.count <= Self.maximumBatch else { throw .badRequest("MAXIMUM_USER_COUNT_EXCEEDED") }
        let mayReplace = try call.fields.flag("allowOverwrite") ?? false
        let scheme = try ForeignHashScheme(call.fields)
        var errors: [(index: Int, message: String)] = []
        for (index, user) in users.enumerated() {
            do {
                try importAccount(
                    user,
                    scheme,
                    mayReplace: mayReplace,
                    requestID: "\(call.requestID)/\(index)",
                    call.project
                )
            } catch {
                guard error.httpStatus < 500 else { throw error }
                errors.append((index, error.message))
            }
        }
        record.reason = "imported"
        return .json(
            JSONWriter.object { json in
                json.member("kind", "identitytoolkit#UploadAccountResponse")
                guard !errors.isEmpty else { return }
                json.array("error") { json in
                    for (index, message) in errors {
                        json.object { json in
                            json.member("index", Int64(index))
                            json.member("message", message)
                        }
                    }
                }
            }
        )
    }

    /// An account that is replaced keeps what the import does not name.
    private func importAccount(
        _ user: Fields,
        _ scheme: ForeignHashScheme?,
        mayReplace: Bool,
        requestID: String,
        _ project: Project
    ) throws(WireError) {
        guard let uid = try user.nonEmptyText("localId") else { throw .badRequest("MISSING_LOCAL_ID") }
        var change = try AccountChange(user, .importing)
        if let password = try ForeignHashScheme.password(of: user, scheme) { change.password = .imported(password) }
        do {
            _ = try authenticator.createAccount(uid: uid, change, requestID: requestID, in: project)
        } catch {
            guard mayReplace, case .uidTaken = error else { throw error.wire }
            do { _ = try authenticator.changeAccount(uid: uid, change, in: project) } catch { throw error.wire }
        }
    }

    /// Deletes accounts that are disabled, or all that are named. One that is gone already is no error.
    func removeAccounts(_ call: AdminCall, _ record: inout RequestRecord) throws(WireError) -> Response {
        let uids = try call.fields.texts("localIds")
        guard (1...Self.maximumBatch).contains(uids.count) else { throw .badRequest("LOCAL_ID_LIST_EXCEEDS_LIMIT") }
        var enabled: Set<String> = []
        if try call.fields.flag("force") != true {
            let accounts = try read { () throws(StoreUnavailable) in
                try authenticator.accounts(uids: uids, in: call.project)
            }
            enabled = Set(accounts.filter { !$0.isDisabled }.map(\.uid))
        }
        for uid in uids where !enabled.contains(uid) {
            do {
                try authenticator.deleteAccount(uid: uid, requestID: call.requestID, in: call.project)
            } catch {
                guard case .accountUnknown = error else { throw error.wire }
            }
        }
        record.reason = "deleted"
        return .json(
            JSONWriter.object { json in
                guard !enabled.isEmpty else { return }
                json.array("errors") { json in
                    for (index, uid) in uids.enumerated() where enabled.contains(uid) {
                        json.object { json in
                            json.member("index", Int64(index))
                            json.member("localId", uid)
                            json.member("message", "NOT_DISABLED : Disable the account before batch deletion.")
                        }
                    }
                }
            }
        )
    }
}
