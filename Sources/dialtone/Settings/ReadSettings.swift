import SMSGateways

/// The settings of every scope. Each is parsed by its declaration, but they are not yet validated against each other.
struct ReadSettings {
    let mode: DeploymentMode
    let deployment: SettingsReader<DeploymentValues>
    let projects: [ProjectReader]
    let gateways: [SettingsReader<GatewayValues>]

    /// Reads the settings of the deployment and of each project, app and gateway that it names.
    /// - Throws: ``Failure`` that names a setting that is wrong, does not exist, or belongs to an undeclared project,
    ///   app or gateway.
    init(_ source: SettingsSource) throws(Failure) {
        let modeReader = try SettingsReader<ModeValues>(SettingsTable.settings(), source, mode: .production)
        let mode = modeReader.mode
        let deployment = try SettingsReader<DeploymentValues>(SettingsTable.settings(), source, mode: mode)
        let projectSettings: [Setting<ProjectValues>] = SettingsTable.settings()
        let appSettings: [Setting<AppValues>] = SettingsTable.settings()
        var projects: [ProjectReader] = []
        for id in deployment.projects ?? [] {
            projects.append(try ProjectReader(projectSettings, ofApps: appSettings, source, mode: mode, id: id))
        }
        let gatewaySettings: [Setting<GatewayValues>] = SettingsTable.settings()
        var gateways: [SettingsReader<GatewayValues>] = []
        for name in deployment.gateways.map(\.text) {
            let prefix = SettingName.gateway(name)
            gateways.append(try SettingsReader(gatewaySettings, source, mode: mode, owner: name, prefix: prefix))
        }
        self.mode = mode
        self.deployment = deployment
        self.projects = projects
        self.gateways = gateways
        let ofProjects = projects.flatMap(\.names)
        try check(source.names, known: modeReader.names + deployment.names + ofProjects + gateways.flatMap(\.names))
    }

    /// Rejects unknown names: a misspelt rate limit must not go unnoticed.
    private func check(_ names: [(name: String, place: String)], known: [String]) throws(Failure) {
        let owners = Dictionary(known.map { ($0, 1) }, uniquingKeysWith: +)
        if let shared = known.first(where: { owners[$0] != 1 }) {
            throw Failure("\(shared): two projects, apps or gateways have a setting of this name; rename one of them")
        }
        for (name, place) in names where owners[name] == nil {
            if name.hasPrefix(SettingName.projects) { _ = try deployment.required(\.projects) }
            throw Failure("\(place): \(name) is not a setting" + hint(name, known))
        }
    }

    private func hint(_ name: String, _ known: [String]) -> String {
        // If the lengths differ by more than two, so does the edit distance.
        let similar = known.filter { abs($0.utf8.count - name.utf8.count) <= 2 }
        let nearest = similar.map { (name: $0, edits: $0.edits(to: name)) }.min { $0.edits < $1.edits }
        if let nearest, nearest.edits <= 2 { return "; did you mean \(nearest.name)?" }
        if name.hasPrefix(SettingName.projects) { return " of a project or app that the settings list" }
        return name.hasPrefix(SettingName.gateways) ? " of a gateway that the settings list" : ""
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
