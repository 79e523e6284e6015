internal import AccountFiles
internal import Encodings
internal import FastCGI
internal import Passwords
internal import PhoneAuth

/// Operators' operations on many accounts. Each account succeeds or fails independently.
extension IdentityToolkitHandler {
    private static let maximumBatch = 1000
    /// Each plaintext password costs one password hash, and the whole batch has one deadline.
    private static let maximumRawPasswords = 50

    /// Imports accounts with given uids and with passwords that another system hashed.
    ///
    /// If the store fails, or the deadline ends the batch, the remaining accounts get this error in the list, because
    /// the client must know which ones were imported. If none was, the whole request fails, so that SDKs repeat it.
    static func importAccounts(_ call: AdminCall) throws(WireError) -> Response {
        let users = try call.fields.objects("users") ?? []
        guard !users.isEmpty else { throw .code(.missingUserAccount) }
        guard users.count <= maximumBatch else { throw .code(.maximumUserCountExceeded) }
        let mayReplace = try call.fields.flag("allowOverwrite") ?? false
        let origin = PasswordOrigin(
            try ForeignHashScheme(call.fields),
            allowsEmulatorPasswords: call.operation.authenticator.allowsEmulatorPasswords
        )
        try checkBatch(users, mayReplace: mayReplace, checksEmails: call.fields.flag("sanityCheck") ?? false)
        call.record.reason = "imported"
        var errors: [(index: Int, message: String)] = []
        var skippedFields: Set<String> = []
        var lostPasswords = 0
        for (index, user) in users.enumerated() {
            do {
                let account = try RecordFault.onWire(ReadAccount(user.members, origin))
                skippedFields.formUnion(account.skippedFields)
                try checkIdentities(user)
                try importAccount(account, index, mayReplace: mayReplace, call)
                if account.lacksPassword { lostPasswords += 1 }
            } catch {
                guard error.status.http >= 500 else {
                    errors.append((index, error.importSentence))
                    continue
                }
                guard errors.count < index else { throw error }
                errors += (index..<users.count).map { ($0, error.importSentence) }
                call.record.reason = "imported in part: \(error.loggedMessage)"
                call.record.detail = error.logDetail
                break
            }
        }
        if call.record.detail == nil {
            let fields = skippedFields.sorted().prefix(20).joined(separator: ", ")
            let notes = [
                fields.isEmpty ? nil : "skipped fields: \(fields)",
                lostPasswords == 0 ? nil : "accounts with a password but without its hash: \(lostPasswords)",
            ].compactMap(\.self)
            if !notes.isEmpty { call.record.detail = notes.joined(separator: "; ") }
        }
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
    private static func checkBatch(_ users: [Fields], mayReplace: Bool, checksEmails: Bool) throws(WireError) {
        // Bytes, because strings are equal if they differ only in Unicode normalization, and uids are not.
        var uids: Set<[UInt8]> = []
        var emails: Set<EmailAddress> = []
        var identities: Set<[UInt8]> = []
        var rawPasswords = 0
        for user in users {
            if !mayReplace, let uid = try user.nonEmptyText("localId"), !uids.insert(Array(uid.utf8)).inserted {
                throw .code(.duplicateLocalID, uid, isLogged: false)
            }
            let isOfEmulator = try user.text("passwordHash")?.hasPrefix("fakeHash:") ?? false
            let rawPassword = try user.nonEmptyText("rawPassword")
            if isOfEmulator || rawPassword != nil { rawPasswords += 1 }
            guard checksEmails else { continue }
            if let email = try user.nonEmptyText("email"), let address = EmailAddress(email),
                !emails.insert(address).inserted
            {
                throw .code(.duplicateEmail, email, isLogged: false)
            }
            for identity in try user.objects("providerUserInfo") ?? [] {
                let (provider, id) = (try identity.text("providerId") ?? "", try identity.text("rawId") ?? "")
                guard identities.insert(Array("\(provider):\(id)".utf8)).inserted else {
                    throw .code(.duplicateRawID, "Provider id(\(provider)), Raw id(\(id))", isLogged: false)
                }
            }
        }
        guard rawPasswords <= maximumRawPasswords else {
            throw .code(
                .maximumUserCountExceeded,
                "At most \(maximumRawPasswords) accounts with rawPassword."
            )
        }
    }

    /// Rejects an account whose user could no longer sign in: identity providers are not supported.
    private static func checkIdentities(_ user: Fields) throws(WireError) {
        for identity in try user.objects("providerUserInfo") ?? [] {
            switch try identity.nonEmptyText("providerId") {
            // These follow from the e-mail address and the phone number.
            case "password", "phone": continue
            case let provider?:
                guard try identity.nonEmptyText("rawId") != nil else { throw .identityIncomplete }
                throw .code(.operationNotAllowed, "Sign-in with \(provider) is not offered.", isLogged: false)
            case nil:
                throw .identityIncomplete
            }
        }
    }

    /// Imports one account. An account that is replaced keeps the fields that the import does not name.
    private static func importAccount(
        _ account: ReadAccount,
        _ index: Int,
        mayReplace: Bool,
        _ call: AdminCall
    ) throws(WireError) {
        let uid = account.uid
        var change = account.change
        if let factors = change.secondFactors {
            guard case .set = change.email else {
                throw .badRequest("Second factor account requires email to be presented.")
            }
            guard change.isEmailVerified == true else {
                throw .badRequest("Second factor account requires email to be verified.")
            }
            for (index, factor) in factors.enumerated() {
                if case .named("") = factor.id { change.secondFactors?[index].id = .made }
            }
        }
        // The preceding accounts may have taken long, because passwords are hashed.
        let operation = call.operation.resumed()
        do {
            _ = try operation.createAccount(uid: uid, change, requestID: "\(operation.requestID)/\(index)")
        } catch {
            guard mayReplace, case .uidTaken = error else { throw error.wire }
            _ = try AccountRefusal.onWire(operation.changeAccount(uid: uid, change))
        }
    }

    /// Deletes disabled accounts, or all listed accounts if `force` is set. An account that does not exist is not an
    /// error.
    static func removeAccounts(_ call: AdminCall) throws(WireError) -> Response {
        let uids = try call.fields.texts("localIds") ?? []
        guard (1...maximumBatch).contains(uids.count) else { throw .code(.localIDListExceedsLimit) }
        var enabled: Set<[UInt8]> = []
        if try call.fields.flag("force") != true {
            let accounts = try StoreUnavailable.onWire(call.operation.accounts(uids: uids))
            enabled = Set(accounts.filter { !$0.isDisabled }.map { Array($0.uid.utf8) })
        }
        for uid in uids where !enabled.contains(Array(uid.utf8)) {
            do {
                try call.operation.deleteAccount(uid: uid)
            } catch {
                guard case .accountUnknown = error else { throw error.wire }
            }
        }
        call.record.reason = "deleted"
        return .json(
            JSONWriter.object { json in
                guard !enabled.isEmpty else { return }
                json.array("errors") { json in
                    for (index, uid) in uids.enumerated() where enabled.contains(Array(uid.utf8)) {
                        json.object { json in
                            json.member("index", Int64(index))
                            json.member("localId", uid)
                            json.member(
                                "message",
                                ErrorCode.notDisabled.message("Disable the account before batch deletion.")
                            )
                        }
                    }
                }
            }
        )
    }
}

extension RecordFault: WireRefusal {
    /// The protocol's error.
    var wire: WireError {
        switch self {
        case .uidMissing: .code(.missingLocalID)
        case .fieldRepeated(let name): .invalidPayload("'\(name)' is repeated.")
        case .fieldInvalid(let name), .timeInvalid(let name): .invalidPayload("Invalid value at '\(name)'.")
        case .malformed, .tooLong: .invalidPayload("Root element must be a message.")
        case .hashAlgorithmMissing: .code(.missingHashAlgorithm)
        case .passwordHashInvalid: .code(.invalidPasswordHash)
        case .emulatorPassword: .code(.invalidPasswordHash, "It is a password in plain text, from Firebase's emulator.")
        case .emulatorPasswordInvalid:
            .code(.invalidPasswordHash, "It does not contain the salt, as a password of Firebase's emulator does.")
        case .secondFactorsMisplaced: .code(.operationNotAllowed)
        case .customClaims(let error): error.wire
        }
    }
}

extension WireError {
    fileprivate static let identityIncomplete = badRequest("federatedId or (providerId & rawId) is required")

