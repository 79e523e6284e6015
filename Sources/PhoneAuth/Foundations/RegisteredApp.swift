/// An iOS app that the operator registered in a project: its bundle id, and the identifiers from which its callback URL
/// schemes are derived.
public struct RegisteredApp: Hashable, Sendable {
    /// The operator's name for the app, in settings and on the command line.
    public let name: String
    /// The bundle id, which the SDK sends with each request and which is the APNs topic of the app's pushes.
    public let bundleID: BundleID
    /// The Google app id, such as `1:123:ios:abc`; nil if the app has none.
    public let appID: String?
    /// The OAuth client id, such as `123-abc.apps.googleusercontent.com`; nil if the app has none.
    public let clientID: String?
    /// Whether the dispatcher has a credential for its silent pushes.
    public let hasPush: Bool

    /// Registers an app.
    ///
    /// An app id consists of letters, digits, `-`, `.` and `:`. A client id has no `:`, and has at least one `.`, so
    /// that its reversed form is never a scheme of the web itself.
    /// - Throws: ``RegisteredAppError`` naming the first invalid identifier.
    public init(
        name: String,
        bundleID: String,
        appID: String?,
        clientID: String?,
        hasPush: Bool
    ) throws(RegisteredAppError) {
        guard let bundleID = BundleID(bundleID) else { throw .bundleID }
        if let appID {
            guard Self.isIdentifier(appID, besides: "-.:") else { throw .appID }
        }
        if let clientID {
            guard Self.isIdentifier(clientID, besides: "-."), clientID.contains("."), Self.isReversedScheme(clientID)
            else { throw .clientID }
        }
        self.name = name
        self.bundleID = bundleID
        self.appID = appID
        self.clientID = clientID
        self.hasPush = hasPush
    }

    /// Apple's maximum length of a bundle id, in bytes; applies to the other identifiers too.
    private static let maximumLength = 155

    static func isIdentifier(_ text: String, besides marks: String) -> Bool {
        (1...maximumLength).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { scalar in
                scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
                    || marks.unicodeScalars.contains(scalar)
            }
    }

    /// Returns whether the reversed client id is a scheme. The last part comes first in the callback scheme, and a
    /// scheme begins with a letter (RFC 3986 § 3.1).
    private static func isReversedScheme(_ clientID: String) -> Bool {
        let last = clientID.split(separator: ".", omittingEmptySubsequences: false).last
        return last?.unicodeScalars.first?.properties.isAlphabetic == true
    }
}

/// The invalid identifier of an app.
public enum RegisteredAppError: Error, Equatable, CaseIterable {
    case bundleID
    case appID
    case clientID
}

/// An iOS app's bundle id, such as `com.example.app`: the APNs topic of its pushes.
public struct BundleID: Hashable, Sendable, CustomStringConvertible {
    /// The bundle id.
    public let text: String

    /// Validates a bundle id: 1 to 155 letters, digits, `-` and `.`, as Apple allows; nil for anything else.
    public init?(_ text: String) {
        guard RegisteredApp.isIdentifier(text, besides: "-.") else { return nil }
        self.text = text
    }

    /// The bundle id.
    public var description: String { text }
}
