/// An exchange of a session of the Firebase SDK for a Dialtone session.
///
/// The exchange runs on a server, which verifies the session with Google's service and ensures that the account was
/// imported. It may be your own server, which signs a custom token.
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
    /// Exchanges the session.
    public var exchange: any FirebaseSessionExchange
    /// Whether to remove a session that apps share after taking it over. Set this only if these apps no longer contain
    /// the Firebase SDK: otherwise, they would be signed out.
    public var removesSharedSessions = false
    let keychain: any Keychain

    /// Creates a takeover.
    ///
    /// - Parameters:
    ///   - places: where the session may be stored, such as ``FirebaseSessionPlace/all(googleAppID:apiKey:appName:)``.
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
