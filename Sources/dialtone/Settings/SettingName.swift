import Encodings

/// How the names of settings are made.
enum SettingName {
    /// What all names begin with.
    static let deployment = "DIALTONE_"

    /// What the names of all projects' settings begin with.
    static let projects = deployment + "PROJECT_"

    /// What the names of all gateways' settings begin with.
    static let gateways = deployment + "GATEWAY_"

    /// What the names of a project's settings begin with.
    static func project(_ id: String) -> String { projects + part(id) }

    /// What the names of an app's settings begin with.
    static func app(_ name: String, of project: String) -> String { self.project(project) + "APP_" + part(name) }

    /// What the names of a gateway's settings begin with.
    static func gateway(_ name: String) -> String { gateways + part(name) }

    /// Names have no small letters and no dashes.
    static func part(_ owner: String) -> String {
        String(owner.uppercased().map { $0 == "-" ? "_" : $0 }) + "_"
    }

    /// Whether a text has only characters that names of settings have: `A`…`Z`, `0`…`9` and `_`.
    static func isWellFormed(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { $0.isASCIIUppercaseLetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
    }

    /// Whether a text can name a project or an app. It becomes part of Redis keys, settings' names and tokens.
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
