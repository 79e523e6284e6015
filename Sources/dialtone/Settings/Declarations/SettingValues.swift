/// What the settings of one scope say: of the deployment, a project, an app or a gateway.
///
/// Each property has a ``Setting`` in ``SettingsTable``.
protocol SettingValues: SendableMetatype {
    /// The defaults.
    init(mode: DeploymentMode)

    /// What the names of these settings begin with in the example file. The name of an app or a gateway follows.
    static var examplePrefix: String { get }
}

extension SettingValues {
    /// The name of the setting that a property belongs to.
    static func name(of property: PartialKeyPath<Self>, prefix: String = SettingName.deployment) -> String {
        prefix + SettingsTable.settings(of: Self.self).declaring(property).name
    }
}

/// Whom a deployment serves.
enum DeploymentMode: String, CaseIterable {
    case production
    /// Trusts everyone.
    case development
}
