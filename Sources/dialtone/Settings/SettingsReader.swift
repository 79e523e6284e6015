/// The settings of one scope, each parsed by its declaration: ``SettingsTable``.
///
/// ```swift
/// let deployment = try SettingsReader<DeploymentValues>(SettingsTable.settings(), source, mode: .production)
/// let threads = deployment.threads
/// guard threads < limit else { throw deployment.fault(\.threads, .isNot("less than \(limit)")) }
/// ```
@dynamicMemberLookup
struct SettingsReader<Values: SettingValues> {
    /// The project, app or gateway; empty for the deployment.
    let owner: String
    private let prefix: String
    private let source: SettingsSource
    private let settings: [Setting<Values>]
    private let values: Values

    /// Reads all settings of the scope.
    /// - Throws: ``Failure`` that names the setting.
    init(
        _ settings: [Setting<Values>],
        _ source: SettingsSource,
        mode: DeploymentMode,
        owner: String = "",
        prefix: String = SettingName.deployment
    ) throws(Failure) {
        self.settings = settings
        self.source = source
        self.owner = owner
        self.prefix = prefix
        var values = Values(mode: mode)
        for setting in settings {
            guard let text = source.text(prefix + setting.name) else { continue }
            do {
                try setting.set(text, in: &values)
            } catch {
                throw Self.failure(prefix + setting.name, text, isSecret: setting.isSecret, error)
            }
        }
        self.values = values
    }

    /// The full names of all settings of the scope.
    var names: [String] { settings.map { prefix + $0.name } }

    /// The value of a setting, or its default.
    subscript<Value>(dynamicMember property: KeyPath<Values, Value>) -> Value { values[keyPath: property] }

    /// Returns the value of a required setting.
    /// - Throws: ``Failure`` that names the setting.
    func required<Value>(_ property: KeyPath<Values, Value?>) throws(Failure) -> Value {
        guard let value = values[keyPath: property] else {
            throw Failure("\(name(of: property)): not set, but required" + hint(property))
        }
        return value
    }

    /// Returns the full name of the setting that a property belongs to.
    func name(of property: PartialKeyPath<Values>) -> String { prefix + settings.declaring(property).name }

    /// Returns a failure that names the setting, its value unless the value is secret, and what is wrong with it.
    func fault(_ property: PartialKeyPath<Values>, _ fault: SettingFault) -> Failure {
        let setting = settings.declaring(property)
        let name = prefix + setting.name
        return Self.failure(name, source.text(name), isSecret: setting.isSecret, fault)
    }

    /// Rejects settings that have no effect in combination with another setting.
    /// - Throws: ``Failure`` that names the first of them that is set.
    func refuse(_ properties: [PartialKeyPath<Values>], _ reason: String) throws(Failure) {
        for property in properties where source.text(name(of: property)) != nil {
            throw fault(property, .because(reason))
        }
    }

    private func hint(_ property: PartialKeyPath<Values>) -> String {
        let example = settings.declaring(property).documentation.example.values.first?.value ?? ""
        return example.isEmpty ? "" : "; for example \(example)"
    }

    private static func failure(_ name: String, _ text: String?, isSecret: Bool, _ fault: SettingFault) -> Failure {
        let shown = isSecret ? nil : text.map(withoutCredentials)
        return switch fault {
        case .isNot(let form): Failure("\(name): \(shown?.debugDescription ?? "the value") is not \(form)")
        case .because(let reason): Failure("\(name): \(shown.map { "\($0.debugDescription): " } ?? "")\(reason)")
        }
    }

    /// Removes credentials: `redis://user:password@host`, written where only an address belongs, must not appear in a
    /// log.
    private static func withoutCredentials(_ text: String) -> String {
        text.lastIndex(of: "@").map { "…" + text[$0...] } ?? text
    }
}
