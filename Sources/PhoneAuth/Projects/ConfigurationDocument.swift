public import Encodings

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
        guard let members = JSONObject(parsing: text) else { return nil }
        self.init(members: members)
    }

    var text: [UInt8] { JSONValue.object(members).document }

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
        if path.hasSuffix(".functionUri"), let url = value.text {
            let parts = url.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            guard parts.count > 2, let host = parts[2].split(separator: "@").last else { return "…" }
            return "\(parts[0])//\(host)/…"
        }
        return String(decoding: value.document, as: UTF8.self)
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

/// A reader of one object of a configuration document. Its errors name the path of the faulty member, without indices.
typealias ConfigurationReader = JSONFields<ConfigurationRefusal>

extension ConfigurationRefusal: JSONFailure {
    /// Explains which type the member must have.
    public init(_ fault: JSONFault) {
        let type =
            switch (fault.expected, fault.index) {
            case (.text, _): "a string"
            case (.integer, _): "a whole number"
            case (.flag, _): "true or false"
            case (.object, _): "an object"
            case (.texts, nil), (.objects, nil): "a list"
            case (.texts, _): "a list of strings"
            case (.objects, _): "a list of objects"
            }
        self.init("\(Self.path(fault.place))\(fault.name) must be \(type).")
    }

    fileprivate static func path(_ place: String) -> String { place.filter { $0.isLetter || $0 == "." } }
}

extension ConfigurationReader {
    /// Rejects members with unknown names if the document must have no others.
    func knows(_ names: String...) throws(ConfigurationRefusal) {
        guard form == .closed, let unknown = members.members.first(where: { !names.contains($0.name) }) else { return }
        let place = place.isEmpty ? "" : " at \"\(ConfigurationRefusal.path(place).dropLast())\""
        throw ConfigurationRefusal("Unknown name \(ConfigurationDocument.quoted(unknown.name))\(place).")
    }

    func refusal(_ name: String, _ explanation: String) -> ConfigurationRefusal {
        ConfigurationRefusal("\(ConfigurationRefusal.path(place))\(name) \(explanation).")
    }
}
