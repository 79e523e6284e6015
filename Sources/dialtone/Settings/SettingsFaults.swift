/// A setting that cannot be used, and the reason.
struct FaultySetting: Error {
    /// The setting's name; if a line names no setting, the line's place in the file.
    let name: String
    /// One line for the operator. It names the setting and contains no secret.
    let line: String
}

/// The faults of all settings, so that an operator can fix them in one go.
///
/// A setting has only one fault. Consequences of a fault, such as a missing value, are not added.
///
/// ```swift
/// let keyFile = faults.collect(try deployment.required(\.keyFile))
/// ```
final class SettingsFaults {
    private var faults: [FaultySetting] = []
    private var names: Set<String> = []

    var isEmpty: Bool { faults.isEmpty }

    /// Returns whether a setting cannot be used.
    func contains(_ name: String) -> Bool { names.contains(name) }

    func add(_ fault: FaultySetting) {
        if names.insert(fault.name).inserted { faults.append(fault) }
    }

    /// Marks a setting that cannot be used because of another fault, such as a misspelled form of its name.
    func silence(_ name: String) { names.insert(name) }

    /// Returns the result of `read`; nil if a setting is faulty.
    func collect<Value>(_ read: @autoclosure () throws(FaultySetting) -> Value) -> Value? {
        do {
            return try read()
        } catch {
            add(error)
            return nil
        }
    }

    /// Returns all faults: first those of the environment, then those of the file, each in order. Settings that are not
    /// set come last.
    func failure(in source: SettingsSource) -> Failure {
        let ordered = faults.enumerated().sorted { left, right in
            (source.position(of: left.element.name), left.offset) < (
                source.position(of: right.element.name), right.offset
            )
        }
        return Failure(lines: ordered.map(\.element.line))
    }
}

/// The reason why the text of a setting is rejected.
enum SettingFault: Error {
    /// The value does not have the required form, such as `a number from 1 to 512`.
    case isNot(String)
    /// Another reason. The text contains no secret.
    case because(String)
}
