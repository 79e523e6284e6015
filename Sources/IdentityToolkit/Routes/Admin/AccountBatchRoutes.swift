internal import Encodings
internal import FastCGI
internal import Passwords
internal import PhoneAuth
internal import RedisStore

/// Operators' operations on many accounts. Each account succeeds or fails independently.
extension IdentityToolkitHandler {
    private static let maximumBatch = 1000
    /// Each plaintext password costs one password hash, and the whole batch has one request's deadline.
    private static let maximumRawPasswords = 50

    /// Imports accounts with given uids and with passwords that another system hashed.
    func importAccounts(_ call: AdminCall, _ record: inout RequestRecord) throws(WireError) -> Response {
        let users = try call.fields.list("users")
        guard !users.isEmpty else { throw .badRequest("MISSING_USER_ACCOUNT") }
        guard users.count <= Self.maximumBatch else { throw .badRequest("MAXIMUM_USER_COUNT_EXCEEDED") }
        let mayReplace = try call.fields.flag("allowOverwrite") ?? false
        let scheme = try ForeignHashScheme(call.fields)
        try checkBatch(users, mayReplace: mayReplace, checksEmails: call.fields.flag("sanityCheck") ?? false)
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
                errors.append((index, error.importSentence))
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

    /// Rejects a whole batch if accounts in it have the same uid, e-mail address or identity, or if it has too many
    /// plaintext passwords.
    private func checkBatch(_ users: [Fields], mayReplace: Bool, checksEmails: Bool) throws(WireError) {
        var uids: Set<String> = []
        var emails: Set<String> = []
        var identities: Set<String> = []
        var rawPasswords = 0
        for user in users {
            if !mayReplace, let uid = try user.nonEmptyText("localId"), !uids.insert(uid).inserted {
                throw .badRequest("DUPLICATE_LOCAL_ID : \(uid)", loggedAs: "DUPLICATE_LOCAL_ID")
            }
            if try user.nonEmptyText("rawPassword") != nil { rawPasswords += 1 }
            guard checksEmails else { continue }
            if let email = try user.nonEmptyText("email"), !emails.insert(email.lowercased()).inserted {
                throw .badRequest("DUPLICATE_EMAIL : \(email)", loggedAs: "DUPLICATE_EMAIL")
            }
            for identity in try user.list("providerUserInfo") {
                let (provider, id) = (try identity.text("providerId") ?? "", try identity.text("rawId") ?? "")
                guard identities.insert("\(provider):\(id)").inserted else {
                    throw .badRequest(
                        "DUPLICATE_RAW_ID : Provider id(\(provider)), Raw id(\(id))",
                        loggedAs: "DUPLICATE_RAW_ID"
                    )
                }
            }
        }
        guard rawPasswords <= Self.maximumRawPasswords else {
            throw .badRequest(
                "MAXIMUM_USER_COUNT_EXCEEDED : At most \(Self.maximumRawPasswords) accounts with rawPassword."
            )
        }
    }

    /// Rejects an account whose user could no longer sign in: identity providers are not supported.
    private func checkIdentities(_ user: Fields) throws(WireError) {
        for identity in try user.list("providerUserInfo") {
            switch try identity.nonEmptyText("providerId") {
            // These follow from the e-mail address and the phone number.
            case "password", "phone": continue
            case let provider?:
                guard try identity.nonEmptyText("rawId") != nil else { throw .identityIncomplete }
                throw .badRequest(
                    "OPERATION_NOT_ALLOWED : Sign-in with \(provider) is not offered.",
                    loggedAs: "OPERATION_NOT_ALLOWED : identity provider"
                )
            case nil:
                throw .identityIncomplete
            }
        }
    }

    /// Imports one account. An account that is replaced keeps the fields that the import does not name.
    private func importAccount(
        _ user: Fields,
        _ scheme: ForeignHashScheme?,
        mayReplace: Bool,
        requestID: String,
        _ project: Project
    ) throws(WireError) {
        guard let uid = try user.nonEmptyText("localId") else { throw .badRequest("MISSING_LOCAL_ID") }
        var change = try AccountChange(user, .importing)
        try checkIdentities(user)
        if let factors = change.secondFactors, !factors.isEmpty {
            guard case .set = change.email else {
                throw .badRequest("Second factor account requires email to be presented.")
            }
            guard change.isEmailVerified == true else {
                throw .badRequest("Second factor account requires email to be verified.")
            }
        }
        if let password = try ForeignHashScheme.password(of: user, scheme) {
            change.password = .imported(password)
        } else if let text = try user.nonEmptyText("rawPassword") {
            change.password = .set(text)
        }
        do {
            _ = try authenticator.createAccount(uid: uid, change, requestID: requestID, in: project)
        } catch {
            guard mayReplace, case .uidTaken = error else { throw error.wire }
            do { _ = try authenticator.changeAccount(uid: uid, change, in: project) } catch { throw error.wire }
        }
    }

    /// Deletes disabled accounts, or all listed accounts if `force` is set. An account that does not exist is not an
    /// error.
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

extension WireError {
    fileprivate static let identityIncomplete = badRequest("federatedId or (providerId & rawId) is required")

    /// Returns an error whose detail is the caller's text, which is not logged.
    fileprivate static func badRequest(_ message: String, loggedAs logged: String) -> WireError {
        var error = badRequest(message)
        error.loggedMessage = logged
        return error
    }

    /// The import's error message for one account: a sentence if the protocol has one for the error code.
    fileprivate var importSentence: String {
        switch message.prefix(while: { $0 != " " }) {
        case "MISSING_LOCAL_ID": "localId is missing"
        case "DUPLICATE_LOCAL_ID": "localId belongs to an existing account - can not overwrite."
        case "INVALID_EMAIL": "email is invalid"
        case "EMAIL_EXISTS": "email exists in other account in database"
        case "INVALID_PHONE_NUMBER": "phone number format is invalid"
        case "PHONE_NUMBER_EXISTS": "phone number exists in other account in database"
        case "INVALID_CLAIMS": "Invalid custom claims provided."
        case "FORBIDDEN_CLAIM": "Custom claims provided include a reserved claim."
        case "CLAIMS_TOO_LARGE": "Custom claims provided are too large."
        case "INVALID_MFA_PHONE_NUMBER": "Phone number format is invalid"
        case "DUPLICATE_MFA_ENROLLMENT_ID": "Enrollment id already exists."
        default: message
        }
    }
}
