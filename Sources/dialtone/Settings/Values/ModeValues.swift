/// The mode. It is read before the other settings, because some of their defaults depend on it.
struct ModeValues: SettingValues {
    var mode = DeploymentMode.production

    init(mode: DeploymentMode) {}

    static let examplePrefix = SettingName.deployment
}
