internal import Encodings
internal import FastCGI
internal import PhoneAuth

extension IdentityToolkitHandler {
    /// Returns the rules for passwords, which `validatePassword` of the JS SDK applies while a user types one.
    ///
    /// Firebase enforces the length even if the state is `OFF`, and so do sign-ups here. The list of characters matters
    /// only to policies that require one of them. Dialtone accepts every character.
    static func passwordPolicy(_ call: Call) -> Response {
        .json(
            JSONWriter.object { json in
                json.object("customStrengthOptions") { json in
                    json.member("minPasswordLength", Int64(CredentialRefusal.minimumPasswordCharacters))
                    json.member("maxPasswordLength", Int64(CredentialRefusal.maximumPasswordBytes))
                }
                json.array("allowedNonAlphanumericCharacters") { json in
                    for character in nonAlphanumericCharacters { json.value(String(character)) }
                }
                json.member("enforcementState", "OFF")
                json.member("forceUpgradeOnSignin", false)
                // The only version that SDKs accept.
                json.member("schemaVersion", 1)
            }
        )
    }

    /// Firebase's list.
    private static let nonAlphanumericCharacters = #"^$*.[]{}()?"!@#%&/\,><':;|_~"#
}
