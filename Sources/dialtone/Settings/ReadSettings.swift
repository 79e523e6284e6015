import SMSGateways

/// The settings of all scopes. Each is parsed by its declaration, but they are not yet validated against each other.
struct ReadSettings {
    let mode: DeploymentMode
    let deployment: SettingsReader<DeploymentValues>
    let projects: [ProjectReader]
    let gateways: [SettingsReader<GatewayValues>]
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
        gateways = deployment.gateways.map(\.text).map { name in
            let prefix = SettingName.gateway(name)
            return SettingsReader(gatewaySettings, source, faults, mode: mode, owner: name, prefix: prefix)
        }
        self.mode = mode
        self.deployment = deployment
        self.faults = faults
        check(
            source.names,
            known: modeReader.names + deployment.names + projects.flatMap(\.names) + gateways.flatMap(\.names)
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
        return name.hasPrefix(SettingName.gateways) && deployment.isFaulty(\.gateways)
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
