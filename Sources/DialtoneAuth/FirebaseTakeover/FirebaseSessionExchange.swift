/// Exchanges a session of the Firebase SDK for one of Dialtone.
///
/// The exchange runs on a server: it verifies the session with Google's service, and makes sure that the account was
/// imported. It may be a server of yours that signs a custom token.
public protocol FirebaseSessionExchange: Sendable {
    /// Exchanges a session. The same session may come again, if the app ended before the result was stored.
    ///
    /// - Throws: any error; the session stays where it is, and the next call of ``Auth/takeOver(_:)`` tries again.
    func exchange(_ session: FirebaseSession) async throws -> ExchangedFirebaseSession
}

/// What a session of the Firebase SDK was exchanged for.
public enum ExchangedFirebaseSession: Sendable {
    /// A token with which ``Auth/signIn(withCustomToken:)`` works, for the same user ID.
    case customToken(String)
    /// The tokens of a session of the same user.
    case tokens(idToken: String, refreshToken: String)
}

extension ExchangedFirebaseSession: CustomStringConvertible, CustomReflectable {
    /// The kind only: tokens must not reach logs.
    public var description: String { "ExchangedFirebaseSession" }
    /// Empty, for the same reason.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What ``Auth/takeOver(_:)`` did.
public enum FirebaseTakeoverResult: Sendable {
    /// The user of the Firebase SDK is signed in now.
    case takenOver(User)
    /// Nothing had to be done: nobody was signed in with the Firebase SDK, the session was taken over before, or a
    /// user has signed in with Dialtone.
    case nothingToDo
}

/// How to take over the session of the Firebase SDK.
public struct FirebaseTakeover: Sendable {
    /// Where the session may be; the first one that is found is taken over.
    public var places: [FirebaseSessionPlace]
    /// Exchanges the session.
    public var exchange: any FirebaseSessionExchange
    /// Whether a session that apps share is removed after it was taken over. Only when none of them has the Firebase
    /// SDK any longer: they would be signed out.
    public var removesSharedSessions = false
    let keychain: any Keychain

    /// Creates a takeover.
    ///
    /// - Parameters:
    ///   - places: where the session may be, such as ``FirebaseSessionPlace/all(googleAppID:apiKey:appName:)``.
    ///   - exchange: exchanges the session.
    public init(from places: [FirebaseSessionPlace], by exchange: any FirebaseSessionExchange) {
        self.init(from: places, by: exchange, in: DefaultStore.keychain)
    }

    init(from places: [FirebaseSessionPlace], by exchange: any FirebaseSessionExchange, in keychain: any Keychain) {
        self.places = places
        self.exchange = exchange
        self.keychain = keychain
    }
}
