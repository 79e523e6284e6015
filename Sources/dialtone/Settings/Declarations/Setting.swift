/// A setting, declared once. Its parsing, its name and its text in the example file derive from the declaration.
///
/// The text of a setting becomes the value of one property of `Values`. The property's initial value is the default. An
/// optional property has no default: `unset` describes what happens if the setting is missing.
///
/// ```swift
/// Setting("THREADS", \.threads, .number(1...512)) {
///     "The number of requests that a worker handles at the same time."
/// }
/// ```
struct Setting<Values: SettingValues> {
    /// The name without the prefix of its scope, such as `THREADS`.
    let name: String
    /// The property that holds the value.
    let property: PartialKeyPath<Values>
    /// Whether the value is or may contain a secret. Errors do not show secret values.
    let isSecret: Bool
    private let document: () -> SettingDocumentation
    private let read: (_ text: String, _ values: inout Values) throws(SettingFault) -> Void

    /// Declares a setting that has a default. The example file shows the default, or `example` if it is given.
    ///
    /// The summary describes what the setting does. Line breaks count as spaces. The range or the choices are added to
    /// the summary.
    init<Value>(
        _ name: String,
        _ property: WritableKeyPath<Values, Value>,
        _ kind: SettingKind<Value>,
        example: SettingExample? = nil,
        summary: @escaping () -> String
    ) {
        self.name = name
        self.property = property
        isSecret = false
        read = { text, values throws(SettingFault) in values[keyPath: property] = try kind.parse(text) }
        document = {
            let standard = kind.show(Values(mode: .production)[keyPath: property])
            let ofDevelopment = kind.show(Values(mode: .development)[keyPath: property])
            return SettingDocumentation(
                name: name,
                summary: summary(),
                domain: kind.domain,
                unset: example == nil ? nil : .means(standard.isEmpty ? "none" : standard),
                inDevelopmentMode: ofDevelopment == standard ? nil : ofDevelopment,
                example: example ?? "\(standard)"
            )
        }
    }

    /// Declares a setting that has no default.
    init<Value>(
        _ name: String,
        _ property: WritableKeyPath<Values, Value?>,
        _ kind: SettingKind<Value>,
        unset: SettingDocumentation.Unset,
        isSecret: Bool = false,
        example: SettingExample,
        summary: @escaping () -> String
    ) {
        self.name = name
        self.property = property
        self.isSecret = isSecret
        read = { text, values throws(SettingFault) in values[keyPath: property] = try kind.parse(text) }
        document = {
            SettingDocumentation(
                name: name,
                summary: summary(),
                domain: kind.domain,
                unset: unset,
                inDevelopmentMode: Values(mode: .development)[keyPath: property].map(kind.show),
                example: example
            )
        }
    }

    /// The setting's text in the example file.
    var documentation: SettingDocumentation { document() }

    /// Parses `text` and stores the value.
    func set(_ text: String, in values: inout Values) throws(SettingFault) {
        try read(text, &values)
    }
}

/// A setting, whatever its scope.
protocol AnySetting {
    /// The setting's text in the example file.
    var documentation: SettingDocumentation { get }
    /// The prefix of names in the example file, for its deployment, project, apps and gateways.
    var examplePrefix: String { get }
}

extension Setting: AnySetting {
    var examplePrefix: String { Values.examplePrefix }
}

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

/// The mode. It is read before the other settings, because some of their defaults depend on it.
struct ModeValues: SettingValues {
    var mode = DeploymentMode.production

    init(mode: DeploymentMode) {}

    static let examplePrefix = SettingName.deployment
}
