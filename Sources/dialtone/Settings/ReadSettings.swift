import PhoneAuth
import PhoneNumbers
import SMSGateways

/// The settings of all scopes. Each is parsed by its declaration, but they are not yet validated against each other.
struct ReadSettings {
    let mode: DeploymentMode
    let deployment: SettingsReader<DeploymentValues>
    let projects: [ProjectReader]
    let gateways: [SettingsReader<GatewayValues>]
    let mailGateways: [SettingsReader<GatewayValues>]
    let faults: SettingsFaults

    /// Reads the settings of the deployment and of each project, app and gateway that it lists. Adds to `faults`
    /// settings that are invalid, that do not exist, or that belong to an undeclared project, app or gateway.
    ///
    /// - Throws: ``FaultySetting`` if the mode is invalid, because the validity of other settings depends on it.
    init(_ source: SettingsSource, _ faults: SettingsFaults) throws(FaultySetting) {
        for fault in source.faults { faults.add(fault) }
        let modeReader = SettingsReader<ModeValues>(SettingsTable.settings(), source, faults, mode: .production)
        let mode = modeReader.mode
        let deployment = SettingsReader<DeploymentValues>(SettingsTable.settings(), source, faults, mode: mode)
        let projectSettings: [Setting<ProjectValues>] = SettingsTable.settings()
        let appSettings: [Setting<AppValues>] = SettingsTable.settings()
        let gatewaySettings: [Setting<GatewayValues>] = SettingsTable.settings()
        projects = (deployment.projects ?? []).map {
            ProjectReader(projectSettings, ofApps: appSettings, source, faults, mode: mode, id: $0)
        }
        func gateways(_ names: [GatewayName]) -> [SettingsReader<GatewayValues>] {
            names.map(\.text).map { name in
                let prefix = SettingName.gateway(name)
                return SettingsReader(gatewaySettings, source, faults, mode: mode, owner: name, prefix: prefix)
            }
        }
        self.gateways = gateways(deployment.gateways)
        mailGateways = gateways(deployment.mailGateways)
        self.mode = mode
        self.deployment = deployment
        self.faults = faults
        check(
            source.names,
            known: modeReader.names + deployment.names + projects.flatMap(\.names)
                + (self.gateways + mailGateways).flatMap(\.names)
        )
        try modeReader.check(\.mode)
    }

    /// Rejects unknown names: a misspelled rate limit must not go unnoticed.
    private func check(_ names: [(name: String, place: String)], known: [String]) {
        let owners = Dictionary(known.map { ($0, 1) }, uniquingKeysWith: +)
        for name in known where owners[name] != 1 {
            let reason = "two projects, apps or gateways have a setting of this name; rename one of them"
            faults.add(FaultySetting(name: name, line: "\(name): \(reason)"))
        }
        for (name, place) in names where owners[name] == nil && !belongsToUnreadList(name) {
            let nearest = nearest(to: name, known)
            if let nearest { faults.silence(nearest) }
            faults.add(FaultySetting(name: name, line: "\(place): \(name) is not a setting" + hint(name, nearest)))
        }
    }

    /// Returns whether a name may belong to a project, app or gateway in a list that is missing or faulty.
    private func belongsToUnreadList(_ name: String) -> Bool {
        if name.hasPrefix(SettingName.projects), faults.collect(try deployment.required(\.projects)) == nil {
            return true
        }
        return name.hasPrefix(SettingName.gateways)
            && (deployment.isFaulty(\.gateways) || deployment.isFaulty(\.mailGateways))
            || projects.contains { name.hasPrefix(SettingName.apps(of: $0.id)) && $0.project.isFaulty(\.apps) }
    }

    private func nearest(to name: String, _ known: [String]) -> String? {
        // If the lengths differ by more than two, so does the edit distance.
        let similar = known.filter { abs($0.utf8.count - name.utf8.count) <= 2 }
        let nearest = similar.map { (name: $0, edits: $0.edits(to: name)) }.min { $0.edits < $1.edits }
        return nearest.flatMap { $0.edits <= 2 ? $0.name : nil }
    }

    private func hint(_ name: String, _ nearest: String?) -> String {
        if let nearest { return "; did you mean \(nearest)?" }
        if name.hasPrefix(SettingName.projects) { return " of a listed project or app" }
        return name.hasPrefix(SettingName.gateways) ? " of a listed gateway" : ""
    }
}

extension String {
    /// Returns the edit distance to another text (Levenshtein): the number of bytes to insert, delete or replace.
    fileprivate func edits(to other: String) -> Int {
        var row = Array(0...other.utf8.count)
        for (index, byte) in utf8.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, otherByte) in other.utf8.enumerated() {
                let replaced = diagonal + (byte == otherByte ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = Swift.min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[other.utf8.count]
    }
}

extension ReadSettings {
    /// Returns the policy: lifetimes and rate limits.
    func policy(_ gateways: GatewaySettings) -> Policy {
        var policy = deployment.policy
        policy.development = faults.collect(try development()) ?? nil
        policy.tollFraud = tollFraud(gateways)
        policy.routing = routing(gateways)
        return policy
    }

    /// Returns the exceptions of development mode. They do not exist in production, where a setting that requests one
    /// is rejected.
    private func development() throws(FaultySetting) -> DevelopmentPolicy? {
        let isUnsigned = deployment.issuesUnsignedTokens
        if mode == .development { return DevelopmentPolicy(issuesUnsignedTokens: isUnsigned) }
        guard !isUnsigned else {
            throw deployment.fault(
                \.issuesUnsignedTokens,
                .because("only development mode issues unsigned tokens; remove it")
            )
        }
        return nil
    }
}

extension ReadSettings {
    /// Returns the policy against SMS pumping (toll fraud): when new clients must solve challenges, and what messages
    /// cost.
    func tollFraud(_ gateways: GatewaySettings) -> TollFraudPolicy {
        var policy = deployment.policy.tollFraud
        policy.prices = prices(gateways)
        return policy
    }

    private func prices(_ settings: GatewaySettings) -> MessagePrices {
        let caps = deployment.spendCaps
        if let caps {
            if !caps.prefixes.isEmpty {
                faults.add(deployment.fault(\.spendCaps, .because("a cap is for a region or *, not for a prefix")))
            }
            for gateway in gateways where !gateway.isSet(\.prices) {
                faults.add(gateway.missing(\.prices, "required by \(deployment.name(of: \.spendCaps))"))
            }
        }
        let prices = settings.gateways.compactMap { gateway in gateway.prices.map { (gateway.name.text, $0) } }
        guard settings.routes != nil, !prices.isEmpty else { return .free }
        return MessagePrices(
            prices: Dictionary(prices) { first, _ in first },
            caps: caps
        )
    }
}
