internal import Cryptography
internal import Encodings

/// The purpose that a challenge is bound to. A solution is rejected for any other subject.
public struct ChallengeSubject: Sendable, Hashable {
    /// A hash of the subject's parts in base64url: 128 bits, enough for second-preimage resistance.
    let text: String

    /// Returns the subject of one event of an iOS app, for the challenge page.
    public static func app(projectID: String, bundleID: String, eventID: EventID) -> ChallengeSubject {
        ChallengeSubject(parts: ["app", projectID, bundleID, eventID.text])
    }

    /// Returns the subject of one event of an Android app, for the challenge page.
    public static func androidApp(projectID: String, packageName: String, eventID: EventID) -> ChallengeSubject {
        ChallengeSubject(parts: ["android", projectID, packageName, eventID.text])
    }

    /// Returns the subject of a project's web apps, for `verifier.js`, which has no event.
    public static func web(projectID: String) -> ChallengeSubject {
        ChallengeSubject(parts: ["web", projectID])
    }

    private init(parts: [String]) {
        var message: [UInt8] = []
        for part in parts {
            // Each part is prefixed with its length, so that ("ab", "c") and ("a", "bc") differ.
            withUnsafeBytes(of: UInt32(part.utf8.count).bigEndian) { message += $0 }
            message += part.utf8
        }
        text = Base64URL.string(SHA256.hash(message).prefix(16))
    }
}
