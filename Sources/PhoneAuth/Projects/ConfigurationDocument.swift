internal import Encodings

/// The operators' changes to a project in the form that Redis stores: a part of the protocol's `Config`, in JSON.
///
/// It contains only members that were set, so that all others follow the settings.
struct ConfigurationDocument: Equatable {
    /// The paths of the members of `Config` that can be set. A mask may name a member or an object that contains it.
    static let paths = [
        "signIn.phoneNumber.enabled", "signIn.phoneNumber.testPhoneNumbers", "signIn.email.enabled",
        "signIn.email.passwordRequired", "signIn.anonymous.enabled", "signIn.allowDuplicateEmails",
        "autodeleteAnonymousUsers", "authorizedDomains",
        "emailPrivacyConfig.enableImprovedEmailPrivacy", "smsRegionConfig.allowByDefault.disallowedRegions",
        "smsRegionConfig.allowlistOnly.allowedRegions", "mfa.state", "mfa.enabledProviders", "mfa.providerConfigs",
        "blockingFunctions.triggers.beforeCreate.functionUri", "blockingFunctions.triggers.beforeSignIn.functionUri",
        "blockingFunctions.triggers.beforeSecondFactorEnrollment.functionUri",
        "blockingFunctions.forwardInboundCredentials.idToken",
        "blockingFunctions.forwardInboundCredentials.accessToken",
        "blockingFunctions.forwardInboundCredentials.refreshToken",
    ]

    private static let smsRegionChoices = [
        ["smsRegionConfig", "allowByDefault"], ["smsRegionConfig", "allowlistOnly"],
    ]

    var members: JSONObject

    init(members: JSONObject = JSONObject()) {
        self.members = members
    }

    /// Reads a stored document; nil if it is not a JSON object.
    init?(text: [UInt8]) {
        guard case .object(let members) = try? JSONValue.parse(text) else { return nil }
        self.init(members: members)
    }

    var text: [UInt8] {
        JSONWriter.object { json in
            for (name, value) in members.members { json.member(name, value) }
        }
    }

    /// Sets the members that the mask names to their values in `change`, and removes named members without a value. An
    /// empty mask names all.
    /// - Throws: ``ConfigurationRefusal`` if the mask names an unknown member.
    mutating func apply(_ change: JSONObject, mask: [String]) throws(ConfigurationRefusal) {
        guard !mask.isEmpty else {
            members = change
            return
        }
        for path in mask {
            guard Self.paths.contains(where: { Self.isPart($0, of: path) }) else {
                throw ConfigurationRefusal("Invalid field mask: \(Self.quoted(path)).")
            }
            let names = path.split(separator: ".").map(String.init)
            members[path: names] = change[path: names]
            // The two choices exclude each other.
            for choice in Self.smsRegionChoices where names.starts(with: choice) && change[path: choice] != nil {
                for other in Self.smsRegionChoices where other != choice { members[path: other] = nil }
            }
        }
    }

    /// Returns a member's value without secrets: of a hook's URL only scheme and host, because its path may contain the
    /// operator's tokens. A member that is not set follows the settings.
    func description(of path: String) -> String {
        let names = path.split(separator: ".").map(String.init)
        guard let value = members[path: names] else { return "as in the settings" }
        if path.hasSuffix(".functionUri"), case .string(let url) = value {
            let parts = url.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            guard parts.count > 2, let host = parts[2].split(separator: "@").last else { return "…" }
            return "\(parts[0])//\(host)/…"
        }
        return String(decoding: JSONWriter.object { $0.member("", value) }.dropFirst(4).dropLast(), as: UTF8.self)
    }

    /// Returns whether a member has the mask's path or is inside of it.
    static func isPart(_ member: String, of path: String) -> Bool {
        member == path || member.hasPrefix(path + ".")
    }

    /// Returns a caller's text for an error message: quoted, cut off, without control characters.
    static func quoted(_ text: String) -> String {
        "\"" + String(text.unicodeScalars.prefix(64).map { $0.value >= 0x20 ? Character($0) : "?" }) + "\""
    }
}

/// Why a configuration was rejected.
public struct ConfigurationRefusal: Error, Equatable {
    /// One or two sentences that name the member.
    public let explanation: String
    /// Whether the member is part of `blockingFunctions`, which has its own error in the protocol.
    public private(set) var isOfBlockingFunction = false

    init(_ explanation: String) {
        self.explanation = explanation
    }

    /// Returns the same refusal for a member of `blockingFunctions`.
    var ofBlockingFunction: ConfigurationRefusal {
        var refusal = self
        refusal.isOfBlockingFunction = true
        return refusal
    }
}

/// A reader of one object of a configuration document. Its errors name the path of the faulty member.
struct ConfigurationReader {
    private let object: JSONObject
    private let path: String
    private let isStrict: Bool

    init(_ object: JSONObject, isStrict: Bool) {
        self.init(object, path: "", isStrict: isStrict)
    }

    private init(_ object: JSONObject, path: String, isStrict: Bool) {
        self.object = object
        self.path = path
        self.isStrict = isStrict
    }

    /// Rejects members with unknown names if the reader is strict.
    func knows(_ names: String...) throws(ConfigurationRefusal) {
        guard isStrict, let unknown = object.members.first(where: { !names.contains($0.name) }) else { return }
        let place = path.isEmpty ? "" : " at \"\(path.dropLast())\""
        throw ConfigurationRefusal("Unknown name \(ConfigurationDocument.quoted(unknown.name))\(place).")
    }

    func refusal(_ name: String, _ explanation: String) -> ConfigurationRefusal {
        ConfigurationRefusal("\(path)\(name) \(explanation).")
    }

    func reader(_ name: String) throws(ConfigurationRefusal) -> ConfigurationReader? {
        switch object[name] {
        case nil, .null: return nil
        case .object(let object): return ConfigurationReader(object, path: "\(path)\(name).", isStrict: isStrict)
        default: throw refusal(name, "must be an object")
        }
    }

    func readers(_ name: String) throws(ConfigurationRefusal) -> [ConfigurationReader]? {
        guard let elements = try elements(name) else { return nil }
        var readers: [ConfigurationReader] = []
        for element in elements {
            guard case .object(let object) = element else { throw refusal(name, "must be a list of objects") }
            readers.append(ConfigurationReader(object, path: "\(path)\(name).", isStrict: isStrict))
        }
        return readers
    }

    func flag(_ name: String) throws(ConfigurationRefusal) -> Bool? {
        switch object[name] {
        case nil, .null: return nil
        case .bool(let flag): return flag
        default: throw refusal(name, "must be true or false")
        }
    }

    func text(_ name: String) throws(ConfigurationRefusal) -> String? {
        switch object[name] {
        case nil, .null: return nil
        case .string(let text): return text
        default: throw refusal(name, "must be a string")
        }
    }

    func number(_ name: String) throws(ConfigurationRefusal) -> Int? {
        switch object[name] {
        case nil, .null: return nil
        case let value?:
            guard let number = value.wholeNumber else { throw refusal(name, "must be a whole number") }
            return Int(number)
        }
    }

    func texts(_ name: String) throws(ConfigurationRefusal) -> [String]? {
        guard let elements = try elements(name) else { return nil }
        var texts: [String] = []
        for element in elements {
            guard case .string(let text) = element else { throw refusal(name, "must be a list of strings") }
            texts.append(text)
        }
        return texts
    }

    private func elements(_ name: String) throws(ConfigurationRefusal) -> [JSONValue]? {
        switch object[name] {
        case nil, .null: return nil
        case .array(let elements): return elements
        default: throw refusal(name, "must be a list")
        }
    }
}
