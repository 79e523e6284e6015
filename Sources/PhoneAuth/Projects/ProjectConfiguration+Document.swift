internal import Encodings
internal import PhoneNumbers

/// Parsing of a configuration from its document.
extension ProjectConfiguration {
    /// Reads a document. `strictly` rejects unknown names and domains that cannot be parsed; a stored document may be
    /// from another version.
    /// - Throws: ``ConfigurationRefusal``.
    init(
        _ document: ConfigurationDocument,
        strictly: Bool,
        allowsPlainLoopback: Bool,
        knows: (Region) -> Bool
    ) throws(ConfigurationRefusal) {
        self.init()
        let root = ConfigurationReader(document.members, strictly ? .closed : .exact)
        try root.knows(
            "signIn",
            "autodeleteAnonymousUsers",
            "authorizedDomains",
            "emailPrivacyConfig",
            "smsRegionConfig",
            "mfa",
            "blockingFunctions"
        )
        if let signIn = try root.fields("signIn") {
            try signIn.knows("phoneNumber", "email", "anonymous", "allowDuplicateEmails")
            isPhoneSignInEnabled = try Self.flag(signIn, "phoneNumber", "enabled")
            if let email = try signIn.fields("email") {
                try email.knows("enabled", "passwordRequired")
                isPasswordSignInEnabled = try email.flag("enabled")
                allowsEmailLinks = try email.flag("passwordRequired").map { !$0 }
            }
            isAnonymousSignInEnabled = try Self.flag(signIn, "anonymous", "enabled")
            allowsDuplicateEmails = try signIn.flag("allowDuplicateEmails")
        }
        deletesUnusedAnonymousUsers = try root.flag("autodeleteAnonymousUsers")
        authorizedDomains = try Self.domains(root, strictly)
        protectsEmails = try Self.flag(root, "emailPrivacyConfig", "enableImprovedEmailPrivacy")
        smsRegions = try root.fields("smsRegionConfig").map { reader throws(ConfigurationRefusal) in
            try SMSRegionPolicy(reader, knows: knows)
        }
        secondFactors = try root.fields("mfa").map { reader throws(ConfigurationRefusal) in
            try SecondFactorPolicyChange(reader)
        }
        if let hooks = try root.fields("blockingFunctions") {
            do {
                try read(hooks: hooks, allowsPlainLoopback)
            } catch {
                throw error.ofBlockingFunction
            }
        }
    }

    private mutating func read(
        hooks: ConfigurationReader,
        _ allowsPlainLoopback: Bool
    ) throws(ConfigurationRefusal) {
        try hooks.knows("triggers", "forwardInboundCredentials")
        let triggers = try hooks.fields("triggers")
        try triggers?.knows("beforeCreate", "beforeSignIn", "beforeSecondFactorEnrollment")
        beforeCreate = try Self.hook(triggers?.fields("beforeCreate"), allowsPlainLoopback)
        beforeSignIn = try Self.hook(triggers?.fields("beforeSignIn"), allowsPlainLoopback)
        beforeSecondFactorEnrollment = try Self.hook(
            triggers?.fields("beforeSecondFactorEnrollment"),
            allowsPlainLoopback
        )
        guard let credentials = try hooks.fields("forwardInboundCredentials") else { return }
        try credentials.knows("idToken", "accessToken", "refreshToken")
        forwardedCredentials = InboundCredentials(
            idToken: try credentials.flag("idToken"),
            accessToken: try credentials.flag("accessToken"),
            refreshToken: try credentials.flag("refreshToken")
        )
    }

    /// Returns the only member of an object, a flag.
    private static func flag(
        _ reader: ConfigurationReader,
        _ object: String,
        _ name: String
    ) throws(ConfigurationRefusal) -> Bool? {
        guard let reader = try reader.fields(object) else { return nil }
        try reader.knows(name)
        return try reader.flag(name)
    }