    /// The import's error message for one account: a sentence if the protocol has one for the error code.
    fileprivate var importSentence: String {
        switch code {
        case .missingLocalID: "localId is missing"
        case .duplicateLocalID: "localId belongs to an existing account - can not overwrite."
        case .invalidEmail: "email is invalid"
        case .emailExists: "email exists in other account in database"
        case .invalidPhoneNumber: "phone number format is invalid"
        case .phoneNumberExists: "phone number exists in other account in database"
        case .invalidClaims: "Invalid custom claims provided."
        case .forbiddenClaim: "Custom claims provided include a reserved claim."
        case .claimsTooLarge: "Custom claims provided are too large."
        case .invalidMFAPhoneNumber: "Phone number format is invalid"
        case .duplicateMFAEnrollmentID: "Enrollment id already exists."
        default: message
        }
    }
}

/// The password hash algorithm and parameters of an import.
extension ForeignHashScheme {
    /// Reads the algorithm and its parameters; nil if the import names no algorithm.
    init?(_ fields: Fields) throws(WireError) {
        switch try fields.nonEmptyText("hashAlgorithm") {
        case nil:
            return nil
        case "SCRYPT":
            guard
                let parameters = FirebaseHashParameters(
                    signerKey: try fields.base64("signerKey"),
                    saltSeparator: try fields.base64("saltSeparator"),
                    rounds: try fields.count("rounds"),
                    memoryCost: try fields.count("memoryCost")
                )
            else { throw .hashParametersInvalid }
            self = .firebaseScrypt(parameters)
        case "STANDARD_SCRYPT":
            guard
                let parameters = ScryptParameters(
                    cost: try fields.count("cpuMemCost"),
                    blockSize: try fields.count("blockSize"),
                    parallelism: try fields.count("parallelization")
                )
            else { throw .hashParametersInvalid }
            self = .scrypt(parameters)
        case "BCRYPT":
            self = .bcrypt
        default:
            throw .code(.invalidHashAlgorithm, "Only SCRYPT, STANDARD_SCRYPT and BCRYPT are supported.")
        }
    }
}

extension Fields {
    /// Returns bytes in either alphabet of RFC 4648, with or without padding; empty if the field is absent.
    fileprivate func base64(_ name: String) throws(WireError) -> [UInt8] {
        guard let text = try nonEmptyText(name) else { return [] }
        guard let bytes = Base64.decode(eitherAlphabet: text.utf8) else {
            throw .invalidPayload("Invalid value at '\(name)' (TYPE_BYTES).")
        }
        return bytes
    }

    /// Returns a number; 0, which no algorithm accepts, if the field is absent.
    fileprivate func count(_ name: String) throws(WireError) -> Int {
        Int(try integer(name, "INT32") ?? 0)
    }
}

extension WireError {
    fileprivate static let hashParametersInvalid = code(
        .invalidHashParameters,
        "They are missing, or ask for more work or memory than is granted to a hash."
    )
}
