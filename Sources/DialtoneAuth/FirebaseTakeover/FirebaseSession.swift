internal import Foundation

/// A session of the Firebase SDK, as it is stored on the device.
public struct FirebaseSession: Sendable {
    /// The user's ID.
    public let uid: String
    /// The refresh token of Google's service. It must not reach logs.
    public let refreshToken: String
    /// The last ID token of Google's service, which may have expired. It must not reach logs.
    public let idToken: String
    /// The API key of the Firebase project; nil if the SDK stored none.
    public let apiKey: String?
}

extension FirebaseSession: CustomStringConvertible, CustomReflectable {
    /// The type only: tokens must not reach logs.
    public var description: String { "FirebaseSession" }
    /// Empty, for the same reason.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension FirebaseSession {
    /// Reads the archive of a user (`NSKeyedArchiver`, with the SDK's classes `FIRUser` and `FIRSecureTokenService`);
    /// returns nil if it is malformed.
    ///
    /// - Parameters:
    ///   - archive: the data of the keychain's item.
    ///   - key: the key of the user in the archive.
    init?(archive: Data, key: String) {
        guard let list = BinaryPropertyList(archive) else { return nil }
        let objects = list.member("$objects", of: list.top)
        func object(_ name: String, of parent: BinaryPropertyList.Reference?) -> BinaryPropertyList.Reference? {
            list.archivedReference(list.member(name, of: parent)).flatMap { list.element($0, of: objects) }
        }
        func text(_ name: String, of parent: BinaryPropertyList.Reference?) -> String? {
            let reference = object(name, of: parent)
            // A mutable string is a separate object.
            let text = list.text(reference) ?? list.text(list.member("NS.string", of: reference))
            return text == "$null" ? nil : text
        }
        let user = object(key, of: list.member("$top", of: list.top))
        let tokens = object("tokenService", of: user)
        guard let uid = text("userID", of: user), (1...128).contains(uid.utf8.count),
            let refreshToken = text("refreshToken", of: tokens), !refreshToken.isEmpty,
            let idToken = text("accessToken", of: tokens)
        else { return nil }
        self.init(
            uid: uid,
            refreshToken: refreshToken,
            idToken: idToken,
            apiKey: text("APIKey", of: tokens) ?? text("APIKey", of: user)
        )
    }
}
