/// An iOS app that the operator registered in a project: its bundle id, and the identifiers that its callback schemes are made of.
public struct RegisteredApp: Hashable, Sendable {
    /// The operator's name for it, in settings and on the command line.
    public let name: String
    /// The bundle id, which the SDK sends with each request and which is the topic of its pushes.
    public let bundleID: String
    /// The Google app id, such as `1:123:ios:abc`, or nil where the app has none.
    public let appID: String?
    /// The OAuth client id, such as `123-abc.apps.googleusercontent.com`, or nil where the app has none.
    public let clientID: String?
    /// Whether the dispatcher has a credential for its silent pushes.
    public let hasPush: Bool

    /// Registers an app.
    ///
    /// A bundle id is made of letters, digits, `-` and `.`, as Apple allows, an app id of those and `:`, a client id of those without
    /// `:`. A client id has at least one `.`, so that no reversed one is a scheme of the web's own.
    /// - Throws: ``RegisteredAppError`` naming the first identifier that cannot be one.
    public init(
        name: String,
        bundleID: String,
        appID: String?,
        clientID: String?,
        hasPush: Bool
    ) throws(RegisteredAppError) {
        guard Self.isBundleID(bundleID) else { throw .bundleID }
        if let appID {
            guard Self.isIdentifier(appID, besides: "-.:") else { throw .appID }
        }
        if let clientID {
            guard Self.isIdentifier(clientID, besides: "-."), clientID.contains("."), Self.endsLikeAScheme(clientID)
            else { throw .clientID }
        }
        self.name = name
        self.bundleID = bundleID
        self.appID = appID
        self.clientID = clientID
        self.hasPush = hasPush
    }

    /// Whether a text has the form of a bundle id.
    public static func isBundleID(_ text: String) -> Bool { isIdentifier(text, besides: "-.") }

    /// Apple's bound for a bundle id; nothing longer is an identifier of the other kinds either.
    private static let maximumLength = 155

    private static func isIdentifier(_ text: String, besides marks: String) -> Bool {
        (1...maximumLength).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { scalar in
                scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
                    || marks.unicodeScalars.contains(scalar)
            }
    }

    /// Its last part comes first in the scheme, and a scheme begins with a letter (RFC 3986 § 3.1).
    private static func endsLikeAScheme(_ clientID: String) -> Bool {
        let last = clientID.split(separator: ".", omittingEmptySubsequences: false).last
        return last?.unicodeScalars.first?.properties.isAlphabetic == true
    }
}

/// Which identifier of an app cannot be one.
public enum RegisteredAppError: Error, Equatable, CaseIterable {
    case bundleID
    case appID
    case clientID
}
