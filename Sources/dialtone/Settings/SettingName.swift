import Encodings

/// The names of settings: a prefix for the scope, the name of its owner in uppercase letters, and the name in
/// ``SettingsTable``.
enum SettingName {
    /// The prefix of all names.
    static let deployment = "DIALTONE_"

    /// The prefix of all projects' settings.
    static let projects = deployment + "PROJECT_"

    /// The prefix of all gateways' settings.
    static let gateways = deployment + "GATEWAY_"

    /// Returns the prefix of a project's settings.
    static func project(_ id: String) -> String { projects + part(id) }

    /// Returns the prefix of an app's settings.
    static func app(_ name: String, of project: String) -> String { apps(of: project) + part(name) }

    /// Returns the prefix of all settings of a project's apps.
    static func apps(of project: String) -> String { self.project(project) + "APP_" }

    /// Returns the prefix of a gateway's settings.
    static func gateway(_ name: String) -> String { gateways + part(name) }

    /// Returns the part of a name for a project, app or gateway. Names have no lowercase letters and no dashes.
    static func part(_ owner: String) -> String {
        String(owner.uppercased().map { $0 == "-" ? "_" : $0 }) + "_"
    }

    /// Returns the name of the setting that names the file of a secret.
    static func file(of secret: String) -> String { secret + "_FILE" }

    /// Returns whether a text has only characters that are allowed in setting names: `A`…`Z`, `0`…`9` and `_`.
    static func isWellFormed(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { $0.isASCIIUppercaseLetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
    }

    /// Returns whether a text is a valid name of a project or an app. The name becomes part of Redis keys, setting
    /// names and tokens.
    static func isOwner(_ text: String) -> Bool {
        (1...63).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
