/// The settings of a project and its apps.
struct ProjectReader {
    let project: SettingsReader<ProjectValues>
    let apps: [SettingsReader<AppValues>]

    /// Reads the settings of a project, and of each app that the project lists.
    init(
        _ settings: [Setting<ProjectValues>],
        ofApps appSettings: [Setting<AppValues>],
        _ source: SettingsSource,
        _ faults: SettingsFaults,
        mode: DeploymentMode,
        id: String
    ) {
        project = SettingsReader(settings, source, faults, mode: mode, owner: id, prefix: SettingName.project(id))
        apps = project.apps.map { name in
            let prefix = SettingName.app(name, of: id)
            return SettingsReader(appSettings, source, faults, mode: mode, owner: name, prefix: prefix)
        }
    }

    /// The project's ID.
    var id: String { project.owner }

    /// The full names of all settings of the project and its apps.
    var names: [String] { project.names + apps.flatMap(\.names) }
}