    private static func hook(
        _ trigger: ConfigurationReader?,
        _ allowsPlainLoopback: Bool
    ) throws(ConfigurationRefusal) -> ServiceURL? {
        guard let trigger, let text = try trigger.text("functionUri") else { return nil }
        try trigger.knows("functionUri")
        do {
            return try ServiceURL(text, allowsPlainLoopback: allowsPlainLoopback)
        } catch {
            throw trigger.refusal("functionUri", "must be an https address without user name or fragment")
        }
    }

    private static func domains(
        _ root: ConfigurationReader,
        _ strictly: Bool
    ) throws(ConfigurationRefusal) -> [String]? {
        guard let texts = try root.texts("authorizedDomains") else { return nil }
        var domains: [String] = []
        for text in texts {
            if let domain = AuthorizedDomain.normalized(text) {
                domains.append(domain)
            } else if strictly {
                let domain = ConfigurationDocument.quoted(text)
                throw root.refusal("authorizedDomains", "must be host names, with a port if it is not 443: \(domain)")
            }
            // A stored domain that cannot be parsed is ignored. It must not fail all requests of the project.
        }
        return domains
    }
}

extension SMSRegionPolicy {
    fileprivate init(
        _ reader: ConfigurationReader,
        knows: (Region) -> Bool
    ) throws(ConfigurationRefusal) {
        try reader.knows("allowByDefault", "allowlistOnly")
        switch (try reader.fields("allowByDefault"), try reader.fields("allowlistOnly")) {
        case (nil, nil):
            self = .everywhere
        case (let reader?, nil):
            try reader.knows("disallowedRegions")
            self = .allowByDefault(disallowed: try Self.regions(reader, "disallowedRegions", knows))
        case (nil, let reader?):
            try reader.knows("allowedRegions")
            self = .allowlistOnly(allowed: try Self.regions(reader, "allowedRegions", knows))
        case (.some, .some):
            throw reader.refusal("allowlistOnly", "and allowByDefault cannot both be there")
        }
    }

    private static func regions(
        _ reader: ConfigurationReader,
        _ name: String,
        _ knows: (Region) -> Bool
    ) throws(ConfigurationRefusal) -> Set<Region> {
        var regions: Set<Region> = []
        for code in try reader.texts(name) ?? [] {
            guard let region = Region(code), knows(region) else {
                throw reader.refusal(name, "must be region codes such as US (ISO 3166-1 alpha-2)")
            }
            regions.insert(region)
        }
        return regions
    }
}

extension SecondFactorPolicyChange {
    fileprivate init(_ reader: ConfigurationReader) throws(ConfigurationRefusal) {
        self.init()
        try reader.knows("state", "enabledProviders", "providerConfigs")
        if let text = try reader.text("state") {
            guard let state = SecondFactorPolicy.State(rawValue: text) else {
                throw reader.refusal("state", "must be DISABLED, ENABLED or MANDATORY")
            }
            self.state = state
        }
        if let providers = try reader.texts("enabledProviders") {
            guard providers.allSatisfy({ $0 == "PHONE_SMS" }) else {
                throw reader.refusal("enabledProviders", "may name PHONE_SMS alone")
            }
            allowsSMS = !providers.isEmpty
        }
        guard let providers = try reader.objects("providerConfigs") else { return }
        totp = .off
        for provider in providers {
            try provider.knows("state", "totpProviderConfig")
            guard let state = SecondFactorPolicy.State(rawValue: try provider.text("state") ?? "") else {
                throw provider.refusal("state", "must be DISABLED, ENABLED or MANDATORY")
            }
            guard let config = try provider.fields("totpProviderConfig") else {
                throw provider.refusal("totpProviderConfig", "is missing; no other provider is supported")
            }
            try config.knows("adjacentIntervals")
            let intervals = Int(try config.wholeNumber("adjacentIntervals") ?? 1)
            guard (0...SecondFactorPolicy.maximumAdjacentIntervals).contains(intervals) else {
                throw config.refusal("adjacentIntervals", "must be 0 to \(SecondFactorPolicy.maximumAdjacentIntervals)")
            }
            totp = state == .off ? .off : .on(adjacentIntervals: intervals)
        }
    }
}
