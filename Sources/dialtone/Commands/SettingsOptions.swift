import ArgumentParser

/// The source of a command's settings.
struct SettingsOptions: ParsableArguments {
    @Option(
        name: .customLong("config"),
        help: "The settings file: lines of the form DIALTONE_NAME=value. Environment variables take precedence."
    )
    var file: String?

    func load() throws -> Settings {
        let settings = try Settings(SettingsSource(file: file))
        try settings.loadNumberingData()
        return settings
    }
}
