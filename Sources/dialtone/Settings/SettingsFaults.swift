/// A setting that cannot be used, and why.
struct FaultySetting: Error {
    /// The setting's name; for a line that names none, its place in the file.
    let name: String
    /// One line for the operator. It names the setting and contains no secret.
    let line: String
}

/// The faults of all settings, so that an operator can fix them in one go.
///
/// A setting has one fault. What follows from it, such as a missing value, adds nothing.
///
/// ```swift
/// let keyFile = faults.collect(try deployment.required(\.keyFile))
/// ```
final class SettingsFaults {
    private var faults: [FaultySetting] = []
    private var names: Set<String> = []

    var isEmpty: Bool { faults.isEmpty }

    /// Whether a setting cannot be used.
    func contains(_ name: String) -> Bool { names.contains(name) }

    func add(_ fault: FaultySetting) {
        if names.insert(fault.name).inserted { faults.append(fault) }
    }

    /// Marks a setting that cannot be used because of another's fault, such as its name in a misspelt form.
    func silence(_ name: String) { names.insert(name) }

    /// Returns what `read` returns; nil if a setting is faulty.
    func collect<Value>(_ read: @autoclosure () throws(FaultySetting) -> Value) -> Value? {
        do {
            return try read()
        } catch {
            add(error)
            return nil
        }
    }

    /// Returns all faults, in the order of the environment and then the file. Settings that are not set come last.
    func failure(in source: SettingsSource) -> Failure {
        let ordered = faults.enumerated().sorted { left, right in
            (source.position(of: left.element.name), left.offset) < (
                source.position(of: right.element.name), right.offset
            )
        }
        return Failure(lines: ordered.map(\.element.line))
    }
}
