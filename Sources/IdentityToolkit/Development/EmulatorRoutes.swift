internal import Encodings
internal import FastCGI
internal import PhoneAuth
internal import RedisStore

/// The reference emulator's own endpoints, so that test suites written for it run here.
extension IdentityToolkitHandler {
    func verificationCodes(of project: Project) throws(WireError) -> Response {
        let pending = try read { () throws(StoreUnavailable) in try authenticator.pendingVerifications(of: project) }
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
        try read { () throws(StoreUnavailable) in try authenticator.deleteAllAccounts(of: project) }
        return .json(JSONWriter.object { _ in })
    }

    /// Returns, and optionally changes, the two members of the project's configuration that the emulator has. The admin
    /// interface has the same configuration.
    func emulatorConfig(of project: Project, changing fields: Fields?) throws(WireError) -> Response {
        if let fields { try changeConfiguration(of: project, fields) }
        let standing = try read { () throws(StoreUnavailable) in try authenticator.configuration(of: project) }
        return .json(
            JSONWriter.object { json in
                json.object("signIn") { json in
                    json.member("allowDuplicateEmails", standing.configuration.allowsDuplicateEmails ?? false)
                }
                json.object("emailPrivacyConfig") { json in
                    json.member("enableImprovedEmailPrivacy", standing.project.protectsEmails)
                }
            }
        )
    }

    private func changeConfiguration(of project: Project, _ fields: Fields) throws(WireError) {
        var change = JSONObject()
        var mask: [String] = []
        for (object, name) in [
            ("signIn", "allowDuplicateEmails"), ("emailPrivacyConfig", "enableImprovedEmailPrivacy"),
        ] {
            guard let flag = try fields.fields(object)?.flag(name) else { continue }
            change[path: [object, name]] = .bool(flag)
            mask.append("\(object).\(name)")
        }
        // An empty update mask would mean all fields.
        guard !mask.isEmpty else { return }
        do { _ = try authenticator.changeConfiguration(change, mask: mask, of: project) } catch { throw error.wire }
    }

    /// Returns an empty list: e-mail links are not supported, so such codes never exist.
    func oobCodes() -> Response {
        .json(JSONWriter.object { $0.array("oobCodes") { _ in } })
    }

    func inbox(of project: Project) throws(WireError) -> Response {
        let messages = try read { () throws(StoreUnavailable) in try authenticator.inbox(of: project) }
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
}
