internal import Foundation

/// An exchange of a session of the Firebase SDK for a Dialtone session.
///
/// Implement it only if a server of yours exchanges sessions instead of Dialtone's. It must verify the session with
/// Google's service and ensure that the account was imported; it may sign a custom token.
public protocol FirebaseSessionExchange: Sendable {
    /// Exchanges a session. It may receive the same session again, if the app ended before the result was stored.
    ///
    /// - Throws: any error. The session stays where it is, and the next call of ``Auth/takeOver(_:)`` tries again.
    func exchange(_ session: FirebaseSession) async throws -> ExchangedFirebaseSession
}

/// The result of exchanging a session of the Firebase SDK.
public enum ExchangedFirebaseSession: Sendable {
    /// A token for ``Auth/signIn(withCustomToken:)``, for the same user ID.
    case customToken(String)
    /// The tokens of a Dialtone session for the same user ID.
    case tokens(idToken: String, refreshToken: String)
}

extension ExchangedFirebaseSession: CustomStringConvertible, CustomReflectable {
    /// The type only: tokens must not reach logs.
    public var description: String { "ExchangedFirebaseSession" }
    /// Empty, for the same reason.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The result of ``Auth/takeOver(_:)``.
public enum FirebaseTakeoverResult: Sendable {
    /// The user of the Firebase SDK is now signed in with Dialtone.
    case takenOver(User)
    /// There was nothing to do: no one was signed in with the Firebase SDK, the session was taken over before, or a
    /// user has signed in with Dialtone.
    case nothingToDo
}

/// How to take over the session of the Firebase SDK.
public struct FirebaseTakeover: Sendable {
    /// Where the session may be stored; the first session found is taken over.
    public var places: [FirebaseSessionPlace]
    /// Exchanges the session; nil if Dialtone's server does.
    public var exchange: (any FirebaseSessionExchange)?
    /// Whether to remove a session that apps share after taking it over. Set this only if these apps no longer contain
    /// the Firebase SDK: otherwise, they would be signed out.
    public var removesSharedSessions = false
    let keychain: any Keychain

    /// Creates a takeover.
    ///
    /// - Parameters:
    ///   - places: where the session may be stored, such as ``FirebaseSessionPlace/all(googleAppID:apiKey:appName:)``.
    ///   - exchange: exchanges the session; nil if Dialtone's server does, which needs `FIREBASE_SESSIONS_UNTIL`.
    public init(from places: [FirebaseSessionPlace], by exchange: (any FirebaseSessionExchange)? = nil) {
        self.init(from: places, by: exchange, in: DefaultStore.keychain)
    }

    init(from places: [FirebaseSessionPlace], by exchange: (any FirebaseSessionExchange)?, in keychain: any Keychain) {
        self.places = places
        self.exchange = exchange
        self.keychain = keychain
    }
}

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
