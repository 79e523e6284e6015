internal import Encodings

/// What operators changed of a project, as Redis keeps it: a part of the protocol's `Config`, in JSON.
///
/// It holds what was set and nothing else, so that what was never set follows the settings.
struct ConfigurationDocument: Equatable {
    /// The members of `Config` that can be set, down to the last; a mask may name each, or what it lies in.
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

    /// Reads what Redis keeps; nil where it is no JSON object.
    init?(text: [UInt8]) {
        guard case .object(let members) = try? JSONValue.parse(text) else { return nil }
        self.init(members: members)
    }

    var text: [UInt8] {
        JSONWriter.object { json in
            for (name, value) in members.members { json.member(name, value) }
        }
    }

    /// Sets what the mask names to what `change` says of it, and takes away what it says nothing of. An empty mask names all.
    /// - Throws: ``ConfigurationRefusal`` where the mask names what there is not.
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
            // One choice takes the place of the other.
            for choice in Self.smsRegionChoices where names.starts(with: choice) && change[path: choice] != nil {
                for other in Self.smsRegionChoices where other != choice { members[path: other] = nil }
            }
        }
    }

    /// Whether a member is what a mask's path names, or lies in it.
    static func isPart(_ member: String, of path: String) -> Bool {
        member == path || member.hasPrefix(path + ".")
    }

    /// What a refusal may say of a text of the caller's.
    static func quoted(_ text: String) -> String {
        "\"" + String(text.unicodeScalars.prefix(64).map { $0.value >= 0x20 ? Character($0) : "?" }) + "\""
    }
}

/// Why a configuration was not taken.
public struct ConfigurationRefusal: Error, Equatable {
    /// One or two sentences that name the member.
    public let explanation: String
    /// Whether the member is one of `blockingFunctions`, for which the protocol has an error of its own.
    public private(set) var isOfBlockingFunction = false

    init(_ explanation: String) {
        self.explanation = explanation
    }

    /// The same refusal, of a member of `blockingFunctions`.
    var ofBlockingFunction: ConfigurationRefusal {
        var refusal = self
        refusal.isOfBlockingFunction = true
        return refusal
    }
}
