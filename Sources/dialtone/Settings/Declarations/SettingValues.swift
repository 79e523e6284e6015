/// The values of the settings of one scope: the deployment, a project, an app or a gateway.
///
/// Each property has a ``Setting`` in ``SettingsTable``.
protocol SettingValues: SendableMetatype {
    /// Creates the defaults.
    init(mode: DeploymentMode)

    /// The prefix of these settings' names in the example file. The name of an app or a gateway follows.
    static var examplePrefix: String { get }
}

extension SettingValues {
    /// Returns the name of the setting that a property belongs to.
    static func name(of property: PartialKeyPath<Self>, prefix: String = SettingName.deployment) -> String {
        prefix + SettingsTable.settings(of: Self.self).declaring(property).name
    }
}

/// Whom a deployment trusts (`DIALTONE_MODE`). Some settings have another default in development.
enum DeploymentMode: String, CaseIterable {
    case production
    /// Trusts every client. Never for production.
    case development
}
