internal import Encodings
internal import FastCGI
internal import PhoneAuth
internal import RedisStore

/// The reference emulator's own endpoints, so that test suites written for it run here.
extension IdentityToolkitHandler {
    func verificationCodes(of project: Project) throws(WireError) -> Response {
        let pending = try stored { () throws(StoreUnavailable) in try authenticator.pendingVerifications(of: project) }
        return .json(
            JSONWriter.object { json in
                json.array("verificationCodes") { json in
                    for verification in pending {
                        json.object { json in
                            json.member("phoneNumber", verification.phoneNumber)
                            json.member("sessionInfo", verification.sessionInfo)
                            json.member("code", verification.code.digits)
                        }
                    }
                }
            }
        )
    }

    func deleteAccounts(of project: Project) throws(WireError) -> Response {
        try stored { () throws(StoreUnavailable) in try authenticator.deleteAllAccounts(of: project) }
        return .json(JSONWriter.object { _ in })
    }

    func emulatorConfig(of project: Project, changing fields: Fields?) throws(WireError) -> Response {
        var config = try stored { () throws(StoreUnavailable) in try authenticator.emulatorConfig(of: project) }
        if let fields {
            if let flag = try fields.fields("signIn")?.flag("allowDuplicateEmails") {
                config.allowDuplicateEmails = flag
            }
            if let flag = try fields.fields("emailPrivacyConfig")?.flag("enableImprovedEmailPrivacy") {
                config.enableImprovedEmailPrivacy = flag
            }
            let changed = config
            try stored { () throws(StoreUnavailable) in try authenticator.setEmulatorConfig(changed, of: project) }
        }
        return .json(
            JSONWriter.object { json in
                json.object("signIn") { $0.member("allowDuplicateEmails", config.allowDuplicateEmails) }
                json.object("emailPrivacyConfig") { json in
                    json.member("enableImprovedEmailPrivacy", config.enableImprovedEmailPrivacy)
                }
            }
        )
    }

    /// E-mail links are not offered, so there are never codes of them.
    func oobCodes() -> Response {
        .json(JSONWriter.object { $0.array("oobCodes") { _ in } })
    }

    func inbox(of project: Project) throws(WireError) -> Response {
        let messages = try stored { () throws(StoreUnavailable) in try authenticator.inbox(of: project) }
        return .json(
            JSONWriter.object { json in
                json.array("messages") { json in
                    for message in messages {
                        json.object { json in
                            json.member("id", message.id)
                            json.member("phoneNumber", message.phoneNumber)
                            json.member("text", message.text)
                            json.member("code", message.code.digits)
                            json.member("sentAt", String(message.queuedAt.milliseconds))
                        }
                    }
                }
            }
        )
    }

    private func stored<Value>(_ operation: () throws(StoreUnavailable) -> Value) throws(WireError) -> Value {
        do {
            return try operation()
        } catch {
            throw .unavailable(logDetail: error.description)
        }
    }
}
