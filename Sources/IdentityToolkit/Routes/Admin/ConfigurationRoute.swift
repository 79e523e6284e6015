internal import Encodings
internal import FastCGI
internal import PhoneAuth
internal import PhoneNumbers
internal import RedisStore

/// The parts of a project's `Config` that can be changed while workers run.
extension IdentityToolkitHandler {
    func configuration(_ call: AdminCall, _ record: inout RequestRecord) throws(WireError) -> Response {
        let standing: StandingConfiguration
        if call.method == .patch {
            standing = try change(call)
            record.reason = "changed"
        } else {
            standing = try read { () throws(StoreUnavailable) in try authenticator.configuration(of: call.project) }
            record.reason = "found"
        }
        let testNumbers = try read { () throws(StoreUnavailable) in try authenticator.testNumbers(of: call.project) }
        return .json(
            JSONWriter.object { json in
                json.configuration(standing, testNumbers.mapValues(\.digits), showsSecrets: call.showsSecrets)
            }
        )
    }

    private func change(_ call: AdminCall) throws(WireError) -> StandingConfiguration {
        var members = call.fields.members
        // A client that sends back what it read includes the resource's name.
        members[path: ["name"]] = nil
        let mask = (call.query["updateMask"] ?? "").split(separator: ",").map(String.init)
        do {
            return try authenticator.changeConfiguration(members, mask: mask, of: call.project)
        } catch {
            throw error.wire
        }
    }
}

extension ChangeConfigurationRefusal {
    /// The admin interface's errors; the Admin SDKs know those about test numbers.
    var wire: WireError {
        switch self {
        case .configurationInvalid(let refusal): .configurationInvalid(refusal)
        case .testNumberInvalid: .badRequest("INVALID_TESTING_PHONE_NUMBER : Numbers are E.164, codes have six digits.")
        case .tooManyTestNumbers:
            .badRequest("MAXIMUM_TEST_PHONE_NUMBER_EXCEEDED : At most \(Policy.maximumTestNumbers).")
        case .failed(let failure): failure.wire
        }
    }
}

extension WireError {
    /// The explanation may quote the request's names or update mask, which must not be logged.
    fileprivate static func configurationInvalid(_ refusal: ConfigurationRefusal) -> WireError {
        let code = refusal.isOfBlockingFunction ? "INVALID_BLOCKING_FUNCTION" : "INVALID_CONFIG"
        var error = badRequest("\(code) : \(refusal.explanation)")
        error.loggedMessage = code
        return error
    }
}

extension JSONWriter {
    /// The placeholder for a secret that the reader may not see. It is neither a valid code nor a valid URL, so a
    /// `PATCH` that sends it back is rejected.
    private static let masked = "••••••"

    fileprivate mutating func configuration(
        _ standing: StandingConfiguration,
        _ testNumbers: [String: String],
        showsSecrets: Bool
    ) {
        let project = standing.project
        member("name", "projects/\(project.id)/config")
        object("signIn") { json in
            json.object("phoneNumber") { json in
                json.member("enabled", project.isPhoneSignInEnabled)
                json.object("testPhoneNumbers") { json in
                    for (number, code) in testNumbers.sorted(by: { $0.key < $1.key }) {
                        json.member(number, showsSecrets ? code : Self.masked)
                    }
                }
            }
            json.object("email") { json in
                json.member("enabled", project.isPasswordSignInEnabled)
                json.member("passwordRequired", true)
            }
            json.object("anonymous") { $0.member("enabled", project.isAnonymousSignInEnabled) }
            json.member("allowDuplicateEmails", standing.configuration.allowsDuplicateEmails ?? false)
        }
        member("autodeleteAnonymousUsers", project.unusedAnonymousUsers.areDeleted)
        array("authorizedDomains") { json in
            for domain in project.authorizedDomains { json.value(domain) }
        }
        object("emailPrivacyConfig") { $0.member("enableImprovedEmailPrivacy", project.protectsEmails) }
        object("smsRegionConfig") { $0.regions(project.smsRegions) }
        object("mfa") { $0.secondFactors(project.secondFactors) }
        object("blockingFunctions") { json in
            if !project.blockingHooks.isEmpty { json.triggers(project.blockingHooks, showsSecrets: showsSecrets) }
            if let credentials = standing.configuration.forwardedCredentials { json.forwarded(credentials) }
        }
    }

    private mutating func triggers(_ hooks: BlockingHooks, showsSecrets: Bool) {
        object("triggers") { json in
            for event in BlockingHookEvent.allCases {
                guard let hook = hooks[event] else { continue }
                // The URL's path may contain the operator's tokens, so only the host is shown.
                json.object(event.rawValue) {
                    $0.member("functionUri", showsSecrets ? hook.text : "\(hook)/\(Self.masked)")
                }
            }
        }
    }

    private mutating func forwarded(_ credentials: InboundCredentials) {
        object("forwardInboundCredentials") { json in
            if let isForwarded = credentials.idToken { json.member("idToken", isForwarded) }
            if let isForwarded = credentials.accessToken { json.member("accessToken", isForwarded) }
            if let isForwarded = credentials.refreshToken { json.member("refreshToken", isForwarded) }
        }
    }

    private mutating func regions(_ policy: SMSRegionPolicy) {
        let (choice, name, regions) =
            switch policy {
            case .allowByDefault(let disallowed): ("allowByDefault", "disallowedRegions", disallowed)
            case .allowlistOnly(let allowed): ("allowlistOnly", "allowedRegions", allowed)
            }
        object(choice) { json in
            json.array(name) { json in
                for code in regions.map(\.description).sorted() { json.value(code) }
            }
        }
    }

    private mutating func secondFactors(_ policy: SecondFactorPolicy) {
        member("state", policy.state.rawValue)
        array("enabledProviders") { json in
            if policy.allowsSMS { json.value("PHONE_SMS") }
        }
        array("providerConfigs") { json in
            guard let intervals = policy.adjacentIntervals else { return }
            json.object { json in
                json.member("state", SecondFactorPolicy.State.optional.rawValue)
                json.object("totpProviderConfig") { $0.member("adjacentIntervals", Int64(intervals)) }
            }
        }
    }
}
