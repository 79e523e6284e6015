/// The mode, which is read before the other settings because it decides some of their defaults.
struct ModeValues: SettingValues {
    var mode = DeploymentMode.production

    init(mode: DeploymentMode) {}

    static let examplePrefix = SettingName.deployment
}
