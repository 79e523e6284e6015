internal import Cryptography
internal import Encodings

/// What a challenge is for. A solution counts for nothing else.
public struct ChallengeSubject: Sendable, Hashable {
    /// A hash of the subject's parts, in base64url: 128 bits, which nobody finds a second preimage of.
    let text: String

    /// One event of an app: that of the page.
    public static func app(projectID: String, bundleID: String, eventID: EventID) -> ChallengeSubject {
        ChallengeSubject(parts: ["app", projectID, bundleID, eventID.text])
    }

    /// A project's web apps: that of `verifier.js`, which has no event.
    public static func web(projectID: String) -> ChallengeSubject {
        ChallengeSubject(parts: ["web", projectID])
    }

    private init(parts: [String]) {
        var message: [UInt8] = []
        for part in parts {
            // Each with its length: ("ab", "c") and ("a", "bc") differ.
            withUnsafeBytes(of: UInt32(part.utf8.count).bigEndian) { message += $0 }
            message += part.utf8
        }
        text = Base64URL.string(SHA256.hash(message).prefix(16))
    }
}
