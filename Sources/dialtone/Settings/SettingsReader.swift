import Encodings

/// The settings of one scope, each parsed by its declaration: ``SettingsTable``.
///
/// ```swift
/// let deployment = SettingsReader<DeploymentValues>(SettingsTable.settings(), source, faults, mode: .production)
/// let threads = deployment.threads
/// guard threads < limit else { throw deployment.fault(\.threads, .isNot("less than \(limit)")) }
/// ```
@dynamicMemberLookup
struct SettingsReader<Values: SettingValues> {
    /// The project, app or gateway; empty for the deployment.
    let owner: String
    private let prefix: String
    private let source: SettingsSource
    private let faults: SettingsFaults
    private let settings: [Setting<Values>]
    private let values: Values

    /// Reads all settings of the scope. A setting with a fault keeps its default, and the fault is added to `faults`.
    init(
        _ settings: [Setting<Values>],
        _ source: SettingsSource,
        _ faults: SettingsFaults,
        mode: DeploymentMode,
        owner: String = "",
        prefix: String = SettingName.deployment
    ) {
        self.settings = settings
        self.source = source
        self.faults = faults
        self.owner = owner
        self.prefix = prefix
        var values = Values(mode: mode)
        for setting in settings {
            let name = prefix + setting.name
            guard let text = faults.collect(try source.text(name, isSecret: setting.isSecret)) ?? nil else { continue }
            do {
                try setting.set(text, in: &values)
            } catch {
                faults.add(Self.faulty(name, text, isSecret: setting.isSecret, error))
            }
        }
        self.values = values
    }

    /// The full names of all settings of the scope, and of the files of secrets.
    var names: [String] {
        settings.flatMap { [prefix + $0.name] + ($0.isSecret ? [SettingName.file(of: prefix + $0.name)] : []) }
    }

    /// The value of a setting, or its default.
    subscript<Value>(dynamicMember property: KeyPath<Values, Value>) -> Value { values[keyPath: property] }

    /// Returns the value of a required setting.
    func required<Value>(_ property: KeyPath<Values, Value?>) throws(FaultySetting) -> Value {
        guard let value = values[keyPath: property] else { throw missing(property, "required" + hint(property)) }
        return value
    }

    /// Returns the fault of a required setting that is missing.
    func missing(_ property: PartialKeyPath<Values>, _ reason: String) -> FaultySetting {
        let name = name(of: property)
        return FaultySetting(name: name, line: "\(name): not set, but \(reason)")
    }

    /// Throws if one of these settings has a fault, so that settings that depend on it cannot be checked.
    func check(_ properties: PartialKeyPath<Values>...) throws(FaultySetting) {
        for property in properties where isFaulty(property) {
            throw fault(property, .because("the value cannot be used"))
        }
    }

    /// Returns whether a fault of a setting has been found.
    func isFaulty(_ property: PartialKeyPath<Values>) -> Bool { faults.contains(name(of: property)) }

    /// Returns the result of `read`; nil if a setting is faulty.
    @discardableResult func collect<Value>(_ read: @autoclosure () throws(FaultySetting) -> Value) -> Value? {
        faults.collect(try read())
    }

    /// Returns the content of the file that a setting names.
    func file(_ path: String, _ property: PartialKeyPath<Values>) throws(FaultySetting) -> [UInt8] {
        do {
            return try readFile(path)
        } catch {
            throw FaultySetting(name: name(of: property), line: "\(name(of: property)): \(error)")
        }
    }

    /// Returns whether a setting has a text, valid or not.
    func isSet(_ property: PartialKeyPath<Values>) -> Bool {
        let name = name(of: property)
        return source.text(name) != nil
            || settings.declaring(property).isSecret && source.text(SettingName.file(of: name)) != nil
    }

    /// Returns the full name of the setting that a property belongs to.
    func name(of property: PartialKeyPath<Values>) -> String { prefix + settings.declaring(property).name }

    /// Returns a fault that contains the setting's name, its value unless the value is secret, and what is wrong with
    /// it.
    func fault(_ property: PartialKeyPath<Values>, _ fault: SettingFault) -> FaultySetting {
        let setting = settings.declaring(property)
        let name = prefix + setting.name
        return Self.faulty(name, source.text(name), isSecret: setting.isSecret, fault)
    }

    /// Rejects settings that have no effect in combination with another setting.
    func refuse(_ properties: [PartialKeyPath<Values>], _ reason: String) {
        for property in properties where isSet(property) { faults.add(fault(property, .because(reason))) }
    }

    private func hint(_ property: PartialKeyPath<Values>) -> String {
        let example = settings.declaring(property).documentation.example.values.first?.value ?? ""
        return example.isEmpty ? "" : "; for example \(example)"
    }

    private static func faulty(
        _ name: String,
        _ text: String?,
        isSecret: Bool,
        _ fault: SettingFault
    ) -> FaultySetting {
        let shown = isSecret ? nil : text.map { withoutCredentials($0).debugDescription }
        let line =
            switch fault {
            case .isNot(let form): "\(name): \(shown ?? "the value") is not \(form)"
            case .because(let reason): "\(name): \(shown.map { "\($0): " } ?? "")\(reason)"
            }
        return FaultySetting(name: name, line: line)
    }

    /// Removes credentials. If an operator writes `redis://user:password@host` where only an address belongs, the
    /// credentials must not appear in a log. The same applies to `redis://user:password`, where the host was forgotten.
    private static func withoutCredentials(_ text: String) -> String {
        if let sign = text.lastIndex(of: "@") { return "…" + text[sign...] }
        guard let scheme = text.firstRange(of: "://") else { return text }
        let authority = text[scheme.upperBound...].prefix { !"/?#".contains($0) }
        let hasOnlyHosts = authority.split(separator: ",").allSatisfy { HostAndPort($0) != nil }
        return hasOnlyHosts ? text : text[..<scheme.upperBound] + "…"
    }
}
