/// The settings of a project and its apps.
struct ProjectReader {
    let project: SettingsReader<ProjectValues>
    let apps: [SettingsReader<AppValues>]

    /// Reads the settings of a project and of each app that it names.
    /// - Throws: ``Failure`` that names the setting.
    init(
        _ settings: [Setting<ProjectValues>],
        ofApps appSettings: [Setting<AppValues>],
        _ source: SettingsSource,
        mode: DeploymentMode,
        id: String
    ) throws(Failure) {
        project = try SettingsReader(settings, source, mode: mode, owner: id, prefix: SettingName.project(id))
        var apps: [SettingsReader<AppValues>] = []
        for name in project.apps {
            let prefix = SettingName.app(name, of: id)
            apps.append(try SettingsReader(appSettings, source, mode: mode, owner: name, prefix: prefix))
        }
        self.apps = apps
    }

    /// The project's ID.
    var id: String { project.owner }

    /// The full names of all settings of the project and its apps.
    var names: [String] { project.names + apps.flatMap(\.names) }
}
