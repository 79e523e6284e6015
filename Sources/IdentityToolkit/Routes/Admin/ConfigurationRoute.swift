internal import Encodings
internal import FastCGI
internal import PhoneAuth
internal import PhoneNumbers

/// The parts of a project's `Config` that can be changed while workers run.
extension IdentityToolkitHandler {
    static func showConfiguration(_ call: AdminCall) throws(WireError) -> Response {
        let current = try StoreUnavailable.onWire(call.operation.configuration())
        call.record.reason = "found"
        return try response(current, call)
    }

    static func changeConfiguration(_ call: AdminCall) throws(WireError) -> Response {
        var members = call.fields.members
        // A client that sends back what it read includes the resource's name.
        members[path: ["name"]] = nil
        let mask = (call.query["updateMask"] ?? "").split(separator: ",").map(String.init)
        let current = try ChangeConfigurationRefusal.onWire(call.operation.changeConfiguration(members, mask: mask))
        call.record.reason = "changed"
        return try response(current, call)
    }

    private static func response(
        _ current: CurrentConfiguration,
        _ call: AdminCall
    ) throws(WireError) -> Response {
        let testNumbers = try StoreUnavailable.onWire(call.operation.testNumbers())
        return .json(
            JSONWriter.object { json in
                json.configuration(current, testNumbers.mapValues(\.digits), showsSecrets: call.showsSecrets)
            }
        )
    }
}

extension ChangeConfigurationRefusal: WireRefusal {
    /// The admin interface's errors; the Admin SDKs know those about test numbers.
    var wire: WireError {
        switch self {
        case .configurationInvalid(let refusal): .configurationInvalid(refusal)
        case .testNumberInvalid: .code(.invalidTestingPhoneNumber, "Numbers are E.164, codes have six digits.")
        case .testCodeWeak(let digits, let weakness):
            .code(
                .invalidTestingPhoneNumber,
                "The code \(digits) is easy to guess: \(weakness.rawValue).",
                isLogged: false
            )
        case .testNumberOfUser:
            .code(.invalidTestingPhoneNumber, "The phone number of an existing user cannot be a test number.")
        case .tooManyTestNumbers:
            .code(.maximumTestPhoneNumberExceeded, "At most \(Project.maximumTestNumbers).")
        case .failed(let failure): failure.wire
        }
    }
}

extension WireError {
    /// Returns the error for an invalid configuration. The explanation may quote the request's names or update mask,
    /// which must not be logged.
    fileprivate static func configurationInvalid(_ refusal: ConfigurationRefusal) -> WireError {
        let code = refusal.isOfBlockingFunction ? ErrorCode.invalidBlockingFunction : .invalidConfig
        return .code(code, refusal.explanation, isLogged: false)
    }
}

extension JSONWriter {
    /// The placeholder for a secret that the reader may not see. It is neither a valid code nor a valid URL, so a
    /// `PATCH` that sends it back is rejected.
    private static let masked = "••••••"

    fileprivate mutating func configuration(
        _ current: CurrentConfiguration,
        _ testNumbers: [String: String],
        showsSecrets: Bool
    ) {
        let project = current.project
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
                json.member("passwordRequired", !project.allowsEmailLinks)
            }
            json.object("anonymous") { $0.member("enabled", project.isAnonymousSignInEnabled) }
            json.member("allowDuplicateEmails", current.configuration.allowsDuplicateEmails ?? false)
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
            if let credentials = current.configuration.forwardedCredentials { json.forwarded(credentials) }
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
